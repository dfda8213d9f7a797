"""Columns on one scale: normal scores, so that neither units nor heavy tails matter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

N_KNOTS = 65
FEW_VALUES = 12
ROWS_FOR_KNOTS = 4096


@dataclass(frozen=True)
class NormalScores:
    """A monotone, piecewise linear map a column, learnt from rows, to nearly normal scores.

    A column of many values is mapped by its quantiles to those of the normal distribution; one of a
    few values (a category, a count of alleles) is only brought to mean 0 and variance 1.

    Attributes
    ----------
    knots, scores : ndarray of float64, shape (columns, knots)
        Where the pieces of a column's map meet, and what the map gives there. Beyond the outermost
        knots the map is constant.
    """

    knots: NDArray[np.float64]
    scores: NDArray[np.float64]

    @classmethod
    def of(cls, columns: NDArray[np.float32]) -> NormalScores:
        """Learn the maps of all columns."""
        stride = -(-len(columns) // ROWS_FOR_KNOTS)
        rows = np.sort(columns[::stride].T.astype(np.float64), axis=1)
        extremes = np.stack([columns.min(axis=0), columns.max(axis=0)], axis=1)
        maps = [_map_of(values, *ends) for values, ends in zip(rows, extremes, strict=True)]
        knots, scores = zip(*maps, strict=True)
        return cls(np.stack(knots), np.stack(scores))

    def __call__(self, columns: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the scores of rows, shape as ``columns``."""
        return self.write(columns, np.empty(columns.shape, np.float32))

    def write(self, columns: NDArray[np.float32], out: NDArray[np.float32]) -> NDArray[np.float32]:
        """Write the scores into ``out``, which may be ``columns`` itself."""

        def one(column: int) -> None:
            values = np.interp(columns[:, column], self.knots[column], self.scores[column])
            out[:, column] = values

        with ThreadPoolExecutor() as threads:
            list(threads.map(one, range(columns.shape[1])))
        return out

    def of_columns(self, chosen: NDArray[np.intp]) -> NormalScores:
        """Keep the maps of some columns."""
        return NormalScores(self.knots[chosen], self.scores[chosen])


def _map_of(
    values: NDArray[np.float64], least: float, largest: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return knots and scores of a column from its sorted values; both of length ``N_KNOTS``."""
    distinct = np.unique(values)
    if len(distinct) <= FEW_VALUES:
        spread = values.std() or 1.0
        knots = np.linspace(least, largest, N_KNOTS)
        return knots, (knots - values.mean()) / spread
    farthest = ndtri(1 - 0.5 / len(values))
    knots = np.quantile(values, ndtr(np.linspace(-farthest, farthest, N_KNOTS)))
    below = np.searchsorted(values, knots, side="left")
    upto = np.searchsorted(values, knots, side="right")
    shares = np.clip((below + upto) / (2 * len(values)), 0.5 / len(values), 1 - 0.5 / len(values))
    knots[0], knots[-1] = least, largest
    return knots, ndtri(shares)
