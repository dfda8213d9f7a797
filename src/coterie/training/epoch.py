"""An epoch of mini-batches of the ensemble as one compiled program, for all seeds at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp

from coterie.model.encoders import Leaf
from coterie.model.objective import (
    Architecture,
    Batch,
    Coefficients,
    Ensemble,
    LossParts,
    loss_parts,
    total_loss,
)
from coterie.training.descent import Learning, descend


class Plan(NamedTuple):
    """The rows of every step of an epoch and the seed of its noise.

    ``order`` has shape (seeds, steps, batch) and holds row indices, -1 where a batch is not full;
    ``noise`` has shape (seeds, steps). Only the first ``n_steps`` count.
    """

    order: jax.Array
    noise: jax.Array
    n_steps: Leaf


class Rates(NamedTuple):
    """The settings that decay from epoch to epoch."""

    coefficients: Coefficients
    learning_rate: Leaf


def make_epoch(
    architecture: Architecture,
) -> Callable[
    [Learning[Ensemble], Batch, Plan, Rates, jax.Array], tuple[Learning[Ensemble], LossParts]
]:
    """Build the function of one epoch, for all seeds at once.

    It maps (learning, all rows, plan, rates, number of features) to the learning after the epoch
    and the mean of each part of the loss over its steps, one value a seed.
    """

    def run(
        learning: Learning[Ensemble],
        data: Batch,
        order: jax.Array,
        noise: jax.Array,
        n_steps: jax.Array,
        rates: Rates,
        n_features: jax.Array,
    ) -> tuple[Learning[Ensemble], LossParts]:
        def step_loss(parameters: Ensemble, index: jax.Array) -> tuple[jax.Array, LossParts]:
            batch = take_rows(data, order[index])
            parts = loss_parts(parameters, batch, noise[index], n_features, architecture)
            return total_loss(parts, rates.coefficients), parts

        return descend(step_loss, learning, n_steps, lambda index: rates.learning_rate)

    over_seeds = jax.vmap(run, in_axes=(0, None, 0, 0, None, None, None))

    def epoch(
        learning: Learning[Ensemble], data: Batch, plan: Plan, rates: Rates, n_features: jax.Array
    ) -> tuple[Learning[Ensemble], LossParts]:
        return over_seeds(learning, data, plan.order, plan.noise, plan.n_steps, rates, n_features)

    return epoch


def take_rows(data: Batch, order: jax.Array) -> Batch:
    """Gather the rows of a batch; those with index -1 get weight zero."""
    index = jnp.maximum(order, 0)
    weights = jnp.where(order >= 0, data.weights[index], 0.0)
    return Batch(data.rows[index], data.target[index], weights)
