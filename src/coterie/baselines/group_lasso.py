"""Group LASSO over all groups of one and two features, without listing them."""

from __future__ import annotations

from itertools import combinations
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from coterie.baselines._base import COMMON, Baseline
from coterie.baselines._l1_logistic import solve_l1_logistic
from coterie.baselines._pairs import gradient_norms_of_pairs, spread_over_pairs
from coterie.baselines.lasso import one_against_others
from coterie.estimators._rows import Problem
from coterie.groups import Group

SOFTMAX_SCALE = np.sqrt(0.5)
"""The norm of two opposite rows of softmax weights is so much times that of their difference."""


class GroupLassoClassifier(Baseline):
    r"""Logistic Group LASSO in which every column and every pair of columns is a group.

    Columns are copied for each group that they are in, as in the paper:

    .. math:: \min_{w, b} \; \frac{1}{n} \sum_i \log\big(1 + e^{-y_i (\sum_g w_g \cdot x_{i,g} + b)}
        \big) + \frac{\lambda}{\sqrt 2} \sum_g \sqrt{|g|} \, \|w_g\|_2 .

    The factor comes from the softmax weights of two classes (:math:`w_g / 2` and
    :math:`-w_g / 2`), whose joint norm the authors' library penalises by :math:`\lambda`. With more
    than two classes there is a model for each class against the others.

    Parameters
    ----------
    reg : float, default=0.04
        :math:`\lambda`.
    threshold : float, default=0.005
        A group whose weights have a greater norm is selected; the weights of others are set to 0.
    max_iter : int, default=100
        The most rounds of screening and Newton steps.
    tol : float, default=1e-6
        By how much the gradient of a group may exceed its bound, as a share of the bound.
    standardize : bool, default=False
        Bring the columns to mean 0 and variance 1 first.
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature. Groups are formed of columns, and reported by features.

    Attributes
    ----------
    groups_ : list of tuple of int
        Those of the greatest norm first.
    weights_ : list of dict
        For each model, the weights of the selected groups of columns.
    coef_ : ndarray, shape (1 or classes, columns)
        The weights of a column, summed over the selected groups.
    intercept_ : ndarray, shape (1 or classes,)
    excess_ : float
        The greatest amount by which the gradient of any group, of all :math:`p (p + 1) / 2`,
        exceeds its bound, as a share of it.
    n_iter_ : int
        Rounds of screening.
    classes_, features_, n_features_in_, feature_names_in_
        As in ``CompFSClassifier``.

    Notes
    -----
    A pair of columns never costs less than its two single groups:
    :math:`\sqrt 2 \, \|(a, b)\|_2 \ge |a| + |b|`, with equality where :math:`|a| = |b|`. So the
    least loss is that of the L1-penalised logistic model, which is solved for, on a working set of
    columns; that no group's gradient exceeds its bound is then checked for all groups at once,
    since the norm of a pair's gradient follows from those of its columns. There are many minima: of
    what two selected columns have in common, any part can move into their pair at no cost. The one
    of least Euclidean norm is taken, which is where solvers that start from zero end up, and with
    it (nearly) all pairs of selected columns are selected, as in the paper.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 6))
    >>> sorted(GroupLassoClassifier(reg=0.2).fit(X, X[:, 1] + X[:, 4] > 0).groups_)
    [(1,), (1, 4), (4,)]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        "reg": [Interval(Real, 0, None, closed="neither")],
        "threshold": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        reg: float = 0.04,
        *,
        threshold: float = 0.005,
        max_iter: int = 100,
        tol: float = 1e-6,
        standardize: bool = False,
        feature_groups: Any = None,
    ) -> None:
        self.reg = reg
        self.threshold = threshold
        self.max_iter = max_iter
        self.tol = tol
        self.standardize = standardize
        self.feature_groups = feature_groups

    def _find_groups(self, problem: Problem) -> list[Group]:
        rows = problem.training
        columns = rows.columns.astype(np.float64)
        shares = rows.scaled_weights().astype(np.float64)
        shares /= shares.sum()
        penalty = self.reg * SOFTMAX_SCALE
        norms: dict[Group, float] = {}
        weights, intercepts, excesses, rounds = [], [], [], []
        for code in one_against_others(self.classes_):
            solution = solve_l1_logistic(
                columns, rows.target == code, shares, penalty, self.max_iter, self.tol
            )
            bound = gradient_norms_of_pairs(solution.gradient) / (np.sqrt(2) * penalty)
            excesses.append(max(0.0, float(bound.max()) - 1))
            kept = self._select(solution.weights)
            weights.append(kept)
            intercepts.append(solution.intercept)
            rounds.append(solution.rounds)
            for group, of_columns in kept.items():
                norms[group] = max(norms.get(group, 0.0), float(np.linalg.norm(of_columns)))
        self.weights_ = [{"groups": list(kept), "weights": list(kept.values())} for kept in weights]
        self.coef_ = np.stack([_total(kept, columns.shape[1]) for kept in weights])
        self.intercept_ = np.array(intercepts)
        self.excess_ = max(excesses)
        self.n_iter_ = max(rounds)
        strongest = sorted(norms, key=lambda group: -norms[group])
        return [self._features_of(group) for group in strongest]

    def _select(self, weights: NDArray[np.float64]) -> dict[Group, NDArray[np.float64]]:
        """Return the weights of the groups whose norm is above the threshold."""
        active = np.flatnonzero(weights)
        alone, pairs = spread_over_pairs(np.abs(weights[active]))
        signs = np.sign(weights[active])
        spread: dict[Group, NDArray[np.float64]] = {
            (int(column),): signs[[place]] * alone[place] for place, column in enumerate(active)
        }
        for a, b in combinations(range(len(active)), 2):
            spread[int(active[a]), int(active[b])] = signs[[a, b]] * pairs[a, b]
        return {
            group: of_columns
            for group, of_columns in spread.items()
            if np.linalg.norm(of_columns) > self.threshold
        }

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        log_odds = columns.astype(np.float64) @ self.coef_.T + self.intercept_
        if len(self.classes_) == 2:
            return np.hstack([np.zeros_like(log_odds), log_odds])
        return -np.logaddexp(0, -log_odds)


def _total(kept: dict[Group, NDArray[np.float64]], n_columns: int) -> NDArray[np.float64]:
    """Sum the weights of each column over the groups."""
    total = np.zeros(n_columns)
    for group, of_columns in kept.items():
        total[list(group)] += of_columns
    return total
