"""The search as a whole."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import jax
import numpy as np
import pytest

from coterie.discovery import screen
from coterie.discovery.efforts import EFFORTS
from coterie.discovery.limits import Limits
from coterie.discovery.method import DENSE, Search
from coterie.discovery.problem import Problem
from coterie.discovery.screen import Term
from coterie.discovery.structures import Structure
from coterie.model.aggregators import TwoClasses, Values

RNG = np.random.default_rng(0)
N_ROWS = 400
SCORES = RNG.normal(size=(N_ROWS, 6)).astype(np.float32)
OUTCOME = (SCORES[:, 0] * SCORES[:, 1] + SCORES[:, 2])[:, None]
CONSTANT = Structure(())


def search(*arguments, **options):
    """Return what a search finds."""
    return making(*arguments, **options).run()


def making(
    target=OUTCOME,
    weights=None,
    scores=SCORES,
    report=lambda record: False,
    effort=EFFORTS["fast"],
    **limits,
):
    """Return a search that has not begun."""
    rows = Problem(
        scores,
        np.arange(scores.shape[1]),
        target,
        np.ones(len(target), np.float32) if weights is None else weights,
        TwoClasses() if target.ndim == 1 else Values(target.shape[1]),
        (np.arange(len(target)) % 4 == 0) - 1,
    )
    device = jax.devices("cpu")[0]
    return Search(rows, ["sum"], effort, Limits(**limits), 0, device, report, 1)


@pytest.fixture(scope="module")
def found():
    return search()


def test_the_groups_of_a_planted_outcome_are_found(found):
    assert found.structure == Structure.of([(0, 1), (2,)])
    assert found.is_complete
    assert found.is_matched
    assert {term.features for term in found.terms} >= {(0, 1), (2,)}


def test_each_stage_leaves_a_record(found):
    assert [record["round"] for record in found.history] == [*range(1, len(found.history) + 1)]
    stages = [record["stage"] for record in found.history]
    assert stages[:2] == ["open", "refine"]
    assert stages[-1] == "end"
    assert all(np.isfinite(record["loss"]) for record in found.history)
    trained = [record["n_trained"] for record in found.history]
    assert trained == sorted(trained)


def test_listeners_hear_every_record_and_are_asked_before_each_training():
    heard = []
    again = search(report=lambda record: heard.append(record))
    assert [record for record in heard if record is not None] == again.history
    assert heard[0] is None
    assert None in heard[1 : heard.index(again.history[1])]


@pytest.mark.parametrize("stage", ["open", "refine", "end"])
def test_who_listens_can_stop_the_search_after_a_stage(found, stage):
    stopped = search(report=lambda record: record is not None and record["stage"] == stage)
    assert not stopped.is_complete
    assert stopped.history[-1]["stage"] == stage
    assert stopped.structure in stopped.judge.losses_of
    if stage != "open":
        assert stopped.structure == found.structure


@pytest.mark.parametrize("n_trainings", [0, 1, 2])
def test_a_search_that_is_stopped_amid_a_stage_gives_the_best_so_far(n_trainings):
    asked = count(1)
    stopped = search(report=lambda record: record is None and next(asked) > n_trainings)
    assert not stopped.is_complete
    judged = stopped.judge.losses_of
    assert stopped.structure in judged
    best = min(judged, key=stopped.judge.mean)
    assert not stopped.judge.clearly_worse(stopped.structure, best)
    assert (stopped.structure == CONSTANT) == (n_trainings < 2)


def test_what_is_found_in_time_is_within_the_limits():
    asked = count(1)
    stopped = search(
        3 * OUTCOME - 2 * SCORES[:, [2]],
        report=lambda record: record is None and next(asked) > 2,
        max_features=2,
    )
    assert not stopped.is_complete
    assert stopped.structure == Structure.of([(0, 1)])


@pytest.mark.parametrize("limits", [{"max_groups": 1}, {"max_group_size": 1}, {"max_features": 1}])
def test_limits_are_met(limits):
    assert Limits(**limits).is_met(search(**limits).structure)


def test_where_the_screen_is_silent_on_few_rows_nothing_is_trained():
    null = search(RNG.normal(size=(N_ROWS, 1)))
    assert null.structure == CONSTANT
    assert null.is_complete
    assert null.judge.n_trained == 0


def test_weights_that_depend_on_a_column_are_no_effect_of_it():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(2000, 6)).astype(np.float32)
    target = (rng.random(2000) < 0.9).astype(np.float32)
    weights = np.where(scores[:, 3] > 0, 3, 1) * np.where(target == 1, 0.1, 1)
    null = search(target, np.float32(weights / weights.mean()), scores)
    assert null.terms == []
    assert null.scores.single[3] < 2


def test_correlated_features_can_stand_in():
    scores = SCORES.copy()
    scores[:, 4] = -0.95 * SCORES[:, 2] + np.sqrt(1 - 0.95**2) * SCORES[:, 4]
    scores[:, 5] = 0.5 * SCORES[:, 2] + np.sqrt(1 - 0.5**2) * SCORES[:, 5]
    found = search(scores=scores)
    assert found.structure == Structure.of([(0, 1), (2,)])
    assert found.stand_ins == {0: [], 1: [], 2: [4]}


def test_a_structure_that_loses_against_one_network_is_said_to():
    # a group of at most one feature can not hold the product
    bounded = search(max_group_size=1, target=OUTCOME + SCORES[:, [0]] + SCORES[:, [1]])
    assert bounded.structure.features == (0, 1, 2)
    assert not bounded.is_matched


def test_pairs_are_scored_on_the_rows_that_the_effort_pays_for(monkeypatch):
    monkeypatch.setattr(screen, "LEAST_ROWS", 200)
    frugal = search(effort=replace(EFFORTS["fast"], pair_work=1.0))
    whole = search()
    assert frugal.structure == whole.structure
    assert frugal.scores.pairs[0][1:] == whole.scores.pairs[0][1:]
    assert frugal.scores.pairs[0][0] < whole.scores.pairs[0][0]


@pytest.mark.parametrize("n_features", [DENSE, DENSE + 1])
def test_what_many_features_explain_is_searched_by_short_trainings(n_features):
    terms = [Term((feature, feature + 1), 9.0, 0.1) for feature in range(n_features - 1)]
    assert making()._is_dense(terms) == (n_features > DENSE)
