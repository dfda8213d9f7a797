"""Canonical groups, masks and names."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.groups import canonical_groups, groups_from_masks, masks_from_groups, name_groups

any_groups = st.lists(st.lists(st.integers(0, 9), max_size=5), max_size=5)


def test_order_of_first_appearance_is_kept_and_members_are_sorted():
    assert canonical_groups([[5, 4], [], [1], [4, 5, 5], [0]]) == [(4, 5), (1,), (0,)]


def test_members_are_python_integers():
    (group,) = canonical_groups([np.array([2, 0])])
    assert [type(member) for member in group] == [int, int]


@given(any_groups)
def test_canonical_form_is_its_own_canonical_form(groups):
    once = canonical_groups(groups)
    assert canonical_groups(once) == once


@given(any_groups)
def test_masks_and_groups_are_inverse(groups):
    masks = masks_from_groups(groups, n_features=10)
    assert groups_from_masks(masks) == canonical_groups(groups)


def test_no_groups_are_a_mask_without_rows():
    assert masks_from_groups([], n_features=4).shape == (0, 4)
    assert groups_from_masks(np.zeros((0, 4), dtype=bool)) == []


def test_names_follow_the_order_of_the_groups():
    assert name_groups([(2, 0), (1,)], np.array(["a", "b", "c"])) == [("c", "a"), ("b",)]


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ([0, 1], TypeError, "groups of column indices"),
        ([("age", "sex")], TypeError, "names"),
        ([(0, 1.5)], TypeError, "column indices"),
        ([(0, -1)], ValueError, "got -1"),
    ],
)
def test_what_is_no_group_is_refused_in_words(groups, error, message):
    with pytest.raises(error, match=message):
        canonical_groups(groups)


def test_a_member_beyond_the_last_column_is_refused():
    with pytest.raises(ValueError, match="column 3, but n_features=3"):
        masks_from_groups([(0, 3)], n_features=3)


@pytest.mark.parametrize("masks", [np.zeros((2, 3)), np.zeros(3, dtype=bool)])
def test_masks_are_boolean_and_two_dimensional(masks):
    with pytest.raises(ValueError, match="boolean array of shape"):
        groups_from_masks(masks)
