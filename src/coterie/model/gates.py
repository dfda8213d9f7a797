"""Stochastic gates: which features a learner sees (equations 8 and 9 of the paper)."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp

from coterie.model.noise import random_odds


def gate_probabilities(logits: jax.Array) -> jax.Array:
    """Give the selection probabilities ``pi = sigma(logits)``."""
    return jax.nn.sigmoid(logits)


@partial(jax.custom_vjp, nondiff_argnums=(2,))
def relaxed_bernoulli(logits: jax.Array, odds: jax.Array, temperature: float) -> jax.Array:
    r"""Draw relaxed gates by the reparameterisation trick (equation 8).

    .. math:: \tilde m = \sigma\Big(\tfrac{1}{\tau}
              \big(\log\pi - \log(1 - \pi) + \log U - \log(1 - U)\big)\Big)
              = \frac{1}{1 + \big(e^{-l} \, (1 - U) / U\big)^{1 / \tau}}

    with :math:`l` the logit of :math:`\pi`. The second form needs no logarithm, and value and
    gradient stay finite however large the logits are.

    Parameters
    ----------
    logits : array of shape (learners, features)
    odds : array of shape (learners, masks, features)
        Draws of ``(1 - U) / U``; no gradient flows into them.
    temperature : float
        :math:`\tau`; the gates tend to 0 and 1 as it falls.

    Returns
    -------
    gates : array of shape (learners, masks, features), in [0, 1]

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> relaxed_bernoulli(jnp.array([[-100.0, 0.0, 100.0]]), jnp.ones((1, 1, 3)), 0.1).tolist()
    [[[0.0, 0.5, 1.0]]]
    """
    return 1 / (1 + _power(jnp.exp(-logits)[:, None, :] * odds, 1 / temperature))


def _power(base: jax.Array, exponent: float) -> jax.Array:
    """Raise to a power by a few products where the exponent allows it."""
    if abs(exponent - round(exponent)) < 1e-9:
        return jax.lax.integer_pow(base, round(exponent))
    return base**exponent


def _forward(logits: jax.Array, odds: jax.Array, temperature: float) -> tuple[jax.Array, jax.Array]:
    gates = relaxed_bernoulli(logits, odds, temperature)
    return gates, gates


def _backward(
    temperature: float, gates: jax.Array, cotangent: jax.Array
) -> tuple[jax.Array, jax.Array]:
    slope = gates * (1 - gates) / temperature
    return jnp.sum(cotangent * slope, axis=1), jnp.zeros_like(gates)


relaxed_bernoulli.defvjp(_forward, _backward)


def sample_gates(logits: jax.Array, seed: jax.Array, n_masks: int, temperature: float) -> jax.Array:
    """Draw ``n_masks`` relaxed masks for each learner, shape (learners, n_masks, features)."""
    n_learners, n_features = logits.shape
    odds = random_odds(seed, (n_learners, n_masks, n_features))
    return relaxed_bernoulli(logits, odds, temperature)


def apply_gates(gates: jax.Array, rows: jax.Array) -> jax.Array:
    r"""Replace what is not selected by its mean (equation 9), for centred rows.

    Of :math:`\tilde x = \tilde m \odot x + (1 - \tilde m) \odot \bar x` with columns centred on
    their training means, :math:`\bar x = 0`, the product :math:`\tilde m \odot x` is left.

    Parameters
    ----------
    gates : array of shape (learners, masks, columns)
        Consecutive rows share a mask: ``ceil(rows / masks)`` of them.
    rows : array of shape (rows, columns)

    Returns
    -------
    gated : array of shape (learners, rows, columns)
    """
    n_masks, n_rows = gates.shape[1], rows.shape[0]
    if n_masks not in (1, n_rows):
        gates = jnp.repeat(gates, -(-n_rows // n_masks), axis=1)[:, :n_rows]
    return gates * rows
