"""Few shapes: every distinct shape of an array costs a compilation."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

ALIGNMENT = 64


def padded_size(size: int, least: int = 16) -> int:
    """Round up to one of eight sizes an octave, so at most an eighth is padding.

    Examples
    --------
    >>> [padded_size(n) for n in (3, 17, 500, 20000)]
    [16, 18, 512, 20480]
    """
    step = max(1, 1 << max(0, size.bit_length() - 4))
    return max(least, -(-size // step) * step)


def power_of_two(size: int) -> int:
    """Round up to a power of two, at least one.

    Examples
    --------
    >>> [power_of_two(n) for n in (0, 1, 5, 8)]
    [1, 1, 8, 8]
    """
    return 1 << max(size - 1, 0).bit_length()


def pad_to(array: ArrayLike, shape: tuple[int, ...], value: float = 0) -> np.ndarray:
    """Append ``value`` along every axis up to ``shape``, keeping the dtype."""
    array = np.asarray(array)
    if array.shape == shape:
        return array
    padded = np.full(shape, value, array.dtype)
    padded[tuple(slice(size) for size in array.shape)] = array
    return padded


def aligned_zeros(shape: tuple[int, ...]) -> np.ndarray:
    """Make a float32 array that starts where a CPU's JAX takes it as it is, without a copy."""
    size = 4 * math.prod(shape)
    buffer = np.zeros(size + ALIGNMENT, np.uint8)
    start = -buffer.ctypes.data % ALIGNMENT
    return buffer[start : start + size].view(np.float32).reshape(shape)
