"""What Coterie's classifier and regressor share: validate, search, publish what was found."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from time import monotonic
from typing import Any, ClassVar, Self

import jax
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from coterie.discovery.certify import certify, with_refits
from coterie.discovery.efforts import EFFORTS, Effort
from coterie.discovery.explain import alternatives, interactions, readable_trace, screen_table
from coterie.discovery.final import CompositeModel, final_effort, fit_final
from coterie.discovery.limits import Limits
from coterie.discovery.method import Found, Search
from coterie.discovery.problem import Problem as JudgedRows
from coterie.discovery.problem import bootstrap_rows
from coterie.discovery.scales import NormalScores
from coterie.discovery.structures import Structure
from coterie.estimators._rows import Problem, RowsMixin, assign_folds
from coterie.estimators._selector import GroupSelectorMixin
from coterie.estimators._validation import integer_seed
from coterie.model.aggregators import AGGREGATORS, Predictor
from coterie.training import TrainingData
from coterie.training.compilation import resolve_device

_logger = logging.getLogger(__name__)


class StageProgress:
    """Report each stage through ``logging`` at level INFO."""

    def on_epoch_end(self, record: dict[str, Any], state: Callable[[], Any]) -> None:
        """Log the stage's loss and the number of groups it ended with."""
        _logger.info("%(stage)s: loss %(loss).4f, groups %(n_groups)d", record)


