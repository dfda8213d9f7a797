"""What the paper's classifier and regressor share: validate, train, publish the groups."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from coterie.estimators._features import resolve_features
from coterie.estimators._selector import GroupSelectorMixin
from coterie.estimators._strength import Mask, strengths_of_groups
from coterie.estimators._targets import Target
from coterie.estimators._validation import (
    Scaling,
    check_weights,
    column_names,
    float32_columns,
    held_out_rows,
    refuse_unreadable_columns,
)
from coterie.model.thresholds import AtLeast, Threshold
from coterie.training import TrainingData, TrainingSettings, predict_outputs, train_ensembles
from coterie.training.callbacks import EarlyStopping, Progress

PATIENCE = 10  # epochs without improvement that early_stopping=True allows


@dataclass(frozen=True)
class Problem:
    """What is trained on, and on which rows the groups found are judged."""

    training: TrainingData
    validation: TrainingData | None

    @property
    def judging(self) -> TrainingData:
        """The held-out rows, or the training rows where none are held out."""
        return self.training if self.validation is None else self.validation


class CompFS(GroupSelectorMixin, BaseEstimator):
    """Composite Feature Selection; the classifier and the regressor say what the target is."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_groups": [Interval(Integral, 1, None, closed="left")],
        "hidden_dim": [Interval(Integral, 1, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "beta_ensemble": [Interval(Real, 0, None, closed="left")],
        "beta_overlap": [Interval(Real, 0, None, closed="left")],
        "temperature": [Interval(Real, 0, None, closed="neither")],
        "threshold": [Interval(Real, 0, 1, closed="both"), callable],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "lr_decay": [Interval(Real, 0, None, closed="neither")],
        "penalty_decay": [Interval(Real, 0, None, closed="neither")],
        "gate_noise": [StrOptions({"sample", "batch"}), Interval(Integral, 1, None, closed="left")],
        "stop_gradient": ["boolean"],
        "standardize": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither"), None],
        "early_stopping": ["boolean", Interval(Integral, 1, None, closed="left")],
        "feature_groups": [dict, "array-like", None],
        "random_state": ["random_state", np.random.Generator],
        "device": "no_validation",
        "verbose": ["verbose"],
        "callbacks": [list, tuple, None],
    }
    _takes_real_values: ClassVar[bool]

    def __init__(
        self,
        n_groups: int = 5,
        *,
        hidden_dim: int = 20,
        beta: float = 4.5,
        beta_ensemble: float = 1.0,
        beta_overlap: float = 1.2,
        temperature: float = 0.1,
        threshold: float | Threshold = 0.7,
        max_epochs: int = 35,
        batch_size: int = 50,
        learning_rate: float = 0.003,
        lr_decay: float = 0.99,
        penalty_decay: float = 0.99,
        gate_noise: str | int = "sample",
        stop_gradient: bool = True,
        standardize: bool = False,
        validation_fraction: float | None = None,
        early_stopping: bool | int = False,
        feature_groups: Any = None,
        random_state: Any = None,
        device: Any = None,
        verbose: int = 0,
        callbacks: Any = None,
    ) -> None:
        self.n_groups = n_groups
        self.hidden_dim = hidden_dim
        self.beta = beta
        self.beta_ensemble = beta_ensemble
        self.beta_overlap = beta_overlap
        self.temperature = temperature
        self.threshold = threshold
        self.max_epochs = max_epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.lr_decay = lr_decay
        self.penalty_decay = penalty_decay
        self.gate_noise = gate_noise
        self.stop_gradient = stop_gradient
        self.standardize = standardize
        self.validation_fraction = validation_fraction
        self.early_stopping = early_stopping
        self.feature_groups = feature_groups
        self.random_state = random_state
        self.device = device
        self.verbose = verbose
        self.callbacks = callbacks

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Train the ensemble and read its groups off the gates.

        Parameters
        ----------
        X : data frame, array-like or sparse matrix, shape (rows, columns)
            Numbers and booleans. Sparse matrices are turned into dense float32. A column that is
            constant takes part in the training but never in a group.
        y : array-like, shape (rows,); for real outcomes (rows, outputs) too
        sample_weight : array-like, shape (rows,), optional
            Only their ratios matter. Rows of weight zero count as absent.

        Returns
        -------
        self
        """
        problem = self._prepare(X, y, sample_weight)
        self._publish(problem, self._train(problem, [integer_seed(self.random_state)])[0])
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the ensemble's prediction for each row, shape as ``y``.

        Without any group it is the same for all rows: the commonest class or the mean.
        """
        outputs = self._outputs(X)
        return self._target.decode(outputs)

    def predict_group(self, i: int, X: Any) -> NDArray[Any]:
        """Return the prediction of one group's own head, from the features of that group alone.

        Parameters
        ----------
        i : int
            Position in ``groups_``.
        X : data frame, array-like or sparse matrix, shape (rows, columns)

        Returns
        -------
        ndarray
            Shape as ``y``.
        """
        check_is_fitted(self, "groups_")
        if not 0 <= i < len(self.groups_):
            raise IndexError(
                f"i={i} is not the position of a group: groups_ holds {len(self.groups_)}."
            )
        outputs = predict_outputs(self.ensemble_, self._mask, self._read(X), self._learners[i])
        return self._target.decode(outputs)

    def set_threshold(
        self,
        threshold: float | Threshold,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Read the groups off the trained gates anew; nothing is trained.

        A model keeps no data. Strengths under gates that it has not measured yet are therefore
        NaN, and groups ordered by their gate probabilities, unless rows to judge them on are given.

        Parameters
        ----------
        threshold : float or Threshold
        X, y, sample_weight : optional
            Rows to measure the strengths of the groups on, best held out from the training.

        Returns
        -------
        self
        """
        check_is_fitted(self, "groups_")
        self.set_params(threshold=threshold)._validate_params()
        if (X is None) != (y is None):
            raise ValueError("X and y go together: strengths need both; got only one of them.")
        judging = None if X is None else self._data(self._read(X), y, sample_weight)
        self._select(judging)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _make_target(self, y: NDArray[Any], weights: NDArray[Any] | None) -> Target:
        """Return what is to be predicted."""
        raise NotImplementedError

    def _weigh(self, y: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any] | None:
        """Return the weights of the rows in the loss."""
        return weights

    def _prepare(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Problem:
        """Check everything that the user gave and turn it into what the engine takes."""
        self._validate_params()
        if self.early_stopping and self.validation_fraction is None:
            raise ValueError(
                f"early_stopping={self.early_stopping} judges epochs on held-out rows, but "
                "validation_fraction=None holds out none: set it, to 0.2 for example."
            )
        names = column_names(X)
        X, y, weights = self._check_rows(X, y, sample_weight)
        default = [f"x{column}" for column in range(X.shape[1])]
        self._features = resolve_features(self.feature_groups, default if names is None else names)
        self._target = self._make_target(y, weights)
        standard = Scaling.standard(X, weights) if self.standardize else None
        self._scaling = standard or Scaling.none(X.shape[1])
        data = self._data(float32_columns(X, self._scaling, names), y, weights)
        return self._split(data)

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
        columns[:, self._is_constant] = self.ensemble_.centre[self._is_constant]
        return columns

    def _data(self, columns: NDArray[np.float32], y: Any, sample_weight: Any) -> TrainingData:
        """Return rows for the engine; weights have mean 1, so that only their ratios matter."""
        weights = self._weigh(y, check_weights(sample_weight, len(columns)))
        if weights is not None:
            weights = (weights / weights.mean()).astype(np.float32)
        target = self._target.encode(y)
        return TrainingData(columns, target, weights, self._features.owner, len(self._features))

    def _split(self, data: TrainingData) -> Problem:
        """Hold out some rows, balanced over the classes."""
        if self.validation_fraction is None:
            return Problem(data, None)
        held_out = held_out_rows(self._target.strata(data.target), self.validation_fraction)
        return Problem(take_rows(data, ~held_out), take_rows(data, held_out))

    def _train(self, problem: Problem, seeds: list[int]) -> list[Any]:
        """Return a trained ensemble for each seed."""
        callbacks = list(self.callbacks or [])
        if self.early_stopping:
            patience = PATIENCE if self.early_stopping is True else self.early_stopping
            callbacks.append(EarlyStopping(patience=patience))
        if self.verbose:
            callbacks.append(Progress())
        return train_ensembles(
            self._settings(),
            self._target.loss,
            problem.training,
            seeds=seeds,
            validation=problem.validation,
            callbacks=callbacks,
            device=self.device,
        )

    def _settings(self) -> TrainingSettings:
        """Return the hyperparameters of the paper."""
        return TrainingSettings(
            n_groups=self.n_groups,
            hidden_dim=self.hidden_dim,
            beta=self.beta,
            beta_ensemble=self.beta_ensemble,
            beta_overlap=self.beta_overlap,
            temperature=self.temperature,
            max_epochs=self.max_epochs,
            batch_size=self.batch_size,
            learning_rate=self.learning_rate,
            lr_decay=self.lr_decay,
            penalty_decay=self.penalty_decay,
            gate_noise=self.gate_noise,
            stop_gradient=self.stop_gradient,
            threshold=as_threshold(self.threshold),
        )

    def _publish(self, problem: Problem, trained: Any) -> None:
        """Set all fitted attributes."""
        training = problem.training
        self.ensemble_ = trained
        self.history_ = list(trained.history)
        self._is_constant = training.columns.min(axis=0) == training.columns.max(axis=0)
        self._constant_outputs = self._target.constant_outputs(training.target, training.weights)
        varies = np.zeros(len(self._features), dtype=bool)
        varies[self._features.owner[~self._is_constant]] = True
        self.gate_probabilities_ = np.where(varies, trained.probabilities, 0.0)
        self._measured: dict[bytes, NDArray[np.float64]] = {}
        self._select(problem.judging)

    def _select(self, judging: TrainingData | None) -> None:
        """Set the groups that the threshold picks; gates that are shut for good stay shut."""
        probabilities = self.gate_probabilities_
        self._mask: Mask = as_threshold(self.threshold)(probabilities) & (probabilities > 0)
        order = np.argsort(-np.ma.array(probabilities, mask=~self._mask).mean(axis=1).filled(0.0))
        groups = [tuple(np.flatnonzero(self._mask[learner])) for learner in order]
        strengths = self._strengths(judging)
        self._set_groups(groups, self._features, strength=strengths[order])
        learner_of = {group: learner for group, learner in zip(groups[::-1], order[::-1])}
        self._learners = [int(learner_of[group]) for group in self.groups_]
        if not self.groups_:
            warnings.warn(
                f"{type(self).__name__} found no group: no gate passes threshold={self.threshold}, "
                "and predictions are the same for all rows. A smaller beta or threshold, more "
                "epochs or more rows may help, unless the outcome does not depend on the columns.",
                UserWarning,
                stacklevel=3,
            )

    def _strengths(self, judging: TrainingData | None) -> NDArray[np.float64]:
        """Return the strength of each learner's group, NaN where it was never measured."""
        key = self._mask.tobytes()
        if judging is not None:
            self._measured[key] = strengths_of_groups(
                self._mask, lambda mask: self._mean_loss(mask, judging)
            )
        return self._measured.get(key, np.full(len(self._mask), np.nan))

    def _mean_loss(self, mask: Mask, rows: TrainingData) -> float:
        """Return the loss when the learners see the features of a mask."""
        outputs = predict_outputs(self.ensemble_, mask, rows.columns)
        losses = np.asarray(self._target.loss(outputs, rows.target))
        return float(np.average(losses, weights=rows.weights))

    def _outputs(self, X: Any) -> NDArray[np.float64]:
        """Return the ensemble's outputs, shape (rows, outputs)."""
        columns = self._read(X)
        if not self.groups_:
            return np.tile(self._constant_outputs.astype(np.float64), (len(columns), 1))
        return np.asarray(predict_outputs(self.ensemble_, self._mask, columns), dtype=np.float64)


def as_threshold(threshold: float | Threshold) -> Threshold:
    """Return a number as the rule "at least this probable"."""
    return threshold if callable(threshold) else AtLeast(float(threshold))


def integer_seed(random_state: Any) -> int:
    """Return the seed that ``random_state`` stands for; a fresh one for None."""
    if random_state is None:
        random_state = np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)


def take_rows(data: TrainingData, rows: Mask) -> TrainingData:
    """Return some of the rows."""
    weights = None if data.weights is None else data.weights[rows]
    return TrainingData(
        data.columns[rows], data.target[rows], weights, data.owner, data.n_features
    )
