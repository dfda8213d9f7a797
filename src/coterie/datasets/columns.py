"""How the columns of a made data set are drawn, all of them with variance of order one.

A kind draws ``n_features`` columns, shape (rows, features), and can draw a column correlated with
a given one. A new kind is a class with these two methods.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


class ColumnKind(Protocol):
    """The contract of a kind of columns."""

    def draw(self, rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
        """Return the columns, shape (rows, features)."""

    def correlate(self, rng: np.random.Generator, column: Array, correlation: float) -> Array:
        """Return a column of the same distribution with the given correlation."""


class _Normal:
    """Columns whose margins are standard normal."""

    def correlate(self, rng: np.random.Generator, column: Array, correlation: float) -> Array:
        noise = rng.standard_normal(len(column), dtype=np.float32)
        return np.float32(correlation) * column + np.float32(np.sqrt(1 - correlation**2)) * noise


class _Exchangeable:
    """Columns with independent rows, of any margin."""

    def correlate(self, rng: np.random.Generator, column: Array, correlation: float) -> Array:
        """Keep each row with probability ``correlation``, draw the others from the same column."""
        kept = rng.random(len(column)) < correlation
        return np.where(kept, column, rng.permutation(column))


@dataclass(frozen=True)
class Gaussian(_Normal):
    """Independent standard normal columns.

    Examples
    --------
    >>> Gaussian().draw(np.random.default_rng(0), 4, 3).shape
    (4, 3)
    """

    def draw(self, rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
        return rng.standard_normal((n_samples, n_features), dtype=np.float32)


@dataclass(frozen=True)
class Blocks(_Normal):
    """Standard normal columns in blocks of ``size``, with one correlation within a block.

    The first ``n_blocks`` blocks are correlated (None: as many as fit), later columns independent.

    Examples
    --------
    >>> columns = Blocks(size=3, correlation=0.99).draw(np.random.default_rng(0), 1000, 6)
    >>> np.corrcoef(columns.T)[0, [1, 3]].round(1) + 0.0
    array([1., 0.])
    """

    size: int = 3
    correlation: float = 0.99
    n_blocks: int | None = None

    def draw(self, rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
        n_blocks = n_features // self.size if self.n_blocks is None else self.n_blocks
        columns = rng.standard_normal((n_samples, n_features), dtype=np.float32)
        correlated = columns[:, : n_blocks * self.size]
        shared = rng.standard_normal((n_samples, n_blocks), dtype=np.float32)
        shared = np.repeat(shared, self.size, axis=1)[:, : correlated.shape[1]]
        correlated *= np.float32(np.sqrt(1 - self.correlation))
        correlated += np.float32(np.sqrt(self.correlation)) * shared
        return columns


@dataclass(frozen=True)
class Autoregressive(_Normal):
    """Standard normal columns, each correlated with the one before: AR(1) along the columns.

    Examples
    --------
    >>> columns = Autoregressive(0.9).draw(np.random.default_rng(0), 5000, 3)
    >>> np.corrcoef(columns.T)[0].round(1)
    array([1. , 0.9, 0.8])
    """

    correlation: float = 0.9

    def draw(self, rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
        rows = rng.standard_normal((n_features, n_samples), dtype=np.float32)
        for previous, current in pairwise(rows):
            current *= np.float32(np.sqrt(1 - self.correlation**2))
            current += np.float32(self.correlation) * previous
        return np.ascontiguousarray(rows.T)


@dataclass(frozen=True)
class Binary(_Exchangeable):
    """Independent columns of 0 and 1.

    Examples
    --------
    >>> np.unique(Binary(0.5).draw(np.random.default_rng(0), 20, 3))
    array([0., 1.], dtype=float32)
    """

    probability: float = 0.5

    def draw(self, rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
        uniform = rng.random((n_samples, n_features), dtype=np.float32)
        return (uniform < self.probability).astype(np.float32)


@dataclass(frozen=True)
class Genotype(_Exchangeable):
    """Independent counts 0, 1, 2 of an allele in Hardy-Weinberg proportions.

    Examples
    --------
    >>> np.unique(Genotype(0.4).draw(np.random.default_rng(0), 50, 3))
    array([0., 1., 2.], dtype=float32)
    """

    frequency: float = 0.4

    def draw(self, rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
        allele = Binary(self.frequency)
        return allele.draw(rng, n_samples, n_features) + allele.draw(rng, n_samples, n_features)


@dataclass(frozen=True)
class HeavyTails(_Exchangeable):
    """Independent columns of Student's t.

    Examples
    --------
    >>> HeavyTails(degrees=3).draw(np.random.default_rng(0), 4, 3).dtype
    dtype('float32')
    """

    degrees: float = 3.0

    def draw(self, rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
        return rng.standard_t(self.degrees, (n_samples, n_features)).astype(np.float32)


COLUMNS: dict[str, Callable[[], ColumnKind]] = {
    "gaussian": Gaussian,
    "blocks": Blocks,
    "autoregressive": Autoregressive,
    "binary": Binary,
    "genotype": Genotype,
    "heavy_tails": HeavyTails,
}
