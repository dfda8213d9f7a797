from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from coterie.baselines import SupervisedCAEClassifier, UnsupervisedCAEClassifier
from coterie.baselines._concrete import (
    ClassShares,
    Reconstruction,
    chosen_columns,
    draw_selections,
    temperature,
)
from coterie.model.objective import Batch

LOGITS = jnp.array([[2.0, 0.0, -1.0], [0.0, 0.5, 0.0]])


def test_a_low_temperature_makes_selections_one_hot():
    drawn = draw_selections(LOGITS, jnp.uint32(1), jnp.float32(0.001))
    assert drawn.sum(axis=1).tolist() == pytest.approx([1, 1])
    assert drawn.max(axis=1).tolist() == pytest.approx([1, 1], abs=1e-3)


def test_a_high_temperature_mixes_all_columns():
    drawn = draw_selections(LOGITS, jnp.uint32(1), jnp.float32(1e4))
    assert np.asarray(drawn) == pytest.approx(1 / 3, abs=1e-2)


def test_columns_are_drawn_with_their_probabilities():
    many = jnp.tile(LOGITS[:1], (20_000, 1))
    drawn = draw_selections(many, jnp.uint32(5), jnp.float32(0.01))
    shares = np.bincount(np.asarray(drawn).argmax(axis=1), minlength=3) / 20_000
    assert shares == pytest.approx(np.asarray(jax.nn.softmax(LOGITS[0])), abs=0.015)


def test_the_temperature_falls_by_the_same_factor_each_step():
    heats = [float(temperature(progress, 10.0, 0.1)) for progress in (0, 0.25, 0.5, 0.75, 1)]
    assert heats[0] == pytest.approx(10)
    assert heats[-1] == pytest.approx(0.1)
    assert np.diff(np.log(heats)) == pytest.approx(np.log(0.1 / 10) / 4)


def test_a_closed_column_is_never_chosen():
    closed = np.array([-1e9, 0.0, 0.0])
    assert chosen_columns(np.asarray(LOGITS), closed).tolist() == [1, 1]


def test_the_classifier_is_trained_by_squared_errors_of_probabilities():
    batch = Batch(jnp.zeros((1, 1)), jnp.array([1]), jnp.ones(1))
    outputs = jnp.log(jnp.array([[0.3, 0.7]]))
    assert float(ClassShares()(outputs, batch, jnp.ones(1))[0]) == pytest.approx(0.09)


def test_padding_has_no_part_in_the_reconstruction():
    batch = Batch(jnp.array([[1.0, 2.0, 0.0]]), jnp.array([0]), jnp.ones(1))
    outputs = jnp.array([[0.0, 0.0, 9.0]])
    loss = Reconstruction(lambda rebuilt: rebuilt)(outputs, batch, jnp.array([1.0, 1.0, 0.0]))
    assert float(loss[0]) == pytest.approx(2.5)


SETTINGS = {"hidden_dim": 30, "batch_size": 100, "learning_rate": 0.01, "random_state": 0}


def test_selections_grow_sure_and_find_the_columns_that_matter():
    X = np.random.default_rng(0).normal(size=(1000, 6))
    y = X[:, 1] + X[:, 4] > 0
    model = SupervisedCAEClassifier(2, max_epochs=60, **SETTINGS).fit(X, y)
    sureness = [record["sureness"] for record in model.history_]
    assert sureness[-1] > 0.9 > sureness[0]
    assert sorted(model.selection_.tolist()) == [1, 4]
    assert model.score(X, y) > 0.95


def test_epochs_double_until_the_selections_are_sure():
    X = np.random.default_rng(0).normal(size=(100, 4))
    model = SupervisedCAEClassifier(1, max_epochs=2, max_tries=3, sure=1.0, **SETTINGS)
    attempts = [record["attempt"] for record in model.fit(X, X[:, 0] > 0).history_]
    assert np.bincount(attempts).tolist() == [0, 2, 4, 8]
    once = SupervisedCAEClassifier(1, max_epochs=2, max_tries=3, sure=0.0, **SETTINGS)
    assert len(once.fit(X, X[:, 0] > 0).history_) == 2


def test_the_unsupervised_selection_does_not_see_the_outcome():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 6))
    X[:, 3:] = X[:, :1]  # four copies of one column, which rebuild each other
    models = [
        UnsupervisedCAEClassifier(1, max_epochs=60, **SETTINGS).fit(X, X[:, column] > 0)
        for column in (1, 2)
    ]
    assert models[0].groups_ == models[1].groups_
    assert set(models[0].groups_[0]) <= {0, 3, 4, 5}
    assert models[0].reconstruction_error(X) == pytest.approx(2 / 6, abs=0.06)


def test_columns_of_zeros_and_ones_are_rebuilt_as_probabilities():
    X = (np.random.default_rng(0).random((300, 4)) < 0.5).astype(float)
    X[:, 1] = X[:, 0]
    model = UnsupervisedCAEClassifier(4, max_epochs=60, **SETTINGS).fit(X, X[:, 2])
    constant = X.var()
    assert model.reconstruction_error(X) < constant
