"""The composite model that predicts."""

from __future__ import annotations

from types import SimpleNamespace

import jax
import numpy as np
import pytest

from coterie.discovery.final import STEPS, CompositeModel, final_effort, fit_final
from coterie.discovery.problem import Problem
from coterie.discovery.scales import NormalScores
from coterie.discovery.structures import Structure
from coterie.model.aggregators import TwoClasses, Values

RNG = np.random.default_rng(0)
N_ROWS = 400
TABLE = RNG.normal(size=(N_ROWS, 5)).astype(np.float32)
SCALES = NormalScores.of(TABLE)
WEIGHTS = RNG.uniform(0.5, 1.5, N_ROWS).astype(np.float32)
WEIGHTS /= WEIGHTS.mean()
PRODUCT = TABLE[:, [3]] * TABLE[:, [4]]
REAL = PRODUCT + TABLE[:, [1]] + 2
LABELS = ((PRODUCT[:, 0] > 0.3) | (TABLE[:, 1] > 1)).astype(np.float32)
GROUPS = ((3, 4), (1,))


def fitted(target, aggregator) -> CompositeModel:
    predictor = TwoClasses() if target.ndim == 1 else Values(1)
    folds = (np.arange(N_ROWS) % 4 == 0) - 1
    rows = Problem(SCALES(TABLE), np.arange(5), target, WEIGHTS, predictor, folds)
    structure, cpu = Structure(GROUPS, aggregator), jax.devices("cpu")[0]
    return fit_final(structure, rows, SCALES, 0, 0.7, cpu)


@pytest.fixture(scope="module")
def summed() -> CompositeModel:
    return fitted(REAL, "sum")


@pytest.fixture(scope="module")
def caused() -> CompositeModel:
    return fitted(LABELS, "or")


def test_effects_and_base_add_up_to_the_prediction(summed):
    effects = summed.effects(TABLE)
    assert effects.shape == (N_ROWS, 2, 1)
    whole = summed.base + effects.sum(axis=1)
    assert summed.predictions(effects) == pytest.approx(whole, abs=1e-4)


def test_under_sum_effects_are_0_on_average_over_the_weighted_rows(summed):
    means = np.tensordot(WEIGHTS / WEIGHTS.sum(), summed.effects(TABLE), axes=1)
    assert means == pytest.approx(np.zeros((2, 1)), abs=1e-5)
    assert summed.base == pytest.approx(np.average(REAL[:, 0], weights=WEIGHTS), abs=0.1)


def test_under_or_effects_are_causes_that_nothing_is_taken_from(caused):
    assert (caused.effects(TABLE) >= 0).all()
    assert caused.base.tolist() == [0.0]
    assert not caused.centre.any()


def test_groups_keep_their_order(summed):
    effects = summed.effects(TABLE)[:, :, 0]
    assert np.corrcoef(effects[:, 0], PRODUCT[:, 0])[0, 1] > 0.95
    assert np.corrcoef(effects[:, 1], TABLE[:, 1])[0, 1] > 0.95


def test_columns_outside_the_groups_are_not_read(caused):
    spoilt = TABLE.copy()
    spoilt[:, [0, 2]] = np.nan
    assert np.array_equal(caused.effects(spoilt), caused.effects(TABLE))


def test_some_of_the_networks_are_averaged(summed):
    assert 1 <= len(summed.parameters.offset) <= 4
    assert all(len(leaf) == len(summed.parameters.offset) for leaf in summed.parameters)


def test_the_number_of_rows_at_once_does_not_matter(summed):
    one_by_one = np.concatenate([summed.effects(TABLE[[row]]) for row in range(5)])
    assert one_by_one == pytest.approx(summed.effects(TABLE)[:5], abs=1e-5)
    assert summed.effects(TABLE[:0]).shape == (0, 2, 1)


@pytest.mark.parametrize(("share", "factor"), [(1.0, STEPS), (0.4, 0.4)])
def test_training_is_longer_unless_trials_were_best_half_way(share, factor):
    judge = SimpleNamespace(share_of_steps=lambda structure: share)
    assert final_effort(judge, Structure(GROUPS), 0.5) == pytest.approx(0.5 * factor)
