"""What ``coterie demo`` prints of a fitted estimator."""

from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from coterie.cli import commands
from coterie.cli.commands.demo import compare
from coterie.cli.main import build_app
from coterie.datasets import make_syn


class Fitted:
    """An estimator that found one of Syn2's pairs and a column of noise."""

    groups_ = ((0, 1), (2, 9))

    def score(self, X, y):
        return 0.75


def test_the_table_sets_what_was_found_beside_the_truth():
    console = Console(width=100, record=True, file=StringIO())
    console.print(compare(Fitted(), make_syn(2, 10, 12), title="Syn2"))
    lines = [" ".join(line.split()) for line in console.export_text().splitlines()]
    for expected in (
        "│ true groups │ {0, 1} {2, 3} │",
        "│ found groups │ {0, 1} {2, 9} │",
        "│ group similarity │ 0.67 │",
        "│ true positive rate │ 75% │",
        "│ false discovery rate │ 25% │",
        "│ accuracy on fresh rows │ 75.0% │",
    ):
        assert expected in lines


@pytest.mark.slow
def test_demo_prints_the_true_groups():
    arguments = ["demo", "--rows", "2000", "--features", "12"]
    result = CliRunner().invoke(build_app(commands), arguments)
    assert result.exit_code == 0, result.output
    assert "{0, 1}" in result.output
    assert "accuracy on fresh rows" in result.output
