"""Stochastic gates (Yamada et al., 2020): what STG and its ensemble share."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erf, ndtr, ndtri
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


class Gate(Hashable, Protocol):
    """How a gate follows from its centre and noise, and what being open costs."""

    def draw(self, centres: jax.Array, seed: jax.Array) -> jax.Array:
        """Draw gates, of the shape of the centres."""
        ...

    def cost(self, centres: jax.Array) -> jax.Array:
        """Return what is penalised, for each gate."""
        ...

    def at_rest(self, centres: NDArray[Any]) -> NDArray[np.float64]:
        """Return the gates without their noise, which predictions use."""
        ...


@dataclass(frozen=True)
class ClippedGate:
    r"""The gate of STG, :math:`z = \max(0, \min(1, \mu + \tfrac12 + \sigma \epsilon))`.

    Its cost is the probability that it is open at all,

    .. math:: P(z > 0) = \Phi\Big(\frac{\mu + 1/2}{\sigma}\Big)
              = \frac12 \Big(1 + \mathrm{erf}\, \frac{\mu + 1/2}{\sigma \sqrt 2}\Big).

    Examples
    --------
    >>> ClippedGate(0.5).cost(jnp.array([-0.5, 1.5])).round(4).tolist()
    [0.5, 1.0]
    """

    sigma: float

    def draw(self, centres: jax.Array, seed: jax.Array) -> jax.Array:
        noise = ndtri(random_uniform(seed, centres.shape))
        return jnp.clip(centres + 0.5 + self.sigma * noise, 0.0, 1.0)

    def cost(self, centres: jax.Array) -> jax.Array:
        return ndtr((centres + 0.5) / self.sigma)

    def at_rest(self, centres: NDArray[Any]) -> NDArray[np.float64]:
        return np.clip(np.asarray(centres, dtype=np.float64) + 0.5, 0.0, 1.0)


@dataclass(frozen=True)
class WideGate:
    r"""The gate of the paper's package, six times as wide, with another cost.

    .. math:: z = \max\big(0, \min(1, \tfrac16 (\mu + \tfrac12 + \sigma \epsilon) + \tfrac12)\big),
        \qquad 1 + \mathrm{erf}\Big(\mu + \frac{1}{2 \sigma}\Big)

    The cost, whose bracket is misplaced, is almost nothing long before the gate is shut.

    Examples
    --------
    >>> gate = WideGate(0.5)
    >>> gate.at_rest(np.array([-3.5, -2.0, 2.5]))
    array([0.  , 0.25, 1.  ])
    >>> round(float(gate.cost(jnp.float32(-2.5))), 3)
    0.034
    """

    sigma: float

    def draw(self, centres: jax.Array, seed: jax.Array) -> jax.Array:
        noise = ndtri(random_uniform(seed, centres.shape))
        return jnp.clip((centres + 0.5 + self.sigma * noise) / 6 + 0.5, 0.0, 1.0)

    def cost(self, centres: jax.Array) -> jax.Array:
        return 1 + erf(centres + 0.5 / self.sigma)

    def at_rest(self, centres: NDArray[Any]) -> NDArray[np.float64]:
        return np.clip((np.asarray(centres, dtype=np.float64) + 0.5) / 6 + 0.5, 0.0, 1.0)


@dataclass(frozen=True)
class GatedObjective:
    """The loss, ``reg`` times the mean cost of the features' gates, and weight decay.

    The penalties of several learners add up. All rows of a mini-batch share a draw of the gates.
    """

    loss: Loss
    gate: Gate
    reg: float
    weight_decay: float

    def __call__(
        self, parameters: GatedNetwork, constants: Gates, batch: Batch, step: Step
    ) -> tuple[jax.Array, dict[str, jax.Array]]:
        gates = self.gate.draw(parameters.centres, step.noise) * constants.may_open
        codes = encode(
            parameters.first, parameters.second, gates[:, None, constants.owner], batch.rows
        )
        side_by_side = jnp.concatenate(tuple(codes), axis=-1)
        outputs = apply_layers(parameters.joint, side_by_side)
        error = weighted_mean(self.loss(outputs, batch.target), batch)
        cost = self.gate.cost(parameters.centres) * constants.may_open
        penalty = jnp.sum(cost) / jnp.maximum(jnp.sum(constants.may_open), 1)
        decay = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(parameters)) / 2
        total = error + self.reg * penalty + self.weight_decay * decay
        return total, {"prediction_loss": error, "penalty": penalty}
