"""Bounds on what is reported."""

import pytest

from coterie.discovery.limits import Limits
from coterie.discovery.structures import Structure

STRUCTURE = Structure.of([(0, 1), (1, 2, 3)])


@pytest.mark.parametrize(
    ("limits", "admitted", "met"),
    [
        (Limits(), True, True),
        (Limits(max_group_size=2), False, False),
        (Limits(max_group_size=3), True, True),
        (Limits(max_groups=1), True, False),
        (Limits(max_groups=2), True, True),
        (Limits(max_features=3), True, False),
        (Limits(max_features=4), True, True),
    ],
)
def test_size_bounds_candidates_and_counts_bound_results(limits, admitted, met):
    assert limits.admits(STRUCTURE) is admitted
    assert limits.is_met(STRUCTURE) is met
