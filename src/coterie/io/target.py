"""The column that is to be predicted: whether it can be, and whether by classes or by numbers."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from coterie.io.errors import TableError
from coterie.io.kinds import Refusal, kind_of, row_numbers

Task = Literal["classification", "regression"]

FEW_NUMBERS = 10
"""Whole numbers of at most so many different values are taken for classes."""
MOST_CLASSES = 100


@dataclass(frozen=True)
class Target:
    """A target that can be learnt.

    Attributes
    ----------
    values : Series
        Without missing values; its index tells which rows of the table it is for.
    task : "classification" or "regression"
    reason : str
        Why this task, as a sentence.
    notes : tuple of str
        What else the user should know.
    """

    values: pd.Series
    task: Task
    reason: str
    notes: tuple[str, ...] = ()


def find_task(values: pd.Series) -> tuple[Task, str]:
    """Tell from its values whether a target is a class or a number, and why.

    Text, booleans, categories and any two values are classes, and so are whole numbers of at most
    ten different values that each occur twice or more on average. Other numbers are numbers.

    Examples
    --------
    >>> find_task(pd.Series([0, 1, 1, 0], name="relapse"))
    ('classification', "'relapse' has two values, 0 and 1")
    >>> find_task(pd.Series([0.3, 1.2, 2.4], name="dose"))
    ('regression', "'dose' holds numbers with decimals, such as 0.3")
    """
    present = values.dropna()
    name = repr(str(values.name))
    kind = kind_of(row_numbers(present), len(present))
    distinct = present.drop_duplicates()
    if len(distinct) == 2:
        first, second = sorted(distinct.tolist(), key=str)
        return "classification", f"{name} has two values, {first} and {second}"
    if kind != "number":
        what = "categories" if isinstance(present.dtype, pd.CategoricalDtype) else "text"
        return "classification", f"{name} holds {what}, {len(distinct)} different values"
    numbers = distinct.to_numpy(dtype=np.float64)
    with_decimals = numbers != np.round(numbers)
    if with_decimals.any():
        return (
            "regression",
            f"{name} holds numbers with decimals, such as {numbers[with_decimals][0]:g}",
        )
    if len(distinct) <= FEW_NUMBERS and len(present) >= 2 * len(distinct):
        return "classification", f"{name} holds {len(distinct)} different whole numbers"
    return "regression", f"{name} holds {len(distinct)} different whole numbers"


def check_target(
    table: pd.DataFrame, name: str, task: Task | None = None, *, drop_missing: bool = False
) -> Target:
    """Return the target column and its task, or say why it can't be learnt.

    Parameters
    ----------
    table : DataFrame
    name : str
        The column to be predicted.
    task : "classification" or "regression", optional
        By default found by :func:`find_task`.
    drop_missing : bool, default=False
        Leave out rows in which the target is missing rather than refuse them. ``values`` then lacks
        these rows: use ``table.loc[target.values.index]``, or its positions if the index repeats.

    Raises
    ------
    TableError
        If there is no such column; if it is constant, missing, or holds dates or disguised numbers;
        if it has too many classes, or one of a single row; if text is to be a number.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [71, 64, 58, 66], "status": ["ill", "well", "ill", "well"]})
    >>> target = check_target(table, "status")
    >>> target.task, target.reason
    ('classification', "'status' has two values, ill and well")
    """
    if task not in (None, "classification", "regression"):
        raise TableError(f"task={task!r} is not known: use 'classification' or 'regression'.")
    column = find_column(table, name)
    present, notes = _without_missing(column, drop_missing)
    distinct = present.nunique()
    if distinct == 1:
        raise TableError(
            f"Target {name!r} has one value only, {str(present.iloc[0])!r}: there is nothing to "
            "tell apart. Name another column, or add rows with other values."
        )
    kind = kind_of(row_numbers(column), len(column))
    if isinstance(kind, Refusal) and not kind.reason.startswith("names or identifiers"):
        remedy = f" {kind.remedy[0].upper()}{kind.remedy[1:]}." if kind.remedy else ""
        raise TableError(
            f"Target {name!r} holds {kind.reason}.{remedy} Name another column, or correct it."
        )
    found, reason = find_task(present)
    if task is not None:
        found, reason = task, f"task={task!r} was asked for"
    if found == "classification":
        _check_classes(name, present)
    elif kind not in ("number", "boolean"):
        raise TableError(
            f"Target {name!r} holds text, such as {str(present.iloc[0])!r}, so task='regression' "
            "can't predict it: use task='classification', or turn it into numbers."
        )
    else:
        _check_numbers(name, present)
    return Target(present, found, reason, notes)


def find_column(table: pd.DataFrame, name: str) -> pd.Series:
    """Return a column; suggest similar names for one that is not there.

    Examples
    --------
    >>> find_column(pd.DataFrame({"age": [71]}), "Age")
    Traceback (most recent call last):
        ...
    coterie.io.errors.TableError: The table has no column 'Age'. Did you mean 'age'?
    """
    if name in table.columns:
        return table[name]
    lowered = {str(column).lower(): str(column) for column in table.columns}
    close = difflib.get_close_matches(name.lower(), lowered, n=3, cutoff=0.6)
    shown = [repr(str(column)) for column in table.columns[:8]]
    known = ", ".join(shown) + (", …" if len(table.columns) > len(shown) else "")
    hint = (
        f"Did you mean {' or '.join(repr(lowered[match]) for match in close)}?"
        if close
        else f"Its columns are {known}."
    )
    raise TableError(f"The table has no column {name!r}. {hint}")


def _without_missing(column: pd.Series, drop_missing: bool) -> tuple[pd.Series, tuple[str, ...]]:
    """Return the values that are there, and a note on those that are not."""
    n_rows, n_missing = len(column), int(column.isna().sum())
    if n_missing == n_rows:
        raise TableError(
            f"Target {column.name!r} is missing in all {n_rows:,} rows. Name another column."
        )
    if not n_missing:
        return column, ()
    if not drop_missing:
        raise TableError(
            f"Target {column.name!r} is missing in {n_missing:,} of {n_rows:,} rows. Leave out "
            "these rows: nothing can be learnt from them."
        )
    verb = "was" if n_missing == 1 else "were"
    note = f"{n_missing:,} of {n_rows:,} rows {verb} left out: the target is missing there."
    return column.dropna(), (note,)


def _check_classes(name: str, present: pd.Series) -> None:
    """Refuse more classes than can be learnt, and classes of a single row."""
    counts = present.astype(object).value_counts()
    if len(counts) > min(MOST_CLASSES, len(present) // 2):
        raise TableError(
            f"Target {name!r} has {len(counts):,} different values in {len(present):,} rows, too "
            f"many for classes (at most {MOST_CLASSES}, and two rows for each). Use "
            "task='regression' if they are numbers, merge classes, or name another column."
        )
    alone = counts[counts < 2]
    if len(alone):
        raise TableError(
            f"Class {str(alone.index[0])!r} of target {name!r} has a single row: nothing can be "
            "learnt and checked on it. Leave out such rows, or merge the class with another."
        )


def _check_numbers(name: str, present: pd.Series) -> None:
    """Refuse infinite numbers."""
    numbers = present.to_numpy(dtype=np.float64)
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise TableError(
            f"Target {name!r} holds {numbers[row]} in row {row}. Correct the value, or leave out "
            "the row."
        )
