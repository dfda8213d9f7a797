"""The oracle's features, grouped by how they go together rather than by what they do together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import FeatureAgglomeration

from coterie.baselines.oracle import OracleClassifier
from coterie.groups import Group, canonical_groups


class OracleClusterClassifier(OracleClassifier):
    """A network on features that it is told; as many clusters of them as there are true groups.

    Features are clustered by the distances of their columns (Ward's method, scikit-learn's
    ``FeatureAgglomeration``), which the correlations of columns of one variance determine.

    Parameters
    ----------
    groups, hidden_dim, max_epochs, batch_size, learning_rate, lr_decay, standardize, \
feature_groups, random_state
        As in :class:`OracleClassifier`.

    Attributes
    ----------
    groups_ : list of tuple of int
        The clusters.
    history_, classes_, features_, n_features_in_, feature_names_in_
        As in :class:`OracleClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 3))
    >>> X = np.hstack([X, X[:, :1] + 0.1])
    >>> y = X[:, 0] * X[:, 1] > 0
    >>> OracleClusterClassifier([(0, 1), (1, 3)], random_state=0).fit(X, y).groups_
    [(0, 3), (1,)]
    """

    def _arrange(self, told: Group, columns: NDArray[np.float32]) -> list[Group]:
        n_clusters = min(len(canonical_groups(self.groups or [])), len(told))
        if len(told) < 2:
            return [told]
        owner = self._features.owner
        profiles = np.stack([columns[:, owner == feature].mean(axis=1) for feature in told])
        labels = FeatureAgglomeration(n_clusters=n_clusters).fit(profiles.T).labels_
        clusters = [
            tuple(feature for feature, found in zip(told, labels, strict=True) if found == label)
            for label in range(n_clusters)
        ]
        return sorted(clusters)
