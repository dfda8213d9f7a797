from __future__ import annotations

import numpy as np
import pytest

from coterie.estimators._features import resolve_features

NAMES = ["red", "age", "blue", "dose"]


@pytest.mark.parametrize(
    ("feature_groups", "labels"),
    [
        (None, ("red", "age", "blue", "dose")),
        ({"colour": ["red", "blue"]}, ("colour", "age", "dose")),
        ({"colour": [0, "blue"]}, ("colour", "age", "dose")),
        ([["red", "blue"]], ("red+blue", "age", "dose")),
        ([["dose"], (2, 0)], ("blue+red", "age", "dose")),
        (["c", "a", "c", "d"], ("c", "a", "d")),
        (np.array([7, 8, 7, 9]), ("7", "8", "9")),
    ],
)
def test_features_are_counted_by_their_first_columns(feature_groups, labels):
    features = resolve_features(feature_groups, NAMES)
    assert features.labels == labels
    expected = [0, 1, 2, 3] if feature_groups is None else [0, 1, 0, 2]
    assert features.owner.tolist() == expected


def test_columns_of_a_feature_are_all_that_it_owns():
    features = resolve_features({"colour": ["red", "blue"]}, NAMES)
    assert features.columns_of([0, 2]).tolist() == [True, False, True, True]
    assert not features.columns_of([]).any()


@pytest.mark.parametrize(
    ("feature_groups", "error", "message"),
    [
        ({"colour": ["red", "green"]}, ValueError, "column 'green', but no column of X"),
        ({"colour": ["red", 4]}, ValueError, "names column 4, but X has 4 columns"),
        ({"colour": [-1]}, ValueError, "names column -1"),
        ({"a": ["red"], "b": ["red"]}, ValueError, "'red' into both 'a' and 'b'"),
        ({"age": ["red", "blue"]}, ValueError, "two features with the name 'age'"),
        ({"colour": "red"}, TypeError, r"must be a list of columns; got 'red'"),
        ([["red", "blue"], "age"], TypeError, "mixes lists of columns with .* 'age'"),
        (["a", "b"], ValueError, "holds 2 labels, but X has 4 columns"),
    ],
)
def test_what_cannot_be_resolved_is_named(feature_groups, error, message):
    with pytest.raises(error, match=message):
        resolve_features(feature_groups, NAMES)


def test_a_name_that_two_columns_have_is_ambiguous():
    with pytest.raises(ValueError, match="2 columns of X have that name"):
        resolve_features({"a": ["x"]}, ["x", "x"])
    with pytest.raises(ValueError, match="two features with the name 'x'"):
        resolve_features({"a": ["y"]}, ["x", "x", "y"])
    assert len(resolve_features({"a": [0], "b": [1]}, ["x", "x", "y"])) == 3
