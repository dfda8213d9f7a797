"""Several seeds of one estimator, trained in one program."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeVar

from numpy.typing import ArrayLike
from sklearn.base import clone

from coterie.estimators._compfs import CompFS
from coterie.groups import Group

Estimator = TypeVar("Estimator", bound=CompFS)


def fit_seeds(
    estimator: Estimator,
    X: Any,
    y: Any,
    seeds: Sequence[int],
    sample_weight: ArrayLike | None = None,
) -> list[Estimator]:
    """Fit clones of an estimator that differ in their seed alone, all in one program.

    Each starts from the state, and makes the draws, that it would on its own.

    Parameters
    ----------
    estimator : CompFSClassifier or CompFSRegressor
        Left as it is.
    X, y, sample_weight
        As in ``fit``.
    seeds : sequence of int
        A ``random_state`` for each clone.

    Returns
    -------
    list of estimators, one for each seed
        In their ``groups_table()``, ``certainty`` is the share of the seeds in which a group
        returns, and ``strength_low`` and ``strength_high`` are its least and greatest strength
        among those. With one seed they stay NaN.
    """
    if not isinstance(estimator, CompFS):
        raise TypeError(
            "estimator must be a CompFSClassifier or a CompFSRegressor; "
            f"got {type(estimator).__name__}."
        )
    seeds = [int(seed) for seed in seeds]
    if not seeds or len(set(seeds)) < len(seeds):
        raise ValueError(f"seeds must hold at least one seed, and none of them twice; got {seeds}.")
    template = clone(estimator)
    problem = template._prepare(X, y, sample_weight)
    fitted = [copy.copy(template).set_params(random_state=seed) for seed in seeds]
    for model, trained in zip(fitted, template._train(problem, seeds), strict=True):
        model._publish(problem, trained)
    if len(fitted) > 1:
        _compare_seeds(fitted)
    return fitted


def _compare_seeds(fitted: Sequence[CompFS]) -> None:
    """Fill in what the seeds together say about each group."""
    found: dict[Group, list[float]] = defaultdict(list)
    for model in fitted:
        for group, strength in zip(model.groups_, model._measures["strength"], strict=True):
            found[group].append(strength)
    for model in fitted:
        of_groups = [found[group] for group in model.groups_]
        model._measures = model._measures.assign(
            strength_low=[min(strengths) for strengths in of_groups],
            strength_high=[max(strengths) for strengths in of_groups],
            certainty=[len(strengths) / len(fitted) for strengths in of_groups],
        )
