"""How well it predicts, beside simple models and a constant."""

from __future__ import annotations

import math
from collections.abc import Mapping

from coterie.report.facts import Facts
from coterie.report.markup import Markup, clean, join, name_of, score, tag
from coterie.report.tables import share_bar, table


def prediction_section(facts: Facts) -> Markup | None:
    """Return the scores of the run, and those on the rows at hand; None if there are neither."""
    parts = [part for part in (_of_run(facts), _of_rows(facts)) if part is not None]
    return join(parts) if parts else None


def headline(facts: Facts) -> tuple[str, str] | None:
    """Return the one number to say first, and what it is."""
    scores = _plain_scores(facts)
    if scores:
        return score(next(iter(scores.values()))), f"{_metric(facts)} on held-out rows"
    if facts.measured:
        name, (value, _) = next(iter(facts.measured.items()))
        return score(value), f"{name} on the rows given"
    return None


def _metric(facts: Facts) -> str:
    default = "R²" if facts.classes is None else "accuracy"
    return clean(facts.run.get("metric") or default)


def _plain_scores(facts: Facts) -> dict[str, float]:
    scores = facts.run.get("scores") or {}
    if not isinstance(scores, Mapping):
        return {}
    return {clean(n): float(v) for n, v in scores.items() if isinstance(v, (int, float))}


def _of_run(facts: Facts) -> Markup | None:
    """Return the methods beside each other: the main measure as a bar, the others as numbers."""
    scores = _plain_scores(facts)
    if not scores:
        return None
    metric, others = _metric(facts), _other_measures(facts)
    finite = [value for value in scores.values() if math.isfinite(value)] or [1.0]
    largest = 1.0 if max(finite) <= 1 else max(finite)
    rows = [
        [
            tag("strong", name_of(name)) if place == 0 else name_of(name),
            share_bar(value, min(0.0, *finite), largest) if math.isfinite(value) else None,
            score(value),
            *(score(measured.get(name)) for measured in others.values()),
        ]
        for place, (name, value) in enumerate(scores.items())
    ]
    n_test = (facts.run.get("rows") or {}).get("test")
    on = f"{n_test:,} held-out rows" if n_test else "held-out rows"
    body = table(["Method", "", metric, *others], rows, "scores")
    note = f"Measured on {on}. The bar is the {metric}, of which more is better."
    return join([tag("div", body, class_="card flush"), tag("p", note, class_="note")])


def _other_measures(facts: Facts) -> dict[str, dict[str, float]]:
    """Return what else was measured, a number for each method."""
    measures = facts.run.get("measures") or {}
    found: dict[str, dict[str, float]] = {}
    for method, measured in measures.items():
        for name, value in measured.items():
            if clean(name) != _metric(facts):
                found.setdefault(clean(name), {})[clean(method)] = float(value)
    return found


def _of_rows(facts: Facts) -> Markup | None:
    """Return scores on the rows at hand, unless they are those that the run was measured on."""
    of_run = facts.run.get("rows") or {}
    if _plain_scores(facts) and facts.y is not None and of_run.get("test") == len(facts.y):
        return None
    if not facts.measured:
        return None
    rows = [[name, *map(score, both)] for name, both in facts.measured.items()]
    body = table(["On the rows given", "This model", "A constant"], rows, "plain")
    note = (
        f"These {len(facts.y):,} rows were given with the model. If it was fitted on them, the "
        "figures flatter it."
    )
    return join([tag("div", body, class_="card flush"), tag("p", note, class_="note")])
