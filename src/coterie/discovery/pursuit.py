"""From scores to a short list of terms: the best one, the best of what it leaves, and so on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from coterie.discovery.clarity import robust_z
from coterie.discovery.screen import Array, Evenness, PairScores, Term, blocks_of_terms

FAMILY_ERROR = 0.01
"""Chance that any term at all is taken where there is no effect."""
LEADERS = 64
MOST_REFUSED = 40
"""How many terms may turn out to live on a few rows before the pursuit ends."""
RIDGE = 1e-4


def clear_score(n_columns: int, n_outputs: int = 1) -> float:
    """Return the score that no term should reach by chance (Bonferroni over singles and pairs)."""
    n_tests = (2 * n_columns + 2 * n_columns**2) * n_outputs
    return float(ndtri(1 - FAMILY_ERROR / (2 * n_tests)))


class Pursuit:
    """Matching pursuit over products of transforms, among the columns that score best.

    Parameters
    ----------
    scores : array of shape (rows, columns)
    residual : array of shape (rows, outputs)
    even : Evenness
    owner : int array of shape (columns,)
        The feature of each column.
    """

    def __init__(self, scores: Array, residual: Array, even: Evenness, owner: NDArray) -> None:
        self.n_rows, self.n_columns = scores.shape
        self.residual = np.asarray(residual, np.float32) - residual.mean(axis=0)
        self.total = float((self.residual.astype(np.float64) ** 2).sum())
        self.scores, self.even, self.owner = scores, even, owner
        self.basis = np.zeros((self.n_rows, 0), np.float32)
        self.refused: set[tuple[int, ...]] = set()

    def run(
        self, screened: PairScores, products: list[tuple[int, ...]], most: int = 40
    ) -> list[Term]:
        """Return the terms found, first the clearest."""
        cut = clear_score(self.n_columns, self.residual.shape[1])
        best = np.maximum(screened.single, screened.best_pair)
        order = np.argsort(-best)[:LEADERS]
        self.columns = np.sort(order[self._as_normal(best[order]) > cut])
        for product in products:
            self.columns = np.union1d(self.columns, product)
        if not len(self.columns):
            return []
        self.terms = np.concatenate(
            [
                terms
                for _, terms in blocks_of_terms(
                    self.scores[:, self.columns], self.even.of_columns(self.columns)
                )
            ]
        )
        found: list[Term] = []
        while len(found) < most and len(self.refused) < MOST_REFUSED:
            places, z = self._best_term(products)
            if z < cut:
                break
            if self._is_clear(places, cut):
                found.append(Term(self._features(places), z, self._take(places)))
            else:
                self.refused.add(places)
        return found

    def _is_clear(self, places: tuple[int, ...], cut: float) -> bool:
        """Tell whether a term is clear beside the spread of its own rows, too."""
        return any(
            robust_z(product, residual) > cut
            for product in self._products(places, len(places))
            for residual in self.residual.T
        )

    def _features(self, places: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted({int(self.owner[self.columns[place]]) for place in places}))

    def _best_term(self, products: list[tuple[int, ...]]) -> tuple[tuple[int, ...], float]:
        """Return the places of the columns of the best term, and its score."""
        k = len(self.columns)
        same = self.owner[self.columns][:, None] == self.owner[self.columns]
        candidates: list[tuple[float, tuple[int, ...]]] = []
        for residual in self.residual.T:
            norm = max(float(np.sqrt((residual.astype(np.float64) ** 2).sum())), 1e-12)
            single = np.abs(self.terms.T @ residual).reshape(2, k).max(axis=0) / norm
            single[[places[0] for places in self.refused if len(places) == 1]] = 0.0
            candidates.append((float(single.max()), (int(single.argmax()),)))
            pairs = np.abs((self.terms * residual[:, None]).T @ self.terms) / norm
            pairs = (pairs / self._pair_spread()).reshape(2, k, 2, k).max(axis=(0, 2))
            pairs[same] = 0.0
            for refused in self.refused:
                if len(refused) == 2:
                    pairs[refused] = pairs[refused[::-1]] = 0.0
            place = np.unravel_index(pairs.argmax(), pairs.shape)
            candidates.append((float(pairs[place]), tuple(sorted(int(i) for i in place))))
            for columns in products:
                places = tuple(int(np.searchsorted(self.columns, column)) for column in columns)
                if places in self.refused:
                    continue
                product = self.terms[:, places].prod(axis=1)
                score = abs(float(product @ residual)) / norm / max(float(product.std()), 1e-6)
                candidates.append((score, places))
        score, places = max(candidates)
        return places, float(self._as_normal(score))

    def _as_normal(self, score: Any) -> Any:
        """Return Fisher's z of a correlation that is given times the root of the rows."""
        correlation = np.minimum(score / np.sqrt(self.n_rows), 0.999)
        return np.arctanh(correlation) * np.sqrt(max(self.n_rows - 3, 1))

    def _pair_spread(self) -> Array:
        """Return the standard deviation of each product of two transforms."""
        if not hasattr(self, "_spread"):
            n = self.n_rows
            squares = self.terms**2
            variance = squares.T @ squares / n - (self.terms.T @ self.terms / n) ** 2
            self._spread = np.sqrt(np.maximum(variance, 0.25))
        return self._spread

    def _take(self, places: tuple[int, ...]) -> float:
        """Take a term and all below it out of the residual; return the share of variance it had."""
        before = float((self.residual.astype(np.float64) ** 2).sum())
        sizes = range(1, len(places) + 1)
        block = np.stack([p for size in sizes for p in self._products(places, size)], axis=1)
        block -= block.mean(axis=0)
        for _ in range(2):
            block -= self.basis @ (self.basis.T @ block)
        gram = block.T @ block
        values, vectors = np.linalg.eigh(gram.astype(np.float64))
        kept = values > max(RIDGE * self.n_rows, 1e-6)
        fresh = (block @ (vectors[:, kept] / np.sqrt(values[kept]))).astype(np.float32)
        self.basis = np.hstack([self.basis, fresh])
        self.residual -= fresh @ (fresh.T @ self.residual)
        after = float((self.residual.astype(np.float64) ** 2).sum())
        return (before - after) / max(self.total, 1e-12)

    def _products(self, places: tuple[int, ...], size: int) -> Iterator[Array]:
        """Yield all products of the transforms of so many of the columns."""
        k = len(self.columns)
        transforms = [(self.terms[:, place], self.terms[:, k + place]) for place in places]
        for members in combinations(transforms, size):
            products = [np.ones(self.n_rows, np.float32)]
            for pair in members:
                products = [product * column for product in products for column in pair]
            yield from products
