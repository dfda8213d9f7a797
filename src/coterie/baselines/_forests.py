"""What the two baselines made of trees share: each of the best trees' features are a group."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from coterie.baselines._base import COMMON, Baseline
from coterie.baselines._trees import Tree, main_features, pack, ranking_quality
from coterie.estimators._rows import Problem
from coterie.estimators._validation import integer_seed
from coterie.groups import Group
from coterie.training import TrainingData


class TreeGroupsClassifier(Baseline):
    """Trees, ranked on held-out rows; the main features of each of the best are a group."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        "n_trees": [Interval(Integral, 1, None, closed="left")],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "n_best": [Interval(Integral, 1, None, closed="left")],
        "threshold": [Interval(Real, 0, 1, closed="left")],
        "max_group_size": [Interval(Integral, 1, None, closed="left")],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "random_state": ["random_state", np.random.Generator],
    }
    n_trees: int
    max_depth: int | None
    n_best: int
    threshold: float
    max_group_size: int
    random_state: Any

    def _grow(self, rows: TrainingData, seed: int) -> list[Tree]:
        """Return the trees."""
        raise NotImplementedError

    def _find_groups(self, problem: Problem) -> list[Group]:
        assert problem.validation is not None
        trees = self._grow(problem.training, integer_seed(self.random_state))
        self.trees_ = pack(trees)
        self.validation_scores_ = np.array(
            [self._quality(place, tree, problem.validation) for place, tree in enumerate(trees)]
        )
        best = np.argsort(-self.validation_scores_, kind="stable")[: self.n_best]
        importances = [trees[place].importances(self._features.owner) for place in best]
        return [
            main_features(of_tree, self.threshold, self.max_group_size) for of_tree in importances
        ]

    def _quality(self, place: int, tree: Tree, rows: TrainingData) -> float:
        """Return how well a tree alone ranks rows by class."""
        return ranking_quality(rows.target, tree.outputs(rows.columns), rows.weights)
