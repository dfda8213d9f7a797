"""Rows of a table, and which of them are held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from coterie.io.errors import InputError


@dataclass(frozen=True)
class Rows:
    """Rows of a table.

    Attributes
    ----------
    X : DataFrame
        The features; its index names the rows.
    y : ndarray
        The target.
    weights : ndarray, optional
    """

    X: pd.DataFrame
    y: NDArray[Any]
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.X)

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return Rows(self.X.iloc[rows], self.y[rows], weights)


def split(rows: Rows, task: str, fraction: float, seed: int) -> tuple[Rows, Rows | None, list[str]]:
    """Hold out a share of the rows; rows of one name stay together.

    Parameters
    ----------
    rows : Rows
    task : "classification" or "regression"
    fraction : float
        Of each class, or of the rows' names if they repeat; 0 for none.
    seed : int

    Returns
    -------
    train : Rows
    test : Rows or None
    notes : list of str
    """
    if not 0 <= fraction < 1:
        raise InputError(f"--test-fraction must be at least 0 and below 1; got {fraction:g}.")
    if fraction == 0:
        return rows, None, []
    notes, names = [], rows.X.index
    random = np.random.default_rng(seed)
    if names.has_duplicates:
        held_out = _held_out_names(names, fraction, random)
        named = f"{names.nunique():,} names of {len(names):,} rows"
        notes = [f"There are {named}: rows of one name were held out together."]
    else:
        strata = rows.y if task == "classification" else np.zeros(len(rows))
        held_out = _held_out(strata, fraction, random)
    train, test = rows.take(~held_out), rows.take(held_out)
    if len(np.unique(train.y)) < 2:
        raise InputError(
            f"--test-fraction {fraction:g} leaves one value of the target to learn from. Hold out "
            "fewer rows."
        )
    return train, test if len(test) else None, notes


def _held_out(
    strata: NDArray[Any], fraction: float, random: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw a share of the rows of each stratum, but leave two of each to learn from."""
    held_out = np.zeros(len(strata), dtype=bool)
    for stratum in np.unique(strata):
        rows = np.flatnonzero(strata == stratum)
        count = min(round(fraction * len(rows)), max(0, len(rows) - 2))
        held_out[random.permutation(rows)[:count]] = True
    return held_out


def _held_out_names(
    names: pd.Index, fraction: float, random: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw names until they have the share of the rows."""
    codes, _ = pd.factorize(names)
    counts = np.bincount(codes[codes >= 0])
    order = random.permutation(len(counts))
    chosen = order[np.cumsum(counts[order]) <= max(1, round(fraction * len(names)))]
    return np.isin(codes, chosen)
