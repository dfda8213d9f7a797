from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from coterie.estimators._features import resolve_features
from coterie.estimators._selector import GroupSelectorMixin


class Finder(GroupSelectorMixin, BaseEstimator):
    """Find the groups that it is told to find."""

    def __init__(self, groups=(), strength=None, feature_groups=None):
        self.groups = groups
        self.strength = strength
        self.feature_groups = feature_groups

    def fit(self, X, y=None):
        self.n_features_in_ = X.shape[1]
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        names = [f"x{column}" for column in range(X.shape[1])]
        features = self.feature_groups and resolve_features(self.feature_groups, names)
        measures = {} if self.strength is None else {"strength": self.strength}
        self._set_groups(self.groups, features, **measures)
        return self


X = np.arange(12.0).reshape(3, 4)


def test_groups_are_sorted_unique_and_not_empty():
    finder = Finder([(3, 1), (), (0,), (1, 3)]).fit(X)
    assert finder.groups_ == [(1, 3), (0,)]


def test_the_strongest_group_comes_first_and_unknown_strengths_last():
    finder = Finder([(0,), (1,), (2,)], strength=[0.1, np.nan, 0.3]).fit(X)
    assert finder.groups_ == [(2,), (0,), (1,)]
    assert finder.groups_table()["strength"].tolist()[:2] == [0.3, 0.1]


def test_of_equal_groups_the_first_counts():
    finder = Finder([(0, 1), (1, 0)], strength=[0.1, 0.9]).fit(X)
    assert finder.groups_table()["strength"].tolist() == [0.1]


def test_groups_table_names_members_and_leaves_what_is_unknown_empty():
    frame = pd.DataFrame(X, columns=list("abcd"))
    table = Finder([(2,), (0, 3)]).fit(frame).groups_table()
    assert list(table.columns) == [
        *("group", "members", "size"),
        *("strength", "strength_low", "strength_high", "certainty"),
    ]
    assert table["group"].tolist() == [0, 1]
    assert table["members"].tolist() == [("c",), ("a", "d")]
    assert table["size"].tolist() == [1, 2]
    assert table.iloc[:, 3:].isna().all(axis=None)


def test_the_union_of_the_groups_is_selected():
    finder = Finder([(0, 2), (2,)]).fit(X)
    assert finder.support_.tolist() == [True, False, True, False]
    assert finder.get_support(indices=True).tolist() == [0, 2]
    assert finder.transform(X).tolist() == X[:, [0, 2]].tolist()
    assert finder.inverse_transform(X[:, [0, 2]])[:, 1].tolist() == [0.0, 0.0, 0.0]
    assert finder.get_feature_names_out().tolist() == ["x0", "x2"]


def test_groups_count_features_and_the_selection_counts_columns():
    finder = Finder([(0, 2)], feature_groups={"colour": [0, 2]}).fit(X)
    assert finder.get_groups(names=True) == [("colour", "x3")]
    assert finder.support_.tolist() == [True, False, True, True]
    assert finder.get_feature_names_out().tolist() == ["x0", "x2", "x3"]
    assert finder.n_features_in_ == 4


def test_frames_go_out_as_frames_when_asked():
    frame = pd.DataFrame(X, columns=list("abcd"))
    selected = Finder([(1,)]).set_output(transform="pandas").fit(frame).transform(frame)
    assert list(selected.columns) == ["b"]


def test_nothing_found_selects_nothing():
    finder = Finder([]).fit(X)
    assert finder.groups_ == []
    assert finder.get_groups(names=True) == []
    assert len(finder.groups_table()) == 0
    assert not finder.support_.any()
    with pytest.warns(UserWarning, match="No features were selected"):
        assert finder.transform(X).shape == (3, 0)


@pytest.mark.parametrize("ask", ["get_groups", "groups_table", "get_support"])
def test_before_the_fit_there_is_no_answer(ask):
    with pytest.raises(NotFittedError):
        getattr(Finder(), ask)()
    assert not hasattr(Finder(), "support_")
