"""Stochastic gates (Yamada et al., 2020): what STG and its ensemble share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import ndtr, ndtri
from numpy.typing import NDArray

from coterie.baselines._layers import Layers, apply_layers
from coterie.baselines._noise import random_uniform
from coterie.baselines._training import Step, weighted_mean
from coterie.model.encoders import Linear, encode, init_linear
from coterie.model.losses import Loss
from coterie.model.objective import Batch


class GatedNetwork(NamedTuple):
    """Learners that see the columns through gates of their own, and a network on all their codes.

    ``centres`` has shape (learners, features); ``first`` and ``second`` are the learners' layers.
    """

    centres: Any
    first: Linear
    second: Linear
    joint: Layers


class Gates(NamedTuple):
    """Which features may open their gates (features,), and the feature of each column."""

    may_open: Any
    owner: Any


def init_gated_network(
    rng: np.random.Generator,
    n_learners: int,
    n_features: int,
    n_columns: int,
    hidden_dim: int,
    joint: Layers,
) -> GatedNetwork:
    """Draw gates half open, as their authors do, and weights uniformly."""
    return GatedNetwork(
        np.float32(0.01 * rng.standard_normal((n_learners, n_features))),
        init_linear(rng, n_learners, n_columns, hidden_dim),
        init_linear(rng, n_learners, hidden_dim, hidden_dim),
        joint,
    )


def draw_gates(centres: jax.Array, seed: jax.Array, sigma: float) -> jax.Array:
    r"""Draw gates :math:`z = \max(0, \min(1, \mu + \tfrac12 + \sigma \epsilon))`."""
    noise = ndtri(random_uniform(seed, centres.shape))
    return jnp.clip(centres + 0.5 + sigma * noise, 0.0, 1.0)


def open_probability(centres: jax.Array, sigma: float) -> jax.Array:
    r"""Return the probability that a gate is open at all.

    .. math:: P(z > 0) = \Phi\Big(\frac{\mu + 1/2}{\sigma}\Big)
              = \frac12 \Big(1 + \mathrm{erf}\, \frac{\mu + 1/2}{\sigma \sqrt 2}\Big)

    Examples
    --------
    >>> open_probability(jnp.array([-0.5, 1.5]), 0.5).round(4).tolist()
    [0.5, 1.0]
    """
    return ndtr((centres + 0.5) / sigma)


def gates_at_rest(centres: NDArray[Any]) -> NDArray[np.float64]:
    """Return the gates without their noise, which predictions use."""
    return np.clip(np.asarray(centres, dtype=np.float64) + 0.5, 0.0, 1.0)


@dataclass(frozen=True)
class GatedObjective:
    """The loss, ``reg`` times the mean probability that a gate is open, and weight decay.

    The penalties of several learners add up. All rows of a mini-batch share a draw of the gates.
    """

    loss: Loss
    sigma: float
    reg: float
    weight_decay: float

    def __call__(
        self, parameters: GatedNetwork, constants: Gates, batch: Batch, step: Step
    ) -> tuple[jax.Array, dict[str, jax.Array]]:
        gates = draw_gates(parameters.centres, step.noise, self.sigma) * constants.may_open
        codes = encode(
            parameters.first, parameters.second, gates[:, None, constants.owner], batch.rows
        )
        side_by_side = jnp.concatenate(tuple(codes), axis=-1)
        outputs = apply_layers(parameters.joint, side_by_side)
        error = weighted_mean(self.loss(outputs, batch.target), batch)
        is_open = open_probability(parameters.centres, self.sigma) * constants.may_open
        penalty = jnp.sum(is_open) / jnp.maximum(jnp.sum(constants.may_open), 1)
        decay = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(parameters)) / 2
        total = error + self.reg * penalty + self.weight_decay * decay
        return total, {"prediction_loss": error, "open_gates": jnp.sum(is_open)}
