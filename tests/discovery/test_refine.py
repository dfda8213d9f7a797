"""Refinement, with a judge that knows the losses."""

from itertools import combinations

import pytest

from coterie.discovery.judge import TOLERANCE
from coterie.discovery.limits import Limits
from coterie.discovery.propose import propose
from coterie.discovery.refine import MOST_SWAPS, Refinement
from coterie.discovery.screen import Term
from coterie.discovery.structures import Structure
from tests.discovery.known_losses import KnownJudge, explaining

TRUTHS = [
    {(0, 1): 0.5},
    {(0, 1): 0.5, (2, 3): 0.3},
    {(0, 1): 0.4, (2,): 0.2},
    {(0, 1): 0.3, (1, 2): 0.3},
    {(0, 1): 0.3, (1, 2): 0.3, (2, 3): 0.3},
    {(0, 1): 0.2, (1, 2): 0.2, (0, 2): 0.2},
    {(0, 1, 2): 0.4, (3,): 0.3},
    {(0, 1, 2): 0.4, (2, 3): 0.3},
    {(0,): 0.2, (1,): 0.2, (2,): 0.2},
]


def refinement(gains, **limits) -> Refinement:
    return Refinement(KnownJudge(explaining(gains)), Limits(**limits))


@pytest.mark.parametrize("gains", TRUTHS, ids=lambda gains: str([*gains]))
class TestRefining:
    def test_the_truth_is_found_within_one_group_of_everything(self, gains):
        whole = Structure.of([range(5)])
        assert refinement(gains).refine(whole) == Structure.of(gains)

    def test_the_truth_is_found_beside_features_and_edges_too_many(self, gains):
        start = Structure.of([*gains, (4, 5), (0, 4), (3,), (6,)])
        assert refinement(gains).refine(start) == Structure.of(gains)

    def test_the_truth_stays_as_it_is(self, gains):
        search = refinement(gains)
        assert search.refine(Structure.of(gains, "or")) == Structure.of(gains, "or")


def test_groups_are_merged_where_that_is_clearly_better():
    singles = Structure.of([(0,), (1,), (2,)])
    gains = {(0, 1): 0.4, (0,): 0.1, (1,): 0.1, (2,): 0.2}
    assert refinement(gains).refine(singles) == Structure.of([(0, 1), (2,)])


def test_several_merges_are_taken_together():
    gains = {(0, 1): 0.3, (2, 3): 0.3, (0,): 0.1, (1,): 0.1, (2,): 0.1, (3,): 0.1}
    search = refinement(gains)
    assert search.grow(Structure.of([(0,), (1,), (2,), (3,)])) == Structure.of([(0, 1), (2, 3)])


def test_two_features_of_which_one_is_enough_are_never_dropped_at_once():
    def losses(structure, attempt):
        either = {3, 4} & set(structure.features)
        return 1.0 - 0.5 * bool(either) + 1e-5 * len(structure.features)

    found = Refinement(KnownJudge(losses)).refine(Structure.of([(3,), (4,)]))
    assert found.features in {(3,), (4,)}


def test_nothing_is_left_of_what_explains_nothing():
    assert refinement({}).refine(Structure.of([(0, 1), (2,)])).groups == ()


def test_what_looks_a_little_worse_is_trained_again_before_that_is_believed():
    pair, singles = Structure.of([(0, 1)]), Structure.of([(0,), (1,)])
    truth = explaining({(0,): 0.4, (1,): 0.4})

    def unlucky(structure, attempt):
        return truth(structure) + 0.03 * (structure == singles and attempt < 2)

    judge = KnownJudge(unlucky)
    assert Refinement(judge).refine(pair) == singles
    assert judge.attempts[singles] == 2

    def worse(structure, attempt):
        return truth(structure) + 0.03 * (structure == singles)

    assert Refinement(KnownJudge(worse)).refine(pair) == pair


def test_what_looks_much_worse_is_not_trained_again():
    judge = KnownJudge(explaining({(0, 1): 0.8}))
    Refinement(judge).refine(Structure.of([(0, 1)]))
    assert judge.attempts == {}


def test_no_group_outgrows_its_bound():
    gains = {(0, 1, 2): 0.4, (0, 1): 0.2, (0,): 0.1, (1,): 0.1, (2,): 0.1}
    search = refinement(gains, max_group_size=2)
    terms = [Term((0, 1, 2), 9.0, 0.5), Term((0, 1), 5.0, 0.2)]
    (opened,) = search.open(terms, ["sum"])
    found = search.extend(search.refine(opened), terms)
    assert found == Structure.of([(0, 1), (2,)])


