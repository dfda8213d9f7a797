"""Stochastic gates: equation 8 as printed, its gradient, and equation 9."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import expit

from coterie.model.gates import apply_gates, gate_probabilities, relaxed_bernoulli, sample_gates

TEMPERATURES = [0.1, 0.3, 0.7, 1.0, 2.5]
EXTREME = jnp.array([[-1e4, -200.0, -100.0, -18.0, 0.0, 18.0, 100.0, 200.0, 1e4]])


def printed_formula(logits: np.ndarray, uniform: np.ndarray, temperature: float) -> np.ndarray:
    """Equation 8 of the paper, in float64."""
    probability = expit(np.float64(logits))[:, None, :]
    noise = np.log(uniform) - np.log(1 - uniform)
    return expit((np.log(probability) - np.log(1 - probability) + noise) / temperature)


@pytest.fixture(scope="module")
def draw() -> tuple[np.ndarray, np.ndarray]:
    """Logits (3, 5) and uniform noise (3, 40, 5)."""
    rng = np.random.default_rng(0)
    return rng.normal(0, 2, (3, 5)), rng.uniform(1e-6, 1 - 1e-6, (3, 40, 5))


def odds_of(uniform: np.ndarray) -> jax.Array:
    return jnp.asarray((1 - uniform) / uniform, jnp.float32)


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_gates_equal_the_printed_formula(draw, temperature):
    logits, uniform = draw
    gates = relaxed_bernoulli(jnp.float32(logits), odds_of(uniform), temperature)
    np.testing.assert_allclose(gates, printed_formula(logits, uniform, temperature), atol=1e-5)


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_the_gradient_equals_finite_differences_of_the_printed_formula(draw, temperature):
    logits, uniform = draw
    weights = np.random.default_rng(1).normal(size=uniform.shape)

    def total(moved):
        return (weights * printed_formula(moved, uniform, temperature)).sum(axis=1)

    step = 1e-5
    expected = (total(logits + step) - total(logits - step)) / (2 * step)
    odds = odds_of(uniform)
    _, pull = jax.vjp(
        lambda moved: relaxed_bernoulli(moved, odds, temperature), jnp.float32(logits)
    )
    (gradient,) = pull(jnp.float32(weights))
    np.testing.assert_allclose(gradient, expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("temperature", [*TEMPERATURES, 0.01])
def test_gates_and_gradients_are_finite_for_any_logit_and_the_extreme_draws(temperature):
    smallest = 2.0**-24
    odds = jnp.array([1 / smallest, 1.0, smallest])[None, :, None] * jnp.ones_like(EXTREME)
    gates, pull = jax.vjp(lambda logits: relaxed_bernoulli(logits, odds, temperature), EXTREME)
    (gradient,) = pull(jnp.ones_like(gates))
    assert jnp.isfinite(gates).all()
    assert jnp.isfinite(gradient).all()
    assert (gates[..., :3] < 1e-9).all()
    assert (gates[..., -3:] == 1).all()


def test_no_gradient_flows_into_the_noise():
    odds = jnp.full((1, 2, 3), 0.5)
    gradient = jax.grad(lambda o: relaxed_bernoulli(jnp.zeros((1, 3)), o, 0.1).sum())(odds)
    assert (gradient == 0).all()


def test_gates_tend_to_bernoulli_draws_as_the_temperature_falls():
    logits = jnp.log(jnp.array([[0.2, 0.5, 0.9]]) / jnp.array([[0.8, 0.5, 0.1]]))
    gates = sample_gates(logits, jnp.uint32(4), n_rows=20_000, rows_per_mask=1, temperature=0.01)
    assert ((gates < 0.01) | (gates > 0.99)).mean() > 0.98
    np.testing.assert_allclose(gates.mean(axis=1), [[0.2, 0.5, 0.9]], atol=5 * 0.5 / 20_000**0.5)


def test_probabilities_are_the_sigmoid_of_the_logits():
    np.testing.assert_allclose(gate_probabilities(jnp.array([0.0, np.log(3.0)])), [0.5, 0.75])


@pytest.mark.parametrize(
    ("rows_per_mask", "mask_of_row"),
    [
        (1, [0, 1, 2, 3, 4, 5, 6]),
        (2, [0, 0, 1, 1, 2, 2, 3]),
        (3, [0, 0, 0, 1, 1, 1, 2]),
        (5, [0, 0, 0, 0, 0, 1, 1]),
        (6, [0, 0, 0, 0, 0, 0, 1]),
    ],
)
def test_so_many_rows_share_a_mask(rows_per_mask, mask_of_row):
    gates = np.asarray(sample_gates(jnp.zeros((2, 4)), jnp.uint32(1), 7, rows_per_mask, 0.5))
    assert gates.shape == (2, 7, 4)
    same = (gates[:, :, None, :] == gates[:, None, :, :]).all(axis=-1)
    expected = np.equal.outer(mask_of_row, mask_of_row)
    assert (same == expected).all()


@pytest.mark.parametrize("rows_per_mask", [7, 100])
def test_one_mask_for_all_rows_is_not_repeated(rows_per_mask):
    gates = sample_gates(jnp.zeros((2, 4)), jnp.uint32(1), 7, rows_per_mask, 0.5)
    assert gates.shape == (2, 1, 4)


def test_gating_centred_rows_is_the_papers_mean_replacement():
    rng = np.random.default_rng(2)
    rows, gates = rng.normal(3.0, 1.0, (6, 4)), rng.uniform(size=(2, 6, 4))
    mean = rows.mean(axis=0)
    printed = gates * rows + (1 - gates) * mean
    gated = apply_gates(jnp.float32(gates), jnp.float32(rows - mean))
    np.testing.assert_allclose(gated + mean, printed, rtol=1e-5)
