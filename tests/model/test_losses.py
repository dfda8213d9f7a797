"""The losses of a row, beside their definitions."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import softmax

from coterie.model.losses import CrossEntropy, SquaredError


def test_cross_entropy_is_minus_the_log_probability_of_the_class():
    rng = np.random.default_rng(0)
    outputs, target = rng.normal(size=(2, 6, 3)), np.array([0, 1, 2, 2, 1, 0])
    expected = -np.log(softmax(outputs, axis=-1)[:, np.arange(6), target])
    losses = CrossEntropy(3)(jnp.float32(outputs), jnp.asarray(target))
    np.testing.assert_allclose(losses, expected, rtol=1e-5)


@pytest.mark.parametrize("margin", [1e3, 1e30])
def test_cross_entropy_is_finite_for_outputs_of_any_size(margin):
    outputs = jnp.array([[margin, -margin], [-margin, margin]])
    losses = CrossEntropy(2)(outputs, jnp.array([0, 0]))
    gradient = jax.grad(lambda o: CrossEntropy(2)(o, jnp.array([0, 0])).sum())(outputs)
    np.testing.assert_allclose(losses, [0, 2 * margin])
    np.testing.assert_allclose(gradient, [[0, 0], [-1, 1]])


def test_squared_error_is_averaged_over_the_outputs():
    outputs = jnp.array([[[1.0, 2.0], [0.0, 0.0]]])
    losses = SquaredError(2)(outputs, jnp.array([[0.0, 0.0], [3.0, 4.0]]))
    np.testing.assert_allclose(losses, [[2.5, 12.5]])
