"""What to type next, for tables with columns that can't be used."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from coterie.io.encoding import unusable_columns

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
    left_out = ignore_option(refused, [str(name) for name in table.columns])
    it = "it" if len(refused) == 1 else "them"
    has_gaps = not impute and bool(table.drop(columns=refused).isna().to_numpy().any())
    rest = " --impute (other columns have missing values)" if has_gaps else ""
    return f"{message}\nTo leave {it} out: {left_out}{rest}"


def ignore_option(names: list[str], columns: list[str]) -> str:
    """Return the option that leaves columns out, by patterns where there are many.

    A pattern may also match columns that could be used.

    Examples
    --------
    >>> names = [f"gene{i}_mut" for i in range(9)]
    >>> ignore_option([*names, "seen"], [*names, "seen", "age"])
    "--ignore '*_mut,seen'"
    """
    if len(names) > FEW:
        endings = Counter(f"*_{name.rpartition('_')[2]}" for name in names if "_" in name)
        common = [pattern for pattern, count in endings.items() if count > FEW]
        rest = [name for name in names if f"*_{name.rpartition('_')[2]}" not in common]
        names = [*common, *rest]
    joined = ",".join(names)
    if any("," in name for name in names):
        return " ".join(f"--ignore {_quoted(name)}" for name in names)
    return f"--ignore {_quoted(joined)}"


def _quoted(text: str) -> str:
    """Quote text for a shell if it needs it."""
    is_plain = text.replace(",", "").replace("_", "").replace("-", "").replace(".", "").isalnum()
    return text if is_plain else "'" + text.replace("'", "'\\''") + "'"
