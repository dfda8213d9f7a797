from __future__ import annotations

import numpy as np
import pytest

from coterie.baselines import OracleClassifier, OracleClusterClassifier

SETTINGS = {"hidden_dim": 20, "learning_rate": 0.01, "batch_size": 50, "random_state": 0}
X = np.random.default_rng(0).normal(size=(500, 6))


def test_it_predicts_from_the_features_that_it_is_told_alone():
    y = X[:, 1] * X[:, 4] > 0
    model = OracleClassifier([(1,), (4, 1)], **SETTINGS).fit(X, y)
    others = X.copy()
    others[:, [0, 2, 3, 5]] = 7.0
    assert model.groups_ == [(1, 4)]
    assert np.array_equal(model.predict_proba(X), model.predict_proba(others))
    assert model.score(X, y) > 0.9


def test_it_must_be_told_groups():
    with pytest.raises(ValueError, match="must be told groups"):
        OracleClassifier().fit(X, X[:, 0] > 0)


def test_a_group_outside_the_table_is_refused():
    with pytest.raises(ValueError, match="groups name column 6"):
        OracleClassifier([(0, 6)]).fit(X, X[:, 0] > 0)


def test_features_that_go_together_are_a_cluster():
    table = X.copy()
    table[:, 3] = table[:, 0] + 0.1 * table[:, 2]
    table[:, 4] = table[:, 1] + 0.1 * table[:, 5]
    model = OracleClusterClassifier([(0, 1), (3, 4)], **SETTINGS).fit(table, table[:, 0] > 0)
    assert model.groups_ == [(0, 3), (1, 4)]


def test_there_are_as_many_clusters_as_true_groups():
    for groups in ([(0, 1, 2, 3)], [(0, 1), (2, 3)], [(0,), (1,), (2, 3)]):
        model = OracleClusterClassifier(groups, max_epochs=1, **SETTINGS).fit(X, X[:, 0] > 0)
        assert len(model.groups_) == len(groups)
        assert sorted(feature for group in model.groups_ for feature in group) == [0, 1, 2, 3]