def test_a_stand_in_that_is_better_takes_the_place():
    found = refinement({(0, 5): 0.5, (0, 2): 0.3, (1,): 0.1}).swap(
        Structure.of([(0, 2), (1,)]), {2: [4, 5], 1: [6]}
    )
    assert found == Structure.of([(0, 5), (1,)])


def test_several_swaps_are_taken_at_once_and_one_feature_stands_in_once():
    gains = {(4,): 0.3, (5,): 0.3}
    search = refinement(gains)
    assert search.swap(Structure.of([(0,), (1,)]), {0: [4], 1: [5]}) == Structure.of([(4,), (5,)])
    found = refinement({(4,): 0.3, (1,): 0.2}).swap(Structure.of([(0,), (1,)]), {0: [4], 1: [4]})
    assert found == Structure.of([(1,), (4,)])


def test_without_a_better_stand_in_everything_stays():
    structure = Structure.of([(0, 2), (1,)])
    search = refinement({(0, 2): 0.5, (1,): 0.2})
    assert search.swap(structure, {0: [3], 2: [4], 1: []}) == structure
    assert search.trace == []


@pytest.mark.parametrize(
    ("gains", "extended"),
    [
        ({(0, 1): 0.4, (2, 3): 0.3}, [(0, 1), (2, 3)]),
        ({(0, 1): 0.4, (2, 3): TOLERANCE / 4}, [(0, 1)]),
        ({(0, 1): 0.4}, [(0, 1)]),
    ],
)
def test_what_the_residual_shows_is_taken_in_if_it_helps(gains, extended):
    found = refinement(gains).extend(Structure.of([(0, 1)]), [Term((2, 3), 9.0, 0.1)])
    assert found == Structure.of(extended)


def by_aggregator(losses_of):
    """Return a refinement under which the loss depends on the aggregator alone."""
    return Refinement(KnownJudge(lambda s, _: losses_of[s.aggregator] if s.groups else 1.0))


PAIRS, WHOLE = [(0, 1), (2, 3)], [(0, 1, 2, 3)]


@pytest.mark.parametrize(
    ("candidates", "losses", "chosen"),
    [
        # the one that explains clearly more
        ([("sum", PAIRS), ("or", PAIRS)], {"sum": 0.5, "or": 0.3}, "or"),
        ([("sum", PAIRS), ("or", PAIRS)], {"sum": 0.3, "or": 0.5}, "sum"),
        # a full tie
        ([("and", PAIRS), ("sum", PAIRS), ("or", PAIRS)], dict.fromkeys(("sum", "or", "and"), 0.4)
         , "sum"),
        # as good, and simpler
        ([("sum", WHOLE), ("or", PAIRS)], {"sum": 0.4, "or": 0.4}, "or"),
        ([("sum", PAIRS), ("or", WHOLE)], {"sum": 0.4, "or": 0.4}, "sum"),
        # separable labels do not speak for "sum"
        ([("sum", [(0,), (1,)]), ("or", PAIRS)], {"sum": 0.01, "or": 0.01}, "or"),
        ([("sum", PAIRS), ("or", WHOLE)], {"sum": 0.01, "or": 0.01}, "sum"),
    ],
)  # fmt: skip
def test_choosing_an_aggregator(candidates, losses, chosen):
    structures = [Structure.of(groups, name) for name, groups in candidates]
    assert by_aggregator(losses).choose(structures).aggregator == chosen


def test_an_aggregator_without_hope_is_given_up_at_once():
    terms = [Term((0, 1), 9.0, 0.4), Term((2, 3), 9.0, 0.4)]
    search = by_aggregator({"sum": 0.4, "or": 0.4, "and": 0.9})
    opened = search.open(terms, ["sum", "or", "and"])
    assert {structure.aggregator for structure in opened} == {"sum", "or"}
    actions = {(e["structure"].aggregator, e["action"]) for e in search.trace}
    assert actions == {("sum", "propose"), ("or", "propose"), ("and", "discard")}


