"""How sure the groups are: strengths with intervals, and how often each one comes out again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from coterie.discovery.judge import TOLERANCE, Judge
from coterie.discovery.shed import WIDE
from coterie.discovery.structures import Structure
from coterie.groups import Group

N_RESAMPLES = 200
COVERAGE = 0.95


@dataclass(frozen=True)
class Certainty:
    """What is known of each group, one entry a group of the structure.

    ``strength`` is the held-out loss without the group less that with it, ``low`` and ``high`` the
    bounds of its 95% interval over resamples, ``certainty`` the share of resamples of the held-out
    rows in which every comparison that keeps the group as it is comes out the same or, after
    :func:`with_refits`, the share of whole searches on bootstrap rows that return the group. Of
    more than 16 groups none explains much: there the loss only has to be larger without the group.
    A weak feature that was gathered is no more certain than its choice is steady.
    """

    strength: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    certainty: NDArray[np.float64]


def certify(structure: Structure, judge: Judge, seed: int) -> Certainty:
    """Resample the held-out rows; models are not trained again.

    The loss without a group is that of a model of the other groups or, where groups are many, that
    with the group's effect kept at its mean.
    """
    judge.judge([structure])
    known = judge.losses_of[structure]
    without = _losses_without(structure, judge)
    rng = np.random.default_rng([seed, 2])
    n_rows = len(judge.counts)
    counts = rng.multinomial(n_rows, np.full(n_rows, 1 / n_rows), N_RESAMPLES) * judge.counts
    counts = counts / counts.sum(axis=1, keepdims=True)
    rises = counts @ (without - known).T
    tail = 100 * (1 - COVERAGE) / 2
    stands = [
        _stands(structure, group, judge, counts, rise)
        for group, rise in zip(structure.groups, rises.T, strict=True)
    ]
    return Certainty(
        np.array([judge.difference(losses, known).mean for losses in without]),
        np.percentile(rises, tail, axis=0),
        np.percentile(rises, 100 - tail, axis=0),
        np.array(stands),
    )


def _losses_without(structure: Structure, judge: Judge) -> NDArray[np.float64]:
    """Return the held-out losses without each group, shape (groups, rows)."""
    if len(structure.groups) > WIDE:
        return judge.losses_without_groups(structure)
    without = [structure.with_groups(set(structure.groups) - {group}) for group in structure.groups]
    judge.judge(without)
    return np.stack([judge.losses_of[other] for other in without])


def with_refits(known: Certainty, structure: Structure, refitted: Sequence[Structure]) -> Certainty:
    """Let the certainty of a group be the share of searches on other rows that return it."""
    if not refitted:
        return known
    shares = [np.mean([group in other.groups for other in refitted]) for group in structure.groups]
    return replace(known, certainty=np.array(shares))


def _stands(
    structure: Structure,
    group: Group,
    judge: Judge,
    counts: NDArray[np.float64],
    rise: NDArray[np.float64],
) -> float:
    """Return the share of resamples in which no known rival without the group is as good.

    ``rise`` is that of the loss without the group, in each resample.
    """
    rivals = [rival for rival in _rivals(structure, group) if rival in judge.losses_of]
    known = judge.losses_of[structure]
    differences = [rise, *(counts @ (judge.losses_of[rival] - known) for rival in rivals)]
    least = TOLERANCE * judge.gain if len(structure.groups) <= WIDE else 0.0
    stands = float(np.mean(np.all(np.array(differences) > least, axis=0)))
    return min([stands, *(judge.steadiness[f] for f in group if f in judge.steadiness)])


def _rivals(structure: Structure, group: Group) -> Iterator[Structure]:
    """Yield the simpler structures in which the group would be another one."""
    for member in group:
        yield structure.without([member])
    for edge in combinations(group, 2):
        yield structure.without_edges([edge])
    if len(group) > 2:
        yield structure.shattered(group)
