"""The one training loop: steps of Adam within one compiled program."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import optax

Parameters = TypeVar("Parameters")

OPTIMISER = optax.scale_by_adam()
SMALL = 2048
"""Numbers up to which an array is packed with others: for these, each operation costs its start."""


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
    packing = Packing(learning.parameters)
    if decay is not None:
        whole = jax.tree.map(
            lambda one, leaf: jnp.broadcast_to(one, leaf.shape), decay, learning.parameters
        )
        decays = packing.pack(whole)

    def step(index: jax.Array, carry: tuple[Learning[Any], Any]) -> Any:
        (packed, moments), sums = carry
        gradient, parts = jax.grad(step_loss, has_aux=True)(packing.unpack(packed), index)
        # Without the barrier, both moments would repeat the last operations of the gradient.
        gradient = jax.lax.optimization_barrier(packing.pack(gradient))
        direction, moments = OPTIMISER.update(gradient, moments)
        if decay is not None:
            pull = jax.tree.map(jnp.multiply, decays, packed)
            direction = jax.tree.map(jnp.add, direction, pull)
        rate = learning_rate(index)
        packed = jax.tree.map(lambda value, move: value - rate * move, packed, direction)
        return Learning(packed, moments), jax.tree.map(jnp.add, sums, parts)

    _, parts = jax.eval_shape(step_loss, learning.parameters, jnp.int32(0))
    sums = jax.tree.map(lambda part: jnp.zeros(part.shape, part.dtype), parts)
    start = _convert(learning, packing.pack)
    end, sums = jax.lax.fori_loop(0, n_steps, step, (start, sums))
    return _convert(end, packing.unpack), jax.tree.map(lambda total: total / n_steps, sums)


def _convert(learning: Learning[Any], convert: Callable[[Any], Any]) -> Learning[Any]:
    """Convert the parameters and both of their moments."""
    moments = learning.moments
    moments = moments._replace(mu=convert(moments.mu), nu=convert(moments.nu))
    return Learning(convert(learning.parameters), moments)


class Packing:
    """Small arrays of a tree end to end in one, so that a step updates them all at once.

    Parameters
    ----------
    tree : pytree of arrays
        An example of the trees to pack.
    """

    def __init__(self, tree: Any) -> None:
        leaves, self.structure = jax.tree.flatten(tree)
        self.shapes = [leaf.shape for leaf in leaves]
        self.is_small = [leaf.size <= SMALL for leaf in leaves]
        sizes = [leaf.size if leaf.size <= SMALL else 0 for leaf in leaves]
        self.ends = np.cumsum(sizes)

    def pack(self, tree: Any) -> tuple[jax.Array, ...]:
        """Return the large arrays, and one of all small ones."""
        leaves = list(zip(jax.tree.leaves(tree), self.is_small, strict=True))
        small = [leaf.ravel() for leaf, is_small in leaves if is_small]
        large = [leaf for leaf, is_small in leaves if not is_small]
        return (*large, jnp.concatenate(small)) if small else tuple(large)

    def unpack(self, packed: tuple[jax.Array, ...]) -> Any:
        """Return the tree."""
        large = iter(packed)
        leaves = [
            packed[-1][end - math.prod(shape) : end].reshape(shape) if small else next(large)
            for shape, small, end in zip(self.shapes, self.is_small, self.ends, strict=True)
        ]
        return jax.tree.unflatten(self.structure, leaves)
