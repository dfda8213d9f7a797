from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from coterie.estimators import CompFSClassifier, fit_seeds
from tests.estimators.estimators_under_test import QUICK

X = np.random.default_rng(0).normal(size=(60, 6))
LABELS = np.where(X[:, 1] + X[:, 4] > 0, "high", "low")
SEEDS = [3, 1, 2]


@pytest.fixture(scope="module")
def fitted():
    return fit_seeds(CompFSClassifier(**QUICK), X, LABELS, SEEDS)


def test_each_clone_carries_its_seed_and_the_estimator_stays_unfitted():
    estimator = CompFSClassifier(**QUICK)
    models = fit_seeds(estimator, X, LABELS, SEEDS)
    assert [model.random_state for model in models] == SEEDS
    assert estimator.random_state == QUICK["random_state"]
    assert not hasattr(estimator, "groups_")


def test_one_epoch_is_that_of_fits_one_at_a_time():
    estimator = CompFSClassifier(**{**QUICK, "max_epochs": 1})
    for model in fit_seeds(estimator, X, LABELS, SEEDS):
        alone = CompFSClassifier(**model.get_params()).fit(X, LABELS)
        assert model.gate_probabilities_ == pytest.approx(alone.gate_probabilities_, abs=1e-5)
        assert model.predict_proba(X) == pytest.approx(alone.predict_proba(X), abs=1e-4)


def test_certainty_is_the_share_of_seeds_in_which_a_group_returns(fitted):
    for model in fitted:
        table = model.groups_table()
        for group, row in zip(model.groups_, table.itertuples(), strict=True):
            share = np.mean([group in other.groups_ for other in fitted])
            assert row.certainty == pytest.approx(share)
            assert row.strength_low <= row.strength <= row.strength_high


def test_one_seed_says_nothing_about_certainty():
    (model,) = fit_seeds(CompFSClassifier(**QUICK), X, LABELS, [0])
    table = model.groups_table()
    assert table[["strength_low", "strength_high", "certainty"]].isna().all(axis=None)


@pytest.mark.parametrize("seeds", [[], [1, 2, 1]])
def test_seeds_must_differ(seeds):
    with pytest.raises(ValueError, match=r"seeds must hold at least one seed, and none .* twice"):
        fit_seeds(CompFSClassifier(), X, LABELS, seeds)


def test_other_estimators_are_refused():
    with pytest.raises(TypeError, match="got LogisticRegression"):
        fit_seeds(LogisticRegression(), X, LABELS, [0])
