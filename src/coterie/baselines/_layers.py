"""Plain fully connected networks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import numpy as np
from numpy.typing import NDArray


class Dense(NamedTuple):
    """An affine map: ``weight`` (in, out), ``bias`` (out,)."""

    weight: Any
    bias: Any


Layers = tuple[Dense, ...]


def init_layers(rng: np.random.Generator, sizes: Sequence[int]) -> Layers:
    """Draw weights uniformly within ``sqrt(6 / (in + out))`` (Glorot's), biases at zero."""
    layers = []
    for n_in, n_out in pairwise(sizes):
        bound = np.sqrt(6 / (n_in + n_out))
        weight = rng.uniform(-bound, bound, (n_in, n_out))
        layers.append(Dense(weight.astype(np.float32), np.zeros(n_out, np.float32)))
    return tuple(layers)


def apply_layers(layers: Layers, inputs: jax.Array) -> jax.Array:
    """Map (rows, in) to (rows, out), with a ReLU after each layer but the last."""
    for layer in layers[:-1]:
        inputs = jax.nn.relu(inputs @ layer.weight + layer.bias)
    return inputs @ layers[-1].weight + layers[-1].bias


def predict_layers(
    layers: Sequence[tuple[NDArray[Any], NDArray[Any]]], inputs: NDArray[Any]
) -> NDArray[np.float64]:
    """Do the same with numpy, in double precision.

    Examples
    --------
    >>> layers = [(np.array([[1.0, -1.0]]), np.zeros(2)), (np.ones((2, 1)), np.array([0.5]))]
    >>> predict_layers(layers, np.array([[-3.0]]))
    array([[3.5]])
    """
    values = np.asarray(inputs, dtype=np.float64)
    for weight, bias in layers[:-1]:
        values = np.maximum(values @ weight + bias, 0.0)
    weight, bias = layers[-1]
    return np.asarray(values @ weight + bias)


def as_arrays(layers: Layers) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return the layers as plain pairs of arrays, the form in which an estimator keeps them."""
    return [(np.asarray(layer.weight), np.asarray(layer.bias)) for layer in layers]
