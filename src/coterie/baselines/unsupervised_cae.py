"""The unsupervised concrete autoencoder: selected columns that all others are rebuilt from."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.utils.validation import check_is_fitted

from coterie.baselines._autoencoders import ConcreteAutoencoder
from coterie.baselines._concrete import Reconstruction
from coterie.baselines._layers import predict_layers
from coterie.baselines._mlp import train_mlp
from coterie.baselines._training import Schedule, padded_width
from coterie.estimators._rows import Problem
from coterie.estimators._validation import integer_seed
from coterie.groups import Group

PREDICTION_EPOCHS = 30
"""What the paper trains its networks on selected pixels for."""


class UnsupervisedCAEClassifier(ConcreteAutoencoder):
    """Concrete selection before a network that rebuilds all columns; one group.

    The outcome has no part in the selection. To predict it, a network of the decoder's width is
    then trained on the selected columns. If all columns lie between 0 and 1, the rebuilt ones pass
    a sigmoid, as in the paper's code.

    Parameters
    ----------
    n_select, hidden_dim, max_epochs, max_tries, sure, start_temperature, end_temperature, \
batch_size, learning_rate, standardize, feature_groups, random_state
        As in :class:`SupervisedCAEClassifier`.

    Attributes
    ----------
    groups_, selection_, sureness_, history_, classes_, features_, n_features_in_, \
feature_names_in_
        As in :class:`SupervisedCAEClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 3))
    >>> X[:, 2] = X[:, 0]
    >>> model = UnsupervisedCAEClassifier(2, learning_rate=0.01, max_epochs=60, random_state=0)
    >>> bool(model.fit(X, X[:, 0] > 0).reconstruction_error(X) < 0.1)
    True
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

    def reconstruction_error(self, X: Any) -> float:
        """Return the mean squared error of the rebuilt columns, in the scale of training."""
        check_is_fitted(self, "groups_")
        columns = self._read(X)
        rebuilt = predict_layers(self._decoder, self._selected(columns))[:, : columns.shape[1]]
        rebuilt = expit(rebuilt) if self._is_bounded else rebuilt
        return float(np.mean((rebuilt - columns) ** 2))

    def _find_groups(self, problem: Problem) -> list[Group]:
        data = problem.training
        seed = integer_seed(self.random_state)
        self._is_bounded = bool(data.columns.min() >= 0 and data.columns.max() <= 1)
        chosen = self._select_columns(
            data,
            Reconstruction(jax.nn.sigmoid if self._is_bounded else _identity),
            data.columns.shape[1],
            padded_width(data),
            seed,
        )
        schedule = Schedule(PREDICTION_EPOCHS, self.batch_size, self.learning_rate)
        self._classifier, _ = train_mlp(
            data, chosen, self._target.loss, self.hidden_dim, schedule, seed
        )
        return [self._features_of(chosen)]

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        return predict_layers(self._classifier, self._selected(columns))


def _identity(outputs: jax.Array) -> jax.Array:
    return outputs
