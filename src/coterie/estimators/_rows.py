"""What every estimator of this package does with the rows that it is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.validation import check_is_fitted, validate_data

from coterie.estimators._columns import Scaling, float32_columns
from coterie.estimators._features import names_of_columns, resolve_features
from coterie.estimators._targets import Target
from coterie.estimators._validation import check_weights, column_names, refuse_unreadable_columns
from coterie.training import TrainingData


@dataclass(frozen=True)
class Problem:
    """What is trained on, and on which rows the groups found are judged."""

    training: TrainingData
    validation: TrainingData | None

    @property
    def judging(self) -> TrainingData:
        """The held-out rows, or the training rows where none are held out."""
        return self.training if self.validation is None else self.validation


class RowsMixin:
    """Turn what the user gives into what the engine takes, in ``fit`` and after it."""

    standardize: bool
    validation_fraction: float | None
    feature_groups: Any
    _takes_real_values: ClassVar[bool]

    def _make_target(self, y: NDArray[Any], weights: NDArray[Any] | None) -> Target:
        """Return what is to be predicted."""
        raise NotImplementedError

    def _weigh(self, y: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any] | None:
        """Return the weights of the rows in the loss."""
        return weights

    def _prepare(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Problem:
        """Check the rows to learn from, and take from them how later rows are to be read."""
        names = column_names(X)
        X, y, weights = self._check_rows(X, y, sample_weight)
        self._features = resolve_features(self.feature_groups, names_of_columns(self))
        self._target = self._make_target(y, weights)
        standard = Scaling.standard(X, weights) if self.standardize else None
        self._scaling = standard or Scaling.none(X.shape[1])
        data = self._data(float32_columns(X, self._scaling, names), y, weights)
        problem = self._split(data)
        columns = problem.training.columns
        self._is_constant = columns.min(axis=0) == columns.max(axis=0)
        self._constants = columns[0, self._is_constant]
        return problem

    def _check_rows(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> tuple[Any, Any, Any]:
        """Return X, y and weights without the rows of weight zero."""
        X, y = validate_data(
            self,
            refuse_unreadable_columns(X),
            y,
            accept_sparse="csr",
            ensure_all_finite=False,
            ensure_min_samples=2,
            multi_output=self._takes_real_values,
            y_numeric=self._takes_real_values,
        )
        weights = check_weights(sample_weight, X.shape[0])
        if weights is None:
            return X, y, None
        counts = weights > 0
        if counts.sum() < 2:
            raise ValueError(
                "sample_weight leaves one row, since all others have weight zero: at least two "
                "rows must have a weight above 0."
            )
        return X[counts], y[counts], weights[counts]

    def _read(self, X: Any) -> NDArray[np.float32]:
        """Return new rows as the engine takes them, shape (rows, columns).

        A column that was constant in training keeps that value: no weight on it was ever learnt.
        """
        check_is_fitted(self, "groups_")
        names = column_names(X)
        X = refuse_unreadable_columns(X)
        X = validate_data(self, X, accept_sparse="csr", ensure_all_finite=False, reset=False)
        columns = float32_columns(X, self._scaling, names)
        columns[:, self._is_constant] = self._constants
        return columns

    def _data(self, columns: NDArray[np.float32], y: Any, sample_weight: Any) -> TrainingData:
        """Return rows for the engine."""
        weights = self._weigh(y, check_weights(sample_weight, len(columns)))
        weights = check_weights(weights, len(columns), "sample_weight times class_weight")
        owner = self._features.owner if len(self._features) < columns.shape[1] else None
        return TrainingData(columns, self._target.encode(y), weights, owner)

    def _new_data(self, X: Any, y: Any, sample_weight: Any) -> TrainingData:
        """Return rows that the estimator was not fitted on."""
        check_consistent_length(X, y)
        y = check_array(y, ensure_2d=False, dtype=None, input_name="y")
        return self._data(self._read(X), y, sample_weight)

    def _split(self, data: TrainingData) -> Problem:
        """Hold out some rows, balanced over the classes."""
        if self.validation_fraction is None:
            return Problem(data, None)
        held_out = held_out_rows(self._target.strata(data.target), self.validation_fraction)
        return Problem(take_rows(data, ~held_out), take_rows(data, held_out))


def take_rows(data: TrainingData, rows: NDArray[np.bool_]) -> TrainingData:
    """Return some of the rows."""
    weights = None if data.weights is None else data.weights[rows]
    return TrainingData(data.columns[rows], data.target[rows], weights, data.owner)


def held_out_rows(strata: NDArray[Any], fraction: float) -> NDArray[np.bool_]:
    """Choose a share of the rows of each stratum, at least one of which stays behind.

    The choice depends on the strata alone, never on a seed: fits with different seeds are then
    compared on the same rows.

    Parameters
    ----------
    strata : ndarray, shape (rows,)
        The class of each row; one value for all where there are no classes.
    fraction : float in (0, 1)

    Returns
    -------
    ndarray of bool, shape (rows,)

    Examples
    --------
    >>> held_out_rows(np.array([0, 0, 0, 0, 1, 1]), 0.5).sum()
    np.int64(3)
    """
    draws = np.random.default_rng(0)
    chosen = np.zeros(len(strata), dtype=bool)
    for stratum in np.unique(strata):
        rows = draws.permutation(np.flatnonzero(strata == stratum))
        chosen[rows[: int(fraction * len(rows))]] = True
    if not chosen.any():
        raise ValueError(
            f"validation_fraction={fraction} of {len(strata)} rows leaves none to hold out: "
            "raise it or set validation_fraction=None."
        )
    return chosen


MANY_ROWS, SOME_ROWS = 4000, 1500
HELD_OUT = 0.25


def assign_folds(strata: NDArray[Any], fraction: float | None, seed: int) -> NDArray[np.int64]:
    """Return the fold in which each row is held out, -1 for rows that never are.

    One fold of ``fraction`` of the rows where that is given, of a quarter where rows are many; else
    four or five folds that cover all rows. Strata are spread evenly.

    Examples
    --------
    >>> np.bincount(assign_folds(np.zeros(10), None, seed=0)).tolist()
    [2, 2, 2, 2, 2]
    """
    n_rows = len(strata)
    if fraction is not None or n_rows >= MANY_ROWS:
        return held_out_rows(strata, fraction or HELD_OUT).astype(np.int64) - 1
    n_folds = min(4 if n_rows >= SOME_ROWS else 5, n_rows)
    rng = np.random.default_rng([seed, 3])
    order = np.lexsort([rng.random(n_rows), strata])
    folds = np.empty(n_rows, np.int64)
    folds[order] = np.arange(n_rows) % n_folds
    return folds
