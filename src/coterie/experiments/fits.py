"""Fills a cell of the recovery tables: fit, and measure what is found."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from time import perf_counter
from typing import Any

from coterie.experiments.cells import Job
from coterie.experiments.methods import methods
from coterie.experiments.tasks import Split, load_task
from coterie.groups import Group
from coterie.metrics import false_discovery_rate, group_similarity, true_positive_rate

NEEDS_TRUTH = ("oracle", "oracle_cluster")
NOTED = ("aggregator_", "sureness_")
"""Fitted attributes that a cell keeps where an estimator has them."""


def make_estimator(job: Job, groups: list[Group] | None = None) -> Any:
    """Return a job's estimator; one that can be seeded gets the job's seed.

    The oracles are told the true groups.
    """
    method = methods()[job.method]
    told = {"groups": groups} if job.method in NEEDS_TRUTH else {}
    estimator = method.estimator(**{**job.arguments, **told})
    parameters = estimator.get_params()
    if "random_state" in parameters:
        estimator.set_params(random_state=job.seed)
    if "n_jobs" in parameters:
        estimator.set_params(n_jobs=1)
    return estimator


def timed_fit(estimator: Any, X: Any, y: Any) -> float:
    """Fit, and return the seconds that it took."""
    started = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator.fit(X, y)
    return perf_counter() - started


def measure_recovery(job: Job) -> dict[str, Any]:
    """Fit one method to one task, and measure it as the paper does.

    Returns
    -------
    dict
        ``groups``; ``tpr``, ``fdr`` and ``accuracy`` in percent; ``gsim``; ``n_groups``; ``mse`` of
        a reconstruction; ``accuracy_more``, on further test rows; ``fit_seconds``.
    """
    split = load_task(job.task, job.seed, job.data)
    estimator = make_estimator(job, split.groups)
    seconds = timed_fit(estimator, *split.train)
    found = estimator.groups_
    return {
        "groups": as_lists(found),
        "tpr": 100 * true_positive_rate(split.groups, found),
        "fdr": 100 * false_discovery_rate(split.groups, found),
        "gsim": group_similarity(split.groups, found),
        "n_groups": len(found),
        **_scores(estimator, split),
        **noted(estimator),
        "fit_seconds": round(seconds, 3),
    }


def as_lists(groups: Iterable[Group]) -> list[list[int]]:
    """Return groups as JSON keeps them."""
    return [[int(member) for member in group] for group in groups]


def noted(estimator: Any) -> dict[str, Any]:
    """Return the fitted attributes that are worth keeping."""
    return {
        name.rstrip("_"): getattr(estimator, name) for name in NOTED if hasattr(estimator, name)
    }


def _scores(estimator: Any, split: Split) -> dict[str, float]:
    scores = {"accuracy": 100 * float(estimator.score(*split.test))}
    if split.test_more is not None:
        scores["accuracy_more"] = 100 * float(estimator.score(*split.test_more))
    if hasattr(estimator, "reconstruction_error"):
        scores["mse"] = estimator.reconstruction_error(split.test[0])
    return scores
