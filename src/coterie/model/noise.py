"""Random numbers for gates, from a counter instead of a state.

A training step draws hundreds of thousands of numbers. Hashing a counter costs a few integer
operations a number, fuses into the arithmetic that follows, and gives the same numbers with and
without ``vmap``.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

_GOLDEN = 0x9E3779B9
_BITS_KEPT = 23  # with the half added, what a float32 holds exactly: U never rounds to 1


def random_bits(seed: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """Hash the counter 0, 1, 2, ... under a 32-bit seed.

    The mixing is the two-round multiply-xorshift of Wellons' *hash-prospector*, bias 0.1.

    Parameters
    ----------
    seed : uint32 scalar
    shape : tuple of int
        At most ``2**32`` numbers.

    Returns
    -------
    bits : uint32 array of ``shape``
    """
    counter = jax.lax.iota(jnp.uint32, math.prod(shape)).reshape(shape)
    bits = counter * jnp.uint32(_GOLDEN) + seed
    bits = (bits ^ (bits >> 16)) * jnp.uint32(0x21F0AAAD)
    bits = (bits ^ (bits >> 15)) * jnp.uint32(0x735A2D97)
    return bits ^ (bits >> 15)


def random_odds(seed: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """Draw ``(1 - U) / U`` with ``U`` uniform on the open interval (0, 1).

    Its logarithm is standard logistic noise, ``log(1 - U) - log U``.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> bool((random_odds(jnp.uint32(7), (1000,)) > 0).all())
    True
    """
    kept = random_bits(seed, shape) >> (32 - _BITS_KEPT)
    uniform = (kept.astype(jnp.int32).astype(jnp.float32) + 0.5) * 2.0**-_BITS_KEPT
    return (1 - uniform) / uniform
