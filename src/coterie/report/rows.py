"""What each group adds to the prediction of a row, on demand."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.plots.ladders import rows_of
from coterie.report.facts import Facts, take
from coterie.report.markup import Markup, clean, number, tag

MOST_ROWS = 300
MOST_MEMBERS = 8
SCALES = {
    "sum": "log-odds",
    "or": "rate of causes",
    "and": "rate of causes",
}


def rows_section(facts: Facts) -> Markup | None:
    """Return the place where the script shows a row; None if there is nothing to show."""
    if not _can_split(facts):
        return None
    n_rows = facts.X.shape[0]
    n_shown = len(_places(n_rows))
    some = "" if n_shown == n_rows else f" {n_shown:,} of {n_rows:,} rows, evenly spread, are here."
    return tag(
        "div",
        tag(
            "div",
            tag("label", "Row ", tag("select", id="row")),
            tag("button", "Previous", type="button", id="row-before"),
            tag("button", "Next", type="button", id="row-after"),
            tag("label", "Class ", tag("select", id="row-output"), id="row-outputs", hidden=True),
            class_="controls",
        ),
        tag("div", id="waterfall", aria_live="polite"),
        tag("p", _reading(facts), some, class_="note"),
        class_="card",
    )


def _can_split(facts: Facts) -> bool:
    return (
        facts.X is not None
        and facts.X.shape[0] > 0
        and bool(facts.groups)
        and hasattr(facts.model, "contributions")
    )


def _reading(facts: Facts) -> str:
    scale = scale_of(facts)
    if facts.aggregator in ("or", "and") and facts.classes:
        spoken = facts.classes[1 if facts.aggregator == "or" else 0]
        return (
            f"Each group adds to the rate of causes of {spoken}, r; the probability that at least "
            "one of them acts is 1 − exp(−r), between a floor and a ceiling."
        )
    return f"The contributions and the base value add up to the {scale}."


def scale_of(facts: Facts) -> str:
    """Return what contributions are measured in."""
    if facts.classes is None:
        return "prediction"
    if len(facts.classes) > 2:
        return "score (an unnormalised log-probability)"
    return SCALES.get(facts.aggregator or "sum", "score")


def rows_data(facts: Facts) -> dict[str, Any] | None:
    """Return the numbers behind the rows, for the script."""
    if not _can_split(facts):
        return None
    places = _places(facts.X.shape[0])
    chosen = take(facts.X, places)
    contributions = np.asarray(facts.model.contributions(chosen), dtype=float)
    if contributions.ndim == 2:
        contributions = contributions[:, :, None]
    base = np.atleast_1d(np.asarray(facts.inner.base_value_, dtype=float))
    truth = None if facts.y is None else [_value(value) for value in np.asarray(facts.y)[places]]
    n_outputs = contributions.shape[2]
    return {
        "labels": _labels(facts.X, places),
        "first": int(np.abs(contributions).sum(axis=(1, 2)).argmax()),
        "contributions": contributions,
        "base": base,
        "scale": scale_of(facts),
        "outputs": (facts.classes or [f"outcome {i + 1}" for i in range(n_outputs)])
        if n_outputs > 1
        else [],
        "predicted": _predicted(facts, chosen),
        "observed": truth,
        "members": _members(facts, chosen),
    }


def _places(n_rows: int) -> np.ndarray:
    return np.unique(np.linspace(0, n_rows - 1, min(n_rows, MOST_ROWS)).round().astype(int))


def _labels(X: Any, places: np.ndarray) -> list[str]:
    index = getattr(X, "index", None)
    return [clean(place if index is None else index[place]) for place in places]


def _predicted(facts: Facts, chosen: Any) -> list[str]:
    """Return each row's prediction in words."""
    predicted = np.asarray(facts.model.predict(chosen))
    if facts.classes is None:
        return [_value(value) for value in predicted]
    probabilities = np.asarray(facts.model.predict_proba(chosen))
    return [f"{facts.classes[row.argmax()]} ({_chance(row.max())})" for row in probabilities]


def _chance(probability: float) -> str:
    return f"probability {'above 0.999' if probability > 0.999 else f'{probability:.3f}'}"


def _members(facts: Facts, chosen: Any) -> list[dict[str, Any]]:
    """Return for each group its columns, and their values in each row."""
    model = facts.model
    frame = rows_of(model.encoder_.select(chosen) if hasattr(model, "encoder_") else chosen)
    names = getattr(model, "feature_names_in_", [f"x{i}" for i in range(model.n_features_in_)])
    found = []
    for group in facts.groups:
        columns = np.flatnonzero(model.features_.columns_of(group))[:MOST_MEMBERS]
        values = frame.iloc[:, columns].to_numpy(dtype=object)
        found.append(
            {
                "names": [clean(names[column]) for column in columns],
                "rows": [[_value(value) for value in row] for row in values],
            }
        )
    return found


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return ", ".join(_value(one) for one in value)
    if isinstance(value, (float, np.floating)):
        return number(float(value))
    return clean(value)
