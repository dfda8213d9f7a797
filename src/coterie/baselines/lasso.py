"""LASSO on class labels: one linear model, whose features are one group."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import Lasso
from sklearn.utils._param_validation import Interval

from coterie.baselines._base import COMMON, Baseline, log_probabilities
from coterie.estimators._rows import Problem
from coterie.groups import Group
from coterie.training import TrainingData


class LassoClassifier(Baseline):
    r"""LASSO with targets -1 and 1.

    .. math:: \min_{w, b} \; \frac{1}{n} \sum_i (y_i - w \cdot x_i - b)^2 + \lambda \|w\|_1

    All features with :math:`|w_j|` above a threshold are the only group. With more than two classes
    there is a model for each class against the others, and the group is the union of theirs.

    Parameters
    ----------
    reg : float, default=0.4
        :math:`\lambda`.
    threshold : float, default=0.01
        The absolute weight above which a feature is selected; all others are set to 0.
    max_iter : int, default=1000
        The most sweeps of the coordinate descent.
    tol : float, default=1e-6
        Its tolerance.
    standardize : bool, default=False
        Bring the columns to mean 0 and variance 1 first.
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature, which is selected if any of them is.

    Attributes
    ----------
    groups_ : list of tuple of int
        One group, or none.
    coef_ : ndarray, shape (1 or classes, columns)
    intercept_ : ndarray, shape (1 or classes,)
    n_iter_ : int
        Sweeps of the coordinate descent.
    classes_, features_, n_features_in_, feature_names_in_
        As in ``CompFSClassifier``.

    Notes
    -----
    The paper ran eight epochs of Adam on this loss; here coordinate descent (scikit-learn's) finds
    its minimum. Probabilities are the linear predictions, cut off at 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 6))
    >>> LassoClassifier().fit(X, X[:, 1] + X[:, 4] > 0).groups_
    [(1, 4)]
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
        reg: float = 0.4,
        *,
        threshold: float = 0.01,
        max_iter: int = 1000,
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
        models = [self._solve(problem.training, code) for code in one_against_others(self.classes_)]
        self.n_iter_ = max(1, *(int(model.n_iter_) for model in models))
        weights = np.stack([model.coef_ for model in models])
        self.coef_ = np.where(np.abs(weights) > self.threshold, weights, 0.0)
        self.intercept_ = np.array([float(model.intercept_) for model in models])
        group = self._features_of(np.flatnonzero(self.coef_.any(axis=0)))
        return [group] if group else []

    def _solve(self, rows: TrainingData, code: int) -> Lasso:
        signs = np.where(rows.target == code, 1.0, -1.0)
        model = Lasso(alpha=self.reg / 2, max_iter=self.max_iter, tol=self.tol)
        return model.fit(rows.columns.astype(np.float64), signs, sample_weight=rows.weights)

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        predictions = columns.astype(np.float64) @ self.coef_.T + self.intercept_
        shares = ((1 + predictions) / 2).clip(0, 1)
        if len(self.classes_) == 2:
            shares = np.hstack([1 - shares, shares])
        return log_probabilities(shares)


def one_against_others(labels: NDArray[Any]) -> range:
    """Return the codes of the classes that get a linear model of their own.

    Examples
    --------
    >>> list(one_against_others(np.array(["no", "yes"]))), list(one_against_others(np.arange(3)))
    ([1], [0, 1, 2])
    """
    return range(1, 2) if len(labels) == 2 else range(len(labels))
