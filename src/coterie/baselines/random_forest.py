"""Random Forest groups: the main features of each of the best trees of a forest."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from coterie.baselines._base import log_probabilities
from coterie.baselines._forests import TreeGroupsClassifier
from coterie.baselines._trees import Tree, unpack
from coterie.training import TrainingData


class ForestGroupsClassifier(TreeGroupsClassifier):
    """Groups from the trees of scikit-learn's random forest.

    Trees are ranked by the area under the ROC curve of each alone, on held-out rows. The features
    that make up more than ``threshold`` of a tree's importance are a group.

    Parameters
    ----------
    n_trees : int, default=100
        As in the paper's code; its text says 250.
    max_depth : int or None, default=5
    n_best : int, default=10
        Trees that give a group each.
    threshold : float, default=0.1
    max_group_size : int, default=10
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        Columns to look at for each split, as in ``RandomForestClassifier``.
    validation_fraction : float, default=0.2
        Share of the rows of each class to rank the trees on. The paper ranked them on the test set.
    standardize : bool, default=False
        Bring the columns to mean 0 and variance 1 first.
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature, whose importances add up.
    n_jobs : int or None, default=None
    random_state : int, RandomState, Generator or None, default=None

    Attributes
    ----------
    groups_ : list of tuple of int
        That of the best tree first.
    trees_ : dict of ndarray
        The trees, laid end to end.
    validation_scores_ : ndarray, shape (n_trees,)
        The area under the ROC curve of each tree.
    classes_, features_, n_features_in_, feature_names_in_
        As in ``CompFSClassifier``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 4))
    >>> y = (X[:, 1] > 0) & (X[:, 3] > 0)
    >>> ForestGroupsClassifier(max_features=None, random_state=0).fit(X, y).groups_
    [(1, 3)]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **TreeGroupsClassifier._parameter_constraints,
        "max_features": [*RandomForestClassifier._parameter_constraints["max_features"]],
        "n_jobs": [int, None],
    }

    def __init__(
        self,
        n_trees: int = 100,
        *,
        max_depth: int | None = 5,
        n_best: int = 10,
        threshold: float = 0.1,
        max_group_size: int = 10,
        max_features: int | float | str | None = "sqrt",
        validation_fraction: float = 0.2,
        standardize: bool = False,
        feature_groups: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_trees = n_trees
        self.max_depth = max_depth
        self.n_best = n_best
        self.threshold = threshold
        self.max_group_size = max_group_size
        self.max_features = max_features
        self.validation_fraction = validation_fraction
        self.standardize = standardize
        self.feature_groups = feature_groups
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _grow(self, rows: TrainingData, seed: int) -> list[Tree]:
        forest = RandomForestClassifier(
            self.n_trees,
            max_depth=self.max_depth,
            max_features=self.max_features,
            n_jobs=self.n_jobs,
            random_state=seed,
        ).fit(rows.columns, rows.target, rows.weights)
        return [_tree(grown.tree_) for grown in forest.estimators_]

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        shares = np.mean([tree.outputs(columns) for tree in unpack(self.trees_)], axis=0)
        return log_probabilities(shares)


def _tree(grown: Any) -> Tree:
    """Return a tree of scikit-learn's as plain arrays."""
    left, right = grown.children_left, grown.children_right
    reach = grown.weighted_n_node_samples * grown.impurity
    splits = left >= 0
    decrease = np.where(splits, reach - reach[left] - reach[right], 0.0)
    value = grown.value[:, 0, :]
    shares = value / value.sum(axis=1, keepdims=True)
    return Tree(grown.feature, grown.threshold, left, right, shares, decrease)
