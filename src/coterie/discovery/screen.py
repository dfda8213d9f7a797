"""Screens all features: exact scores of singles and pairs as matrix products."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

Array = NDArray[np.float32]

CLIP = 3.0
ROWS_AT_ONCE, COLUMNS_AT_ONCE = 2048, 2048
LEAST_ROWS = 8192
KEPT_PAIRS = 100
LEAST_SPREAD = 0.2
"""A transform that is nearly a function of the other one adds nothing."""


@dataclass(frozen=True)
class Evenness:
    """The second transform of a column: its size, less what the column itself tells of it.

    ``even(x) = (|x| - mean - slope x) / spread``, zero where nothing is left of it, as for a binary
    column.
    """

    mean: Array
    slope: Array
    scale: Array

    @classmethod
    def of(cls, scores: Array) -> Evenness:
        size = np.abs(scores)
        mean = size.mean(axis=0)
        variance = np.maximum(np.einsum("ij,ij->j", scores, scores) / len(scores), 1e-12)
        slope = np.einsum("ij,ij->j", scores, size) / len(scores) / variance
        left = np.einsum("ij,ij->j", size, size) / len(scores) - mean**2 - slope**2 * variance
        spread = np.sqrt(np.maximum(left, 0.0))
        scale = np.where(spread > LEAST_SPREAD, 1 / np.maximum(spread, 1e-6), 0.0)
        return cls(mean, slope, scale.astype(np.float32))

    def of_columns(self, chosen: slice | NDArray[np.intp]) -> Evenness:
        """Keep the transforms of some columns."""
        return Evenness(self.mean[chosen], self.slope[chosen], self.scale[chosen])

    def __call__(self, scores: Array) -> Array:
        """Return the second transform of rows, shape as ``scores``."""
        return (np.abs(scores) - self.mean - self.slope * scores) * self.scale


def blocks_of_terms(scores: Array, even: Evenness) -> Iterator[tuple[slice, Array]]:
    """Yield rows of both transforms side by side, shape (rows, 2 columns)."""
    for rows in gen_batches(len(scores), ROWS_AT_ONCE):
        odd = np.clip(scores[rows], -CLIP, CLIP)
        yield rows, np.hstack([odd, even(odd)])


@dataclass(frozen=True)
class Term:
    """Features whose product of transforms tells of the outcome, and how clearly.

    ``share`` is the part of the outcome's variance that the term took away when it was found.
    """

    features: tuple[int, ...]
    z: float
    share: float


@dataclass(frozen=True)
class PairScores:
    """Scores of columns and of pairs of columns, the best over transforms and outcomes.

    All are like absolute normal deviates where there is no effect.

    Attributes
    ----------
    single, best_pair : array of shape (columns,)
        The score of each column by itself, and of the best pair that it is in.
    pairs : list of (float, int, int)
        The best pairs, with their scores, the best first.
    """

    single: Array
    best_pair: Array
    pairs: list[tuple[float, int, int]]


def rows_to_screen(n_rows: int, n_columns: int, n_outputs: int, work: float) -> NDArray[np.intp]:
    """Return the rows that so many multiplications pay for: all of them, or an even sample.

    Examples
    --------
    >>> len(rows_to_screen(20_000, 500, 1, 2e11)), len(rows_to_screen(60_000, 784, 10, 2e11))
    (20000, 8192)
    """
    paid = int(work / ((2 * n_columns) ** 2 * n_outputs))
    n_used = min(n_rows, max(paid, LEAST_ROWS))
    return np.linspace(0, n_rows - 1, n_used).astype(np.intp)


def score_pairs(scores: Array, residual: Array, even: Evenness) -> PairScores:
    r"""Score every column and every pair against every column of the residual.

    With transforms :math:`W = [u, v]` of the columns and a residual :math:`r` this is
    :math:`|W^\top \mathrm{diag}(r) W| / (\sigma_r \sqrt n)`, exact, in blocks of rows and of
    columns, so that memory stays flat however wide the table is.

    Parameters
    ----------
    scores : array of shape (rows, columns)
    residual : array of shape (rows, outputs)
        With mean zero; need not be scaled.
    even : Evenness

    Returns
    -------
    PairScores
    """
    n_columns = scores.shape[1]
    norms = np.sqrt(np.einsum("ij,ij->j", residual, residual, dtype=np.float64))
    scaled = (residual / np.maximum(norms, 1e-12)).astype(np.float32)
    single, best_pair = np.zeros((2, n_columns), np.float32)
    leaders: list[tuple[float, int, int]] = []
    tiles = list(gen_batches(n_columns, COLUMNS_AT_ONCE))
    for i, first in enumerate(tiles):
        single[first] = _score_singles(scores[:, first], scaled, even.of_columns(first))
        for second in tiles[i:]:
            tile = _score_tile(scores, scaled, even, first, second)
            if first == second:
                tile = np.triu(tile, 1)
            best_pair[first] = np.maximum(best_pair[first], tile.max(axis=1))
            best_pair[second] = np.maximum(best_pair[second], tile.max(axis=0))
            leaders = _leading(leaders, tile, first.start, second.start)
    return PairScores(single, best_pair, leaders)


def _score_singles(scores: Array, scaled: Array, even: Evenness) -> Array:
    """Return the best score of each column by itself."""
    total = sum(terms.T @ scaled[rows] for rows, terms in blocks_of_terms(scores, even))
    return np.abs(total).reshape(2, scores.shape[1], -1).max(axis=(0, 2))


def _score_tile(scores: Array, scaled: Array, even: Evenness, first: slice, second: slice) -> Array:
    """Return the best score of each pair of columns of two blocks."""
    widths = (first.stop - first.start, second.stop - second.start)
    products = np.zeros((scaled.shape[1], 2 * widths[0], 2 * widths[1]), np.float32)
    left = blocks_of_terms(scores[:, first], even.of_columns(first))
    right = blocks_of_terms(scores[:, second], even.of_columns(second))
    pairs = (
        ((rows, a, a) for rows, a in left)
        if first == second
        else ((rows, a, b) for (rows, a), (_, b) in zip(left, right, strict=True))
    )
    for rows, a, b in pairs:
        for output, product in enumerate(products):
            product += (a * scaled[rows, output, None]).T @ b
    best = np.abs(products).max(axis=0)
    return best.reshape(2, widths[0], 2, widths[1]).max(axis=(0, 2))


def _leading(
    leaders: list[tuple[float, int, int]], tile: Array, row: int, column: int
) -> list[tuple[float, int, int]]:
    """Keep the best pairs of those known and those of a tile."""
    flat = tile.ravel()
    top = np.argpartition(-flat, min(KEPT_PAIRS, flat.size - 1))[:KEPT_PAIRS]
    found = [
        (float(flat[place]), row + int(place // tile.shape[1]), column + int(place % tile.shape[1]))
        for place in top
        if flat[place] > 0
    ]
    return sorted([*leaders, *found], reverse=True)[:KEPT_PAIRS]
