"""STG: feature selection by stochastic gates (Yamada et al., 2020)."""

from __future__ import annotations

from typing import Any

from coterie.baselines._gated import GatedClassifier


class STGClassifier(GatedClassifier):
    r"""Stochastic gates before a network with two hidden layers; one group.

    Each feature passes a gate :math:`z_k = \max(0, \min(1, \mu_k + \tfrac12 + \sigma \epsilon_k))`
    with :math:`\epsilon_k` normal, and training lowers

    .. math:: \ell_Y(y, \hat y) + \frac{\lambda}{p} \sum_k
        \Phi\Big(\frac{\mu_k + 1/2}{\sigma}\Big),

    whose second term counts the gates that are expected to be open.

    Parameters
    ----------
    reg : float, default=0.1
        :math:`\lambda`.
    sigma : float, default=0.5
        Standard deviation of the noise of the gates.
    threshold : float, default=1.0
        A feature is selected if its gate, without noise, is open to at least this degree.
    hidden_dim : int, default=20
        Width of both hidden layers.
    max_epochs : int, default=250
    batch_size : int, default=250
    learning_rate : float, default=0.001
    lr_decay : float, default=1.0
        What the learning rate is multiplied by after an epoch.
    weight_decay : float, default=0.001
        Weight of half of the sum of the squares of all parameters.
    standardize : bool, default=False
        Bring the columns to mean 0 and variance 1 first. A shut gate leaves 0.
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature, and so share a gate.
    random_state : int, RandomState, Generator or None, default=None

    Attributes
    ----------
    groups_ : list of tuple of int
        One group, or none.
    gates_ : ndarray, shape (1, features)
        The gates without their noise.
    history_ : list of dict
        A record of each epoch.
    classes_, features_, n_features_in_, feature_names_in_
        As in ``CompFSClassifier``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 6))
    >>> y = X[:, 1] * X[:, 4] > 0
    >>> STGClassifier(learning_rate=0.01, max_epochs=250, random_state=0).fit(X, y).groups_
    [(1, 4)]
    """

    def __init__(
        self,
        reg: float = 0.1,
        *,
        sigma: float = 0.5,
        threshold: float = 1.0,
        hidden_dim: int = 20,
        max_epochs: int = 250,
        batch_size: int = 250,
        learning_rate: float = 0.001,
        lr_decay: float = 1.0,
        weight_decay: float = 0.001,
        standardize: bool = False,
        feature_groups: Any = None,
        random_state: Any = None,
    ) -> None:
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
        return 1

    def _joint_sizes(self, n_outputs: int) -> list[int]:
        return [self.hidden_dim, n_outputs]
