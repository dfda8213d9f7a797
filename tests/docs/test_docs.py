"""The pages tell the truth: their code runs, and says what they say it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

from coterie.datasets._files import places
from coterie.datasets.catalogue import CATALOGUE
from tests.docs.pages import Reader, agrees, blocks_of, commands_of

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_CODE = [page for page in PAGES if any(b.language in ("python", "sh") for b in blocks_of(page))]
NEEDS = {"genes.md": "metabric", "molecules.md": "chem1", "images.md": "mnist"}


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.fixture(autouse=True)
def _draw_nowhere():
    matplotlib.use("Agg")


def require_data(page):
    """Skip a page whose data files are not here, unless they are required."""
    name = NEEDS.get(page.name)
    if name is None or os.environ.get("COTERIE_REQUIRE_DATA") == "1":
        return
    if not all(any(place.is_file() for place in places(file)) for file in CATALOGUE[name].files):
        pytest.skip(f"{page.name} needs the data set {name!r}: set COTERIE_DATA to its folder")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:No group of features")
@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_what_a_page_says_comes_out(page, tmp_path):
    require_data(page)
    Reader(tmp_path).follow(page)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_to_files_of_the_project_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s]+?)(?:#[^)]*)?\)", text)
    targets += re.findall(r"\{image\} (\S+)", page.read_text(encoding="utf-8"))
    for target in targets:
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.slow
def test_the_pages_build_without_a_warning(tmp_path):
    pytest.importorskip("sphinx", reason="pip install 'coterie[docs]'")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "https://" not in re.sub(r"<a [^>]*>", "", (tmp_path / "index.html").read_text("utf-8"))


def test_make_targets_on_the_pages_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in PAGES:
        for block in blocks_of(page):
            for program, *words in commands_of(block.text) if block.language == "sh" else []:
                if program == "make":
                    assert re.search(rf"^{words[0]}:", makefile, re.MULTILINE), words


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ("(3, 2) or\n", "(3, 2)  or", True),
        ("1,000 rows", "1,000 rows", True),
        ("1,000 rows", "1,001 rows", False),
        ("0.30", "0.31", True),
        ("0.30", "0.50", False),
        ("in ... s.", "in 12.4 s.", True),
        ("[(0, 1)]", "[(0, 2)]", False),
        ("a + b", "a - b", False),
    ],
)
def test_outputs_agree_if_only_decimals_differ_and_little(expected, got, same):
    assert agrees(expected, got) is same
