"""``coterie demo``: the whole way, and the truth beside what was found."""

from io import StringIO

import pytest
from rich.console import Console

from coterie.cli.commands.demo import beside_truth


def test_what_was_found_is_beside_the_truth():
    console = Console(width=100, record=True, file=StringIO())
    names = [f"x{column}" for column in range(12)]
    found = [{"members": ["x0", "x1"]}, {"members": ["x2", "x9"]}]
    console.print(beside_truth([(0, 1), (2, 3)], found, names))
    lines = [" ".join(line.split()) for line in console.export_text().splitlines()]
    for expected in (
        "│ true groups │ {x0, x1} {x2, x3} │",
        "│ found groups │ {x0, x1} {x2, x9} │",
        "│ group similarity │ 0.67 │",
        "│ true positive rate │ 75% │",
        "│ false discovery rate │ 25% │",
    ):
        assert expected in lines


@pytest.mark.slow
def test_the_demo_finds_the_true_groups_and_ends_with_the_report(coterie, tmp_path):
    done = coterie("demo", "--rows", 2000, "--features", 12, "--out", "here")
    assert done.code == 0, done.err
    assert "coterie fit here/syn2.csv --target target --out here" in done.out
    assert "{x0, x1}" in done.out
    assert done.out.strip().splitlines()[-1] == "Report: here/report.html"
    assert {path.name for path in (tmp_path / "here").iterdir()} == {
        "syn2.csv", "groups.csv", "model.safetensors", "report.html", "run.json",
    }  # fmt: skip
