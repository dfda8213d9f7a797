"""Which columns are features, and what names and patterns mean."""

import pandas as pd
import pytest

from coterie.io.errors import TableError
from coterie.study.columns import Roles, features_of, matching

TABLE = pd.DataFrame(columns=["id", "a", "b,c", "x_mut", "y_mut", "w*", "y"])


@pytest.mark.parametrize(
    ("entries", "matches"),
    [
        (["a"], {"a"}),
        (["a,x_mut"], {"a", "x_mut"}),
        (["a , x_mut,"], {"a", "x_mut"}),
        (["b,c"], {"b,c"}),
        (["*_mut"], {"x_mut", "y_mut"}),
        (["?_mut", "a"], {"x_mut", "y_mut", "a"}),
        (["w*"], {"w*"}),
        (["?"], {"a", "y"}),
        ([], set()),
    ],
)
def test_names_and_patterns(entries, matches):
    assert matching(TABLE, entries) == matches


def test_a_pattern_leaves_the_target_alone():
    assert features_of(TABLE, Roles("y", ignore=["y*", "id"])) == ["a", "b,c", "x_mut", "w*"]


@pytest.mark.parametrize(
    ("roles", "says"),
    [
        (Roles("z"), "--target: the table has no column 'z'"),
        (Roles("y", id="y"), "both by --target and by --id"),
        (Roles("y", weights="y"), "both by --target and by --weights"),
        (Roles("y", ignore=["y"]), "both by --target and by --ignore"),
        (Roles("y", ignore=["*"]), "No feature is left"),
    ],
)
def test_what_cannot_be(roles, says):
    with pytest.raises(TableError, match=says):
        features_of(TABLE, roles)
