"""The networks of all learners at once: group encoders and linear heads.

Weights are laid out (learners, out, in), the layout in which every product of a step, forward and
backward, is a plain matrix product of contiguous rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from coterie.model.gates import apply_gates

Leaf = Any
"""A jax.Array within a program, a numpy array outside of it."""


class Linear(NamedTuple):
    """An affine map a learner: ``weight`` (learners, out, in), ``bias`` (learners, out)."""

    weight: Leaf
    bias: Leaf


def init_linear(rng: np.random.Generator, n_learners: int, n_in: int, n_out: int) -> Linear:
    """Draw weights and biases uniformly within ``1 / sqrt(n_in)``."""
    bound = 1 / np.sqrt(max(n_in, 1))
    return Linear(
        np.float32(rng.uniform(-bound, bound, (n_learners, n_out, n_in))),
        np.float32(rng.uniform(-bound, bound, (n_learners, n_out))),
    )


def apply_linear(layer: Linear, inputs: jax.Array) -> jax.Array:
    """Map (learners, rows, in) to (learners, rows, out)."""
    return jnp.einsum("nbi,noi->nbo", inputs, layer.weight) + layer.bias[:, None, :]


def encode(first: Linear, second: Linear, gates: jax.Array, rows: jax.Array) -> jax.Array:
    """Encode gated rows, ``z_i = f_i(gate_i(x))``: two layers, a ReLU after each.

    Parameters
    ----------
    first, second : Linear
    gates : array of shape (learners, rows, columns), or (learners, 1, columns) for all rows
    rows : array of shape (rows, columns)
        Centred on the training means.

    Returns
    -------
    codes : array of shape (learners, rows, hidden)
    """
    if gates.shape[1] == 1:
        hidden = _shared_mask_product(first, gates, rows)
    else:
        hidden = apply_linear(first, apply_gates(gates, rows))
    return jax.nn.relu(apply_linear(second, jax.nn.relu(hidden)))


def _shared_mask_product(first: Linear, gates: jax.Array, rows: jax.Array) -> jax.Array:
    """Scale the first layer instead of the rows, so that all learners share one product."""
    n_learners, n_hidden, n_columns = first.weight.shape
    scaled = (gates * first.weight).reshape(n_learners * n_hidden, n_columns)
    product = jnp.einsum("bp,kp->bk", rows, scaled).reshape(-1, n_learners, n_hidden)
    return jnp.swapaxes(product, 0, 1) + first.bias[:, None, :]
