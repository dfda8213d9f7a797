"""Fit a method on the training rows, and measure it on the held-out ones."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

from coterie.estimators.table import TableModel
from coterie.study.leaks import telling_members
from coterie.study.methods import make_estimator
from coterie.study.rows import Data
from coterie.study.scores import Scores, measure, simple_models


@dataclass(frozen=True)
class Settings:
    """How to fit; None leaves a setting to the method."""

    method: str = "coterie"
    seed: int = 0
    effort: str | None = None
    time_limit: float | None = None
    jobs: int | None = None
    impute: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the settings by name."""
        return asdict(self)


@dataclass
class Fitted:
    """A fitted model and what is known of it.

    Attributes
    ----------
    model : TableModel
    data : Data
    settings : Settings
    seconds : float
    is_partial : bool
        Whether the search was stopped before its end.
    notes : list of str
        On the table and on the fit.
    scores : dict of dict
        Each model's measures on the held-out rows, the method first; empty without such rows.
    """

    model: TableModel
    data: Data
    settings: Settings
    seconds: float
    is_partial: bool
    notes: list[str]
    scores: dict[str, Scores] = field(default_factory=dict)


def fit(data: Data, settings: Settings, callbacks: Sequence[Any] = ()) -> Fitted:
    """Fit one method on the training rows.

    Parameters
    ----------
    data : Data
    settings : Settings
    callbacks : sequence of Callback

    Returns
    -------
    Fitted
        Without scores, see :func:`score`.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from coterie.study.columns import Roles
    >>> from coterie.study.rows import prepare
    >>> random = np.random.default_rng(0)
    >>> table = pd.DataFrame(random.normal(size=(400, 3)), columns=["a", "b", "c"])
    >>> table["relapse"] = (table["a"] * table["c"] > 0).astype(int)
    >>> fitted = fit(prepare(table, Roles("relapse")), Settings(effort="fast"))
    >>> fitted.model.get_groups(names=True), fitted.is_partial
    ([('a', 'c')], False)
    """
    estimator = make_estimator(
        settings.method,
        data.task,
        seed=settings.seed,
        effort=settings.effort,
        time_limit=settings.time_limit,
        jobs=settings.jobs,
        callbacks=callbacks,
    )
    start = perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = TableModel(estimator, impute=settings.impute)
        model.fit(data.train.X, data.train.y, data.train.weights)
    seconds = perf_counter() - start
    notes = [*data.notes, *_distinct(caught), *telling_members(model, data), *model.data_notes_]
    return Fitted(model, data, settings, seconds, not _is_complete(model.estimator_), notes)


def score(fitted: Fitted, *, simple: bool = True) -> None:
    """Measure the model on the held-out rows, and simple models beside it.

    Parameters
    ----------
    fitted : Fitted
        Gets the scores, and notes of what went wrong.
    simple : bool, default=True
        Whether to fit and measure simple models too.
    """
    data = fitted.data
    if data.test is None:
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        models: dict[str, Any] = {fitted.settings.method: fitted.model}
        if simple:
            encoder = fitted.model.encoder_
            models |= simple_models(data.train, encoder, data.task, fitted.settings.seed)
        fitted.scores = {
            name: measure(model, data.test, data.task) for name, model in models.items()
        }
    unseen = fitted.model.encoder_.unseen_categories(data.test.X)
    fitted.notes[:0] = _distinct(caught) + [
        f"Held-out rows hold values of {name!r} that no row of training has ({', '.join(labels)}): "
        "they were treated as none of the known ones."
        for name, labels in unseen.items()
    ]


def _is_complete(estimator: Any) -> bool:
    """Tell whether a method came to its own end."""
    if hasattr(estimator, "is_complete_"):
        return bool(estimator.is_complete_)
    epochs = getattr(estimator, "max_epochs", None)
    history = getattr(estimator, "history_", None)
    if epochs is None or not history or not estimator.get_params().get("callbacks"):
        return True
    return bool(max(record.get("epoch", epochs) for record in history) >= epochs)


def _distinct(caught: Sequence[warnings.WarningMessage]) -> list[str]:
    """Return what was warned of, each warning once and in one line."""
    texts = [" ".join(str(warning.message).split()) for warning in caught]
    shown = [w for w in caught if not issubclass(w.category, DeprecationWarning | FutureWarning)]
    kept = {" ".join(str(warning.message).split()) for warning in shown}
    return [text for text in dict.fromkeys(texts) if text in kept]
