from __future__ import annotations

from math import erf, sqrt

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from coterie.baselines import EnsembleSTGClassifier, STGClassifier
from coterie.baselines._gates import ClippedGate, GatedNetwork, GatedObjective, Gates, WideGate
from coterie.baselines._layers import Dense
from coterie.baselines._training import Step
from coterie.model.encoders import Linear
from coterie.model.losses import CrossEntropy
from coterie.model.objective import Batch

CENTRES = jnp.array([-2.0, -0.5, 0.0, 0.3, 1.0])


@pytest.mark.parametrize("sigma", [0.3, 0.5, 1.0])
def test_the_penalty_is_the_closed_form(sigma):
    closed = [0.5 * (1 + erf((mu + 0.5) / (sigma * sqrt(2)))) for mu in CENTRES.tolist()]
    assert ClippedGate(sigma).cost(CENTRES).tolist() == pytest.approx(closed, abs=1e-6)


def test_the_penalty_is_the_share_of_gates_that_open():
    drawn = np.asarray(ClippedGate(0.5).draw(jnp.tile(CENTRES, (20_000, 1)), jnp.uint32(3)))
    expected = np.asarray(ClippedGate(0.5).cost(CENTRES))
    assert (drawn > 0).mean(axis=0) == pytest.approx(expected, abs=0.015)
    assert drawn.min() == 0
    assert drawn.max() == 1


def test_without_noise_a_gate_is_its_centre_and_a_half():
    assert ClippedGate(0.5).at_rest(np.asarray(CENTRES)) == pytest.approx([0, 0, 0.5, 0.8, 1])


def test_the_package_prices_a_gate_as_shut_while_it_is_half_open():
    centre = np.array([-1.5])
    assert WideGate(0.5).at_rest(centre) == pytest.approx(1 / 3)
    assert float(WideGate(0.5).cost(jnp.asarray(centre))[0]) == pytest.approx(1 + erf(-0.5))


def objective_at(centres, may_open, weight_decay=0.0, reg=0.7):
    """Evaluate the objective of two learners with networks of zeros on one row."""
    zeros = Linear(jnp.zeros((2, 3, 4)), jnp.zeros((2, 3)))
    second = Linear(jnp.zeros((2, 3, 3)), jnp.zeros((2, 3)))
    network = GatedNetwork(centres, zeros, second, (Dense(jnp.zeros((6, 2)), jnp.zeros(2)),))
    batch = Batch(jnp.ones((1, 4)), jnp.array([1]), jnp.ones(1))
    step = Step(jnp.uint32(0), jnp.float32(0))
    objective = GatedObjective(CrossEntropy(2), ClippedGate(0.5), reg, weight_decay)
    gates = Gates(may_open, jnp.arange(4))
    return float(jax.jit(objective.__call__)(network, gates, batch, step)[0])


def test_the_objective_is_loss_penalty_and_decay():
    centres = jnp.array([[0.0, 1.0, -1.0, 9.0], [0.5, 0.5, 0.5, 9.0]])
    may_open = jnp.array([1.0, 1.0, 1.0, 0.0])
    share = float(ClippedGate(0.5).cost(centres[:, :3]).sum() / 3)
    assert objective_at(centres, may_open) == pytest.approx(np.log(2) + 0.7 * share, rel=1e-5)
    decay = 0.1 * float((centres**2).sum()) / 2
    assert objective_at(centres, may_open, weight_decay=0.1) == pytest.approx(
        np.log(2) + 0.7 * share + decay, rel=1e-5
    )


SETTINGS = {"learning_rate": 0.01, "max_epochs": 80, "batch_size": 50, "random_state": 0}


def product(n_rows=1000, n_columns=6):
    X = np.random.default_rng(0).normal(size=(n_rows, n_columns))
    return X, X[:, 1] * X[:, 4] > 0


def test_predictions_see_the_selected_features_alone():
    X, y = product()
    model = STGClassifier(reg=0.1, **SETTINGS).fit(X, y)
    others = X.copy()
    others[:, ~model.support_] = 1e3
    assert model.groups_ == [(1, 4)]
    assert np.array_equal(model.predict_proba(X), model.predict_proba(others))
    assert model.score(X, y) > 0.9


@pytest.mark.filterwarnings("ignore:STGClassifier found no group")
def test_a_stronger_penalty_shuts_gates():
    X, y = product()
    widths = [STGClassifier(reg=reg, **SETTINGS).fit(X, y).gates_.sum() for reg in (0.0, 0.5)]
    assert widths[1] < widths[0]


def test_the_seed_decides():
    X, y = product()
    few = {**SETTINGS, "max_epochs": 5, "threshold": 0.1}
    gates = [STGClassifier(**{**few, "random_state": s}).fit(X, y).gates_ for s in (0, 0, 1)]
    assert np.array_equal(gates[0], gates[1])
    assert not np.array_equal(gates[0], gates[2])


def test_columns_of_a_feature_share_a_gate():
    X, y = product()
    model = STGClassifier(reg=0.1, feature_groups=[[1, 2]], **SETTINGS).fit(X, y)
    assert model.gates_.shape == (1, 5)
    assert model.groups_ == [(1, 3)]
    assert np.flatnonzero(model.support_).tolist() == [1, 2, 4]


def test_each_learner_of_an_ensemble_gives_a_group():
    X, y = product()
    model = EnsembleSTGClassifier(3, hidden_dim=10, **SETTINGS).fit(X, y)
    of_learners = {tuple(np.flatnonzero(gates >= 1).tolist()) for gates in model.gates_} - {()}
    assert set(model.groups_) == of_learners
    assert model.gates_.shape == (3, 6)
