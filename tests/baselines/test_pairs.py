from __future__ import annotations

import numpy as np
import pytest

from coterie.baselines._pairs import gradient_norms_of_pairs, spread_over_pairs


def test_norms_are_those_of_the_copied_columns():
    rng = np.random.default_rng(0)
    columns, residual = rng.normal(size=(20, 4)), rng.normal(size=20)
    norms = gradient_norms_of_pairs(columns.T @ residual)
    for a in range(4):
        for b in range(a + 1, 4):
            assert norms[a, b] == pytest.approx(np.linalg.norm(columns[:, [a, b]].T @ residual))
        assert norms[a, a] / np.sqrt(2) == pytest.approx(abs(columns[:, a] @ residual))


def test_no_pair_exceeds_its_bound_where_no_single_column_does():
    gradient = np.random.default_rng(0).uniform(-1, 1, 50)
    assert gradient_norms_of_pairs(gradient).max() <= np.sqrt(2)


@pytest.mark.parametrize("n_columns", [1, 2, 3, 7, 30])
def test_a_split_is_exact_and_costs_nothing(n_columns):
    weights = np.random.default_rng(n_columns).exponential(size=n_columns)
    alone, pairs = spread_over_pairs(weights)
    assert (alone >= 0).all()
    assert (pairs >= 0).all()
    assert alone + pairs.sum(axis=1) == pytest.approx(weights, abs=1e-6)
    cost_of_pairs = np.sqrt(2) * np.sqrt(2) * pairs[np.triu_indices(n_columns, 1)].sum()
    assert alone.sum() + cost_of_pairs == pytest.approx(weights.sum(), abs=1e-6)


def test_of_two_unequal_weights_a_quarter_of_their_sum_is_shared():
    # (3 - t)^2 / 2 + (1.5 - t)^2 / 2 + t^2 is least at t = (3 + 1.5) / 4
    alone, pairs = spread_over_pairs(np.array([3.0, 1.5]))
    assert pairs[0, 1] == pytest.approx(4.5 / 4, abs=1e-6)
    assert alone == pytest.approx([3 - 4.5 / 4, 1.5 - 4.5 / 4], abs=1e-6)


def test_a_pair_takes_all_of_a_column_that_is_small_beside_the_other():
    alone, pairs = spread_over_pairs(np.array([5.0, 1.0]))
    assert pairs[0, 1] == pytest.approx(1.0, abs=1e-6)
    assert alone == pytest.approx([4.0, 0.0], abs=1e-6)
