from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

from coterie.baselines import BoostingGroupsClassifier, ForestGroupsClassifier
from coterie.baselines._trees import Tree, main_features, pack, ranking_quality, unpack
from coterie.estimators._rows import held_out_rows

X = np.random.default_rng(0).normal(size=(600, 5)).astype(np.float32)
Y = ((X[:, 1] > 0) & (X[:, 3] > 0.5)).astype(int)
KEPT = ~held_out_rows(Y, 0.2)


def forest(**options):
    return ForestGroupsClassifier(n_trees=20, random_state=0, **options).fit(X, Y)


def boosting(**options):
    return BoostingGroupsClassifier(random_state=0, **options).fit(X, Y)


def test_a_forest_predicts_as_scikit_learns_on_the_same_rows():
    reference = RandomForestClassifier(20, max_depth=5, random_state=0).fit(X[KEPT], Y[KEPT])
    assert forest().predict_proba(X) == pytest.approx(reference.predict_proba(X), abs=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_boosting_predicts_as_scikit_learns_on_the_same_rows(n_classes):
    y = Y if n_classes == 2 else Y + (X[:, 0] > 0.5)
    kept = ~held_out_rows(y, 0.2)
    reference = HistGradientBoostingClassifier(
        max_iter=15, max_depth=5, max_leaf_nodes=None, min_samples_leaf=1, early_stopping=False
    ).fit(X[kept], y[kept])
    model = BoostingGroupsClassifier(random_state=0).fit(X, y)
    assert model.predict_proba(X) == pytest.approx(reference.predict_proba(X), abs=1e-6)


def test_importances_are_scikit_learns():
    reference = RandomForestClassifier(20, max_depth=5, random_state=0).fit(X[KEPT], Y[KEPT])
    for tree, grown in zip(unpack(forest().trees_), reference.estimators_, strict=True):
        assert tree.importances(np.arange(5)) == pytest.approx(grown.feature_importances_)


@pytest.mark.parametrize("fit", [forest, boosting])
def test_groups_are_the_features_that_the_best_trees_split_on(fit):
    model = fit(n_best=3)
    trees = unpack(model.trees_)
    best = np.argsort(-model.validation_scores_, kind="stable")[:3]
    expected = [main_features(trees[place].importances(np.arange(5)), 0.1, 10) for place in best]
    assert model.groups_ == list(dict.fromkeys(expected))
    for place, group in zip(best, expected, strict=True):
        assert set(group) <= set(trees[place].column[trees[place].left >= 0].tolist())


@pytest.mark.parametrize("fit", [forest, boosting])
def test_trees_are_ranked_on_rows_that_they_have_not_seen(fit):
    model = fit()
    trees = unpack(model.trees_)
    for tree, score in zip(trees, model.validation_scores_, strict=True):
        outputs = tree.outputs(X[~KEPT])
        assert score == pytest.approx(ranking_quality(Y[~KEPT], outputs, None))


def test_the_largest_features_come_first_where_room_is_short():
    importances = np.array([0.2, 0.5, 0.3])
    assert main_features(importances, 0.1, 2) == (1, 2)
    assert main_features(importances, 0.4, 3) == (1,)


def test_a_perfect_tree_ranks_above_a_guess():
    target = np.array([0, 1, 1, 0])
    assert ranking_quality(target, np.array([[1.0, 0.0], [0.0, 1.0]] * 2)[[0, 1, 3, 2]], None) == 1
    assert ranking_quality(target, np.zeros((4, 1)), None) == 0.5


def test_packed_trees_come_apart_again():
    stump = Tree(*map(np.array, ([0, 0, 0], [0.0, 0, 0], [1, -1, -1], [2, -1, -1], [[0.0]] * 3)),
                 np.array([1.0, 0, 0]))  # fmt: skip
    leaf = Tree(*map(np.array, ([0], [0.0], [-1], [-1], [[5.0]], [0.0])))
    again = unpack(pack([stump, leaf]))
    assert [len(tree.column) for tree in again] == [3, 1]
    assert again[1].outputs(np.zeros((2, 1))).tolist() == [[5.0], [5.0]]
    assert again[1].importances(np.array([0])).tolist() == [0.0]