@pytest.mark.parametrize(
    ("limits", "left"),
    [
        ({}, [(0, 1), (2,), (3, 4)]),
        ({"max_groups": 2}, [(0, 1), (3, 4)]),
        ({"max_groups": 1}, [(3, 4)]),
        ({"max_features": 4}, [(0, 1), (3, 4)]),
        ({"max_features": 2}, [(3, 4)]),
        ({"max_groups": 2, "max_features": 2}, [(3, 4)]),
    ],
)
def test_bounds_are_met_by_giving_up_what_matters_least(limits, left):
    gains = {(0, 1): 0.3, (0,): 0.15, (2,): 0.1, (3, 4): 0.4, (3,): 0.2}
    search = refinement(gains, **limits)
    assert search.fit_limits(Structure.of([(0, 1), (2,), (3, 4)])) == Structure.of(left)


def test_a_structure_is_held_to_one_network_of_all_candidate_features():
    structure = Structure.of([(0, 1), (2,)])
    gains = {(0, 1): 0.4, (2,): 0.2}
    assert refinement(gains).is_matched(structure, [3, 4])
    search = refinement({**gains, (2, 3): 0.3})
    assert not search.is_matched(structure, [3, 4])
    assert search.trace[-1]["action"] == "loses"
    assert search.trace[-1]["z"] > 0


def test_every_structure_that_was_taken_or_refused_is_in_the_trace():
    search = refinement({(0, 1): 0.5})
    found = search.refine(Structure.of([(0, 1, 2)]))
    taken = [entry["structure"] for entry in search.trace if entry["action"] == "take"]
    kept = {entry["structure"] for entry in search.trace if entry["action"] == "keep"}
    assert taken[-1] == found == Structure.of([(0, 1)])
    assert Structure.of([(0,), (1,)]) in kept
    assert all(
        set(e) == {"stage", "action", "structure", "against", "loss", "z"} for e in search.trace
    )


def test_proposals_of_one_pair_worked_by_hand():
    # the terms as they are, or their features alone, or all of them together
    assert propose([Term((0, 1), 9.0, 0.4), Term((2,), 5.0, 0.002)]) == [
        Structure.of([(0, 1), (2,)]),
        Structure.of([(0,), (1,), (2,)]),
        Structure.of([(0, 1, 2)]),
    ]


def test_weak_interactions_are_left_out_of_some_proposals():
    terms = [Term((0, 1), 9.0, 0.5), Term((1, 2), 5.0, 0.02), Term((0, 2), 4.0, 0.004)]
    edges = {frozenset(structure.edges) for structure in propose(terms)}
    chain = [(0, 1), (1, 2)]
    assert edges >= {frozenset(e) for e in (chain[:1], chain, combinations(range(3), 2), [])}
    for structure in propose(terms):
        assert structure.features == (0, 1, 2)


def test_without_terms_nothing_is_proposed():
    assert propose([]) == [Structure(())]


class TestRivals:
    """A structure under one aggregator beside a refined one under another."""

    def losses(self, best_of_or: float):
        """One group of four under "or" is ``best_of_or`` better than four singles are."""

        def loss(structure, attempt):
            missing = 4 - len({0, 1, 2, 3} & set(structure.features))
            gain = best_of_or if structure.aggregator == "or" and len(structure.edges) else 0.0
            return 0.6 + 0.1 * missing - gain + 1e-6 * structure.penalty

        return loss

    def test_what_a_simpler_rival_outdoes_grows_no_further(self):
        judge = KnownJudge(self.losses(best_of_or=0.0))
        search = Refinement(judge)
        starts = [SINGLES_OF_FOUR, SINGLES_OF_FOUR.joined_by("or")]
        assert search.choose(search.refine_all(starts)) == SINGLES_OF_FOUR
        merged = [s for s in judge.asked if s.aggregator == "or" and s.edges]
        assert merged == [SINGLES_OF_FOUR.whole().joined_by("or")]

    def test_what_can_still_win_is_refined(self):
        search = Refinement(KnownJudge(self.losses(best_of_or=0.2)))
        starts = [SINGLES_OF_FOUR, SINGLES_OF_FOUR.joined_by("or")]
        chosen = search.choose(search.refine_all(starts))
        assert (chosen.aggregator, len(chosen.edges)) == ("or", 1)


SINGLES_OF_FOUR = Structure.of([(0,), (1,), (2,), (3,)])


def test_of_too_many_swaps_the_first_of_each_feature_are_tried():
    judge = KnownJudge(explaining({(0,): 0.1}))
    search = Refinement(judge)
    members = Structure.of([(feature,) for feature in range(30)])
    search.swap(members, {f: [100 + 10 * f + rank for rank in range(6)] for f in range(30)})
    tried = {min(set(s.features) - set(range(30))) for s in judge.asked if s != members}
    assert len(tried) == MOST_SWAPS
    assert all((feature % 10) < 4 for feature in tried)
