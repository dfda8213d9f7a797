"""How the target is drawn from what the groups do together.

An outcome first computes its ``signal``, all that the features tell about the target, and then
draws the target from it. A new outcome is a class with these two methods.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from coterie.datasets.joins import Array, Flags, Join


class Outcome(Protocol):
    """The contract of an outcome."""

    def signal(self, scores: Array, fires: Flags, join: Join) -> NDArray:
        """Return what the features tell about each row, shape (rows,)."""

    def draw(self, rng: np.random.Generator, signal: NDArray) -> NDArray:
        """Return the target of each row, shape (rows,)."""


@dataclass(frozen=True)
class Labels:
    """The classes of the join; a share ``flip`` of the labels moves to another class.

    Examples
    --------
    >>> Labels(flip=0.0).draw(np.random.default_rng(0), np.array([0, 1, 1]))
    array([0, 1, 1])
    """

    flip: float = 0.0

    def signal(self, scores: Array, fires: Flags, join: Join) -> NDArray:
        return join.labels(scores, fires)

    def draw(self, rng: np.random.Generator, signal: NDArray) -> NDArray:
        if not 0.0 <= self.flip <= 1.0:
            raise ValueError(f"flip must be in [0, 1]; got {self.flip}.")
        if self.flip == 0.0:
            return signal
        n_classes = max(int(signal.max()) + 1, 2)
        step = rng.integers(1, n_classes, len(signal))
        flipped = rng.random(len(signal)) < self.flip
        return np.where(flipped, (signal + step) % n_classes, signal)


@dataclass(frozen=True)
class Penetrance:
    """Class 1 with a probability that the firing groups decide, for the joins Or and And.

    A group that fires brings its ``level`` (one number, or one for each group), one that does not
    the ``floor``; Or takes the largest of them, And the smallest. The signal is the probability.

    Examples
    --------
    >>> from coterie.datasets.joins import Or
    >>> fires = np.array([[True, False], [False, False]])
    >>> Penetrance(0.85, floor=0.1).signal(fires.astype(float), fires, Or())
    array([0.85, 0.1 ])
    """

    level: float | tuple[float, ...] = 0.85
    floor: float = 0.1

    def signal(self, scores: Array, fires: Flags, join: Join) -> NDArray:
        level = np.atleast_1d(self.level)
        if len(level) not in (1, fires.shape[1]):
            raise ValueError(
                "level must be one number, or one for each group: "
                f"got {len(level)} for {fires.shape[1]}."
            )
        levels = np.where(fires, level, self.floor)
        return _ability(join, "strongest", self)(levels)

    def draw(self, rng: np.random.Generator, signal: NDArray) -> NDArray:
        return (rng.random(len(signal)) < signal).astype(np.int64)


@dataclass(frozen=True)
class Logistic:
    """Class 1 with probability ``sigma(slope * sum + intercept)``, for the join Sum.

    Examples
    --------
    >>> from coterie.datasets.joins import Sum
    >>> scores = np.array([[0.5, -0.5]])
    >>> Logistic().signal(scores, scores > 0, Sum())
    array([0.5])
    """

    slope: float = 1.0
    intercept: float = 0.0

    def signal(self, scores: Array, fires: Flags, join: Join) -> NDArray:
        logits = self.slope * _ability(join, "total", self)(scores) + self.intercept
        return 0.5 * (1.0 + np.tanh(0.5 * logits))

    def draw(self, rng: np.random.Generator, signal: NDArray) -> NDArray:
        return (rng.random(len(signal)) < signal).astype(np.int64)


@dataclass(frozen=True)
class Real:
    """The weighted sum of the join Sum, plus normal noise that leaves the truth an R2 of ``r2``.

    Without any signal the noise has variance 1.

    Examples
    --------
    >>> signal = np.array([1.0, -1.0])
    >>> Real(r2=1.0).draw(np.random.default_rng(0), signal)
    array([ 1., -1.], dtype=float32)
    """

    r2: float = 0.9

    def signal(self, scores: Array, fires: Flags, join: Join) -> NDArray:
        return _ability(join, "total", self)(scores)

    def draw(self, rng: np.random.Generator, signal: NDArray) -> NDArray:
        if not 0.0 < self.r2 <= 1.0:
            raise ValueError(f"r2 must be in (0, 1]; got {self.r2}.")
        variance = float(np.var(signal))
        noise_variance = variance * (1.0 / self.r2 - 1.0) if variance > 0.0 else 1.0
        noise = np.sqrt(noise_variance) * rng.standard_normal(len(signal))
        return (signal + noise).astype(np.float32)


def _ability(join: Join, name: str, outcome: Outcome) -> Callable[[Any], NDArray]:
    """Return the join's method of that name, or say that the two do not go together."""
    method = getattr(join, name, None)
    if method is None:
        raise ValueError(
            f"outcome={outcome!r} needs a join with {name!r}, which {join!r} has not: Logistic and "
            "Real go with Sum, Penetrance with Or and And, Labels with all."
        )
    return method


OUTCOMES: dict[str, Callable[[], Outcome]] = {
    "labels": Labels,
    "penetrance": Penetrance,
    "logistic": Logistic,
    "real": Real,
}
