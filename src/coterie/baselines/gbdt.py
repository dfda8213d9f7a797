"""GBDT groups: the main features of each of the best trees of gradient boosting."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.utils._param_validation import Interval
from threadpoolctl import threadpool_limits

from coterie.baselines._forests import TreeGroupsClassifier
from coterie.baselines._trees import LEAF, Tree, ranking_quality, unpack
from coterie.training import TrainingData


class BoostingGroupsClassifier(TreeGroupsClassifier):
    """Groups from the trees of scikit-learn's gradient boosting, on binned columns.

    Trees are ranked by the area under the ROC curve of each alone, on held-out rows. The features
    that make up more than ``threshold`` of the gain of a tree's splits are a group. With more than
    two classes each round grows a tree for each class, and a tree is ranked by its own class.

    Parameters
    ----------
    n_trees : int, default=15
        Rounds, as in the paper's code; its text says 250.
    max_depth : int or None, default=5
    learning_rate : float, default=0.1
    min_samples_leaf : int, default=1
    n_best : int, default=10
        Trees that give a group each.
    threshold : float, default=0.1
    max_group_size : int, default=10
    validation_fraction : float, default=0.2
        Share of the rows of each class to rank the trees on. The paper ranked them on the test set.
    standardize : bool, default=False
        Bring the columns to mean 0 and variance 1 first.
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature, whose gains add up.
    n_jobs : int or None, default=None
        Threads; None takes one, which is fastest where other fits share the machine.
    random_state : int, RandomState, Generator or None, default=None
        Chooses the rows by which columns are binned, where there are more than 200,000.

    Attributes
    ----------
    groups_, trees_, validation_scores_, classes_, features_, n_features_in_, feature_names_in_
        As in :class:`ForestGroupsClassifier`.
    baseline_ : ndarray, shape (1 or classes,)
        The score before the first tree.

    Notes
    -----
    The paper used scikit-learn's exact search for splits, which takes 78 s for fifteen trees on
    20,000 rows of 500 columns; with at most 255 bins a column it takes a few.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 4))
    >>> y = (X[:, 1] > 0) & (X[:, 3] > 0)
    >>> BoostingGroupsClassifier(random_state=0).fit(X, y).groups_
    [(1, 3)]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **TreeGroupsClassifier._parameter_constraints,
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        n_trees: int = 15,
        *,
        max_depth: int | None = 5,
        learning_rate: float = 0.1,
        min_samples_leaf: int = 1,
        n_best: int = 10,
        threshold: float = 0.1,
        max_group_size: int = 10,
        validation_fraction: float = 0.2,
        standardize: bool = False,
        feature_groups: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_trees = n_trees
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.min_samples_leaf = min_samples_leaf
        self.n_best = n_best
        self.threshold = threshold
        self.max_group_size = max_group_size
        self.validation_fraction = validation_fraction
        self.standardize = standardize
        self.feature_groups = feature_groups
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _grow(self, rows: TrainingData, seed: int) -> list[Tree]:
        model = HistGradientBoostingClassifier(
            max_iter=self.n_trees,
            max_depth=self.max_depth,
            max_leaf_nodes=None if self.max_depth else 31,
            learning_rate=self.learning_rate,
            min_samples_leaf=self.min_samples_leaf,
            early_stopping=False,
            random_state=seed,
        )
        with threadpool_limits(self.n_jobs or 1, "openmp"):
            model.fit(rows.columns, rows.target, rows.weights)
        self.baseline_ = np.ravel(model._baseline_prediction)
        return [_tree(grown.nodes) for of_round in model._predictors for grown in of_round]

    def _quality(self, place: int, tree: Tree, rows: TrainingData) -> float:
        code = 1 if len(self.baseline_) == 1 else place % len(self.baseline_)
        is_class = (rows.target == code).astype(int)
        return ranking_quality(is_class, tree.outputs(rows.columns), rows.weights)

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        n_scores = len(self.baseline_)
        scores = np.tile(self.baseline_, (len(columns), 1))
        for place, tree in enumerate(unpack(self.trees_)):
            scores[:, place % n_scores] += tree.outputs(columns)[:, 0]
        return np.hstack([np.zeros_like(scores), scores]) if n_scores == 1 else scores


def _tree(nodes: NDArray[Any]) -> Tree:
    """Return a tree of scikit-learn's as plain arrays."""
    is_leaf = nodes["is_leaf"].astype(bool)
    left, right = (
        np.where(is_leaf, LEAF, nodes[side].astype(np.intp)) for side in ("left", "right")
    )
    decrease = np.where(is_leaf, 0.0, nodes["gain"])
    return Tree(
        nodes["feature_idx"].astype(np.intp),
        np.array(nodes["num_threshold"]),
        left,
        right,
        np.array(nodes["value"])[:, None],
        decrease,
    )
