from __future__ import annotations

import numpy as np
import pytest

from coterie.baselines import LassoClassifier

X = np.random.default_rng(0).normal(size=(500, 6))
Y = X[:, 1] - X[:, 4] > 0


def test_the_conditions_of_a_minimum_hold():
    model = LassoClassifier(reg=0.3, threshold=0.0).fit(X, Y)
    residual = X @ model.coef_[0] + model.intercept_[0] - (2 * Y - 1)
    gradient = 2 * X.T @ residual / len(Y)
    active = model.coef_[0] != 0
    assert gradient[active] == pytest.approx(-0.3 * np.sign(model.coef_[0][active]), abs=1e-4)
    assert (np.abs(gradient[~active]) <= 0.3 + 1e-4).all()
    assert model.groups_ == [(1, 4)]


def test_small_weights_are_set_to_zero():
    weights = LassoClassifier(reg=0.3, threshold=0.0).fit(X, Y).coef_[0]
    smaller, larger = sorted(np.abs(weights[[1, 4]]))
    model = LassoClassifier(reg=0.3, threshold=(smaller + larger) / 2).fit(X, Y)
    assert np.count_nonzero(model.coef_) == 1


def test_probabilities_are_the_linear_prediction_cut_off():
    model = LassoClassifier(reg=0.3).fit(X, Y)
    linear = (1 + X @ model.coef_[0] + model.intercept_[0]) / 2
    assert model.predict_proba(X)[:, 1] == pytest.approx(linear.clip(0, 1), abs=1e-6)
