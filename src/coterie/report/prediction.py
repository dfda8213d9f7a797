"""How well it predicts, beside simple models and a constant."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from sklearn.metrics import (
    accuracy_score,
    r2_score,
    roc_auc_score,
    root_mean_squared_error,
)

from coterie.report.facts import Facts
from coterie.report.markup import Markup, clean, join, name_of, number, tag
from coterie.report.tables import share_bar, table


def prediction_section(facts: Facts) -> Markup | None:
    """Return the scores of the run, and those on the rows at hand; None if there are neither."""
    parts = [part for part in (_of_run(facts), _of_rows(facts)) if part is not None]
    return join(parts) if parts else None


def headline(facts: Facts) -> tuple[str, str] | None:
    """Return the one number to say first, and what it is."""
    scores = _plain_scores(facts)
    if scores:
        return number(next(iter(scores.values()))), f"{_metric(facts)} on held-out rows"
    measured = scores_on_rows(facts)
    if measured:
        name, (value, _) = next(iter(measured.items()))
        return number(value), f"{name} on the rows given"
    return None


def scores_on_rows(facts: Facts) -> dict[str, tuple[float, float]]:
    """Return scores on the rows at hand, each beside that of a constant prediction."""
    if facts.X is None or facts.y is None or not len(facts.y):
        return {}
    truth = np.asarray(facts.y)
    predicted = np.asarray(facts.model.predict(facts.X))
    if facts.classes is None:
        constant = np.broadcast_to(truth.mean(axis=0), truth.shape)
        return {
            "R²": (float(r2_score(truth, predicted)), 0.0),
            "root mean squared error": (
                float(root_mean_squared_error(truth, predicted)),
                float(root_mean_squared_error(truth, constant)),
            ),
        }
    return _class_scores(facts, truth, predicted)


def _class_scores(
    facts: Facts, truth: np.ndarray, predicted: np.ndarray
) -> dict[str, tuple[float, float]]:
    labels, counts = np.unique(truth, return_counts=True)
    shares = counts / counts.sum()
    scores = {"accuracy": (float(accuracy_score(truth, predicted)), float(shares.max()))}
    known = facts.inner.classes_
    if not hasattr(facts.model, "predict_proba") or not np.isin(labels, known).all():
        return scores
    probabilities = np.asarray(facts.model.predict_proba(facts.X), dtype=float)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    if len(known) == 2 and len(labels) == 2:
        area = roc_auc_score(truth == known[1], probabilities[:, 1])
        scores["area under the ROC curve"] = (float(area), 0.5)
    entropy = float(-(shares * np.log(shares)).sum())
    place = {label: column for column, label in enumerate(known)}
    of_truth = probabilities[np.arange(len(truth)), [place[label] for label in truth]]
    loss = -np.log(np.maximum(of_truth, np.finfo(float).eps)).mean()
    scores["log-loss"] = (float(loss), entropy)
    return scores


def _metric(facts: Facts) -> str:
    default = "R²" if facts.classes is None else "accuracy"
    return clean(facts.run.get("metric") or default)


def _plain_scores(facts: Facts) -> dict[str, float]:
    scores = facts.run.get("scores") or {}
    if not isinstance(scores, Mapping):
        return {}
    return {clean(n): float(v) for n, v in scores.items() if isinstance(v, (int, float))}


def _of_run(facts: Facts) -> Markup | None:
    scores = _plain_scores(facts)
    if not scores:
        return None
    finite = [value for value in scores.values() if math.isfinite(value)] or [1.0]
    largest = 1.0 if max(finite) <= 1 else max(finite)
    rows = [
        [
            tag("strong", name_of(name)) if place == 0 else name_of(name),
            share_bar(value, min(0.0, *finite), largest) if math.isfinite(value) else None,
            number(value),
        ]
        for place, (name, value) in enumerate(scores.items())
    ]
    n_test = (facts.run.get("rows") or {}).get("test")
    on = f"{n_test:,} rows that no model saw in training" if n_test else "held-out rows"
    return join(
        [
            tag("div", table(["Method", "", _metric(facts)], rows, "scores"), class_="card flush"),
            tag("p", f"Measured on {on}; more is better.", class_="note"),
        ]
    )


def _of_rows(facts: Facts) -> Markup | None:
    measured = scores_on_rows(facts)
    if not measured:
        return None
    rows = [[name, number(value), number(constant)] for name, (value, constant) in measured.items()]
    body = table(["On the rows given", "This model", "A constant"], rows, "plain")
    note = (
        f"These {len(facts.y):,} rows were given with the model. If it was fitted on them, the "
        "figures flatter it."
    )
    return join([tag("div", body, class_="card flush"), tag("p", note, class_="note")])
