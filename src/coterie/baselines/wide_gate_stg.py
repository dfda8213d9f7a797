"""Ensemble STG as the paper ran it: with wider gates, and almost no price on those half open."""

from __future__ import annotations

from typing import Any

from coterie.baselines._gates import Gate, WideGate
from coterie.baselines.ensemble_stg import EnsembleSTGClassifier


class WideGateSTGClassifier(EnsembleSTGClassifier):
    r"""Ensemble STG with the gates and the penalty of the paper's package.

    Its gates are :math:`\max(0, \min(1, \tfrac16 (\mu + \tfrac12 + \sigma \epsilon) + \tfrac12))`,
    and each adds :math:`\lambda \, (1 + \mathrm{erf}(\mu + \tfrac{1}{2 \sigma}))` to the loss. The
    bracket is misplaced, and the gates are six times as wide as those that the penalty speaks of:
    one that is open to a sixth costs next to nothing, so all learners keep all relevant features,
    as in the published tables. The gates of :class:`EnsembleSTGClassifier` let some be dropped.

    Parameters
    ----------
    n_groups, hidden_dim, max_epochs, batch_size, learning_rate, lr_decay
        As in :class:`EnsembleSTGClassifier`.
    standardize, feature_groups, random_state
        As in :class:`EnsembleSTGClassifier`.
    reg : float, default=0.1
        :math:`\lambda`; the penalties of the features add up and are not averaged.
    sigma : float, default=0.5
        Standard deviation of the noise of the gates.
    threshold : float, default=1e-6
        A feature is selected if its gate, without noise, is open to at least this degree.
    weight_decay : float, default=0.0

    Attributes
    ----------
    groups_, gates_, history_, classes_, features_, n_features_in_, feature_names_in_
        As in :class:`EnsembleSTGClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 6))
    >>> y = X[:, 1] + X[:, 4] > 0
    >>> model = WideGateSTGClassifier(2, threshold=0.1, learning_rate=0.02, random_state=0)
    >>> model.fit(X, y).groups_
    [(1, 4)]
    """

    def __init__(
        self,
        n_groups: int = 4,
        *,
        reg: float = 0.1,
        sigma: float = 0.5,
        threshold: float = 1e-6,
        hidden_dim: int = 50,
        max_epochs: int = 150,
        batch_size: int = 100,
        learning_rate: float = 0.001,
        lr_decay: float = 1.0,
        weight_decay: float = 0.0,
        standardize: bool = False,
        feature_groups: Any = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_groups,
            reg=reg,
            sigma=sigma,
            threshold=threshold,
            hidden_dim=hidden_dim,
            max_epochs=max_epochs,
            batch_size=batch_size,
            learning_rate=learning_rate,
            lr_decay=lr_decay,
            weight_decay=weight_decay,
            standardize=standardize,
            feature_groups=feature_groups,
            random_state=random_state,
        )

    def _gate(self) -> Gate:
        return WideGate(self.sigma)

    def _reg_of_mean(self, n_features: int) -> float:
        return self.reg * n_features
