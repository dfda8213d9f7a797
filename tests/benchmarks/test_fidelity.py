"""The judgement of the fidelity benchmark, on numbers worked by hand."""

import sys

import pytest

from benchmarks import fidelity
from benchmarks._common import read_json
from benchmarks.fidelity import Spread, allowed_shortfall, published, report, verdict

CELL = {
    "task": "Syn2", "seed": 0, "groups": [[0, 1]], "tpr": 50.0, "fdr": 0.0, "gsim": 0.5,
    "n_groups": 1, "accuracy": 80.0, "accuracy_more_rows": 81.0, "seconds": 2.0,
}  # fmt: skip


def test_the_published_numbers_are_the_papers():
    paper = published()
    assert [paper[f"Syn{rule}"]["gsim"].mean for rule in (1, 2, 3, 4)] == [0.91, 0.9, 0.68, 0.47]
    assert paper["Syn4"]["fdr"] == Spread(51.9, 13.8, 10)
    assert paper["Syn2"]["accuracy"] == paper["Syn2"]["accuracy_more_rows"] == Spread(95.5, 5.4, 10)


def test_a_spread_is_mean_and_sample_standard_deviation():
    assert Spread.of([1.0, 2.0, 3.0]) == Spread(2.0, 1.0, 3)
    assert Spread.of([4.0]) == Spread(4.0, 0.0, 1)


def test_the_allowance_is_two_standard_errors_of_the_difference():
    assert allowed_shortfall(Spread(0, 3.0, 9), Spread(0, 4.0, 16)) == pytest.approx(2 * 2**0.5)


def test_without_spreads_a_little_is_allowed():
    assert allowed_shortfall(Spread(0, 0.0, 10), Spread(1, 0.0, 10)) == 0.02


@pytest.mark.parametrize(
    ("mean", "expected"),
    [(0.95, "above"), (0.9, "equal"), (0.89, "within"), (0.875, "BELOW"), (0.0, "BELOW")],
)
def test_a_mean_is_judged_against_the_published_one(mean, expected):
    assert verdict(Spread(mean, 0.0, 10), Spread(0.9, 0.0, 10)) == expected


def test_the_page_shows_both_numbers_and_the_verdict():
    content = {"command": "c", "machine": {}, "versions": {}, "seeds": [0], "jobs": 1}
    page = report({**content, "cells": [CELL]})
    assert "| Syn2 | Gsim                      | 0.50 ± 0.00 | 0.90 ± 0.20 |" in page
    assert "BELOW" in page
    assert "{0, 1}" in page


def test_finished_cells_are_kept_and_others_refused(monkeypatch, tmp_path, capsys):
    """A benchmark whose fits fail halfway goes on with the cells that are missing."""
    ran = []

    def run_cell(rule, seed, **settings):
        if (rule, seed) == (2, 1) and (2, 1) not in ran:
            ran.append((rule, seed))
            raise KeyboardInterrupt
        ran.append((rule, seed))
        return {**CELL, "task": f"Syn{rule}", "seed": seed}

    def run(*options):
        arguments = ["fidelity", "--jobs=1", "--seeds=2", f"--results={tmp_path}", *options]
        monkeypatch.setattr(sys, "argv", [*arguments, "--rules", "1", "2"])
        fidelity.main()

    monkeypatch.setattr(fidelity, "run_cell", run_cell)
    with pytest.raises(KeyboardInterrupt):
        run()
    assert len(read_json(tmp_path / "fidelity.json")["cells"]) == 3
    run()
    assert sorted(ran) == [(1, 0), (1, 1), (2, 0), (2, 1), (2, 1)]
    assert len(read_json(tmp_path / "fidelity.json")["cells"]) == 4
    assert (tmp_path / "fidelity.md").read_text() in capsys.readouterr().out
    with pytest.raises(SystemExit, match="--restart"):
        run("--epochs=7")
