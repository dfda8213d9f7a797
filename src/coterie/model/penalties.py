"""What keeps groups small and different: the two penalties of the paper.

Both carry the factor ``sqrt(features)`` of the paper's appendix and the averages over learners and
pairs of learners with which its experiments ran. ``probabilities`` has shape (learners, columns of
gates); ``n_features`` says how many of these are real, the rest being closed padding.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp


def size_penalty(probabilities: jax.Array, n_features: jax.Array) -> jax.Array:
    r"""Penalise large groups (second term of equation 11), before the factor beta.

    .. math:: \frac{\sqrt p}{N} \sum_i \langle \pi_i \rangle^2

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> float(size_penalty(jnp.full((2, 4), 0.5), 4))
    0.5
    """
    means = probabilities.sum(axis=1) / n_features
    return jnp.sqrt(n_features) * jnp.mean(means**2)


def overlap_penalty(probabilities: jax.Array, n_features: jax.Array) -> jax.Array:
    r"""Penalise features that several learners select (equation 13), before the factor beta_R.

    .. math:: \frac{2 \sqrt p}{N (N - 1)} \sum_{i < j} \langle \pi_i \odot \pi_j \rangle

    The sum over pairs is half of the square of the sum less the sum of the squares. A single
    learner overlaps with nobody: zero.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> float(overlap_penalty(jnp.full((2, 4), 0.5), 4))
    0.5
    """
    n_learners = probabilities.shape[0]
    if n_learners == 1:
        return jnp.zeros((), probabilities.dtype)
    pairs = jnp.sum(probabilities.sum(axis=0) ** 2) - jnp.sum(probabilities**2)
    return jnp.sqrt(n_features) * pairs / (n_features * n_learners * (n_learners - 1))
