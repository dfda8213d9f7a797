"""Group encoders: all learners at once equal one after another."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from coterie.model.encoders import Linear, apply_linear, encode, init_linear

N_LEARNERS, N_ROWS, N_COLUMNS, N_HIDDEN = 3, 7, 5, 4


@pytest.fixture(scope="module")
def layers() -> tuple[Linear, Linear]:
    rng = np.random.default_rng(0)
    return (
        init_linear(rng, N_LEARNERS, N_COLUMNS, N_HIDDEN),
        init_linear(rng, N_LEARNERS, N_HIDDEN, N_HIDDEN),
    )


@pytest.fixture(scope="module")
def rows() -> jax.Array:
    return jnp.float32(np.random.default_rng(1).normal(size=(N_ROWS, N_COLUMNS)))


def looped(first: Linear, second: Linear, gates: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Encode one learner and one row after the other."""
    codes = np.zeros((N_LEARNERS, N_ROWS, N_HIDDEN))
    for i in range(N_LEARNERS):
        for n in range(N_ROWS):
            gated = gates[i, n] * rows[n]
            hidden = np.maximum(first.weight[i] @ gated + first.bias[i], 0)
            codes[i, n] = np.maximum(second.weight[i] @ hidden + second.bias[i], 0)
    return codes


def test_all_learners_at_once_equal_one_after_another(layers, rows):
    gates = np.random.default_rng(2).uniform(size=(N_LEARNERS, N_ROWS, N_COLUMNS))
    expected = looped(*layers, gates, np.asarray(rows))
    np.testing.assert_allclose(encode(*layers, jnp.float32(gates), rows), expected, atol=1e-5)


def test_a_shared_mask_is_the_same_mask_for_each_row(layers, rows):
    shared = jnp.float32(np.random.default_rng(3).uniform(size=(N_LEARNERS, 1, N_COLUMNS)))
    repeated = jnp.repeat(shared, N_ROWS, axis=1)

    def mean_square(gates):
        return jnp.mean(encode(*layers, gates, rows) ** 2)

    np.testing.assert_allclose(
        encode(*layers, shared, rows), encode(*layers, repeated, rows), atol=1e-6
    )
    np.testing.assert_allclose(
        jax.grad(mean_square)(shared)[:, 0],
        jax.grad(mean_square)(repeated).sum(axis=1),
        atol=1e-6,
    )


def test_the_initial_weights_fill_the_interval_of_one_over_root_of_the_inputs():
    layer = init_linear(np.random.default_rng(0), 4, 25, 100)
    assert layer.weight.shape == (4, 100, 25)
    assert layer.bias.shape == (4, 100)
    for values in layer:
        assert 0.19 < jnp.abs(values).max() <= 0.2
        assert abs(values.mean()) < 5 * 0.2 / np.sqrt(3 * values.size)


def test_a_linear_map_is_an_affine_map_for_each_learner(layers, rows):
    inputs = jnp.broadcast_to(rows, (N_LEARNERS, *rows.shape))
    first = layers[0]
    for i, mapped in enumerate(apply_linear(first, inputs)):
        np.testing.assert_allclose(mapped, rows @ first.weight[i].T + first.bias[i], atol=1e-6)
