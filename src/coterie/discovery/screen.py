"""Screens all features: exact scores of singles and pairs as matrix products."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from sklearn.utils import gen_batches

Array = NDArray[np.float32]

CLIP = 3.0
ROWS_AT_ONCE = 2048
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

    def __call__(self, scores: Array) -> Array:
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
    """Scores of all columns and of all pairs of columns, the best over transforms and outcomes.

    ``single`` has shape (columns,), ``pair`` (columns, columns); both are like absolute normal
    deviates where there is no effect. ``best_pair`` is the largest entry of each row.
    """

    single: Array
    pair: Array


def score_pairs(scores: Array, residual: Array, even: Evenness) -> PairScores:
    """Score every column and every pair against every column of the residual.

    With transforms :math:`W = [u, v]` of the columns and a residual :math:`r` this is
    :math:`|W^\\top \\mathrm{diag}(r) W| / (\\sigma_r \\sqrt n)`, exact and blocked over rows.

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
    n_columns, n_outputs = scores.shape[1], residual.shape[1]
    single = np.zeros((2 * n_columns, n_outputs), np.float32)
    pairs = [np.zeros((2 * n_columns, 2 * n_columns), np.float32) for _ in range(n_outputs)]
    scale = 1 / np.maximum(np.sqrt((residual.astype(np.float64) ** 2).sum(axis=0)), 1e-12)
    for rows, terms in blocks_of_terms(scores, even):
        weighted = residual[rows] * scale.astype(np.float32)
        single += terms.T @ weighted
        for output, products in enumerate(pairs):
            products += (terms * weighted[:, output, None]).T @ terms
    best = np.max([np.abs(products) for products in pairs], axis=0)
    folded = best.reshape(2, n_columns, 2, n_columns).max(axis=(0, 2))
    np.fill_diagonal(folded, 0.0)
    return PairScores(np.abs(single).reshape(2, n_columns, n_outputs).max(axis=(0, 2)), folded)


def best_triples(
    scores: Array, residual: Array, work: float, most: int = 64
) -> list[tuple[int, int, int]]:
    """Return the triples of columns whose products tell most of the residual.

    All triples are scored, on as many rows as ``work`` (multiplications) pays for; the best of
    them are then scored on all rows, and those that are clear by Bonferroni are returned.
    """
    n_rows, n_columns = scores.shape
    n_used = int(min(n_rows, work / max(n_columns, 1) ** 3 / residual.shape[1]))
    if n_columns < 3 or n_used < 100:
        return []
    stride = n_rows // n_used
    odd = np.clip(scores[::stride], -CLIP, CLIP)
    leaders = np.zeros(n_columns, dtype=(np.float32, 1))
    places: list[tuple[float, int, int, int]] = []
    for output in range(residual.shape[1]):
        used = residual[::stride, output]
        for first in range(n_columns - 2):
            weighted = odd[:, first + 1 :] * (odd[:, first] * used)[:, None]
            products = np.abs(weighted.T @ odd[:, first + 1 :])
            products = np.triu(products, 1)
            second = products.argmax(axis=1)
            best = products[np.arange(len(second)), second]
            for row in np.argsort(-best)[:8]:
                places.append(
                    (float(best[row]), first, first + 1 + int(row), first + 1 + int(second[row]))
                )
    places.sort(reverse=True)
    n_tests = n_columns**3 / 6 * residual.shape[1]
    cut = float(ndtri(1 - 0.01 / (2 * n_tests)))
    clear = []
    for _, *triple in places[:most]:
        product = np.clip(scores[:, triple], -CLIP, CLIP).prod(axis=1)
        product -= product.mean()
        norm = np.sqrt((product**2).sum())
        for column in residual.T:
            z = abs(float(product @ column)) / max(float(norm * column.std()), 1e-9)
            if z > cut:
                clear.append((z, tuple(sorted(triple))))
    return [triple for _, triple in sorted(set(clear), reverse=True)]
