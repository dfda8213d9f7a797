"""Which columns of a table play which part, by the names that the user gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from coterie.io.errors import TableError
from coterie.io.target import find_column


@dataclass(frozen=True)
class Roles:
    """The columns that are no features.

    Attributes
    ----------
    target : str
    id : str, optional
        Names the rows.
    weights : str, optional
        Weighs the rows.
    ignore : sequence of str
        Left out: names, several of them separated by commas, or patterns with ``*`` and ``?``.
    """

    target: str
    id: str | None = None
    weights: str | None = None
    ignore: Sequence[str] = ()

    @property
    def named(self) -> dict[str, str]:
        """The option of each column that has a part of its own."""
        parts = {"--target": self.target, "--id": self.id, "--weights": self.weights}
        return {option: name for option, name in parts.items() if name is not None}


def features_of(table: pd.DataFrame, roles: Roles) -> list[str]:
    """Return the names of the features, in the order of the table.

    Raises
    ------
    TableError
        For names that the table lacks, a column with two parts, or if no feature is left.

    Examples
    --------
    >>> table = pd.DataFrame(columns=["patient", "age", "tp53_mut", "brca1_mut", "relapse"])
    >>> features_of(table, Roles("relapse", id="patient", ignore=["*_mut"]))
    ['age']
    """
    _check_roles(table, roles)
    ignored = matching(table, roles.ignore)
    for option, name in roles.named.items():
        if name in ignored and name in names_in(table, roles.ignore):
            raise TableError(f"Column {name!r} is named both by {option} and by --ignore.")
    left_out = {*ignored, *roles.named.values()}
    features = [str(name) for name in table.columns if name not in left_out]
    if not features:
        raise TableError(
            f"No feature is left: all {len(table.columns)} columns of the table are left out or "
            f"named by {', '.join(roles.named)}. Ignore fewer columns."
        )
    return features


def names_in(table: pd.DataFrame, entries: Sequence[str]) -> list[str]:
    """Split entries at their commas, but for those that are names of columns as they stand."""
    names = []
    for entry in entries:
        split = [entry] if entry in table.columns else entry.split(",")
        names += [name if name in table.columns else name.strip() for name in split]
    return [name for name in names if name]


def matching(table: pd.DataFrame, entries: Sequence[str]) -> set[str]:
    """Return the columns that names and patterns stand for."""
    found: set[str] = set()
    for name in names_in(table, entries):
        if name in table.columns or not re.search(r"[*?]", name):
            found.add(str(_column(table, "--ignore", name).name))
            continue
        pattern = re.compile(re.escape(name).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)
        matches = {str(column) for column in table.columns if pattern.fullmatch(str(column))}
        if not matches:
            raise TableError(f"--ignore: no column of the table matches the pattern {name!r}.")
        found |= matches
    return found


def _check_roles(table: pd.DataFrame, roles: Roles) -> None:
    """Refuse columns that are not there, and a column with two parts."""
    option_of: dict[str, str] = {}
    for option, name in roles.named.items():
        _column(table, option, name)
        if name in option_of:
            raise TableError(
                f"Column {name!r} is named both by {option_of[name]} and by {option}. Name "
                "another column for one of them."
            )
        option_of[name] = option


def _column(table: pd.DataFrame, option: str, name: str) -> pd.Series:
    """Return a column; the message for one that is not there says which option asked for it."""
    try:
        return find_column(table, name)
    except TableError as error:
        raise TableError(f"{option}: {str(error)[0].lower()}{str(error)[1:]}") from None
