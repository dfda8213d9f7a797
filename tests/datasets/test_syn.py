"""The paper's synthetic tasks follow the paper's rules."""

import numpy as np
import pytest

from coterie.datasets import make_syn

PAPER_RULES = {
    1: lambda x: (x[:, 0] > 0.55) | (x[:, 1] > 0.55),
    2: lambda x: (x[:, 0] * x[:, 1] > 0.3) | (x[:, 2] * x[:, 3] > 0.3),
    3: lambda x: (x[:, 0] * x[:, 1] > 0.3) | (x[:, 0] * x[:, 2] > 0.3),
    4: lambda x: (x[:, 0] * x[:, 3] > 0.3) | (x[:, 6] * x[:, 9] > 0.3),
}


@pytest.mark.parametrize("rule", PAPER_RULES)
def test_the_target_is_the_rule_of_the_data(rule):
    task = make_syn(rule, n_samples=500, n_features=15, random_state=0)
    np.testing.assert_array_equal(task.target, PAPER_RULES[rule](task.data))


@pytest.mark.parametrize(
    ("rule", "groups"),
    [(1, [(0,), (1,)]), (2, [(0, 1), (2, 3)]), (3, [(0, 1), (0, 2)]), (4, [(0, 3), (6, 9)])],
)
def test_groups_and_shapes(rule, groups):
    task = make_syn(rule, n_samples=20, n_features=15, random_state=0)
    assert task.groups == groups
    assert task.data.shape == (20, 15)
    assert task.data.dtype == np.float32
    assert task.target.dtype == np.int64
    assert len(task.feature_names) == 15


def test_first_twelve_columns_of_rule_four_are_blocks_of_three():
    data = make_syn(4, n_samples=20000, n_features=16, random_state=0).data
    expected = np.eye(16)
    for start in (0, 3, 6, 9):
        expected[start : start + 3, start : start + 3] = 0.99
    np.fill_diagonal(expected, 1.0)
    np.testing.assert_allclose(np.corrcoef(data.T), expected, atol=0.04)
    np.testing.assert_allclose(data.std(axis=0), 1.0, atol=0.03)


def test_a_seed_gives_the_same_rows_and_another_seed_others():
    first, again, other = (make_syn(2, 10, 5, random_state=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.data, again.data)
    assert not np.array_equal(first.data, other.data)


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match=r"rule must be one of \[1, 2, 3, 4\]; got 5"):
        make_syn(5)
