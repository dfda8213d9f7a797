"""Random numbers for networks, from the engine's counter."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from coterie.model.noise import random_bits

_BITS_KEPT = 23  # with the half added, what a float32 holds exactly


def random_uniform(seed: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """Draw from the open interval (0, 1).

    Examples
    --------
    >>> drawn = random_uniform(jnp.uint32(7), (1000,))
    >>> bool(((drawn > 0) & (drawn < 1)).all())
    True
    """
    kept = random_bits(seed, shape) >> (32 - _BITS_KEPT)
    return (kept.astype(jnp.int32).astype(jnp.float32) + 0.5) * 2.0**-_BITS_KEPT
