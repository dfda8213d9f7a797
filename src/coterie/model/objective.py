"""The ensemble of gated learners and what it is trained to lower (equations 10 to 14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from coterie.model.encoders import Leaf, Linear, apply_linear, encode, init_linear
from coterie.model.gates import gate_probabilities, sample_gates
from coterie.model.losses import Loss
from coterie.model.penalties import overlap_penalty, size_penalty

CLOSED = -100.0
"""Logit of a gate that pads the shape: never open, and without a gradient."""


class Ensemble(NamedTuple):
    """The parameters of all learners.

    ``logits`` has shape (learners, gates); ``first`` and ``second`` are the encoders' layers,
    ``individual`` each learner's own predictor, ``ensemble`` its part of the joint one.
    """

    logits: Leaf
    first: Linear
    second: Linear
    individual: Linear
    ensemble: Linear


class Batch(NamedTuple):
    """Centred rows (rows, columns), their targets and weights (rows,); weight 0 pads."""

    rows: jax.Array
    target: jax.Array
    weights: jax.Array


class Coefficients(NamedTuple):
    """What balances the parts of the loss: beta, beta_E and beta_R of the paper."""

    size: Leaf
    ensemble: Leaf
    overlap: Leaf


class LossParts(NamedTuple):
    """The parts of the overall loss (equation 14), each before its coefficient."""

    individual: jax.Array
    ensemble: jax.Array
    size: jax.Array
    overlap: jax.Array


@dataclass(frozen=True)
class Architecture:
    """What fixes the shape of the program: sizes, temperature, where gradients flow.

    ``rows_per_mask`` consecutive rows of a batch share a draw of the gates; ``owner`` maps columns
    to gates where a feature owns several columns (None: a gate for each column).
    """

    loss: Loss
    rows_per_mask: int
    temperature: float
    stop_gradient: bool
    owner: tuple[int, ...] | None = None

    def columns_of(self, gates: jax.Array) -> jax.Array:
        """Spread gates over the columns that they own, along the last axis."""
        return gates if self.owner is None else gates[..., np.asarray(self.owner)]


def init_ensemble(
    rng: np.random.Generator,
    n_learners: int,
    n_features: int,
    n_columns: int,
    hidden_dim: int,
    n_outputs: int,
) -> Ensemble:
    """Draw the initial state: standard normal logits, uniform weights."""
    return Ensemble(
        logits=np.float32(rng.standard_normal((n_learners, n_features))),
        first=init_linear(rng, n_learners, n_columns, hidden_dim),
        second=init_linear(rng, n_learners, hidden_dim, hidden_dim),
        individual=init_linear(rng, n_learners, hidden_dim, n_outputs),
        ensemble=init_linear(rng, n_learners, hidden_dim, n_outputs),
    )


def ensemble_outputs(parameters: Ensemble, codes: jax.Array) -> jax.Array:
    r"""Sum the parts, :math:`\sum_i W_i z_i + b_i` (equation 10), shape (rows, outputs)."""
    return apply_linear(parameters.ensemble, codes).sum(axis=0)


def individual_outputs(parameters: Ensemble, codes: jax.Array) -> jax.Array:
    r"""Give each learner's own prediction :math:`h_i(z_i)`, shape (learners, rows, outputs)."""
    return apply_linear(parameters.individual, codes)


def all_outputs(parameters: Ensemble, codes: jax.Array, stop_gradient: bool) -> jax.Array:
    """Give each learner's own prediction and then the ensemble's, (learners + 1, rows, outputs)."""
    apply = _apply_heads_stopped if stop_gradient else _apply_heads
    own, parts = apply(parameters.individual, parameters.ensemble, codes)
    return jnp.concatenate([own, parts.sum(axis=0, keepdims=True)])


def _apply_heads(
    individual: Linear, ensemble: Linear, codes: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Apply both heads of every learner in one product."""
    both = jax.tree.map(lambda *pair: jnp.concatenate(pair, axis=1), individual, ensemble)
    own, parts = jnp.split(apply_linear(both, codes), 2, axis=-1)
    return own, parts


_apply_heads_stopped = jax.custom_vjp(_apply_heads)


def _heads_forward(individual: Linear, ensemble: Linear, codes: jax.Array) -> Any:
    return _apply_heads(individual, ensemble, codes), (ensemble.weight, codes)


def _heads_backward(saved: Any, cotangents: tuple[jax.Array, jax.Array]) -> Any:
    weight, codes = saved
    both = jnp.concatenate(cotangents, axis=-1)
    weights = jnp.split(jnp.einsum("nbo,nbi->noi", both, codes), 2, axis=1)
    biases = jnp.split(both.sum(axis=1), 2, axis=1)
    own, parts = (Linear(*pair) for pair in zip(weights, biases, strict=True))
    return own, parts, jnp.einsum("nbo,noi->nbi", cotangents[1], weight)


_apply_heads_stopped.defvjp(_heads_forward, _heads_backward)


def loss_parts(
    parameters: Ensemble,
    batch: Batch,
    noise_seed: jax.Array,
    n_features: jax.Array,
    architecture: Architecture,
) -> LossParts:
    """Evaluate every part of the loss on a batch, gates drawn with ``noise_seed``.

    Unless ``architecture.stop_gradient`` is off, the learners' own predictors train on encodings
    that they do not shape: only the ensemble's loss reaches encoders and gates, as in the paper's
    experiments.
    """
    gates = sample_gates(
        parameters.logits,
        noise_seed,
        len(batch.rows),
        architecture.rows_per_mask,
        architecture.temperature,
    )
    codes = encode(parameters.first, parameters.second, architecture.columns_of(gates), batch.rows)
    outputs = all_outputs(parameters, codes, architecture.stop_gradient)
    weights = batch.weights / jnp.maximum(jnp.sum(batch.weights > 0), 1)
    losses = architecture.loss(outputs, batch.target) * weights
    probabilities = gate_probabilities(parameters.logits)
    return LossParts(
        individual=jnp.sum(losses[:-1]),
        ensemble=jnp.sum(losses[-1]),
        size=size_penalty(probabilities, n_features),
        overlap=overlap_penalty(probabilities, n_features),
    )


def total_loss(parts: LossParts, coefficients: Coefficients) -> jax.Array:
    r"""Combine the parts, :math:`\sum_i L_i + \beta_E L_E + \beta_R L_R` (equation 14)."""
    return (
        parts.individual
        + coefficients.ensemble * parts.ensemble
        + coefficients.size * parts.size
        + coefficients.overlap * parts.overlap
    )
