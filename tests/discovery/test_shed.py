"""Simplifying wide structures by portions."""

import pytest

from coterie.discovery.limits import Limits
from coterie.discovery.refine import Refinement
from coterie.discovery.shed import WIDE, give_up, shed
from coterie.discovery.structures import Structure
from coterie.discovery.usage import Usage
from tests.discovery.known_losses import KnownJudge, explaining

N_TRUE = WIDE + 4
GAINS = {(feature,): 0.03 + 0.0001 * feature for feature in range(N_TRUE)}
SINGLES = Structure.of(GAINS)


class KnowingJudge(KnownJudge):
    """Know what each feature and each true pair is worth, too."""

    def __init__(self, gains):
        super().__init__(explaining(gains))
        self.gains = gains

    def usage(self, structure):
        def worth(*features):
            return sum(gain for truth, gain in self.gains.items() if {*features} <= {*truth})

        edges = {edge: worth(*edge) for edge in structure.edges}
        return Usage({feature: worth(feature) for feature in structure.features}, edges)


def test_what_costs_nothing_goes_in_few_trainings():
    judge = KnowingJudge(GAINS)
    start = SINGLES.with_singles(range(100, 150))
    assert shed(start, start, judge) == SINGLES
    assert len(judge.asked) < 40


def test_pairs_that_are_sums_are_split_and_others_stay():
    pairs = {(100 + 2 * i, 101 + 2 * i): 0.05 for i in range(4)}
    judge = KnowingJudge({**GAINS, **pairs})
    sums = [(2 * i, 2 * i + 1) for i in range(10)]
    start = Structure.of([*SINGLES.groups, *sums, *pairs])
    found = shed(start, start, judge)
    assert found == Structure.of([*SINGLES.groups, *pairs])


def test_a_structure_that_is_not_wide_is_left_to_others():
    narrow = Structure.of([(feature,) for feature in range(WIDE)])
    judge = KnowingJudge({(0,): 1.0})
    assert shed(narrow, narrow, judge) == narrow
    assert judge.asked == []


@pytest.mark.parametrize("most", [3, WIDE, WIDE + 3, N_TRUE])
def test_the_weakest_are_given_up_for_a_limit(most):
    search = Refinement(KnowingJudge(GAINS), Limits(max_features=most))
    left = search.fit_limits(SINGLES)
    assert left == Structure.of([(feature,) for feature in range(N_TRUE - most, N_TRUE)])


def test_only_what_is_wide_is_given_up_by_portions():
    judge = KnowingJudge(GAINS)
    assert len(give_up(SINGLES, 3, judge).features) == WIDE
    assert len(judge.asked) <= N_TRUE - WIDE
