from __future__ import annotations

import jax
import numpy as np
import pytest

from coterie.discovery.gather import (
    _most,
    _n_kept,
    _Regression,
    _steadiness,
    gather,
    weak_features,
)
from coterie.discovery.judge import Judge
from coterie.discovery.limits import Limits
from coterie.discovery.problem import Problem
from coterie.discovery.structures import Structure
from coterie.model.aggregators import Values

STRONG = Structure(((0,),))


def problem_of(columns: np.ndarray, target: np.ndarray, owner: np.ndarray | None = None) -> Problem:
    n_rows, n_columns = columns.shape
    return Problem(
        np.asarray(columns, np.float32),
        np.arange(n_columns) if owner is None else owner,
        np.asarray(target, np.float32)[:, None],
        np.ones(n_rows, np.float32),
        Values(1),
        np.arange(n_rows) % 4,
    )


def draw(n_rows: int, weak: float, n_weak: int = 8, n_columns: int = 60) -> Problem:
    """Draw one strong effect, some weak ones behind it, and columns without any."""
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(n_rows, n_columns))
    outcome = 1.5 * columns[:, 0] + weak * columns[:, 1 : 1 + n_weak].sum(axis=1)
    outcome = outcome + rng.normal(size=n_rows)
    return problem_of(columns, (outcome - outcome.mean()) / outcome.std())


def chosen(problem: Problem, target: np.ndarray, most: int = 20) -> list[int]:
    everything = np.ones(len(problem.scores), bool)
    return weak_features(STRONG, problem, target.astype(np.float32), everything, most)


def test_its_z_scores_are_those_of_the_partial_regression():
    rng = np.random.default_rng(1)
    columns, target = rng.normal(size=(200, 5)), rng.normal(size=(200, 1))
    columns, target = columns - columns.mean(axis=0), target - target.mean()
    columns[:, 4] += columns[:, 0]
    regression = _Regression(columns, target)
    for place in (0, 2):
        regression.take(np.intp(place))
    basis = columns[:, [0, 2]]
    left = target - basis @ np.linalg.lstsq(basis, target)[0]
    own = columns[:, 4] - basis @ np.linalg.lstsq(basis, columns[:, 4])[0]
    expected = abs(own @ left[:, 0]) / np.sqrt(own @ own * (left**2).mean())
    assert regression.z_scores()[4] == pytest.approx(expected)
    assert regression.z_scores()[[0, 2]].tolist() == [0.0, 0.0]


def test_a_copy_of_a_chosen_column_tells_nothing_more():
    column = np.random.default_rng(2).normal(size=(100, 1))
    column -= column.mean()
    regression = _Regression(np.hstack([column, column]), column)
    regression.take(np.intp(0))
    assert regression.z_scores().tolist() == [0.0, 0.0]


def test_weak_effects_are_chosen_beside_the_known_one():
    problem = draw(n_rows=2000, weak=0.3)
    found = chosen(problem, problem.target)
    assert 0 not in found
    assert set(range(1, 9)) <= set(found)
    assert len(found) <= 8 / (1 - 0.2) + 1


def test_nothing_is_chosen_where_nothing_is_left():
    problem = draw(n_rows=2000, weak=0.0)
    noise = np.random.default_rng(3).normal(size=(2000, 1))
    assert len(chosen(problem, noise)) <= 1


def test_no_more_are_chosen_than_there_is_room_for():
    problem = draw(n_rows=2000, weak=0.3)
    assert len(chosen(problem, problem.target, most=3)) == 3
    assert chosen(problem, problem.target, most=0) == []


def test_a_feature_of_several_columns_is_chosen_as_one():
    problem = draw(n_rows=2000, weak=0.3, n_weak=4, n_columns=10)
    owner = np.array([0, 1, 1, 2, 2, 3, 4, 5, 6, 7])
    shared = problem_of(problem.scores, problem.target[:, 0], owner)
    assert sorted(chosen(shared, problem.target)) == [1, 2]


def test_the_share_of_false_ones_bounds_how_many_are_kept():
    # Of 100 tests, 2 (1 - Phi(3)) 100 = 0.27 exceed z = 3 by chance, and 4.6 exceed z = 2.
    assert _n_kept(np.array([5.0, 3.0, 2.0]), 100) == 2
    assert _n_kept(np.array([3.0]), 100) == 0
    assert _n_kept(np.array([]), 100) == 0


def test_limits_bound_what_is_gathered():
    structure = Structure(((0, 1), (2,)))
    assert _most(structure, Limits(max_features=5)) == 2
    assert _most(structure, Limits(max_groups=3)) == 1
    assert _most(structure, Limits(max_features=2)) == 0
    assert _most(structure, Limits()) > 10


@pytest.mark.slow
def test_weak_effects_are_added_if_they_help_on_rows_they_were_not_chosen_on():
    problem = draw(n_rows=600, weak=0.25)
    judge = Judge(problem, 0, jax.devices()[0], n_restarts=1, effort=0.5)
    found = gather(STRONG, judge, Limits())
    true = sum((feature,) in found.groups for feature in range(1, 9))
    assert true >= 5
    assert len(found.groups) - 1 - true <= 3
    assert judge.decay > 0


@pytest.mark.slow
def test_nothing_is_added_where_the_structure_is_all_there_is():
    problem = draw(n_rows=600, weak=0.0)
    judge = Judge(problem, 0, jax.devices()[0], n_restarts=1, effort=0.5)
    assert gather(STRONG, judge, Limits()) == STRONG
    assert judge.decay == 0


@pytest.mark.slow
def test_weak_effects_are_found_where_there_is_nothing_else():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(1500, 40))
    outcome = 0.15 * columns[:, :30].sum(axis=1) + rng.normal(size=1500)
    problem = problem_of(columns, (outcome - outcome.mean()) / outcome.std())
    judge = Judge(problem, 0, jax.devices()[0], n_restarts=1, effort=0.5)
    found = set(gather(Structure(()), judge, Limits()).features)
    assert len(found & set(range(30))) >= 20
    assert len(found - set(range(30))) <= 5


def test_a_choice_is_steady_as_far_as_other_rows_make_it_too():
    problem = draw(n_rows=1000, weak=0.12, n_weak=8, n_columns=40)
    everything = np.ones(1000, bool)
    residual = problem.target - 0.8 * problem.scores[:, [0]]
    weak = weak_features(STRONG, problem, residual, everything, 20)
    shares = _steadiness(weak, STRONG, problem, residual, 20, seed=0)
    assert list(shares) == weak
    assert shares == _steadiness(weak, STRONG, problem, residual, 20, seed=0)
    assert 0 < min(shares.values()) < max(shares.values()) <= 1
