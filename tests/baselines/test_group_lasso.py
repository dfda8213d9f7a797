from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.special import expit

from coterie.baselines import GroupLassoClassifier
from coterie.baselines._l1_logistic import solve_l1_logistic

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 8))
Y = expit(1.5 * X[:, 1] - X[:, 4] + 0.5 * X[:, 6]) > RNG.random(400)
REG = 0.05
GROUPS = [(column,) for column in range(8)] + list(combinations(range(8), 2))


def penalised_loss(weights: dict, intercept: float, reg: float) -> float:
    """The loss of the paper with a column for each group's copy, written out."""
    score = intercept + sum(X[:, list(group)] @ weights[group] for group in weights)
    penalty = sum(np.sqrt(len(group)) * np.linalg.norm(weights[group]) for group in weights)
    return float(np.logaddexp(0, np.where(Y, -score, score)).mean() + reg / np.sqrt(2) * penalty)


@pytest.fixture(scope="module")
def dense() -> tuple[dict, float]:
    """Proximal gradient steps from zero on all copies of the columns, as plain as can be."""
    copies = np.hstack([X[:, list(group)] for group in GROUPS] + [np.ones((400, 1))])
    sizes = np.array([len(group) for group in GROUPS])
    starts = np.cumsum([0, *sizes[:-1]])
    rate = 4 * 400 / np.linalg.norm(copies, 2) ** 2
    bound = rate * REG / np.sqrt(2) * np.sqrt(sizes)
    weights = np.zeros(copies.shape[1])
    for _ in range(10_000):
        weights -= rate * copies.T @ (expit(copies @ weights) - Y) / 400
        norms = np.sqrt(np.add.reduceat(weights[:-1] ** 2, starts))
        weights[:-1] *= np.repeat(np.maximum(0, 1 - bound / np.maximum(norms, 1e-300)), sizes)
    parts = np.split(weights[:-1], starts[1:])
    return dict(zip(GROUPS, parts, strict=True)), float(weights[-1])


@pytest.fixture(scope="module")
def fitted() -> GroupLassoClassifier:
    return GroupLassoClassifier(reg=REG, threshold=0.0).fit(X, Y)


def weights_of(model: GroupLassoClassifier) -> dict:
    (kept,) = model.weights_
    return dict(zip(kept["groups"], kept["weights"], strict=True))


def test_it_reaches_the_least_loss_of_a_solver_with_all_copies(fitted, dense):
    ours = penalised_loss(weights_of(fitted), float(fitted.intercept_[0]), REG)
    assert ours == pytest.approx(penalised_loss(*dense, REG), abs=1e-7)


def test_it_selects_what_a_solver_that_starts_from_zero_selects(fitted, dense):
    parts, _ = dense
    norms = {group: np.linalg.norm(part) for group, part in parts.items()}
    selected = {group for group, norm in norms.items() if norm > 0.01}
    kept = weights_of(fitted)
    assert {group for group in kept if np.linalg.norm(kept[group]) > 0.01} == selected


def test_the_conditions_of_a_minimum_hold_for_all_groups(fitted):
    score = X @ fitted.coef_[0] + fitted.intercept_[0]
    residual = (expit(score) - Y) / len(Y)
    kept = weights_of(fitted)
    for group in GROUPS:
        gradient = X[:, list(group)].T @ residual
        bound = REG / np.sqrt(2) * np.sqrt(len(group))
        if group in kept and np.linalg.norm(kept[group]) > 1e-4:
            direction = kept[group] / np.linalg.norm(kept[group])
            assert gradient == pytest.approx(-bound * direction, abs=1e-5)
        else:
            assert np.linalg.norm(gradient) <= bound * (1 + 1e-5)
    assert fitted.excess_ < 1e-5


def test_a_penalty_above_every_gradient_selects_nothing():
    residual = (Y.mean() - Y) / len(Y)
    largest = np.sqrt(2) * np.abs(X.T @ residual).max()
    assert GroupLassoClassifier(reg=0.999 * largest, threshold=0.0).fit(X, Y).groups_
    with pytest.warns(UserWarning, match="found no group"):
        assert not GroupLassoClassifier(reg=1.001 * largest).fit(X, Y).groups_


def test_screened_columns_are_checked_again():
    # More columns matter than enter the working set in one round.
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(500, 120))
    is_one = columns @ rng.normal(size=120) > 0
    solution = solve_l1_logistic(columns, is_one, np.full(500, 1 / 500), 0.01, 100, 1e-6)
    assert np.count_nonzero(solution.weights) > 50
    assert np.abs(solution.gradient).max() <= 0.01 * (1 + 1e-5)


def test_a_row_of_weight_two_counts_as_two_rows():
    weights = np.ones(len(Y))
    weights[:100] = 2
    weighted = GroupLassoClassifier(reg=0.05).fit(X, Y, sample_weight=weights)
    repeated = GroupLassoClassifier(reg=0.05).fit(np.vstack([X, X[:100]]), [*Y, *Y[:100]])
    assert weighted.coef_ == pytest.approx(repeated.coef_, abs=1e-5)


def test_more_classes_have_a_model_each():
    model = GroupLassoClassifier(reg=0.05).fit(X, X[:, [1, 4, 6]].argmax(axis=1))
    assert model.coef_.shape == (3, 8)
    assert {(1,), (4,), (6,)} <= set(model.groups_)
    assert model.score(X, X[:, [1, 4, 6]].argmax(axis=1)) > 0.8
