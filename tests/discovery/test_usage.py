"""What fitted models make of their features and pairs."""

import jax
import numpy as np
import pytest

from coterie.discovery.judge import Judge
from coterie.discovery.problem import Problem
from coterie.discovery.structures import Structure
from coterie.discovery.usage import Usage
from coterie.model.aggregators import ManyClasses, TwoClasses, Values

RNG = np.random.default_rng(0)
COLUMNS = RNG.normal(size=(1200, 6)).astype(np.float32)
SCORE = 2 * COLUMNS[:, 0] * COLUMNS[:, 1] + COLUMNS[:, 2] + 0.3 * COLUMNS[:, 3]
TARGETS = {
    "values": (Values(1), (SCORE / SCORE.std())[:, None].astype(np.float32)),
    "two": (TwoClasses(), (SCORE > 0).astype(np.float32)),
    "three": (ManyClasses(3), np.digitize(SCORE, [-1, 1])),
}
STRUCTURE = Structure.of([(0, 1), (2, 3), (4, 5)])


@pytest.fixture(scope="module", params=TARGETS, name="judge")
def judge_fixture(request) -> Judge:
    predictor, target = TARGETS[request.param]
    rows = Problem(
        COLUMNS,
        np.arange(6),
        target,
        np.ones(1200, np.float32),
        predictor,
        np.arange(1200) % 2,
    )
    return Judge(rows, 0, jax.devices("cpu")[0], 1, 0.5)


def test_what_matters_most_is_used_most(judge):
    usage = judge.usage(STRUCTURE)
    assert set(usage.weakest_features()[:2]) == {4, 5}
    assert usage.weakest_features()[2] == 3
    assert min(usage.features[feature] for feature in (0, 1, 2)) > 3 * usage.features[3]


def test_a_product_is_no_sum_and_two_main_effects_are(judge):
    usage = judge.usage(STRUCTURE)
    assert usage.weakest_edges()[-1] == (0, 1)
    assert usage.edges[0, 1] > 10 * usage.edges[2, 3]


def test_the_rise_is_that_of_the_loss_with_the_column_at_its_mean(judge):
    usage = judge.usage(STRUCTURE)
    problem, fits = judge.problem, judge.fitted_of[STRUCTURE]
    rises = []
    for fold, fitted in enumerate(fits):
        rows = problem.folds == fold
        columns = fitted.columns_of(problem, rows)
        losses = []
        for shut in (False, True):
            columns[:, 2] *= not shut
            effects = fitted.effects(STRUCTURE, problem, columns)
            losses.append(fitted.losses(STRUCTURE, problem, effects, problem.target[rows]).mean())
        rises.append(losses[1] - losses[0])
    assert usage.features[2] == pytest.approx(np.mean(rises), rel=1e-4)


def test_orders_are_by_size():
    usage = Usage({4: 0.3, 2: 0.1, 7: 0.2}, {(2, 4): 1.0, (4, 7): 0.5})
    assert usage.weakest_features() == [2, 7, 4]
    assert usage.weakest_edges() == [(4, 7), (2, 4)]


def test_the_loss_without_a_group_is_that_with_its_effect_at_its_mean(judge):
    losses = judge.losses_without_groups(STRUCTURE)
    rises = (losses - judge.losses_of[STRUCTURE]).mean(axis=1)
    assert losses.shape == (3, 1200)
    assert rises[0] > 0.1
    assert rises[1] > 0.05
    assert abs(rises[2]) < 0.3 * rises[1]
