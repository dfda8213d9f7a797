"""Ensemble STG: several gated learners, joined by a network on all their codes."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from coterie.baselines._gated import GatedClassifier


class EnsembleSTGClassifier(GatedClassifier):
    """An ensemble of STG networks whose codes, side by side, pass through a hidden layer.

    The gates and their penalty are those of :class:`STGClassifier`, the penalties of the learners
    add up, and the features of a learner's open gates are a group. Nothing keeps learners apart.

    Parameters
    ----------
    n_groups : int, default=4
        Learners, and so the most groups that can be found.
    reg, sigma, threshold, learning_rate, lr_decay, weight_decay, standardize, feature_groups, \
random_state
        As in :class:`STGClassifier`.
    hidden_dim : int, default=50
        Width of the two hidden layers of each learner, and of the one that joins them.
    max_epochs : int, default=150
    batch_size : int, default=100

    Attributes
    ----------
    groups_ : list of tuple of int
        The groups of the learners, without repetitions and empty ones.
    gates_ : ndarray, shape (n_groups, features)
        The gates without their noise.
    history_, classes_, features_, n_features_in_, feature_names_in_
        As in :class:`STGClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 6))
    >>> y = X[:, 1] * X[:, 4] > 0
    >>> model = EnsembleSTGClassifier(2, learning_rate=0.01, max_epochs=80, random_state=0)
    >>> (1, 4) in model.fit(X, y).groups_
    True
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **GatedClassifier._parameter_constraints,
        "n_groups": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_groups: int = 4,
        *,
        reg: float = 0.1,
        sigma: float = 0.5,
        threshold: float = 1.0,
        hidden_dim: int = 50,
        max_epochs: int = 150,
        batch_size: int = 100,
        learning_rate: float = 0.001,
        lr_decay: float = 1.0,
        weight_decay: float = 0.001,
        standardize: bool = False,
        feature_groups: Any = None,
        random_state: Any = None,
    ) -> None:
        self.n_groups = n_groups
        self.reg = reg
        self.sigma = sigma
        self.threshold = threshold
        self.hidden_dim = hidden_dim
        self.max_epochs = max_epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.lr_decay = lr_decay
        self.weight_decay = weight_decay
        self.standardize = standardize
        self.feature_groups = feature_groups
        self.random_state = random_state

    def _n_learners(self) -> int:
        return self.n_groups

    def _joint_sizes(self, n_outputs: int) -> list[int]:
        return [self.n_groups * self.hidden_dim, self.hidden_dim, n_outputs]
