"""What a fitted model makes of each feature and of each pair, without training anything."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from coterie.discovery.problem import Fitted, Problem
from coterie.discovery.structures import Edge, Structure

MOST_ROWS = 4096
"""Held-out rows of a fold that are looked at: what is measured here only sets an order."""


@dataclass(frozen=True)
class Usage:
    """How much a structure's models use what.

    Attributes
    ----------
    features : dict of int to float
        By how much the held-out loss rises if a feature is kept at its mean.
    edges : dict of (int, int) to float
        How much the effect of a pair differs from the sum of its members' effects: the mean square
        of the difference.
    """

    features: dict[int, float]
    edges: dict[Edge, float]

    def weakest_features(self) -> list[int]:
        """Return the features, those that are used least first."""
        return sorted(self.features, key=lambda feature: self.features[feature])

    def weakest_edges(self) -> list[Edge]:
        """Return the pairs, those that come nearest to a sum first."""
        return sorted(self.edges, key=lambda edge: self.edges[edge])


def usage_of(structure: Structure, problem: Problem, fits: list[Fitted]) -> Usage:
    """Measure the models of all folds on rows that they did not learn from."""
    features: dict[int, float] = defaultdict(float)
    edges: dict[Edge, float] = defaultdict(float)
    for fold, fitted in enumerate(fits):
        rows = np.flatnonzero(problem.folds == fold)[:MOST_ROWS]
        share = problem.weights[rows].sum() / problem.weights[problem.held_out].sum()
        one = _usage_of_fold(structure, problem, fitted, rows)
        for feature, rise in one.features.items():
            features[feature] += share * rise
        for edge, square in one.edges.items():
            edges[edge] += share * square
    return Usage(dict(features), dict(edges))


def _usage_of_fold(
    structure: Structure, problem: Problem, fitted: Fitted, rows: np.ndarray
) -> Usage:
    columns, target = fitted.columns_of(problem, rows), problem.target[rows]
    owner = np.full(columns.shape[1], -1)
    owner[: len(fitted.columns)] = problem.owner[fitted.columns]
    weights = problem.weights[rows]

    def effects_without(features: tuple[int, ...]) -> np.ndarray:
        kept = np.where(np.isin(owner, features), np.float32(0), columns)
        return fitted.effects(structure, problem, kept)

    def mean_loss(effects: np.ndarray) -> float:
        losses = fitted.losses(structure, problem, effects, target)
        return float(np.average(losses, weights=weights))

    whole = effects_without(())
    known = mean_loss(whole)
    without = {feature: effects_without((feature,)) for feature in structure.features}
    rises = {feature: mean_loss(effects) - known for feature, effects in without.items()}
    squares: dict[Edge, float] = {}
    for a, b in structure.edges:
        both = effects_without((a, b))
        places = [i for i, group in enumerate(structure.groups) if a in group and b in group]
        joint = (whole - without[a] - without[b] + both)[0, places]
        squares[a, b] = float(np.average((joint**2).sum(axis=(0, 2)), weights=weights))
    return Usage(rises, squares)


def losses_without_groups(structure: Structure, problem: Problem, fits: list[Fitted]) -> np.ndarray:
    """Return the held-out losses if the effect of one group is kept at its mean.

    Nothing is trained again, so what other groups could make up for counts, too.

    Returns
    -------
    ndarray of shape (groups, held-out rows)
    """
    losses = np.zeros((len(structure.groups), len(problem.folds)))
    for fold, fitted in enumerate(fits):
        rows = problem.folds == fold
        effects = fitted.effects(structure, problem, fitted.columns_of(problem, rows))
        for place in range(len(structure.groups)):
            kept = effects.copy()
            kept[:, place] = np.average(
                effects[:, place], axis=1, weights=problem.weights[rows], keepdims=True
            )
            losses[place, rows] = fitted.losses(structure, problem, kept, problem.target[rows])
    return losses[:, problem.held_out]
