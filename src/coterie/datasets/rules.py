"""What one true group does: a score for each row, and whether the rule fires there.

A rule sees only the columns of its group, ``values`` of shape (rows, members), and fires where its
score exceeds its threshold. A new rule is a class with these two attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


class Rule(Protocol):
    """The contract of a rule."""

    @property
    def threshold(self) -> float:
        """The score above which the rule fires."""

    def score(self, values: Array) -> Array:
        """Return the score of each row, shape (rows,), from its columns, shape (rows, members)."""


@dataclass(frozen=True)
class Product:
    """``x_1 x_2 ... x_k > threshold``.

    Examples
    --------
    >>> Product(0.3).score(np.array([[2.0, 3.0]]))
    array([6.])
    """

    threshold: float = 0.3

    def score(self, values: Array) -> Array:
        return values.prod(axis=1)


@dataclass(frozen=True)
class Box:
    """``x_j > bound`` for every member j; the score is the distance of the lowest to ``bound``.

    With one member it is a threshold, with binary columns and a bound of 0.5 it is their AND.

    Examples
    --------
    >>> Box(0.5).score(np.array([[2.0, 1.0], [2.0, 0.0]]))
    array([ 0.5, -0.5])
    """

    bound: float = 0.55
    threshold: float = 0.0

    def score(self, values: Array) -> Array:
        return values.min(axis=1) - self.bound


@dataclass(frozen=True)
class Parity:
    """An even number of members below ``centre``; the score is the product of the signs.

    Examples
    --------
    >>> Parity().score(np.array([[-2.0, -1.0], [2.0, -1.0]]))
    array([ 1., -1.])
    """

    centre: float = 0.0
    threshold: float = 0.0

    def score(self, values: Array) -> Array:
        return np.sign(values - self.centre).prod(axis=1)


@dataclass(frozen=True)
class Radial:
    """``x_1^2 + ... + x_k^2 > radius^2``; the score is the difference.

    Examples
    --------
    >>> Radial(2.0).score(np.array([[3.0, 0.0], [0.0, 1.0]]))
    array([ 5., -3.])
    """

    radius: float = 1.5
    threshold: float = 0.0

    def score(self, values: Array) -> Array:
        return np.square(values).sum(axis=1) - self.radius**2


@dataclass(frozen=True)
class Linear:
    """``x_1 + ... + x_k > threshold``.

    Examples
    --------
    >>> Linear().score(np.array([[3.0, -1.0]]))
    array([2.])
    """

    threshold: float = 0.0

    def score(self, values: Array) -> Array:
        return values.sum(axis=1)


@dataclass(frozen=True)
class Sine:
    """``sin(frequency x_1) ... sin(frequency x_k) > threshold``.

    Examples
    --------
    >>> Sine(2.0).score(np.array([[np.pi / 4]]))
    array([1.])
    """

    frequency: float = 2.0
    threshold: float = 0.0

    def score(self, values: Array) -> Array:
        return np.sin(self.frequency * values).prod(axis=1)


RULES: dict[str, Callable[[], Rule]] = {
    "product": Product,
    "threshold": Box,
    "parity": Parity,
    "radial": Radial,
    "linear": Linear,
    "sine": Sine,
}
