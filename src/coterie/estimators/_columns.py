"""From a checked table to the float32 columns that a model trains on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import gen_batches

from coterie.estimators._validation import FILL

ENTRIES_AT_ONCE = 2**20
LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Scaling:
    """What is taken from the columns, and what they are then divided by, both of shape (columns,).

    Held in double precision, so that a large common offset costs the columns no digits.
    """

    offset: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def none(cls, n_columns: int) -> Scaling:
        """Leave columns as they are."""
        return cls(np.zeros(n_columns), np.ones(n_columns))

    @classmethod
    def standard(cls, X: Any, weights: NDArray[np.float64] | None) -> Scaling:
        """Bring columns to mean 0 and variance 1; a constant column is only shifted."""
        share = np.ones(X.shape[0]) if weights is None else weights
        share = share / share.sum()
        with np.errstate(over="ignore", invalid="ignore"):
            mean = sum(share[rows] @ block for rows, block in _dense_blocks(X))
            variance = sum(share[rows] @ (block - mean) ** 2 for rows, block in _dense_blocks(X))
            deviation = np.sqrt(variance)
            is_constant = deviation <= 1e-12 * np.abs(mean)
        return cls(np.asarray(mean), np.where(is_constant, 1.0, deviation))


def float32_columns(X: Any, scaling: Scaling, names: list[str] | None) -> NDArray[np.float32]:
    """Return the scaled columns as one dense float32 array, shape (rows, columns).

    Sparse matrices become dense: a step of training multiplies every column of a mini-batch by a
    gate of its own, so the zeros take part, and 4 bytes an entry is all that X then costs. Rows
    pass through double precision a block at a time, so no second copy of X is made.

    Raises
    ------
    ValueError
        If a value is NaN, infinite or too large for float32; names the column and the row.
    """
    columns = np.empty(X.shape, dtype=np.float32)
    for rows, block in _dense_blocks(X):
        with np.errstate(over="ignore", invalid="ignore"):
            columns[rows] = (block - scaling.offset) / scaling.scale
        if not (np.isfinite(columns[rows]) & (np.abs(block) <= LARGEST)).all():
            _refuse_not_finite(block, columns[rows], rows.start, names)
    return columns


def _dense_blocks(X: Any) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield consecutive rows of X in double precision."""
    for rows in gen_batches(X.shape[0], max(1, ENTRIES_AT_ONCE // X.shape[1])):
        block = X[rows].toarray() if sparse.issparse(X) else X[rows]
        yield rows, np.asarray(block, dtype=np.float64)


def _refuse_not_finite(
    block: NDArray[np.float64], scaled: NDArray[np.float32], start: int, names: list[str] | None
) -> NoReturn:
    """Raise for the first value that is not a finite float32."""
    row, column = np.argwhere(~np.isfinite(scaled) | (np.abs(block) > LARGEST))[0]
    unusable = ~np.isfinite(block).all(axis=0)
    if unusable.any():  # one such value spoils the mean, and with it all rows of its column
        column = np.flatnonzero(unusable)[0]
        row = np.flatnonzero(~np.isfinite(block[:, column]))[0]
    value = block[row, column]
    name = str(column) if names is None else repr(names[column])
    place = f"in column {name} (row {start + row})"
    if np.isnan(value):
        raise ValueError(f"Input X contains NaN {place}. {FILL}")
    if np.isinf(value):
        raise ValueError(f"Input X contains infinity, {value}, {place}. {FILL}")
    raise ValueError(
        f"Input X contains {value:g} {place}: it is infinity as float32, whose largest value is "
        "3.4e38. Divide the column, or take its logarithm."
    )
