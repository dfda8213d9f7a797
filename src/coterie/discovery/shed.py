"""Simplifies wide structures: one training for each feature and pair would never end.

Features and pairs that the fitted models hardly use go first, in portions of several sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from coterie.discovery.judge import Judge
from coterie.discovery.structures import Structure

WIDE = 16
"""Features above which a structure is simplified by portions."""
GIVEN_UP = 0.25
"""Share of the features too many that is given up between two trainings."""

Part = TypeVar("Part")


def shed(structure: Structure, reference: Structure, judge: Judge) -> Structure:
    """Drop features, then interactions, while that costs nothing and the structure is wide."""
    while len(structure.features) > WIDE:
        usage = judge.usage(structure)
        fewer = _shed(structure, reference, judge, usage.weakest_features(), structure.without)
        if fewer == structure:
            edges = usage.weakest_edges()
            fewer = _shed(structure, reference, judge, edges, structure.without_edges)
        if fewer == structure:
            break
        structure = fewer
    return structure


def _shed(
    structure: Structure,
    reference: Structure,
    judge: Judge,
    weakest: Sequence[Part],
    without: Callable[[Sequence[Part]], Structure],
) -> Structure:
    """Take away the largest portion of the weakest parts that is not clearly missed."""
    portions = [without(weakest[:size]) for size in _sizes(len(weakest))]
    judge.judge(portions)
    fine = [portion for portion in portions if not judge.clearly_worse(portion, reference)]
    return fine[-1] if fine else structure


def _sizes(most: int) -> Iterator[int]:
    """Yield the powers of two up to some number."""
    size = 1
    while size <= most:
        yield size
        size *= 2


def give_up(structure: Structure, most: int, judge: Judge) -> Structure:
    """Drop the features that are used least until there are as few as allowed, or few enough.

    After each portion the rest is trained anew, so that what has lost its like can gain.
    """
    while len(structure.features) > max(most, WIDE):
        too_many = len(structure.features) - max(most, WIDE)
        portion = max(1, round(GIVEN_UP * too_many))
        structure = structure.without(judge.usage(structure).weakest_features()[:portion])
    return structure
