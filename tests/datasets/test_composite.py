"""Composite tasks are what they say: rules, joins, outcomes, noise, order and scale of columns."""

import numpy as np
import pytest

from coterie.datasets import make_composite
from coterie.datasets.joins import And, Digits, Largest, Or, Sum
from coterie.datasets.outcomes import Labels, Logistic, Penetrance, Real
from coterie.datasets.rules import Box, Linear, Parity, Product, Radial, Sine

PAIRS = [(0, 1), (2, 3)]
ROWS = np.array([[2.0, 3.0], [-2.0, -0.5], [1.0, -4.0]])


@pytest.mark.parametrize(
    ("rule", "scores"),
    [
        (Product(), [6.0, 1.0, -4.0]),
        (Box(1.0), [1.0, -3.0, -5.0]),
        (Parity(), [1.0, 1.0, -1.0]),
        (Parity(centre=-1.0), [1.0, -1.0, -1.0]),
        (Radial(2.0), [9.0, 0.25, 13.0]),
        (Linear(), [5.0, -2.5, -3.0]),
        (Sine(np.pi / 2), [0.0, 0.0, 0.0]),
    ],
)
def test_scores_of_the_rules_by_hand(rule, scores):
    np.testing.assert_allclose(rule.score(ROWS), scores, atol=1e-12)


def test_each_group_has_its_own_rule_and_may_overlap_others():
    task = make_composite(
        [(0,), (1, 2), (2, 3)],
        [Box(1.0), Product(0.5), Linear(2.0)],
        n_samples=300,
        n_features=6,
        random_state=0,
    )
    x = task.data
    fires = (x[:, 0] > 1) | (x[:, 1] * x[:, 2] > 0.5) | (x[:, 2] + x[:, 3] > 2)
    np.testing.assert_array_equal(task.target, fires)


def test_joins_by_hand():
    scores = np.array([[0.5, -1.0], [2.0, 3.0], [-0.2, -0.1]])
    fires = scores > 0
    assert Or().labels(scores, fires).tolist() == [1, 1, 0]
    assert And().labels(scores, fires).tolist() == [0, 1, 0]
    assert Sum().labels(scores, fires).tolist() == [0, 1, 0]
    assert Sum(weights=(4.0, 1.0)).labels(scores, fires).tolist() == [1, 1, 0]
    assert Largest().labels(scores, fires).tolist() == [0, 1, 1]
    assert Digits((2, 1)).labels(scores, fires).tolist() == [2, 3, 0]


@pytest.mark.parametrize("n_classes", [2, 4])
def test_flipped_labels_always_move_to_another_class_of_the_task(n_classes):
    signal = np.arange(20000) % n_classes
    target = Labels(flip=0.2).draw(np.random.default_rng(0), signal)
    assert np.mean(target != signal) == pytest.approx(0.2, abs=0.01)
    assert set(target) == set(range(n_classes))
    assert set(Labels(flip=1.0).draw(np.random.default_rng(0), signal) - signal) >= {1, -1}
    assert not np.any(Labels(flip=1.0).draw(np.random.default_rng(0), signal) == signal)


def test_penetrance_is_a_level_for_each_group_over_a_floor():
    fires = np.array([[True, True], [True, False], [False, True], [False, False]])
    outcome = Penetrance((0.5, 0.8), floor=0.1)
    np.testing.assert_allclose(outcome.signal(fires, fires, Or()), [0.8, 0.5, 0.8, 0.1])
    np.testing.assert_allclose(outcome.signal(fires, fires, And()), [0.5, 0.1, 0.1, 0.1])


@pytest.mark.parametrize("kind", ["binary", "genotype"])
def test_penetrance_is_the_share_of_ones(kind):
    task = make_composite(
        PAIRS,
        Box(0.5),
        outcome=Penetrance(0.85, floor=0.1),
        columns=kind,
        n_features=5,
        random_state=0,
    )
    for level in (0.1, 0.85):
        rows = task.signal == level
        assert task.target[rows].mean() == pytest.approx(level, abs=0.02)


def test_logistic_probability_is_the_sigmoid_of_the_sum():
    task = make_composite(
        PAIRS,
        join="sum",
        outcome=Logistic(slope=2.0, intercept=-1.0),
        n_samples=50,
        n_features=5,
        random_state=0,
    )
    x = task.data.astype(float)
    logits = 2.0 * (x[:, 0] * x[:, 1] + x[:, 2] * x[:, 3]) - 1.0
    np.testing.assert_allclose(task.signal, 1 / (1 + np.exp(-logits)), atol=1e-6)


