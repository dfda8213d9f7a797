"""Measures against hand-worked cases, and simple models that see training rows alone."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from coterie.io.encoding import TableEncoder
from coterie.study.holdout import Rows
from coterie.study.scores import measure, simple_models


def rows(y, weights=None):
    return Rows(pd.DataFrame({"a": np.arange(len(y), dtype=float)}), np.array(y), weights)


def fixed(predicted, **attributes):
    return SimpleNamespace(predict=lambda X: np.array(predicted), **attributes)


def test_accuracy_and_area():
    model = fixed(
        ["no", "no", "yes", "no"],
        classes_=np.array(["no", "yes"]),
        predict_proba=lambda X: np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.7, 0.3]]),
    )
    scores = measure(model, rows(["no", "no", "yes", "yes"]), "classification")
    assert scores == {"accuracy": 0.75, "AUROC": 0.75}


def test_weights_count():
    model = fixed([0, 1], classes_=np.array([0, 1]))
    scores = measure(model, rows([0, 0], np.array([3.0, 1.0])), "classification")
    assert scores == {"accuracy": 0.75}


def test_no_area_unless_all_classes_occur():
    model = fixed([0, 1], classes_=np.array([0, 1, 2]), predict_proba=lambda X: np.eye(3)[:2])
    assert "AUROC" not in measure(model, rows([0, 1]), "classification")


def test_real_outcomes():
    scores = measure(fixed([1.0, 2.0, 3.0]), rows([1.0, 2.0, 6.0]), "regression")
    assert scores["mean absolute error"] == 1.0
    assert scores["R²"] == pytest.approx(1 - 9 / 14)


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("classification", ["logistic regression", "gradient boosting", "commonest class"]),
        ("regression", ["ridge regression", "gradient boosting", "mean"]),
    ],
)
def test_simple_models_learn_from_categories_and_numbers(task, names):
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.normal(size=200), "kind": random.choice(["u", "v"], 200)})
    y = (X["kind"] == "u").to_numpy().astype(int if task == "classification" else float)
    train = Rows(X, y, np.ones(200))
    models = simple_models(train, TableEncoder().fit(X), task, 0)
    assert list(models) == names
    scores = [next(iter(measure(model, train, task).values())) for model in models.values()]
    assert scores[0] > 0.99
    assert scores[1] > 0.99
    assert scores[2] < 0.7
