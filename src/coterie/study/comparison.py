"""Several methods on the same rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, Protocol

import pandas as pd

from coterie.study.fitting import Fitted, Settings, fit, score
from coterie.study.rows import Data


class Watch(Protocol):
    """Watches a fit, and may end it."""

    is_stopped: bool

    def running(self) -> AbstractContextManager[None]:
        """Enter for the time of the fit."""
        ...

    @property
    def callbacks(self) -> Sequence[Any]:
        """What the fit calls."""
        ...


@dataclass(frozen=True)
class Comparison:
    """What several methods found.

    Attributes
    ----------
    table : DataFrame
        A row for each method and for the simple models: ``method``, ``groups``, ``features`` (how
        many are used), the measures, ``seconds``, ``partial`` and ``found``.
    measures : list of str
    notes : list of str
    was_interrupted : bool
        Whether methods are missing because the user had enough.
    """

    table: pd.DataFrame
    measures: list[str]
    notes: list[str]
    was_interrupted: bool


def compare(
    data: Data, methods: Sequence[str], settings: Settings, watch: Callable[[Settings], Watch]
) -> Comparison:
    """Fit each method on the training rows and measure it on the held-out ones.

    Parameters
    ----------
    data : Data
        With held-out rows.
    methods : sequence of str
    settings : Settings
        Seed and imputation are for all methods, the rest for "coterie".
    watch : callable
        Given the settings of a method, returns what watches its fit.

    Returns
    -------
    Comparison
    """
    results: list[Fitted] = []
    was_interrupted = False
    for method in methods:
        own = _settings_of(method, settings)
        watching = watch(own)
        with watching.running():
            results.append(fit(data, own, watching.callbacks))
        was_interrupted = watching.is_stopped
        is_last = method == methods[-1] or was_interrupted
        score(results[-1], simple=is_last and not was_interrupted)
        if was_interrupted:
            break
    rows = [_row(fitted) for fitted in results]
    last = results[-1]
    simple = {k: v for k, v in last.scores.items() if k != last.settings.method}
    rows += [
        {"method": name, **scores, "partial": False, "found": []} for name, scores in simple.items()
    ]
    notes = [note for fitted in results for note in _notes_of(fitted, data)]
    return Comparison(
        pd.DataFrame(rows),
        list(last.scores[last.settings.method]),
        [*data.notes, *dict.fromkeys(notes)],
        was_interrupted,
    )


def _settings_of(method: str, settings: Settings) -> Settings:
    own = replace(settings, method=method)
    return own if method == "coterie" else replace(own, effort=None, jobs=None, time_limit=None)


def _notes_of(fitted: Fitted, data: Data) -> list[str]:
    """Return the notes on the fit; those on the table are the same for all methods."""
    about_table = {*data.notes, *fitted.model.data_notes_}
    return [f"{fitted.settings.method}: {note}" for note in fitted.notes if note not in about_table]


def _row(fitted: Fitted) -> dict[str, Any]:
    model, method = fitted.model, fitted.settings.method
    return {
        "method": method,
        **fitted.scores.get(method, {}),
        "groups": len(model.groups_),
        "features": len({member for group in model.groups_ for member in group}),
        "seconds": round(fitted.seconds, 1),
        "partial": fitted.is_partial,
        "found": model.get_groups(names=True),
    }
