"""What to type next, for tables with columns that can't be used."""

from __future__ import annotations

import shlex
from collections import Counter

import pandas as pd

from coterie.io._refusals import several
from coterie.io.encoding import unusable_columns
from coterie.study.columns import matching

FEW = 6
"""Columns that are named one by one rather than by patterns."""


def with_hint(message: str, table: pd.DataFrame, impute: bool) -> str:
    r"""Add to a refusal the options that would get past it.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [71, 64], "seen": ["2020-01-31", "2021-02-28"]})
    >>> with_hint("Column 'seen' holds dates.", table, impute=False)
    "Column 'seen' holds dates.\nTo leave it out: --ignore seen"
    """
    refused = unusable_columns(table)
    if not refused:
        return message
    patterns = shortened(refused)
    left_out = ignore_option(patterns)
    it = "it" if len(refused) == 1 else "them"
    others = table.drop(columns=[*matching(table, patterns), *refused], errors="ignore")
    has_gaps = not impute and bool(others.isna().to_numpy().any())
    rest = " --impute (other columns have missing values)" if has_gaps else ""
    more = table.shape[1] - len(refused) - others.shape[1]
    also = f"\nThis leaves out {several(more, 'column')} that could be used, too." if more else ""
    return f"{message}\nTo leave {it} out: {left_out}{rest}{also}"


def shortened(names: list[str]) -> list[str]:
    """Return names, with a pattern in place of many that end alike.

    A pattern may also match columns that could be used.

    Examples
    --------
    >>> shortened([*(f"gene{i}_mut" for i in range(9)), "seen"])
    ['*_mut', 'seen']
    """
    if len(names) <= FEW:
        return names
    ending_of = {name: f"*_{name.rpartition('_')[2]}" for name in names if "_" in name}
    counts = Counter(ending_of.values())
    common = [pattern for pattern, count in counts.items() if count > FEW]
    return [*common, *(name for name in names if ending_of.get(name) not in common)]


def ignore_option(names: list[str]) -> str:
    """Return the option that leaves columns out.

    Examples
    --------
    >>> ignore_option(["*_mut", "seen"])
    "--ignore '*_mut,seen'"
    """
    if any("," in name for name in names):
        return " ".join(f"--ignore {shlex.quote(name)}" for name in names)
    return f"--ignore {shlex.quote(','.join(names))}"
