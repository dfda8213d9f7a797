"""Gathers weak effects: features that help together, though each alone is lost in the noise."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from coterie.discovery.judge import CLEAR, LIKELY, Judge
from coterie.discovery.limits import Limits
from coterie.discovery.problem import Problem, bootstrap_rows
from coterie.discovery.structures import Structure

DECAYS = (0.3, 1.0)
"""Of the networks' weights: weak effects are nearly linear, and free networks overfit them."""
SHARE_FALSE = 0.2
"""Share of the chosen features that may be expected to be false (Benjamini and Hochberg)."""
LEADERS, MOST = 256, 64
N_RESAMPLES = 50


def gather(structure: Structure, judge: Judge, limits: Limits) -> Structure:
    """Add single features to a structure, if they clearly help on rows they were not chosen on.

    For each fold the features are chosen on the rows that are learnt from; the held-out rows decide
    about the choice as a whole: a useless one does harm there. If it is good, features are chosen
    again on all rows, and the judge lets weights decay from then on.
    """
    problem, most = judge.problem, _most(structure, limits)
    plain = judge.anew(DECAYS[-1])  # what was tried more often looks better than it is
    plain.judge([structure])
    judge.judge([structure])
    extended = []
    for fold, fitted in enumerate(plain.fitted_of[structure]):
        learnt = problem.folds != fold
        residual = fitted.residual(structure, problem, learnt)
        weak = weak_features(structure, problem, residual, learnt, most)
        extended.append(structure.with_singles(weak))
    if all(choice == structure for choice in extended):
        return structure
    losses = judge.losses_by_fold([(structure, choice) for choice in extended], DECAYS)
    without, best = np.argmin(losses @ judge.counts, axis=1)
    least = LIKELY if structure.groups else CLEAR  # nothing else vouches for these features
    helps = judge.difference(losses[0, without], losses[1, best]).z > least
    if not helps or judge.difference(judge.losses_of[structure], losses[1, best]).mean <= 0:
        return structure  # decay must not be what makes room for more features
    judge.decay = DECAYS[best]
    everything = np.ones(len(problem.folds), bool)
    residual = plain.residual(structure)
    weak = weak_features(structure, problem, residual, everything, most)
    judge.steadiness |= _steadiness(weak, structure, problem, residual, most, judge.seed)
    return structure.with_singles(weak)


def _steadiness(
    weak: list[int],
    structure: Structure,
    problem: Problem,
    residual: NDArray[np.float32],
    most: int,
    seed: int,
) -> dict[int, float]:
    """Return for each chosen feature the share of bootstrap samples that choose it again."""
    everything = np.ones(len(problem.folds), bool)
    counts: Counter[int] = Counter()
    for resample in range(N_RESAMPLES):
        drawn = bootstrap_rows(problem, seed, resample)
        counts.update(weak_features(structure, drawn, residual, everything, most))
    return {feature: counts[feature] / N_RESAMPLES for feature in weak}


def _most(structure: Structure, limits: Limits) -> int:
    """Return how many singles the limits leave room for."""
    room = [MOST]
    if limits.max_features is not None:
        room.append(limits.max_features - len(structure.features))
    if limits.max_groups is not None:
        room.append(limits.max_groups - len(structure.groups))
    return max(0, min(room))


def weak_features(
    structure: Structure,
    problem: Problem,
    residual: NDArray[np.float32],
    rows: NDArray[np.bool_],
    most: int,
) -> list[int]:
    """Choose features that tell of a residual, beside each other and those of a structure.

    Forward selection by linear regression: the feature of the largest z-score is next. As many are
    kept as the share of false ones allows that is expected among them.

    Parameters
    ----------
    structure : Structure
    problem : Problem
    residual : array of shape (rows that count, outputs)
    rows : bool array of shape (rows,)
        Which ones count.
    most : int

    Returns
    -------
    list of int
        Features, the clearest first.
    """
    known = np.isin(problem.owner, structure.features)
    roots = np.sqrt(problem.weights[rows])[:, None]
    target = (residual - np.average(residual, axis=0, weights=problem.weights[rows])) * roots
    leading = _leading_columns(problem, target * roots, rows, known)
    columns = problem.scores[np.ix_(rows, leading)]
    centred = (columns - np.average(columns, axis=0, weights=problem.weights[rows])) * roots
    state = _Regression(centred, target)
    for place in np.flatnonzero(known[leading]):
        state.take(place)
    owner, chosen, clarity = problem.owner[leading], list[int](), list[float]()
    while len(chosen) < most:
        z = state.z_scores()
        z[np.isin(owner, [*structure.features, *chosen])] = 0.0
        if not z.any():
            break
        feature = int(owner[z.argmax()])
        chosen.append(feature)
        clarity.append(float(z.max()))
        for place in np.flatnonzero(owner == feature):
            state.take(place)
    n_tests = target.shape[1] * (int(problem.owner.max()) + 1)
    return chosen[: _n_kept(np.array(clarity), n_tests)]


def _n_kept(clarity: NDArray[np.float64], n_tests: int) -> int:
    """Return how many of the first z-scores to keep, given among how many they were the largest."""
    by_chance = 2 * n_tests * ndtr(-clarity)
    fine = np.flatnonzero(by_chance <= SHARE_FALSE * np.arange(1, len(clarity) + 1))
    return int(fine[-1]) + 1 if len(fine) else 0


def _leading_columns(
    problem: Problem,
    target: NDArray[Any],
    rows: NDArray[np.bool_],
    known: NDArray[np.bool_],
) -> NDArray[np.intp]:
    """Return the columns that tell most of the target, with all columns of their features."""
    full = np.zeros((len(rows), target.shape[1]), np.float32)
    full[rows] = target
    scores = np.abs(problem.scores.T @ full).max(axis=1)
    leaders = np.argsort(-scores)[:LEADERS]
    features = np.union1d(problem.owner[leaders], problem.owner[known])
    return np.flatnonzero(np.isin(problem.owner, features))


class _Regression:
    """Forward steps of a linear regression, on the products of its columns alone."""

    def __init__(self, columns: NDArray[Any], target: NDArray[Any]) -> None:
        self.n_rows = len(columns)
        self.gram = (columns.T @ columns).astype(np.float64)
        self.products = (columns.T @ target).astype(np.float64)
        self.left = np.einsum("ij,ij->j", target, target, dtype=np.float64)
        self.least = 1e-3 * self.gram.diagonal().copy() + 1e-9

    def z_scores(self) -> NDArray[np.float64]:
        """Return the largest z of each column over outputs; 0 for what others nearly determine."""
        own = self.gram.diagonal()
        spread = np.sqrt(np.maximum(own, self.least)[:, None] * self.left / self.n_rows)
        z = (np.abs(self.products) / np.maximum(spread, 1e-12)).max(axis=1)
        return np.where(own > self.least, z, 0.0)

    def take(self, place: np.intp) -> None:
        """Take a column into the regression, and its part out of all the others."""
        own = self.gram[place, place]
        if own <= self.least[place]:
            return
        along = self.gram[:, place] / np.sqrt(own)
        explained = self.products[place] / np.sqrt(own)
        self.gram -= np.outer(along, along)
        self.products -= np.outer(along, explained)
        self.left = np.maximum(self.left - explained**2, 1e-12)
