"""The composite model of Definition 2.1: a small network for each given group, joined at the end.

Many candidate structures are trained at once: ``jobs`` is their axis. The groups of a job are rows
of a mask over the columns, so structures of any kind share the shapes, and with them a program.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from coterie.model.aggregators import AGGREGATORS, Predictor

Leaf = Any
"""A jax.Array within a program, a numpy array outside of it."""

FLOOR, CEILING = -4.0, 4.0
"""Where the logits of the two bounds start: near 0 and near 1."""


class Composite(NamedTuple):
    """The parameters of all jobs.

    ``first`` has shape (jobs, groups, hidden, columns), ``second`` (jobs, groups, hidden, hidden)
    and ``head`` (jobs, groups, outputs, hidden), each with its biases. ``offset`` (jobs, outputs)
    is what all rows share; ``floor`` and ``ceiling`` (jobs,) bound the probabilities of "or" and
    "and".
    """

    first: Leaf
    first_bias: Leaf
    second: Leaf
    second_bias: Leaf
    head: Leaf
    head_bias: Leaf
    offset: Leaf
    floor: Leaf
    ceiling: Leaf


class Masks(NamedTuple):
    """What each job is to learn: the columns of its groups, and the code of its aggregator.

    ``columns`` has shape (jobs, groups, columns), 0 or 1; a group without columns pads the shape.
    Where groups are small among many columns, ``members`` (jobs, groups, most) lists the columns of
    each; then ``columns``, and the weights of the first layer, are those of the members alone.
    """

    columns: Leaf
    aggregator: Leaf
    members: Leaf | None = None


def init_composite(
    rng: np.random.Generator, mask: NDArray[np.bool_], n_hidden: int, n_outputs: int
) -> Composite:
    """Draw the initial state of one job; units of small groups have larger weights."""
    n_groups, n_columns = mask.shape
    seen = np.maximum(mask.sum(axis=1), 1)[:, None, None]
    first = rng.normal(size=(n_groups, n_hidden, n_columns)) / np.sqrt(seen)
    second = rng.normal(size=(n_groups, n_hidden, n_hidden)) * np.sqrt(2 / n_hidden)
    bound = 1 / np.sqrt(n_hidden)
    return Composite(
        first=np.float32(first * mask[:, None, :]),
        first_bias=np.float32(rng.uniform(-1, 1, (n_groups, n_hidden))),
        second=np.float32(second),
        second_bias=np.zeros((n_groups, n_hidden), np.float32),
        head=np.float32(rng.uniform(-bound, bound, (n_groups, n_outputs, n_hidden))),
        head_bias=np.zeros((n_groups, n_outputs), np.float32),
        offset=np.zeros(n_outputs, np.float32),
        floor=np.float32(FLOOR),
        ceiling=np.float32(CEILING),
    )


def constant_composite(n_columns: int, offset: NDArray[np.float32]) -> Composite:
    """Return the parameters of one job without groups: the offset alone."""
    rng = np.random.default_rng(0)
    silent = init_composite(rng, np.zeros((1, n_columns), bool), 1, len(offset))
    return silent._replace(offset=offset)


def decay_of_weights(parameters: Composite, decay: Leaf) -> Composite:
    """Return how much each parameter decays: the weights by ``decay`` (jobs,), the rest not."""
    weights = ("first", "second", "head")
    return Composite(
        *(
            jnp.reshape(decay * (name in weights), (-1,) + (1,) * (np.ndim(leaf) - 1))
            for name, leaf in zip(Composite._fields, parameters, strict=True)
        )
    )


def group_outputs(parameters: Composite, masks: Masks, rows: Leaf) -> jax.Array:
    """Return what the networks of the groups say, shape (jobs, groups, rows, outputs)."""
    masked = parameters.first * masks.columns[:, :, None, :]
    if masks.members is None:
        jobs, groups, hidden, columns = masked.shape
        codes = jnp.einsum("kc,bc->kb", masked.reshape(-1, columns), rows)
        codes = codes.reshape(jobs, groups, hidden, -1)
    else:
        own = jnp.moveaxis(rows.T[masks.members], 2, 0)[:, :, :, None]
        codes = jnp.sum(jnp.moveaxis(masked, 3, 0)[..., None] * own, axis=0)
    codes = jax.nn.relu(codes + parameters.first_bias[..., None])
    codes = jnp.einsum("jgoh,jghb->jgob", parameters.second, codes)
    codes = jax.nn.relu(codes + parameters.second_bias[..., None])
    outputs = jnp.einsum("jgoh,jghb->jgbo", parameters.head, codes)
    return outputs + parameters.head_bias[:, :, None, :]


def group_effects(
    parameters: Composite, masks: Masks, rows: Leaf, predictor: Predictor
) -> jax.Array:
    """Return ``f_i(x_Gi)`` on the aggregator's scale, shape (jobs, groups, rows, outputs)."""
    outputs = group_outputs(parameters, masks, rows)
    return predictor.effects(masks.aggregator, outputs) * _is_group(masks)


def composite_losses(
    parameters: Composite, masks: Masks, rows: Leaf, target: Leaf, predictor: Predictor
) -> jax.Array:
    """Return the loss of each row under each job, shape (jobs, rows)."""
    effects = group_effects(parameters, masks, rows, predictor)
    return predictor.losses(parameters, masks.aggregator, effects, target)


def constant_losses(
    offset: NDArray[np.float32], target: NDArray[Any], predictor: Predictor
) -> NDArray[np.float64]:
    """Return the loss of each row under a prediction that is the same for all, shape (rows,)."""
    silent = constant_composite(1, offset)
    joint = Composite(*(np.asarray(leaf)[None] for leaf in silent))
    effects = np.zeros((1, 1, len(target), len(offset)), np.float32)
    code = np.array([AGGREGATORS.index("sum")])
    return np.asarray(predictor.losses(joint, code, effects, target)[0], np.float64)


def guided_losses(
    parameters: Composite,
    masks: Masks,
    rows: Leaf,
    target: Leaf,
    predictor: Predictor,
    guidance: jax.Array,
) -> jax.Array:
    """Return the losses, to a share of ``guidance`` those of a model that is easier to learn.

    Under "or" and "and" a group that once says nothing gets no gradient and stays silent. Under
    "sum" every group is heard, so training starts there.
    """
    outputs = group_outputs(parameters, masks, rows) * _is_group(masks)
    effects = predictor.effects(masks.aggregator, outputs) * _is_group(masks)
    losses = predictor.losses(parameters, masks.aggregator, effects, target)
    guides = predictor.guides(parameters, masks.aggregator, outputs, target)
    return (1 - guidance) * losses + guidance * guides


def _is_group(masks: Masks) -> jax.Array:
    """Tell groups from padding, shape (jobs, groups, 1, 1)."""
    return masks.columns.any(axis=-1)[:, :, None, None]