class Coterie(RowsMixin, GroupSelectorMixin, BaseEstimator):
    """Screen, discover, refine; the classifier and the regressor say what the target is."""

    standardize = True  # in double precision, before anything is float32
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "max_groups": [Interval(Integral, 1, None, closed="left"), None],
        "max_group_size": [Interval(Integral, 1, None, closed="left"), None],
        "max_features": [Interval(Integral, 1, None, closed="left"), None],
        "aggregator": [StrOptions({"auto", *AGGREGATORS})],
        "effort": [StrOptions(set(EFFORTS))],
        "n_seeds": [Interval(Integral, 1, None, closed="left"), None],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither"), None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "feature_groups": [dict, "array-like", None],
        "random_state": ["random_state", np.random.Generator],
        "n_jobs": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Integral, None, -1, closed="right"),
            None,
        ],
        "device": "no_validation",
        "verbose": ["verbose"],
        "callbacks": [list, tuple, None],
    }
    _predictor: Predictor

    def __init__(
        self,
        max_groups: int | None = None,
        *,
        max_group_size: int | None = None,
        max_features: int | None = None,
        aggregator: str = "auto",
        effort: str = "standard",
        n_seeds: int | None = None,
        validation_fraction: float | None = None,
        time_limit: float | None = None,
        feature_groups: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: Any = None,
        verbose: int = 0,
        callbacks: Any = None,
    ) -> None:
        self.max_groups = max_groups
        self.max_group_size = max_group_size
        self.max_features = max_features
        self.aggregator = aggregator
        self.effort = effort
        self.n_seeds = n_seeds
        self.validation_fraction = validation_fraction
        self.time_limit = time_limit
        self.feature_groups = feature_groups
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.device = device
        self.verbose = verbose
        self.callbacks = callbacks

    def _make_predictor(self) -> Predictor:
        """Return the model's view of the target."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Find the groups and fit the composite model with them.

        Parameters
        ----------
        X : data frame, array-like or sparse matrix, shape (rows, columns)
            Numbers and booleans. Sparse matrices are turned into dense float32.
        y : array-like, shape (rows,); for real outcomes (rows, outputs) too
        sample_weight : array-like, shape (rows,), optional
            Only their ratios matter. Rows of weight zero count as absent.

        Returns
        -------
        self
        """
        self._validate_params()
        stops = self._clock()
        data = self._prepare(X, y, sample_weight).training
        self._predictor = self._make_predictor()
        self._refuse_aggregator()
        seed = integer_seed(self.random_state)
        device = resolve_device(self.device)
        with jax.default_device(device):
            scales = NormalScores.of(data.columns)
            rows = self._rows(data, scales, seed)
            found = self._search(rows, seed, device, stops)
            self._publish(found, rows, scales, seed, device, stops)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the prediction for each row, shape as ``y``.

        Without any group it is the same for all rows: the commonest class or the mean.
        """
        predictions = self._predictions(X)
        return self._target.decode(predictions)

    def contributions(self, X: Any) -> NDArray[np.float64]:
        """Return what each group adds to the score of each row, on the aggregator's scale.

        With ``base_value_`` they add up to the score: log-odds (unnormalised log-probabilities for
        more than two classes) or the outcome under "sum"; under "or" the rate of causes ``e`` of
        which the probability is ``1 - exp(-e)``, between a floor and a ceiling; under "and" the
        same for the other class.

        Returns
        -------
        ndarray, shape (rows, groups), or (rows, groups, outputs) for several outputs
        """
        effects = self._effects(self._read(X)) * self._unit()
        return effects[:, :, 0] if effects.shape[2] == 1 else effects

    def group_effect(self, i: int, grid: Any) -> NDArray[np.float64]:
        """Return the contribution of one group where its columns have given values.

        Parameters
        ----------
        i : int
            Position in ``groups_``.
        grid : array-like, shape (points, columns of the group)
            Values in the units of X; the columns in the order of X.

        Returns
        -------
        ndarray, shape (points,), or (points, outputs) for several outputs
        """
        check_is_fitted(self, "groups_")
        if not 0 <= i < len(self.groups_):
            raise IndexError(
                f"i={i} is not the position of a group: groups_ holds {len(self.groups_)}."
            )
        columns = np.flatnonzero(self.features_.columns_of(self.groups_[i]))
        points = np.asarray(grid, dtype=np.float64)
        if points.ndim == 1 and len(columns) == 1:
            points = points[:, None]
        if points.ndim != 2 or points.shape[1] != len(columns):
            raise ValueError(
                f"grid must have one column for each of the {len(columns)} columns of group {i}; "
                f"got shape {points.shape}."
            )
        table = np.zeros((len(points), self.n_features_in_), np.float32)
        scaled = (points - self._scaling.offset[columns]) / self._scaling.scale[columns]
        table[:, columns] = scaled
        effects = self._effects(table)[:, i] * self._unit()
        return effects[:, 0] if effects.shape[1] == 1 else effects

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _split(self, data: TrainingData) -> Problem:
        """Learn from all rows: the search holds rows out by itself."""
        return Problem(data, None)

    def _rows(self, data: TrainingData, scales: NormalScores, seed: int) -> JudgedRows:
        """Return the rows as the search takes them; the columns become normal scores in place."""
        return JudgedRows(
            scales.write(data.columns, data.columns),
            self._features.owner,
            self._predictor_target(data.target),
            data.scaled_weights(),
            self._predictor,
            assign_folds(self._target.strata(data.target), self.validation_fraction, seed),
        )

    def _predictor_target(self, target: NDArray[Any]) -> NDArray[Any]:
        return target

    def _search(
        self,
        rows: JudgedRows,
        seed: int,
        device: jax.Device,
        stops: Callable[[dict[str, Any] | None], bool],
    ) -> Found:
        effort = EFFORTS[self.effort].with_seeds(self.n_seeds)
        chosen = self._predictor.aggregators if self.aggregator == "auto" else (self.aggregator,)
        found = self._make_search(rows, chosen, effort, seed, device, stops).run()
        if not found.is_complete:
            warnings.warn(
                f"The search was stopped before its end ({self._limit_in_words()}); the best "
                "result so far is kept. Allow more time for a result that can be trusted.",
                stacklevel=3,
            )
        elif not found.structure.groups:
            warnings.warn(
                "No group of features predicts the outcome better than a constant: nothing is "
                "selected, and the prediction is the same for all rows.",
                stacklevel=3,
            )
        elif not found.is_matched:
            warnings.warn(
                "One network of all candidate features predicts held-out rows better than the "
                "groups do: a feature or an interaction may be missing from them (trace_ has the "
                "losses). effort='thorough' looks longer.",
                stacklevel=3,
            )
        return found

    def _limit_in_words(self) -> str:
        """Say what may have stopped the search."""
        limit = [] if self.time_limit is None else [f"time_limit={self.time_limit}"]
        return " or ".join([*limit, *(["a callback"] if self.callbacks else [])])

    def _make_search(
        self,
        rows: JudgedRows,
        aggregators: Sequence[str],
        effort: Effort,
        seed: int,
        device: jax.Device,
        stops: Callable[[dict[str, Any] | None], bool],
    ) -> Search:
        limits = Limits(self.max_groups, self.max_group_size, self.max_features)
        workers = self.n_jobs if self.n_jobs and self.n_jobs > 0 else os.cpu_count() or 1
        return Search(rows, aggregators, effort, limits, seed, device, stops, workers)

    def _refit(
        self,
        rows: JudgedRows,
        seed: int,
        device: jax.Device,
        stops: Callable[[dict[str, Any] | None], bool],
    ) -> list[Structure]:
        """Search again on bootstrap rows, as often as the effort says and the time allows."""
        structures = []
        for resample in range(EFFORTS[self.effort].n_refits):
            drawn = bootstrap_rows(rows, seed, resample)
            search = self._make_search(
                drawn, (self.aggregator_,), EFFORTS["fast"], seed, device, lambda _: stops(None)
            )
            found = search.run()
            if not found.is_complete:
                break
            structures.append(found.structure)
        return structures

    def _publish(
        self,
        found: Found,
        rows: JudgedRows,
        scales: NormalScores,
        seed: int,
        device: jax.Device,
        stops: Callable[[dict[str, Any] | None], bool],
    ) -> None:
        """Set all fitted attributes."""
        structure, judge = found.structure, found.judge
        self.is_complete_ = found.is_complete
        labels = self._features.labels
        self.history_ = found.history
        self.trace_ = readable_trace(found.trace, labels)
        self.screen_ = screen_table(found.scores, found.products, self._features.owner, labels)
        self.interactions_ = interactions(structure, judge, labels)
        self.alternatives_ = alternatives(structure, judge, found.stand_ins, labels)
        self.aggregator_ = structure.aggregator
        self._constant_outputs = self._constant(rows)
        self.model_: CompositeModel | None = None
        if not structure.groups:
            self._set_groups([], self._features)
            self.base_value_ = self._base(None)
            return
        refitted = self._refit(rows, seed, device, stops)
        known = with_refits(certify(structure, judge, seed), structure, refitted)
        order = np.argsort(-known.strength, kind="stable")
        ordered = Structure(tuple(structure.groups[place] for place in order), structure.aggregator)
        effort = final_effort(judge, structure, EFFORTS[self.effort].steps)
        self.model_ = fit_final(ordered, rows, scales, seed, effort, device, judge.decay)
        self._set_groups(
            structure.groups,
            self._features,
            strength=known.strength,
            strength_low=known.low,
            strength_high=known.high,
            certainty=known.certainty,
        )
        self.base_value_ = self._base(self.model_)

    def _effects(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the effects of all groups, shape (rows, groups, outputs)."""
        if self.model_ is None:
            return np.zeros((len(table), 0, self._predictor.n_outputs))
        return self.model_.effects(table)

    def _predictions(self, X: Any) -> NDArray[np.float64]:
        """Return probabilities of classes, or standardised values, for rows of X."""
        table = self._read(X)
        if self.model_ is None:
            return np.tile(self._constant_outputs, (len(table), 1))
        return self.model_.predictions(self.model_.effects(table))

    def _constant(self, rows: JudgedRows) -> NDArray[np.float64]:
        """Return the prediction without any group, shape (classes or outputs,)."""
        raise NotImplementedError

    def _base(self, model: CompositeModel | None) -> Any:
        """Return the score without any effect."""
        raise NotImplementedError

    def _unit(self) -> Any:
        """Return what an effect of 1 is in the unit of the score."""
        return 1.0

    def _refuse_aggregator(self) -> None:
        if self.aggregator not in ("auto", *self._predictor.aggregators):
            raise ValueError(
                f"aggregator={self.aggregator!r} speaks of two classes, but y holds something "
                "else: use aggregator='sum' or 'auto'."
            )

    def _clock(self) -> Callable[[dict[str, Any] | None], bool]:
        """Return what the search asks whether to stop, and tells its records."""
        ends = None if self.time_limit is None else monotonic() + self.time_limit
        callbacks = [*(self.callbacks or []), *([StageProgress()] if self.verbose else [])]

        def stops(record: dict[str, Any] | None) -> bool:
            asked = [
                callback.on_epoch_end(record, lambda: record)
                for callback in callbacks
                if record is not None
            ]
            waiting = [callback for callback in callbacks if hasattr(callback, "stops_now")]
            return (
                any(asked)
                or any(callback.stops_now() for callback in waiting)
                or (ends is not None and monotonic() > ends)
            )

        return stops
