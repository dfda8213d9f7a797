"""Concrete selection (Abid, Balin and Zou, 2019): learnt choices of one column each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from coterie.baselines._layers import Layers, apply_layers
from coterie.baselines._noise import random_uniform
from coterie.baselines._training import Step, weighted_mean
from coterie.model.objective import Batch

NEVER = -1e9
"""Added to the logits of columns that must not be selected."""


class ConcreteNetwork(NamedTuple):
    """Logits of the selections, shape (selections, columns), and the decoder's layers."""

    logits: Any
    decoder: Layers


class Selectable(NamedTuple):
    """0 for columns that may be selected, ``NEVER`` for others; 1 for columns, 0 for padding."""

    closed: Any
    is_column: Any


class DecoderLoss(Protocol):
    """What the decoder's outputs are for."""

    def __call__(self, outputs: jax.Array, batch: Batch, is_column: jax.Array) -> jax.Array:
        """Return the loss of each row, shape (rows,)."""
        ...


@dataclass(frozen=True)
class ClassShares:
    """The squared error of the classes' probabilities, which the authors' code trains by."""

    def __call__(self, outputs: jax.Array, batch: Batch, is_column: jax.Array) -> jax.Array:
        is_class = batch.target[:, None] == jnp.arange(outputs.shape[1])
        return jnp.mean((jax.nn.softmax(outputs) - is_class) ** 2, axis=1)


@dataclass(frozen=True)
class Reconstruction:
    """The squared error of the columns, from outputs through ``link``."""

    link: Callable[[jax.Array], jax.Array]

    def __call__(self, outputs: jax.Array, batch: Batch, is_column: jax.Array) -> jax.Array:
        squares = (self.link(outputs) - batch.rows) ** 2 * is_column
        return jnp.sum(squares, axis=1) / jnp.sum(is_column)


def init_concrete(
    rng: np.random.Generator, n_select: int, n_columns: int, decoder: Layers
) -> ConcreteNetwork:
    """Draw normal logits of variance ``2 / (selections + columns)`` (Glorot's)."""
    spread = np.sqrt(2 / (n_select + n_columns))
    logits = spread * rng.standard_normal((n_select, n_columns))
    return ConcreteNetwork(np.float32(logits), decoder)


def temperature(progress: jax.Array | float, start: float, end: float) -> Any:
    """Let the temperature fall geometrically from ``start`` to ``end``.

    Examples
    --------
    >>> round(float(temperature(0.5, 10.0, 0.1)), 3)
    1.0
    """
    return start * (end / start) ** progress


def draw_selections(logits: jax.Array, seed: jax.Array, heat: jax.Array) -> jax.Array:
    r"""Draw relaxed one-hot choices, :math:`\mathrm{softmax}((\alpha + G) / T)`, G Gumbel's."""
    gumbel = -jnp.log(-jnp.log(random_uniform(seed, logits.shape)))
    return jax.nn.softmax((logits + gumbel) / heat)


@dataclass(frozen=True)
class ConcreteObjective:
    """The decoder's loss on what relaxed selections pass on; a batch shares a draw of them."""

    loss: DecoderLoss
    start_temperature: float
    end_temperature: float

    def __call__(
        self, parameters: ConcreteNetwork, constants: Selectable, batch: Batch, step: Step
    ) -> tuple[jax.Array, dict[str, jax.Array]]:
        heat = temperature(step.progress, self.start_temperature, self.end_temperature)
        logits = parameters.logits + constants.closed
        selections = draw_selections(logits, step.noise, heat)
        outputs = apply_layers(parameters.decoder, batch.rows @ selections.T)
        losses = self.loss(outputs, batch, constants.is_column)
        return weighted_mean(losses, batch), {"sureness": sureness(logits)}


def sureness(logits: Any) -> Any:
    """Return the mean over the selections of the greatest probability of a column.

    Examples
    --------
    >>> round(float(sureness(jnp.array([[0.0, 0.0], [50.0, 0.0]]))), 3)
    0.75
    """
    return jnp.mean(jnp.max(jax.nn.softmax(logits), axis=1))


def chosen_columns(logits: NDArray[Any], closed: NDArray[Any]) -> NDArray[np.intp]:
    """Return the likeliest column of each selection, shape (selections,)."""
    return np.asarray((logits + closed).argmax(axis=1))
