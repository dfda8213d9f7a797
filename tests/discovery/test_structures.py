"""Structures and the moves between them."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.discovery.structures import Structure, cliques

FEATURES = st.integers(0, 6)
GROUPS = st.lists(st.sets(FEATURES, min_size=1, max_size=4), max_size=5)
EDGES = st.sets(st.tuples(FEATURES, FEATURES).filter(lambda edge: edge[0] < edge[1]), max_size=10)


@given(GROUPS)
def test_no_group_lies_inside_another(groups):
    structure = Structure.of(groups)
    assert not any(set(a) < set(b) for a in structure.groups for b in structure.groups)
    assert set(structure.features) == set().union(*groups)


@given(GROUPS)
def test_the_order_of_groups_and_members_does_not_matter(groups):
    turned = [sorted(group, reverse=True) for group in reversed(groups)]
    assert Structure.of(groups) == Structure.of(turned)


@given(EDGES)
def test_cliques_are_complete_maximal_and_cover_all_edges(edges):
    found = cliques(range(7), edges)
    for clique in found:
        assert set(combinations(clique, 2)) <= edges
        for other in set(range(7)) - set(clique):
            joined = {tuple(sorted((other, member))) for member in clique}
            assert not joined <= edges
    assert {edge for clique in found for edge in combinations(clique, 2)} == edges
    assert {member for clique in found for member in clique} == set(range(7))


def test_the_penalty_of_a_hand_worked_structure():
    # 2^2 + 3^2, and half of the one shared feature
    assert Structure.of([(0, 1), (1, 2, 3)]).penalty == 13.5


@pytest.mark.parametrize(
    ("move", "groups"),
    [
        (lambda s: s.without([2]), [(0, 1), (3, 4)]),
        (lambda s: s.without([3, 4]), [(0, 1, 2)]),
        (lambda s: s.without_edges([(0, 2)]), [(0, 1), (1, 2), (3, 4)]),
        (lambda s: s.without_edges([(0, 2), (1, 2)]), [(0, 1), (2,), (3, 4)]),
        (lambda s: s.with_edges([(2, 3), (2, 4)]), [(0, 1, 2), (2, 3, 4)]),
        (lambda s: s.swapped(4, 9), [(0, 1, 2), (3, 9)]),
        (lambda s: s.merged((0, 1, 2), (3, 4)), [(0, 1, 2, 3, 4)]),
        (lambda s: s.shattered((0, 1, 2)), [(0, 1), (0, 2), (1, 2), (3, 4)]),
        (lambda s: s.shattered((3, 4)), [(0, 1, 2), (3,), (4,)]),
        (lambda s: s.whole(), [(0, 1, 2, 3, 4)]),
    ],
)
def test_moves_worked_by_hand(move, groups):
    moved = move(Structure.of([(0, 1, 2), (3, 4)], "or"))
    assert moved == Structure.of(groups, "or")


@given(GROUPS)
def test_joining_by_another_aggregator_changes_nothing_else(groups):
    structure = Structure.of(groups)
    assert structure.joined_by("and").groups == structure.groups
    assert structure.joined_by("and").joined_by("sum") == structure
