"""How the true groups act together: all that the outcome sees of them.

``scores`` and ``fires`` hold a column for each group, shape (rows, groups). A new join is a class
with the attributes of :class:`Join`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
Flags = NDArray[np.bool_]


class Join(Protocol):
    """The contract of a join."""

    def labels(self, scores: Array, fires: Flags) -> NDArray[np.int64]:
        """Return the class of each row, shape (rows,)."""


@dataclass(frozen=True)
class Or:
    """Class 1 where any group fires: each group alone can cause the outcome.

    Examples
    --------
    >>> fires = np.array([[True, False], [False, False]])
    >>> Or().labels(fires.astype(float), fires)
    array([1, 0])
    """

    def labels(self, scores: Array, fires: Flags) -> NDArray[np.int64]:
        return np.asarray(fires.any(axis=1), dtype=np.int64)

    def strongest(self, levels: Array) -> Array:
        """Return the level that wins among the groups, shape (rows,)."""
        return levels.max(axis=1)


@dataclass(frozen=True)
class And:
    """Class 1 where all groups fire: each group alone can prevent the outcome.

    Examples
    --------
    >>> fires = np.array([[True, False], [True, True]])
    >>> And().labels(fires.astype(float), fires)
    array([0, 1])
    """

    def labels(self, scores: Array, fires: Flags) -> NDArray[np.int64]:
        return np.asarray(fires.all(axis=1), dtype=np.int64)

    def strongest(self, levels: Array) -> Array:
        """Return the level that wins among the groups, shape (rows,)."""
        return levels.min(axis=1)


@dataclass(frozen=True)
class Sum:
    """The weighted sum of the scores; class 1 where it exceeds ``threshold``.

    Examples
    --------
    >>> Sum(weights=(2.0, -1.0)).total(np.array([[1.0, 0.5]]))
    array([1.5])
    """

    weights: tuple[float, ...] | None = None
    threshold: float = 0.0

    def total(self, scores: Array) -> Array:
        """Return the weighted sum, shape (rows,)."""
        return scores @ _weights(self.weights, scores)

    def labels(self, scores: Array, fires: Flags) -> NDArray[np.int64]:
        return (self.total(scores) > self.threshold).astype(np.int64)


@dataclass(frozen=True)
class Largest:
    """As many classes as groups: the class is the group with the largest score.

    Examples
    --------
    >>> scores = np.array([[0.1, 3.0, -1.0]])
    >>> Largest().labels(scores, scores > 0)
    array([1])
    """

    def labels(self, scores: Array, fires: Flags) -> NDArray[np.int64]:
        return scores.argmax(axis=1)


@dataclass(frozen=True)
class Digits:
    """The class is the weighted count of the groups that fire, such as ``2 [f_1] + [f_2]``.

    Examples
    --------
    >>> fires = np.array([[True, False], [True, True]])
    >>> Digits((2, 1)).labels(fires.astype(float), fires)
    array([2, 3])
    """

    weights: tuple[int, ...]

    def labels(self, scores: Array, fires: Flags) -> NDArray[np.int64]:
        return fires.astype(np.int64) @ _weights(self.weights, fires).astype(np.int64)


def _weights(weights: tuple[float, ...] | None, columns: NDArray) -> NDArray:
    """Return a weight for each column, all of them 1 for None."""
    n_groups = columns.shape[1]
    if weights is None:
        return np.ones(n_groups, dtype=columns.dtype)
    if len(weights) != n_groups:
        raise ValueError(
            f"weights must hold one weight a group: got {len(weights)} for {n_groups}."
        )
    return np.asarray(weights, dtype=np.float32)


JOINS: dict[str, Callable[[], Join]] = {"or": Or, "and": And, "sum": Sum, "largest": Largest}
