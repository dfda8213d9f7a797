"""From selection probabilities to the features of a group.

A threshold is any callable that maps probabilities, shape (learners, features), to a mask of the
same shape. Those here are plain frozen dataclasses: they compare, print and pickle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np


class Threshold(Protocol):
    """What decides, after training, which gates are open."""

    def __call__(self, probabilities: np.ndarray) -> np.ndarray:
        """Return the mask of the selected features, shape (learners, features)."""
        ...


@dataclass(frozen=True)
class AtLeast:
    """Select the features whose probability is at least ``level`` (the paper's lambda).

    Examples
    --------
    >>> import numpy as np
    >>> AtLeast(0.7)(np.array([[0.69, 0.7, 0.9]])).tolist()
    [[False, True, True]]
    """

    level: float = 0.7

    def __post_init__(self) -> None:
        if not 0 <= self.level <= 1:
            raise ValueError(f"AtLeast: level must be between 0 and 1, got {self.level!r}.")

    def __call__(self, probabilities: np.ndarray) -> np.ndarray:
        return np.asarray(probabilities) >= self.level


@dataclass(frozen=True)
class TopK:
    """Select each learner's ``k`` most probable features; ties go to the first columns.

    Examples
    --------
    >>> import numpy as np
    >>> TopK(2)(np.array([[0.1, 0.9, 0.3]])).tolist()
    [[False, True, True]]
    """

    k: int

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError(f"TopK: k must be at least 1, got {self.k!r}.")

    def __call__(self, probabilities: np.ndarray) -> np.ndarray:
        order = np.argsort(-np.asarray(probabilities), axis=-1, kind="stable")
        mask = np.zeros(order.shape, dtype=bool)
        np.put_along_axis(mask, order[..., : self.k], True, axis=-1)
        return mask


@dataclass(frozen=True)
class AboveMean:
    """Select the features ``n_deviations`` standard deviations above the learner's mean.

    Examples
    --------
    >>> import numpy as np
    >>> AboveMean(1.0)(np.array([[0.1, 0.1, 0.1, 0.9]])).tolist()
    [[False, False, False, True]]
    """

    n_deviations: float = 3.0

    def __call__(self, probabilities: np.ndarray) -> np.ndarray:
        values = np.asarray(probabilities)
        if values.shape[-1] < 2:
            return np.zeros(values.shape, dtype=bool)
        centre = values.mean(axis=-1, keepdims=True)
        spread = values.std(axis=-1, ddof=1, keepdims=True)
        return values >= centre + self.n_deviations * spread
