"""How well a model predicts rows at hand, beside a constant."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, r2_score, roc_auc_score, root_mean_squared_error

Scores = dict[str, tuple[float, float]]
"""By name: the model's, and that of the best constant prediction."""


def scores_on_rows(model: Any, X: Any, y: Any, classes: Any) -> Scores:
    """Return the scores of a model on rows; none without outcomes.

    Parameters
    ----------
    model : fitted estimator
    X : rows, or None
    y : array-like, shape (rows,), or None
    classes : ndarray or None
        As the model knows them; None for real outcomes.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> y = np.array([0.0, 2.0])
    >>> scores_on_rows(DummyRegressor().fit(y[:, None], y), y[:, None], y, None)
    {'R²': (0.0, 0.0), 'root mean squared error': (1.0, 1.0)}
    """
    if X is None or y is None or not len(y):
        return {}
    truth, predicted = np.asarray(y), np.asarray(model.predict(X))
    if classes is not None:
        return _of_classes(model, X, truth, predicted, classes)
    constant = np.broadcast_to(truth.mean(axis=0), truth.shape)
    return {
        "R²": (float(r2_score(truth, predicted)), 0.0),
        "root mean squared error": (
            float(root_mean_squared_error(truth, predicted)),
            float(root_mean_squared_error(truth, constant)),
        ),
    }


def _of_classes(
    model: Any, X: Any, truth: np.ndarray, predicted: np.ndarray, classes: Any
) -> Scores:
    labels, counts = np.unique(truth, return_counts=True)
    shares = counts / counts.sum()
    scores = {"accuracy": (float(accuracy_score(truth, predicted)), float(shares.max()))}
    if not hasattr(model, "predict_proba") or not np.isin(labels, classes).all():
        return scores
    probabilities = np.asarray(model.predict_proba(X), dtype=float)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    if len(classes) == 2 and len(labels) == 2:
        area = roc_auc_score(truth == classes[1], probabilities[:, 1])
        scores["area under the ROC curve"] = (float(area), 0.5)
    place = {label: column for column, label in enumerate(classes)}
    of_truth = probabilities[np.arange(len(truth)), [place[label] for label in truth]]
    loss = -np.log(np.maximum(of_truth, np.finfo(float).eps)).mean()
    scores["log-loss"] = (float(loss), float(-(shares * np.log(shares)).sum()))
    return scores
