"""The oracle: it is told the true groups, and reports their features as one group."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from coterie.baselines._base import COMMON, Baseline
from coterie.baselines._layers import predict_layers
from coterie.baselines._mlp import train_mlp
from coterie.baselines._training import Schedule
from coterie.estimators._rows import Problem
from coterie.estimators._validation import integer_seed
from coterie.groups import Group, masks_from_groups
from coterie.training.callbacks import Record


class OracleClassifier(Baseline):
    """A network on features that it is told; all of them are one group.

    It is the best that a selection of single features can do. Given any features, it is also the
    plain network by which selections are compared.

    Parameters
    ----------
    groups : iterable of iterables of int
        The true groups of features, counted from 0. Must be given.
    hidden_dim : int, default=200
        Width of the two hidden layers.
    max_epochs : int, default=30
    batch_size : int, default=250
    learning_rate : float, default=0.001
    lr_decay : float, default=1.0
        What the learning rate is multiplied by after an epoch.
    standardize : bool, default=False
        Bring the columns to mean 0 and variance 1 first.
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature.
    random_state : int, RandomState, Generator or None, default=None

    Attributes
    ----------
    groups_ : list of tuple of int
        One group.
    history_ : list of dict
        A record of each epoch.
    classes_, features_, n_features_in_, feature_names_in_
        As in ``CompFSClassifier``.

    Notes
    -----
    The paper gives the oracle's accuracy as 100%, that of the rule behind the data; this is what a
    network learns from the rows.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 6))
    >>> OracleClassifier([(1,), (4,)], random_state=0).fit(X, X[:, 1] + X[:, 4] > 0).groups_
    [(1, 4)]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        "groups": "no_validation",
        "hidden_dim": [Interval(Integral, 1, None, closed="left")],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "lr_decay": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state", np.random.Generator],
    }

    def __init__(
        self,
        groups: Iterable[Iterable[int]] | None = None,
        *,
        hidden_dim: int = 200,
        max_epochs: int = 30,
        batch_size: int = 250,
        learning_rate: float = 0.001,
        lr_decay: float = 1.0,
        standardize: bool = False,
        feature_groups: Any = None,
        random_state: Any = None,
    ) -> None:
        self.groups = groups
        self.hidden_dim = hidden_dim
        self.max_epochs = max_epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.lr_decay = lr_decay
        self.standardize = standardize
        self.feature_groups = feature_groups
        self.random_state = random_state

    def _find_groups(self, problem: Problem) -> list[Group]:
        data = problem.training
        told = self._told()
        self._columns = np.flatnonzero(self._features.columns_of(told) & ~self._is_constant)
        self.history_: list[Record] = []
        if not len(self._columns):
            return []
        schedule = Schedule(self.max_epochs, self.batch_size, self.learning_rate, self.lr_decay)
        seed = integer_seed(self.random_state)
        self._layers, self.history_ = train_mlp(
            data, self._columns, self._target.loss, self.hidden_dim, schedule, seed
        )
        return self._arrange(self._features_of(self._columns), data.columns)

    def _told(self) -> list[int]:
        """Return the features of the groups."""
        if self.groups is None:
            raise ValueError(
                f"{type(self).__name__} must be told groups, such as [(0, 1), (2,)]; got None."
            )
        masks = masks_from_groups(self.groups, len(self._features))
        return [int(feature) for feature in np.flatnonzero(masks.any(axis=0))]

    def _arrange(self, told: Group, columns: NDArray[np.float32]) -> list[Group]:
        """Return the features in groups."""
        return [told]

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        return predict_layers(self._layers, columns[:, self._columns])
