"""What the paper's classifier and regressor share: validate, train, publish the groups."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import jax.numpy as jnp
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import (
    Interval,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn.utils.validation import check_is_fitted

from coterie.estimators._rows import Problem, RowsMixin
from coterie.estimators._selector import GroupSelectorMixin
from coterie.estimators._strength import Mask, strengths_of_groups
from coterie.estimators._validation import integer_seed
from coterie.model.thresholds import AtLeast, Threshold
from coterie.training import (
    TrainedEnsemble,
    TrainingData,
    TrainingSettings,
    predict_outputs,
    train_ensembles,
)
from coterie.training.callbacks import EarlyStopping, Progress

PATIENCE = 10  # epochs without improvement that early_stopping=True allows


class CompFS(RowsMixin, GroupSelectorMixin, BaseEstimator):
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

        The constructor's argument stays as it is; ``threshold_`` is the rule in force. A model
        keeps no data: strengths under gates that it has not measured yet are NaN, and groups are
        ordered by their gate probabilities, unless rows to judge them on are given.

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
        validate_parameter_constraints(
            {"threshold": self._parameter_constraints["threshold"]},
            {"threshold": threshold},
            caller_name=f"{type(self).__name__}.set_threshold",
        )
        if (X is None) != (y is None):
            raise ValueError("X and y go together: strengths need both; got only one of them.")
        judging = None if X is None else self._new_data(X, y, sample_weight)
        self._select(as_threshold(threshold), judging)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _prepare(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Problem:
        """Check the arguments before the rows."""
        self._validate_params()
        if self.early_stopping and self.validation_fraction is None:
            raise ValueError(
                f"early_stopping={self.early_stopping} judges epochs on held-out rows, but "
                "validation_fraction=None holds out none: set it, to 0.2 for example."
            )
        return super()._prepare(X, y, sample_weight)

    def _train(self, problem: Problem, seeds: list[int]) -> list[TrainedEnsemble]:
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

    def _publish(self, problem: Problem, trained: TrainedEnsemble) -> None:
        """Set all fitted attributes."""
        training = problem.training
        self.ensemble_ = trained
        self.history_ = list(trained.history)
        self._constant_outputs = self._target.constant_outputs(training.target, training.weights)
        varies = np.zeros(len(self._features), dtype=bool)
        varies[self._features.owner[~self._is_constant]] = True
        self.gate_probabilities_ = np.where(varies, trained.probabilities, 0.0)
        self._measured: dict[bytes, NDArray[np.float64]] = {}
        self._select(as_threshold(self.threshold), problem.judging)

    def _select(self, threshold: Threshold, judging: TrainingData | None) -> None:
        """Set the groups that the threshold picks; gates that are shut for good stay shut."""
        self.threshold_ = threshold
        probabilities = self.gate_probabilities_
        self._mask: Mask = threshold(probabilities) & (probabilities > 0)
        opened = np.ma.array(probabilities, mask=~self._mask).mean(axis=1).filled(0.0)
        order = np.argsort(-opened, kind="stable")
        groups = [tuple(np.flatnonzero(self._mask[learner]).tolist()) for learner in order]
        strengths = self._strengths(judging)
        self._set_groups(groups, self._features, strength=strengths[order])
        self._learners = [int(order[groups.index(group)]) for group in self.groups_]
        if not self.groups_:
            warnings.warn(
                f"{type(self).__name__} found no group: no gate passes {threshold}, and "
                "predictions are the same for all rows. A smaller beta or threshold, more "
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
        losses = self._target.loss(jnp.asarray(outputs), jnp.asarray(rows.target))
        return float(np.average(np.asarray(losses), weights=rows.weights))

    def _outputs(self, X: Any) -> NDArray[np.float64]:
        """Return the ensemble's outputs, shape (rows, outputs)."""
        columns = self._read(X)
        if not self.groups_:
            return np.tile(self._constant_outputs.astype(np.float64), (len(columns), 1))
        return np.asarray(predict_outputs(self.ensemble_, self._mask, columns), dtype=np.float64)


def as_threshold(threshold: float | Threshold) -> Threshold:
    """Return a number as the rule "at least this probable"."""
    if isinstance(threshold, (float, int, np.number)):
        return AtLeast(float(threshold))
    return threshold
