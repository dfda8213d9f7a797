"""Several methods on the same rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from coterie.study.fitting import Fitted, Settings, fit, score
from coterie.study.rows import Data


def compare(
    data: Data,
    methods: Sequence[str],
    settings: Settings,
    started: Callable[[str], Sequence[Any]] = lambda method: (),
) -> tuple[pd.DataFrame, list[Fitted]]:
    """Fit each method on the training rows and measure it on the held-out ones.

    Parameters
    ----------
    data : Data
        With held-out rows.
    methods : sequence of str
    settings : Settings
        For all methods; those that a method lacks are left aside.
    started : callable
        Told the name of each method before it is fitted; returns callbacks for it.

    Returns
    -------
    table : DataFrame
        A row for each method and for the simple models: ``method``, ``groups``, ``features`` (how
        many are used), the measures, ``seconds``.
    fitted : list of Fitted
    """
    results, rows = [], []
    for place, method in enumerate(methods):
        fitted = fit(data, _settings_of(method, settings), started(method))
        score(fitted, simple=place == len(methods) - 1)
        results.append(fitted)
        rows.append(_row(fitted))
    simple = [
        {"method": name, "features": data.train.X.shape[1], **scores}
        for name, scores in results[-1].scores.items()
        if name != methods[-1]
    ]
    for row in simple[-1:]:
        row["features"] = 0  # the constant
    return pd.DataFrame([*rows, *simple]), results


def _settings_of(method: str, settings: Settings) -> Settings:
    """Keep effort and jobs for the one method that has them."""
    own = replace(settings, method=method)
    return own if method == "coterie" else replace(own, effort=None, jobs=None, time_limit=None)


def _row(fitted: Fitted) -> dict[str, Any]:
    model, method = fitted.model, fitted.settings.method
    members = {member for group in model.groups_ for member in group}
    return {
        "method": method,
        "groups": len(model.groups_),
        "features": len(members),
        **fitted.scores.get(method, {}),
        "seconds": round(fitted.seconds, 1),
        "partial": fitted.is_partial,
        "found": model.get_groups(names=True),
    }