@pytest.mark.parametrize("r2", [0.5, 0.9])
def test_real_outcome_leaves_the_truth_its_r2(r2):
    task = make_composite(PAIRS, join="sum", outcome=Real(r2), n_features=5, random_state=0)
    residual = np.var(task.target - task.signal) / np.var(task.target)
    assert 1 - residual == pytest.approx(r2, abs=0.02)


def test_no_groups_leave_an_outcome_of_noise_alone():
    task = make_composite([], join="sum", outcome="real", n_features=5, random_state=0)
    assert task.groups == []
    assert not task.signal.any()
    assert np.std(task.target) == pytest.approx(1.0, abs=0.02)


def test_permuted_columns_keep_the_rule_in_the_groups():
    task = make_composite(PAIRS, n_samples=300, n_features=50, permute=True, random_state=3)
    assert task.groups != PAIRS
    products = [task.data[:, group].prod(axis=1) > 0.3 for group in task.groups]
    np.testing.assert_array_equal(task.target, np.logical_or(*products))
    assert task.feature_names == [f"x{column}" for column in range(50)]


def test_scales_are_powers_of_ten_and_leave_the_outcome_alone():
    plain = make_composite(PAIRS, n_samples=500, n_features=30, random_state=0)
    scaled = make_composite(PAIRS, n_samples=500, n_features=30, max_power=3, random_state=0)
    np.testing.assert_array_equal(plain.target, scaled.target)
    ratio = np.log10(scaled.data.std(axis=0) / plain.data.std(axis=0))
    np.testing.assert_allclose(ratio, ratio.round(), atol=1e-3)
    assert np.abs(ratio.round()).max() == 3


@pytest.mark.parametrize("kind", ["gaussian", "binary", "genotype", "autoregressive"])
def test_copies_are_correlated_with_their_true_column(kind):
    task = make_composite(
        [(0, 1)],
        Box(0.2),
        columns=kind,
        n_features=10,
        n_copies=2,
        copy_correlation=0.8,
        random_state=0,
    )
    correlation = np.corrcoef(task.data.T)
    np.testing.assert_allclose(correlation[0, [2, 3]], 0.8, atol=0.02)
    np.testing.assert_allclose(correlation[1, [4, 5]], 0.8, atol=0.02)


def test_a_generator_moves_on_and_an_integer_starts_anew():
    rng = np.random.default_rng(0)
    first = make_composite(PAIRS, n_samples=5, n_features=5, random_state=rng)
    second = make_composite(PAIRS, n_samples=5, n_features=5, random_state=rng)
    again = make_composite(PAIRS, n_samples=5, n_features=5, random_state=0)
    assert not np.array_equal(first.data, second.data)
    np.testing.assert_array_equal(first.data, again.data)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"groups": [(0,), (0, 1)]}, r"\(0,\) is inside \(0, 1\)"),
        ({"groups": [(0, 1), (1, 0)]}, "distinct and not empty"),
        ({"groups": [()]}, "distinct and not empty"),
        ({"groups": [(0, 9)]}, "column 9, but n_features=8"),
        ({"rules": ["product"]}, "got 1 for 2"),
        ({"rules": "box"}, "rules must be an object or one of"),
        ({"join": "xor"}, "join must be an object or one of"),
        ({"outcome": "logistic"}, "Logistic and Real go with Sum"),
        ({"join": "sum", "outcome": "penetrance"}, "Penetrance with Or and And"),
        ({"join": Sum(weights=(1.0,))}, "one weight a group: got 1 for 2"),
        ({"join": "sum", "outcome": Real(r2=0.0)}, r"r2 must be in \(0, 1\]; got 0.0"),
        ({"outcome": Labels(flip=1.5)}, r"flip must be in \[0, 1\]; got 1.5"),
        ({"outcome": Penetrance((0.1, 0.2, 0.3))}, "one for each group: got 3 for 2"),
        ({"n_copies": 2}, "need 8 other columns"),
        ({"n_copies": 1, "copy_correlation": 1.1}, r"must be in \[0, 1\]; got 1.1"),
    ],
)
def test_what_makes_no_task_is_refused_in_words(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_composite(**{"groups": PAIRS, "n_samples": 10, "n_features": 8, **arguments})
