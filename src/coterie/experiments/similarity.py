"""The worked examples of the group similarity; they need no fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from coterie.experiments.cells import Cell, Job
from coterie.experiments.options import Options
from coterie.experiments.pages import Report, Table
from coterie.experiments.published import read_published
from coterie.groups import Group
from coterie.metrics import group_similarity


@dataclass(frozen=True)
class Similarity:
    """The paper's table of examples, computed anew."""

    name: str = "similarity"
    title: str = "Group similarity: the paper's examples"

    def jobs(self, options: Options) -> list[Job]:
        """Return no cells."""
        return []

    def report(self, cells: Sequence[Cell]) -> Report:
        """Compute each example."""
        rows = []
        for row in read_published("similarity"):
            true, found = parse_groups(row["true"]), parse_groups(row["found"])
            ours = group_similarity(true, found)
            agrees = abs(ours - float(Fraction(row["gsim"]))) < 1e-12
            told = "equal" if agrees else "DIFFERENT"
            rows.append([_text(true), _text(found), f"{ours:.4f}", row["gsim"], told])
        header = ["true groups", "found groups", "Gsim", "published", "verdict"]
        return Report(self.name, self.title, [Table("similarity", "Gsim", header, rows)])


def parse_groups(text: str) -> list[Group]:
    """Read groups from a cell of the CSV file.

    Examples
    --------
    >>> parse_groups("1,2;3")
    [(1, 2), (3,)]
    """
    return [tuple(map(int, group.split(","))) for group in text.split(";")]


def _text(groups: Sequence[Group]) -> str:
    return " ".join("{" + ", ".join(map(str, group)) + "}" for group in groups)


SIMILARITY = Similarity()
