"""The supervised concrete autoencoder: selected columns that a network classifies by."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.baselines._autoencoders import ConcreteAutoencoder
from coterie.baselines._concrete import ClassShares
from coterie.baselines._layers import predict_layers
from coterie.estimators._rows import Problem
from coterie.estimators._validation import integer_seed
from coterie.groups import Group


class SupervisedCAEClassifier(ConcreteAutoencoder):
    r"""Concrete selection before a classifier with two hidden layers; one group.

    Each of :math:`k` selections passes on the product of the row with
    :math:`\mathrm{softmax}((\alpha + G) / T)`, where :math:`G` is Gumbel noise and the temperature
    :math:`T` falls geometrically, so that a mixture of all columns turns into one of them.

    Parameters
    ----------
    n_select : int, default=4
        :math:`k`. Selections may choose the same column. The paper gives it the number of relevant
        features.
    hidden_dim : int, default=200
        Width of both hidden layers.
    max_epochs : int, default=250
    max_tries : int, default=1
        How often to train anew, with twice as many epochs each time, while the selections are not
        sure. The method's authors try up to five times, the paper's code once.
    sure : float, default=0.998
        The mean over the selections of the greatest probability of a column from which on they are
        sure.
    start_temperature, end_temperature : float, default=10.0 and 0.1
    batch_size : int, default=250
    learning_rate : float, default=0.001
    standardize : bool, default=False
        Bring the columns to mean 0 and variance 1 first.
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature. Columns are selected one by one, and reported by features.
    random_state : int, RandomState, Generator or None, default=None

    Attributes
    ----------
    groups_ : list of tuple of int
        One group.
    selection_ : ndarray of int, shape (n_select,)
        The column of each selection.
    sureness_ : float
    history_ : list of dict
        A record of each epoch.
    classes_, features_, n_features_in_, feature_names_in_
        As in ``CompFSClassifier``.

    Notes
    -----
    As in the paper's code, the loss is the squared error of the classes' probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 6))
    >>> y = X[:, 1] + X[:, 4] > 0
    >>> SupervisedCAEClassifier(2, max_epochs=60, random_state=0).fit(X, y).groups_
    [(1, 4)]
    """

    def __init__(
        self,
        n_select: int = 4,
        *,
        hidden_dim: int = 200,
        max_epochs: int = 250,
        max_tries: int = 1,
        sure: float = 0.998,
        start_temperature: float = 10.0,
        end_temperature: float = 0.1,
        batch_size: int = 250,
        learning_rate: float = 0.001,
        standardize: bool = False,
        feature_groups: Any = None,
        random_state: Any = None,
    ) -> None:
        self.n_select = n_select
        self.hidden_dim = hidden_dim
        self.max_epochs = max_epochs
        self.max_tries = max_tries
        self.sure = sure
        self.start_temperature = start_temperature
        self.end_temperature = end_temperature
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.standardize = standardize
        self.feature_groups = feature_groups
        self.random_state = random_state

    def _find_groups(self, problem: Problem) -> list[Group]:
        n_classes = len(self.classes_)
        chosen = self._select_columns(
            problem.training, ClassShares(), n_classes, n_classes, integer_seed(self.random_state)
        )
        return [self._features_of(chosen)]

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        return predict_layers(self._decoder, self._selected(columns))
