"""The paper's examples of the group similarity, and the identities that hold for all groups."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.metrics import false_discovery_rate, group_similarity, jaccard, true_positive_rate

TWO_PAIRS = [{1, 2}, {3, 4}]
SINGLES_AND_TRIPLE = [{1}, {2}, {3, 4, 5}]
OVERLAPPING_PAIRS = [{1, 2}, {1, 3}]

PAPER_EXAMPLES = [
    (TWO_PAIRS, [{1, 2}, {3, 4}], 1),
    (TWO_PAIRS, [{1, 2, 3, 4}], 1 / 2),
    (TWO_PAIRS, [{1, 2, 3}, {1, 4}], 1 / 2),
    (TWO_PAIRS, [{1}, {2}, {3}, {4}], 1 / 4),
    (TWO_PAIRS, [{1, 2}, {3, 4}, {1, 3}, {1, 4}, {2, 3}, {2, 4}], 1 / 3),
    (SINGLES_AND_TRIPLE, [{1, 2}], 1 / 3),
    (SINGLES_AND_TRIPLE, [{3}, {1, 3, 5}], 5 / 18),
    (SINGLES_AND_TRIPLE, [{6}, {7}, {8, 9, 10}], 0),
    (OVERLAPPING_PAIRS, [{1, 2}, {1, 3}], 1),
    (OVERLAPPING_PAIRS, [{1, 2, 3}], 2 / 3),
    (OVERLAPPING_PAIRS, [{1}, {2}, {3}], 1 / 3),
]

some_groups = st.lists(st.sets(st.integers(0, 4), min_size=1, max_size=3), max_size=4)


def as_set_of_sets(groups):
    return {frozenset(group) for group in groups}


@pytest.mark.parametrize(("true", "found", "expected"), PAPER_EXAMPLES)
def test_group_similarity_of_the_paper_table(true, found, expected):
    assert group_similarity(true, found) == pytest.approx(expected)


@given(some_groups, some_groups)
def test_group_similarity_is_one_exactly_for_equal_sets_of_sets(true, found):
    similarity = group_similarity(true, found)
    assert 0 <= similarity <= 1
    assert (similarity == 1) == (as_set_of_sets(true) == as_set_of_sets(found))


@given(some_groups, st.data())
def test_group_similarity_ignores_order_repeats_and_empty_groups(true, data):
    shuffled = data.draw(st.permutations(true))
    reversed_members = [sorted(group, reverse=True) for group in shuffled]
    assert group_similarity(true, [*reversed_members, *true, ()]) == 1


def test_group_similarity_is_not_symmetric():
    true, found = [(1, 2), (1, 3)], [(1, 2, 3)]
    assert group_similarity(true, found) == pytest.approx(2 / 3)
    assert group_similarity(found, true) == pytest.approx(1 / 3)


@given(some_groups, some_groups)
def test_rates_are_shares_of_features_whatever_their_groups(true, found):
    flat_true, flat_found = [set().union(*true)], [set().union(*found)]
    for rate in (true_positive_rate, false_discovery_rate):
        assert 0 <= rate(true, found) <= 1
        assert rate(true, found) == rate(flat_true, flat_found)


@given(some_groups)
def test_the_truth_itself_has_perfect_rates(true):
    assert true_positive_rate(true, true) == 1
    assert false_discovery_rate(true, true) == 0


def test_rates_of_a_hand_worked_case():
    true, found = [(0, 1), (2, 3)], [(0, 1), (0, 7, 8)]
    assert true_positive_rate(true, found) == 1 / 2
    assert false_discovery_rate(true, found) == 1 / 2


@pytest.mark.parametrize(
    ("true", "found", "similarity", "positive", "false"),
    [
        ([], [], 1, 1, 0),
        ([], [(0,)], 0, 1, 1),
        ([(0,)], [], 0, 0, 0),
        ([()], [()], 1, 1, 0),
    ],
)
def test_empty_sides(true, found, similarity, positive, false):
    assert group_similarity(true, found) == similarity
    assert true_positive_rate(true, found) == positive
    assert false_discovery_rate(true, found) == false


@pytest.mark.parametrize("measure", [group_similarity, true_positive_rate, false_discovery_rate])
@pytest.mark.parametrize("found", [[], [(0, 1)]])
def test_an_unknown_truth_is_nan(measure, found):
    assert math.isnan(measure(None, found))


def test_jaccard_of_sets():
    assert jaccard({1, 2}, {2, 3}) == pytest.approx(1 / 3)
    assert jaccard((), ()) == 1
    assert jaccard({1}, ()) == 0
