"""What the baselines share: check the rows, find groups of columns, predict with them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin

from coterie.estimators._rows import Problem, RowsMixin
from coterie.estimators._selector import GroupSelectorMixin
from coterie.estimators._targets import Classes
from coterie.groups import Group

COMMON: dict[str, Any] = {
    "standardize": ["boolean"],
    "feature_groups": [dict, "array-like", None],
}
"""Constraints of the arguments that every baseline has."""


class Baseline(ClassifierMixin, RowsMixin, GroupSelectorMixin, BaseEstimator):
    """A classifier that finds groups; a method says how it finds them and how it predicts."""

    _parameter_constraints: ClassVar[dict[str, Any]] = COMMON
    _takes_real_values: ClassVar[bool] = False
    standardize: bool
    validation_fraction: float | None = None
    feature_groups: Any
    classes_: NDArray[Any]
    _target: Classes

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Find the groups, and learn to predict from them.

        Parameters
        ----------
        X : data frame, array-like or sparse matrix, shape (rows, columns)
        y : array-like, shape (rows,)
        sample_weight : array-like, shape (rows,), optional
            Only their ratios matter. Rows of weight zero count as absent.

        Returns
        -------
        self
        """
        self._validate_params()
        problem = self._prepare(X, y, sample_weight)
        training = problem.training
        self._constant_outputs = self._target.constant_outputs(training.target, training.weights)
        self._set_groups(self._find_groups(problem), self._features)
        if not self.groups_:
            warnings.warn(
                f"{type(self).__name__} found no group: predictions are the same for all rows. "
                "A weaker penalty may help, unless the outcome does not depend on the columns.",
                UserWarning,
                stacklevel=2,
            )
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of each row; without any group, the commonest one."""
        outputs = self._outputs(X)
        return self._target.decode(outputs)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, shape (rows, classes)."""
        return np.asarray(softmax(self._outputs(X), axis=1))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return unnormalised log-probabilities, shape (rows, classes).

        With two classes it is the log-odds of ``classes_[1]``, shape (rows,).
        """
        outputs = self._outputs(X)
        return outputs[:, 1] - outputs[:, 0] if outputs.shape[1] == 2 else outputs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _find_groups(self, problem: Problem) -> Sequence[Group]:
        """Return groups of features, the most important first; keep what prediction needs."""
        raise NotImplementedError

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return unnormalised log-probabilities, shape (rows, classes)."""
        raise NotImplementedError

    def _make_target(self, y: NDArray[Any], weights: NDArray[Any] | None) -> Classes:
        target = Classes.of(y)
        self.classes_ = target.labels
        return target

    def _outputs(self, X: Any) -> NDArray[np.float64]:
        columns = self._read(X)
        if not self.groups_:
            return np.tile(self._constant_outputs.astype(np.float64), (len(columns), 1))
        return self._scores(columns)

    def _features_of(self, columns: Iterable[int]) -> Group:
        """Return the features that own columns; a column that is constant stands for nothing."""
        owners = {
            int(self._features.owner[column]) for column in columns if not self._is_constant[column]
        }
        return tuple(sorted(owners))


def log_probabilities(probabilities: NDArray[Any]) -> NDArray[np.float64]:
    """Return logarithms of probabilities that may be 0.

    Examples
    --------
    >>> log_probabilities(np.array([[0.0, 1.0]])).round(1)
    array([[-36.,   0.]])
    """
    smallest = np.finfo(np.float64).eps
    return np.asarray(np.log(np.maximum(probabilities, smallest)), dtype=np.float64)
