"""The methods that a study can use, by name."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterable, Sequence
from importlib import import_module
from time import monotonic
from typing import Any

from coterie.baselines import BASELINES
from coterie.io.errors import InputError

NEED_THE_TRUTH = ("oracle", "oracle_cluster")

CLASSIFIERS = {
    "coterie": "coterie.estimators:CoterieClassifier",
    "compfs": "coterie.estimators:CompFSClassifier",
    **{name: place for name, place in BASELINES.items() if name not in NEED_THE_TRUTH},
}
REGRESSORS = {
    "coterie": "coterie.estimators:CoterieRegressor",
    "compfs": "coterie.estimators:CompFSRegressor",
}
DEFAULTS: dict[str, dict[str, Any]] = {"compfs": {"standardize": True}}
"""What differs from a method's own defaults, for tables of any units."""

OPTIONS = {"effort": "--effort", "n_jobs": "--jobs"}


class Deadline:
    """Ends a training at the first epoch after its time.

    Parameters
    ----------
    seconds : float
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ends = monotonic() + seconds

    def on_epoch_end(self, record: dict[str, Any], state: Any) -> bool:
        """Return True once the time is up."""
        return monotonic() > self._ends


def make_estimator(
    method: str,
    task: str,
    *,
    seed: int = 0,
    effort: str | None = None,
    time_limit: float | None = None,
    jobs: int | None = None,
    callbacks: Sequence[Any] = (),
) -> Any:
    """Return the estimator of a method, with settings that it has.

    Parameters
    ----------
    method : str
        A key of ``CLASSIFIERS`` or ``REGRESSORS``.
    task : "classification" or "regression"
    seed : int, default=0
    effort : {"fast", "standard", "thorough"}, optional
    time_limit : float, optional
    jobs : int, optional
    callbacks : sequence of Callback
        Left aside by methods that take none.

    Raises
    ------
    InputError
        For an unknown method, one that can't do the task, and a setting that it does not have.

    Examples
    --------
    >>> make_estimator("coterie", "regression", effort="fast")
    CoterieRegressor(effort='fast', random_state=0)
    """
    cls = _find(method, task)
    known = _parameters(cls)
    asked = {"effort": effort, "n_jobs": jobs}
    settings: dict[str, Any] = {k: value for k, value in asked.items() if value is not None}
    for name in settings:
        if name not in known:
            raise InputError(f"{OPTIONS[name]}: the method {method!r} has no such setting.")
    if time_limit is not None and not {"time_limit", "callbacks"} & known:
        raise InputError(
            f"--time-limit: the method {method!r} can't be stopped on the way. Use one of "
            f"{', '.join(stoppable(task))}."
        )
    if "random_state" in known:
        settings["random_state"] = seed
    if "time_limit" in known:
        settings["time_limit"] = time_limit
    elif time_limit is not None:
        callbacks = [*callbacks, Deadline(time_limit)]
    if callbacks and "callbacks" in known:
        settings["callbacks"] = list(callbacks)
    return cls(**DEFAULTS.get(method, {}), **settings)


def stoppable(task: str) -> list[str]:
    """Return the methods that can end early with what they found."""
    names = CLASSIFIERS if task == "classification" else REGRESSORS
    return [
        name for name in names if "callbacks" in inspect.signature(_find(name, task)).parameters
    ]


def n_epochs(method: str, task: str) -> int | None:
    """Return for how many epochs a method trains, None if it has none."""
    return getattr(make_estimator(method, task), "max_epochs", None)


def check_method(method: str, task: str | None = None, option: str = "--method") -> None:
    """Refuse a method that is not known, or not for this task; cheap enough to ask at once."""
    if method not in CLASSIFIERS:
        raise InputError(
            f"{option}: there is no {method!r}.{suggestion(method, CLASSIFIERS)} Use one of "
            f"{', '.join(CLASSIFIERS)}."
        )
    if task == "regression" and method not in REGRESSORS:
        raise InputError(
            f"{option}: {method!r} tells classes apart, but the target is a number. Use "
            f"{' or '.join(REGRESSORS)}, or --task classification if the numbers are classes."
        )


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return a question with the most similar names, empty if none is similar."""
    close = difflib.get_close_matches(name.lower(), list(known), n=2)
    return f" Did you mean {' or '.join(repr(match) for match in close)}?" if close else ""


def _parameters(cls: Any) -> set[str]:
    return set(inspect.signature(cls).parameters)


def _find(method: str, task: str) -> Any:
    check_method(method, task)
    places = CLASSIFIERS if task == "classification" else REGRESSORS
    module, _, name = places[method].partition(":")
    return getattr(import_module(module), name)
