"""The one training loop: steps of Adam within one compiled program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import optax

Parameters = TypeVar("Parameters")

OPTIMISER = optax.scale_by_adam()


class Learning(NamedTuple, Generic[Parameters]):
    """What changes from step to step: the parameters, and Adam's moments of them."""

    parameters: Parameters
    moments: optax.OptState


def descend(
    step_loss: Callable[[Parameters, jax.Array], tuple[jax.Array, Any]],
    learning: Learning[Parameters],
    n_steps: jax.Array | int,
    learning_rate: Callable[[jax.Array], jax.Array],
    decay: Parameters | None = None,
) -> tuple[Learning[Parameters], Any]:
    """Take ``n_steps`` steps of Adam, with decoupled decay of weights if asked for.

    Parameters
    ----------
    step_loss : callable
        Maps parameters and the step's index to the loss, and to parts of it for the record.
    learning : Learning
    n_steps : int
    learning_rate : callable
        Maps the step's index to its learning rate.
    decay : pytree as the parameters, optional
        What is added to the direction for each unit of a parameter; broadcast to its shape.

    Returns
    -------
    learning : Learning
    parts : pytree
        The mean over the steps of each part of the loss.
    """

    def step(index: jax.Array, carry: tuple[Learning[Parameters], Any]) -> Any:
        (parameters, moments), sums = carry
        gradient, parts = jax.grad(step_loss, has_aux=True)(parameters, index)
        direction, moments = OPTIMISER.update(gradient, moments)
        if decay is not None:
            pull = jax.tree.map(jnp.multiply, decay, parameters)
            direction = jax.tree.map(jnp.add, direction, pull)
        rate = learning_rate(index)
        parameters = jax.tree.map(lambda value, move: value - rate * move, parameters, direction)
        return Learning(parameters, moments), jax.tree.map(jnp.add, sums, parts)

    _, parts = jax.eval_shape(step_loss, learning.parameters, jnp.int32(0))
    sums = jax.tree.map(lambda part: jnp.zeros(part.shape, part.dtype), parts)
    learning, sums = jax.lax.fori_loop(0, n_steps, step, (learning, sums))
    return learning, jax.tree.map(lambda total: total / n_steps, sums)
