"""From scores to a short list of terms: the best one, the best of what it leaves, and so on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from coterie.discovery.screen import Array, Evenness, PairScores, Term, blocks_of_terms

FAMILY_ERROR = 0.01
"""Chance that any term at all is taken where there is no effect."""
LEADERS = 64
RIDGE = 1e-4
LEAST_SPREAD = 0.25
"""Least share of the residual's variance that a score's own is taken for."""


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
        while len(found) < most:
            term = self._best_term(products)
            if term is None or term[1] < cut:
                break
            found.append(Term(self._features(term[0]), term[1], self._take(term[0])))
        return found

    def _features(self, places: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted({int(self.owner[self.columns[place]]) for place in places}))

    def _best_term(self, products: list[tuple[int, ...]]) -> tuple[tuple[int, ...], float] | None:
        """Return the places of the columns of the clearest term, and its score."""
        k = len(self.columns)
        same = self.owner[self.columns][:, None] == self.owner[self.columns]
        candidates: list[tuple[float, tuple[int, ...]]] = []
        for residual in self.residual.T:
            squares = residual**2
            least = LEAST_SPREAD * max(float(squares.sum(dtype=np.float64)), 1e-12)
            spread = np.sqrt(np.maximum(squares @ self.terms**2, least))
            single = (np.abs(self.terms.T @ residual) / spread).reshape(2, k).max(axis=0)
            candidates.append((float(single.max()), (int(single.argmax()),)))
            pairs = np.abs((self.terms * residual[:, None]).T @ self.terms)
            pairs = (pairs / self._pair_spread(squares, least)).reshape(2, k, 2, k).max(axis=(0, 2))
            pairs[same] = 0.0
            place = np.unravel_index(pairs.argmax(), pairs.shape)
            candidates.append((float(pairs[place]), tuple(sorted(int(i) for i in place))))
            for columns in products:
                places = tuple(int(np.searchsorted(self.columns, column)) for column in columns)
                product = self.terms[:, places].prod(axis=1)
                own = float(squares @ (product - product.mean()) ** 2)
                candidates.append((abs(float(product @ residual)) / max(own, least) ** 0.5, places))
        score, places = max(candidates)
        return places, float(self._as_normal(score))

    def _as_normal(self, score: Any) -> Any:
        """Return Fisher's z of a correlation that is given times the root of the rows."""
        correlation = np.minimum(score / np.sqrt(self.n_rows), 0.999)
        return np.arctanh(correlation) * np.sqrt(max(self.n_rows - 3, 1))

    def _pair_spread(self, squares: Array, least: float) -> Array:
        """Return the spread of the sum over rows of each product times the residual.

        It is that of the very rows, so that where the outcome has heavy tails, products that are
        large in the same rows do not look clear.
        """
        terms, mean = self.terms, self.terms.T @ self.terms / self.n_rows
        weighted = terms * squares[:, None]
        spread = (weighted * terms).T @ terms**2 - 2 * mean * (weighted.T @ terms)
        return np.sqrt(np.maximum(spread + mean**2 * squares.sum(), least))

    def _take(self, places: tuple[int, ...]) -> float:
        """Take a term and all below it out of the residual; return the share of variance it had."""
        before = float((self.residual.astype(np.float64) ** 2).sum())
        block = np.stack(list(self._products(places)), axis=1)
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

    def _products(self, places: tuple[int, ...]) -> Iterator[Array]:
        """Yield both transforms of each column, and all their products across the columns."""
        k = len(self.columns)
        transforms = [(self.terms[:, place], self.terms[:, k + place]) for place in places]
        for size in range(1, len(places) + 1):
            for members in combinations(transforms, size):
                products = [np.ones(self.n_rows, np.float32)]
                for pair in members:
                    products = [product * column for product in products for column in pair]
                yield from products
