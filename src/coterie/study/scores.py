"""How well models predict rows that were held out, beside models that everyone knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import accuracy_score, mean_absolute_error, r2_score, roc_auc_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from coterie.study.holdout import Rows

MAIN = {"classification": "accuracy", "regression": "R²"}
"""The measure by which methods are compared."""

Scores = dict[str, float]


def measure(model: Any, rows: Rows, task: str) -> Scores:
    """Return how well a fitted model predicts rows: accuracy and AUROC, or R² and mean error.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = Rows(pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0]}), np.array([0, 0, 1, 1]))
    >>> measure(LogisticRegression().fit(rows.X, rows.y), rows, "classification")
    {'accuracy': 1.0, 'AUROC': 1.0}
    """
    predicted = model.predict(rows.X)
    if task == "regression":
        weights = {"sample_weight": rows.weights}
        return {
            "R²": float(r2_score(rows.y, predicted, **weights)) if len(rows) > 1 else float("nan"),
            "mean absolute error": float(mean_absolute_error(rows.y, predicted, **weights)),
        }
    scores = {"accuracy": float(accuracy_score(rows.y, predicted, sample_weight=rows.weights))}
    area = _area_under_curve(model, rows)
    return scores if area is None else {**scores, "AUROC": area}


def simple_models(train: Rows, encode: Any, task: str, seed: int) -> dict[str, Encoded]:
    """Fit what one would try first on the same columns.

    Parameters
    ----------
    train : Rows
    encode : transformer
        Fitted; turns the table into numbers.
    task : "classification" or "regression"
    seed : int

    Returns
    -------
    dict
        By name: a constant, a linear model with a ridge penalty, and gradient boosting.
    """
    made = _classifiers(seed) if task == "classification" else _regressors(seed)
    numbers = np.asarray(encode.transform(train.X), dtype=np.float64)
    with threadpool_limits(1, "openmp"):  # boosting's threads wait for each other on shared cores
        for model in made.values():
            last = model.steps[-1][0]
            model.fit(numbers, train.y, **{f"{last}__sample_weight": train.weights})
    return {name: Encoded(encode, model) for name, model in made.items()}


class Encoded:
    """A model of numbers that takes rows of the table."""

    def __init__(self, encode: Any, model: Any) -> None:
        self.encode, self.model = encode, model
        if hasattr(model, "classes_"):
            self.classes_ = model.classes_

    def predict(self, X: Any) -> NDArray[Any]:
        return self.model.predict(np.asarray(self.encode.transform(X), dtype=np.float64))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return self.model.predict_proba(np.asarray(self.encode.transform(X), dtype=np.float64))


def _classifiers(seed: int) -> dict[str, Pipeline]:
    return {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "gradient boosting": make_pipeline(HistGradientBoostingClassifier(random_state=seed)),
        "commonest class": make_pipeline(DummyClassifier()),
    }


def _regressors(seed: int) -> dict[str, Pipeline]:
    ridge = RidgeCV(alphas=np.logspace(-3, 5, 17))
    return {
        "ridge regression": make_pipeline(StandardScaler(), ridge),
        "gradient boosting": make_pipeline(HistGradientBoostingRegressor(random_state=seed)),
        "mean": make_pipeline(DummyRegressor()),
    }


def main_scores(measured: Mapping[str, Scores], task: str) -> Scores:
    """Return the main measure of each model."""
    return {name: scores[MAIN[task]] for name, scores in measured.items()}


def _area_under_curve(model: Any, rows: Rows) -> float | None:
    """Return the area under the ROC curve, averaged over classes; None unless all of them occur."""
    classes = model.classes_
    if not hasattr(model, "predict_proba") or len(np.unique(rows.y)) < len(classes):
        return None
    probabilities = model.predict_proba(rows.X)
    if len(classes) == 2:
        is_second = rows.y == classes[1]
        return float(roc_auc_score(is_second, probabilities[:, 1], sample_weight=rows.weights))
    areas = [
        roc_auc_score(rows.y == label, probabilities[:, place], sample_weight=rows.weights)
        for place, label in enumerate(classes)
    ]
    return float(np.mean(areas))
