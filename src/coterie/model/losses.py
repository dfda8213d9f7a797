"""The task's loss ``l_Y``, a value for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import jax
import jax.numpy as jnp


class Loss(Protocol):
    """What a model is trained to lower."""

    @property
    def n_outputs(self) -> int:
        """The number of outputs that the model must give for a row."""
        ...

    def __call__(self, outputs: jax.Array, target: jax.Array) -> jax.Array:
        """Return the loss of each row, shape (..., rows)."""
        ...


@dataclass(frozen=True)
class CrossEntropy:
    """Minus the log-likelihood of the class, from unnormalised log-probabilities.

    ``outputs`` has shape (..., rows, classes), ``target`` holds class indices, shape (rows,).

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> CrossEntropy(2)(jnp.zeros((1, 2)), jnp.array([1])).round(4)
    Array([0.6931], dtype=float32)
    """

    n_outputs: int

    def __call__(self, outputs: jax.Array, target: jax.Array) -> jax.Array:
        chosen = target[:, None] == jnp.arange(self.n_outputs)
        return -jnp.sum(jnp.where(chosen, jax.nn.log_softmax(outputs), 0.0), axis=-1)


@dataclass(frozen=True)
class SquaredError:
    """The squared error, averaged over the outputs.

    ``outputs`` has shape (..., rows, outputs), ``target`` has shape (rows, outputs).

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> SquaredError(2)(jnp.array([[1.0, 3.0]]), jnp.array([[1.0, 1.0]]))
    Array([2.], dtype=float32)
    """

    n_outputs: int

    def __call__(self, outputs: jax.Array, target: jax.Array) -> jax.Array:
        return jnp.mean((outputs - target) ** 2, axis=-1)
