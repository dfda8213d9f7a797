"""What is said of all columns at once that can't be used, or have gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from coterie.io.errors import TableError
from coterie.io.kinds import Refusal

SHOWN = 8
"""Columns that a message lists."""


def refuse_unusable(table: pd.DataFrame, kinds: Sequence[Any]) -> None:
    """Raise for all columns that hold what can't be encoded."""
    refused = {
        name: kind
        for name, kind in zip(table.columns, kinds, strict=True)
        if isinstance(kind, Refusal)
    }
    if not refused:
        return
    if len(refused) == 1:
        ((name, refusal),) = refused.items()
        remedy = f" {refusal.remedy[0].upper()}{refusal.remedy[1:]}, or" if refusal.remedy else ""
        raise TableError(
            f"Column {name!r} holds {refusal.reason}.{remedy} {'l' if remedy else 'L'}eave the "
            "column out."
        )
    lines = [f"{name!r} holds {refusal.what}" for name, refusal in refused.items()]
    raise TableError(
        f"{len(refused)} of {len(kinds)} columns can't be used: {listed(lines, '; ')}. Leave them "
        "out, or encode them first."
    )


def refuse_missing(table: pd.DataFrame, remedy: str) -> None:
    """Raise for all columns with missing values."""
    counts = table.isna().sum()
    counts = counts[counts > 0]
    if counts.empty:
        return
    if len(counts) == 1:
        _refuse_missing_in_one(table, str(counts.index[0]), int(counts.iloc[0]), remedy)
    shown = [f"{name!r} ({count:,})" for name, count in counts.items()]
    raise TableError(
        f"{len(counts)} of {len(table.columns)} columns have missing values (NaN), among "
        f"{len(table):,} rows: {listed(shown)}. {remedy}, or leave out these columns or rows."
    )


def _refuse_missing_in_one(table: pd.DataFrame, name: str, count: int, remedy: str) -> NoReturn:
    row = int(np.flatnonzero(table[name].isna())[0])
    where = f"in row {row}" if count == 1 else f"the first in row {row}"
    raise TableError(
        f"Column {name!r} has {several(count, 'missing value')} (NaN) among {len(table):,} rows, "
        f"{where}. {remedy}, or leave out the column or the rows."
    )


def listed(entries: Sequence[str], separator: str = ", ") -> str:
    """Join the first few entries."""
    shown = separator.join(entries[:SHOWN])
    more = len(entries) - SHOWN
    return f"{shown}{separator}and {more:,} more" if more > 0 else shown


def several(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
