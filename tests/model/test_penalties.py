"""The two penalties as explicit loops over learners, pairs and features."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from coterie.model.penalties import overlap_penalty, size_penalty

SHAPES = [(1, 3), (2, 1), (5, 7), (4, 30)]


def probabilities(shape: tuple[int, int]) -> np.ndarray:
    return np.random.default_rng(shape[0]).uniform(size=shape)


def looped_size(pi: np.ndarray) -> float:
    n_learners, n_features = pi.shape
    total = 0.0
    for i in range(n_learners):
        total += (sum(pi[i, k] for k in range(n_features)) / n_features) ** 2
    return np.sqrt(n_features) / n_learners * total


def looped_overlap(pi: np.ndarray) -> float:
    n_learners, n_features = pi.shape
    total = 0.0
    for i in range(n_learners):
        for j in range(i + 1, n_learners):
            total += sum(pi[i, k] * pi[j, k] for k in range(n_features)) / n_features
    return 2 * np.sqrt(n_features) / (n_learners * (n_learners - 1)) * total if total else 0.0


@pytest.mark.parametrize("shape", SHAPES)
def test_the_size_penalty_is_the_papers_sum(shape):
    pi = probabilities(shape)
    np.testing.assert_allclose(size_penalty(jnp.float32(pi), shape[1]), looped_size(pi), rtol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_overlap_penalty_is_the_papers_sum(shape):
    pi = probabilities(shape)
    value = overlap_penalty(jnp.float32(pi), shape[1])
    np.testing.assert_allclose(value, looped_overlap(pi), rtol=1e-5, atol=1e-6)


def test_a_single_learner_overlaps_with_nobody():
    assert overlap_penalty(jnp.ones((1, 4)), 4) == 0


def test_disjoint_learners_do_not_overlap():
    assert overlap_penalty(jnp.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]), 3) == 0


@pytest.mark.parametrize("penalty", [size_penalty, overlap_penalty])
def test_closed_padding_changes_neither_value_nor_gradient(penalty):
    pi = jnp.float32(probabilities((3, 5)))
    padded = jnp.pad(pi, ((0, 0), (0, 4)))
    value, gradient = jax.value_and_grad(penalty)(pi, 5.0)
    padded_value, padded_gradient = jax.value_and_grad(penalty)(padded, 5.0)
    np.testing.assert_allclose(padded_value, value, rtol=1e-6)
    np.testing.assert_allclose(padded_gradient[:, :5], gradient, rtol=1e-5)


def test_adding_to_the_larger_group_costs_more():
    """Unlike an L1 penalty, which does not tell the two apart (section 4.3 of the paper)."""
    smaller_grows = size_penalty(jnp.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]]), 3)
    larger_grows = size_penalty(jnp.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]), 3)
    assert larger_grows > smaller_grows
