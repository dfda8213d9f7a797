"""The recommended method: screen, discover, refine."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from coterie.discovery.final import CompositeModel
from coterie.discovery.problem import Problem
from coterie.estimators._coterie import Coterie
from coterie.estimators._targets import Classes, RealValues, class_weights
from coterie.model.aggregators import ManyClasses, Predictor, TwoClasses, Values


class CoterieClassifier(ClassifierMixin, Coterie):
    r"""Find the groups of features that act together on two or more classes.

    The answer is the finest set of groups :math:`G_i` whose composite model

    .. math:: f(x) = \rho\Big(\sum_i f_i(x_{G_i})\Big)

    predicts held-out rows as well as one without that restriction. All features are screened,
    structures are proposed, and simplified or extended one step at a time, each step decided by
    paired differences of held-out losses. There is nothing to tune.

    Parameters
    ----------
    max_groups, max_group_size, max_features : int, optional
        Bounds on what is reported.
    aggregator : {"auto", "sum", "or", "and"}, default="auto"
        How the groups act together: "sum" adds log-odds, "or" lets each group alone cause
        ``classes_[1]``, "and" lets each group alone prevent it. More than two classes allow "sum".
    effort : {"fast", "standard", "thorough"}, default="standard"
    n_seeds : int, optional
        Networks trained for each structure, of which the best counts; by default 1, 2 or 4,
        depending on ``effort``.
    validation_fraction : float, optional
        Share of the rows of each class to hold out. By default a quarter, or cross-fitting where
        there are fewer than 4,000 rows.
    time_limit : float, optional
        Seconds after which the search ends with the best result so far and a warning.
    class_weight : dict, "balanced" or None, default=None
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature; as in :class:`CompFSClassifier`.
    random_state : int, RandomState, Generator or None, default=None
    n_jobs : int, optional
        Trainings side by side; by default as many as there are cores.
    device : optional
        A JAX device or its platform's name, such as "gpu".
    verbose : int, default=0
        Report each stage through ``logging``, at level INFO, if above 0.
    callbacks : list of Callback, optional
        Called with a record at the end of each stage; one that returns True ends the search. One
        that has a method ``stops_now()`` is asked before each training, too.

    Attributes
    ----------
    groups_ : list of tuple of int
        Sorted groups, the most important first.
    aggregator_ : str
    base_value_ : float or ndarray
    classes_ : ndarray
    interactions_ : DataFrame
        The pairs that were tested: ``a``, ``b``, ``effect`` (loss that the interaction saves),
        ``z``, ``kept``.
    alternatives_ : dict of DataFrame
        For each member, what could stand in for it: ``feature``, ``loss_difference``, ``z``.
    screen_ : DataFrame
        The top scores of the screen: ``features``, ``kind``, ``z``.
    trace_ : list of dict
        Every decision of the search.
    history_ : list of dict
        A record of each stage.
    model_ : CompositeModel or None
    is_complete_ : bool
        False if the search was stopped before its end.
    n_features_in_, feature_names_in_, features_
        As in :class:`CompFSClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 8))
    >>> y = (X[:, 1] * X[:, 4] > 0.3) | (X[:, 6] > 1)
    >>> model = CoterieClassifier(random_state=0).fit(X, y)
    >>> sorted(model.groups_), model.aggregator_
    ([(1, 4), (6,)], 'or')
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Coterie._parameter_constraints,
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }
    _takes_real_values = False

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
        class_weight: dict[Any, float] | str | None = None,
        feature_groups: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: Any = None,
        verbose: int = 0,
        callbacks: Any = None,
    ) -> None:
        super().__init__(
            max_groups,
            max_group_size=max_group_size,
            max_features=max_features,
            aggregator=aggregator,
            effort=effort,
            n_seeds=n_seeds,
            validation_fraction=validation_fraction,
            time_limit=time_limit,
            feature_groups=feature_groups,
            random_state=random_state,
            n_jobs=n_jobs,
            device=device,
            verbose=verbose,
            callbacks=callbacks,
        )
        self.class_weight = class_weight

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, shape (rows, classes)."""
        return self._predictions(X)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return log-probabilities, shape (rows, classes).

        With two classes it is the log-odds of ``classes_[1]``, shape (rows,).
        """
        if self._is_additive():  # where probabilities round to 0 and 1, log-odds still differ
            return self.base_value_ + self.contributions(X).sum(axis=1)
        logarithms = np.log(np.maximum(self._predictions(X), np.finfo(np.float32).tiny))
        return logarithms[:, 1] - logarithms[:, 0] if logarithms.shape[1] == 2 else logarithms

    def _is_additive(self) -> bool:
        """Tell whether contributions add up to the log-odds of one class."""
        check_is_fitted(self, "groups_")
        return len(self.classes_) == 2 and self.aggregator_ == "sum"

    def _make_target(self, y: NDArray[Any], weights: NDArray[Any] | None) -> Classes:
        target = Classes.of(y)
        self.classes_ = target.labels
        return target

    def _weigh(self, y: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any] | None:
        return class_weights(self.class_weight, y, weights)

    def _make_predictor(self) -> Predictor:
        return TwoClasses() if len(self.classes_) == 2 else ManyClasses(len(self.classes_))

    def _predictor_target(self, target: NDArray[Any]) -> NDArray[Any]:
        return target.astype(np.float32) if len(self.classes_) == 2 else target

    def _constant(self, rows: Problem) -> NDArray[np.float64]:
        shares = np.bincount(rows.target.astype(int), rows.weights, len(self.classes_))
        return shares / shares.sum()

    def _base(self, model: CompositeModel | None) -> Any:
        if model is not None:
            base = model.base
        else:
            base = np.log(np.maximum(self._constant_outputs, np.finfo(np.float32).tiny))
            base = base[1:] - base[:1] if len(base) == 2 else base
        return float(base[0]) if len(base) == 1 else base


class CoterieRegressor(RegressorMixin, Coterie):
    """Find the groups of features that act together on one or several real outcomes.

    The method of :class:`CoterieClassifier` with the squared error in place of the log-loss; groups
    add up. Losses and strengths are in units of the outcomes' variance, ``contributions`` in the
    unit of the outcome.

    Parameters
    ----------
    max_groups, max_group_size, max_features, aggregator, effort, n_seeds, validation_fraction, \
time_limit, feature_groups, random_state, n_jobs, device, verbose, callbacks
        As in :class:`CoterieClassifier`; "sum" is the only aggregator.

    Attributes
    ----------
    groups_, aggregator_, base_value_, interactions_, alternatives_, screen_, trace_, history_, \
model_, is_complete_, n_features_in_, feature_names_in_, features_
        As in :class:`CoterieClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 8))
    >>> y = 5.0 * X[:, 1] * X[:, 4] + X[:, 6]
    >>> CoterieRegressor(random_state=0).fit(X, y).groups_
    [(1, 4), (6,)]
    """

    _takes_real_values = True
    _target: RealValues

    def _make_target(self, y: NDArray[Any], weights: NDArray[Any] | None) -> RealValues:
        return RealValues.of(y, weights)

    def _make_predictor(self) -> Predictor:
        return Values(len(self._target.mean))

    def _constant(self, rows: Problem) -> NDArray[np.float64]:
        return np.zeros(self._predictor.n_outputs)

    def _base(self, model: CompositeModel | None) -> Any:
        base = self._constant_outputs if model is None else model.base
        values = base * self._target.scale + self._target.mean
        return float(values[0]) if len(values) == 1 else values

    def _unit(self) -> Any:
        return self._target.scale

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
