"""``coterie paper``: what it runs, keeps, resumes and prints."""

import pytest
from typer.testing import CliRunner

from coterie.cli import commands
from coterie.cli.main import build_app

FAST = ["paper", "table1", "--quick", "--seeds", "1", "--only", "lasso"]


def call(*arguments):
    return CliRunner().invoke(build_app(commands), [str(argument) for argument in arguments])


def test_an_unknown_table_is_refused_with_the_known_ones():
    outcome = call("paper", "table9")
    assert outcome.exit_code == 2
    assert "table9" in outcome.stderr
    assert "table-chemistry-all" in "".join(outcome.stderr.split())


def test_a_method_that_a_table_does_not_have_is_refused(tmp_path):
    outcome = call("paper", "table1", "--only", "laso", "--out", tmp_path)
    assert outcome.exit_code == 2
    assert "--only laso: the methods are compfs5, oracle" in " ".join(outcome.stderr.split())


def test_the_examples_need_no_fit(tmp_path):
    outcome = call("paper", "similarity", "--out", tmp_path)
    assert outcome.exit_code == 0
    assert "| 5/18" in outcome.stdout
    assert (tmp_path / "tables" / "similarity.tex").exists()


@pytest.mark.slow
def test_a_second_call_runs_nothing_and_prints_the_same_table(tmp_path):
    first, second = (call(*FAST, "--out", tmp_path) for _ in range(2))
    assert first.exit_code == second.exit_code == 0
    assert len(list(tmp_path.glob("cells/synthetic/lasso/Syn*-0.json"))) == 4
    assert "table1: 4 of 28 cells to run" in first.stderr
    assert "table1: 0 of 28 cells to run" in second.stderr
    assert first.stdout == second.stdout
    assert "| Syn4 | LASSO" in first.stdout
