"""The script that draws the pages' pictures draws them."""

import importlib.util
from pathlib import Path

import matplotlib
import pytest
from PIL import Image

from coterie import CoterieClassifier
from coterie.datasets import make_syn

SCRIPT = Path(__file__).parents[2] / "docs" / "draw.py"


@pytest.fixture(scope="module")
def draw(tmp_path_factory):
    """Return the script, with a task that is quickly fitted and a folder of its own."""
    matplotlib.use("Agg")
    found = importlib.util.spec_from_file_location("draw", SCRIPT)
    script = importlib.util.module_from_spec(found)
    found.loader.exec_module(script)
    task = make_syn(rule=2, n_samples=4000, n_features=12, random_state=0)
    fitted = task, CoterieClassifier(effort="fast", random_state=0).fit(task.data, task.target)
    script.pairs = lambda: fitted
    script.PICTURES = tmp_path_factory.mktemp("pictures")
    return script


@pytest.mark.slow
@pytest.mark.parametrize("name", ["answer", "idea", "screen", "importance"])
def test_each_picture_is_small_and_of_few_colours(draw, name):
    draw.DRAWN[name]()
    path = draw.PICTURES / f"{name}.png"
    assert path.stat().st_size < 60_000
    with Image.open(path) as picture:
        assert picture.mode == "P"


def test_every_picture_is_on_a_page_and_every_one_on_a_page_is_drawn():
    pages = "".join(page.read_text(encoding="utf-8") for page in SCRIPT.parent.rglob("*.md"))
    kept = {path.stem for path in (SCRIPT.parent / "pictures").glob("*.png")}
    named = set(SCRIPT.read_text(encoding="utf-8").split("def draw_")[1:])
    assert kept == {text.split("(")[0] for text in named}
    assert all(f"pictures/{name}.png" in pages for name in kept)
