"""Strengths, their intervals, and how sure groups are."""

import numpy as np
import pytest

from coterie.discovery.certify import Certainty, certify, with_refits
from coterie.discovery.problem import bootstrap_rows
from coterie.discovery.shed import WIDE
from coterie.discovery.structures import Structure
from tests.discovery.known_losses import KnownJudge, problem

FOUND = Structure.of([(0, 1), (2,)])
WITHOUT_PAIR, WITHOUT_SINGLE = Structure.of([(2,)]), Structure.of([(0, 1)])
SPLIT = Structure.of([(0,), (1,), (2,)])


def judge_of(losses, n_rows=400, weights=None) -> KnownJudge:
    """Return a judge of the given losses; that of a constant is 1."""
    judge = KnownJudge(
        lambda s, _: losses.get(s, 1.0) if s.groups else 1.0, problem(n_rows, 3, weights)
    )
    judge.judge([Structure(()), *losses])
    return judge


def test_the_strength_is_the_loss_without_the_group():
    judge = judge_of({FOUND: 0.2, WITHOUT_PAIR: 0.9, WITHOUT_SINGLE: 0.35})
    known = certify(FOUND, judge, seed=0)
    assert known.strength == pytest.approx([0.7, 0.15])


def test_losses_that_do_not_vary_leave_no_doubt():
    known = certify(FOUND, judge_of({FOUND: 0.2, WITHOUT_PAIR: 0.9, WITHOUT_SINGLE: 0.35}), 0)
    assert known.low == pytest.approx(known.strength)
    assert known.high == pytest.approx(known.strength)
    assert known.certainty.tolist() == [1.0, 1.0]


def test_the_interval_is_that_of_the_mean_difference():
    differences = np.random.default_rng(0).normal(0.5, 2.0, 400)
    judge = judge_of({FOUND: 0.2, WITHOUT_PAIR: 0.2 + differences, WITHOUT_SINGLE: 0.5})
    known = certify(FOUND, judge, seed=0)
    mean, error = differences.mean(), differences.std() / np.sqrt(400)
    assert known.strength[0] == pytest.approx(mean)
    assert known.low[0] == pytest.approx(mean - 1.96 * error, abs=0.5 * error)
    assert known.high[0] == pytest.approx(mean + 1.96 * error, abs=0.5 * error)


def test_rows_of_weight_zero_do_not_count():
    weights = np.repeat([2.0, 0.0], 200)
    without = np.repeat([0.9, 55.0], 200)
    judge = judge_of({FOUND: 0.2, WITHOUT_PAIR: without, WITHOUT_SINGLE: 0.4}, weights=weights)
    known = certify(FOUND, judge, seed=0)
    for bound in (known.strength, known.low, known.high):
        assert bound == pytest.approx([0.7, 0.2])


@pytest.mark.parametrize(("split", "certainty"), [(0.9, 1.0), (0.2, 0.0)])
def test_a_rival_that_is_as_good_leaves_no_certainty(split, certainty):
    losses = {FOUND: 0.2, WITHOUT_PAIR: 0.9, WITHOUT_SINGLE: 0.4, SPLIT: split}
    known = certify(FOUND, judge_of(losses), seed=0)
    assert known.certainty.tolist() == [certainty, 1.0]


def test_a_rival_that_is_as_good_by_half_leaves_half_the_certainty():
    rng = np.random.default_rng(0)
    noise = rng.normal(0.0, 1.0, 400)
    noise += 0.016 - noise.mean()  # TOLERANCE of what is explained, which is 0.8
    losses = {FOUND: 0.2, WITHOUT_PAIR: 0.9, WITHOUT_SINGLE: 0.4, SPLIT: 0.2 + noise}
    known = certify(FOUND, judge_of(losses), seed=0)
    assert known.certainty[0] == pytest.approx(0.5, abs=0.15)


def test_of_many_groups_none_is_trained_without():
    many = Structure.of([(feature,) for feature in range(WIDE + 1)])
    judge = judge_of({many: 0.2})
    rises = np.linspace(-0.01, 0.07, WIDE + 1)
    judge.losses_without_groups = lambda structure: np.tile(0.2 + rises[:, None], 400)
    trained = len(judge.asked)
    known = certify(many, judge, seed=0)
    assert len(judge.asked) == trained
    assert known.strength == pytest.approx(rises)
    assert known.certainty.tolist() == (rises > 0).astype(float).tolist()


def test_the_same_seed_draws_the_same_rows():
    noise = np.random.default_rng(1).normal(size=400)
    losses = {FOUND: 0.2, WITHOUT_PAIR: 0.9 + noise, WITHOUT_SINGLE: 0.4}
    first, again, other = (certify(FOUND, judge_of(losses), seed) for seed in (0, 0, 1))
    assert np.array_equal(first.low, again.low)
    assert not np.array_equal(first.low, other.low)


def test_bootstrap_rows_are_drawn_with_replacement_and_keep_their_folds():
    rows = problem(1000, 3, np.repeat([1.0, 0.0, 2.0, 1.0], 250))
    drawn = bootstrap_rows(rows, seed=0, resample=0)
    assert drawn.weights.mean() == pytest.approx(1.0, rel=1e-5)
    counted = rows.weights > 0
    assert not drawn.weights[~counted].any()
    unit = drawn.weights[rows.weights == 1].max() / 8
    copies = drawn.weights[counted] / rows.weights[counted]
    unit = copies[copies > 0].min()
    assert copies / unit == pytest.approx(np.round(copies / unit), abs=1e-3)
    assert (copies == 0).mean() == pytest.approx(np.exp(-1), abs=0.05)
    assert np.array_equal(drawn.folds, rows.folds)
    other = bootstrap_rows(rows, seed=0, resample=1)
    assert not np.array_equal(drawn.weights, other.weights)


def test_the_certainty_is_the_share_of_searches_that_return_the_group():
    nan = np.full(2, np.nan)
    known = Certainty(nan, nan, nan, np.array([0.9, 0.8]))
    refitted = [FOUND, SPLIT, WITHOUT_SINGLE, Structure(())]
    assert with_refits(known, FOUND, refitted).certainty.tolist() == [0.5, 0.5]
    assert with_refits(known, FOUND, []) is known
