"""What the search can show of itself, as tables in the names of the features."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from coterie.discovery.judge import Judge
from coterie.discovery.refine import Trace
from coterie.discovery.screen import PairScores
from coterie.discovery.structures import Structure
from coterie.groups import name_groups

TOP = 50
KINDS = {3: "triple", 4: "quadruple"}


def readable_trace(trace: Trace, labels: Sequence[str]) -> list[dict[str, Any]]:
    """Name the features of every decision.

    Each entry holds the stage, the action, the structure that was looked at (``aggregator``,
    ``groups``, ``features``), its held-out ``loss``, and by how many standard errors (``z``) that
    exceeds the loss of the structure it was compared with, whose groups are ``against``.
    """
    return [
        {
            "stage": entry["stage"],
            "action": entry["action"],
            "aggregator": entry["structure"].aggregator,
            "groups": name_groups(entry["structure"].groups, labels),
            "features": [labels[feature] for feature in entry["structure"].features],
            "loss": entry["loss"],
            "z": entry["z"],
            "against": name_groups(entry["against"].groups, labels),
        }
        for entry in trace
    ]


def screen_table(
    scores: PairScores,
    products: Sequence[tuple[int, ...]],
    owner: NDArray[np.intp],
    labels: Sequence[str],
) -> pd.DataFrame:
    """List the top scores of single features, pairs, triples and quadruples."""
    singles = np.argsort(-scores.single)[:TOP]
    entries: list[tuple[tuple[int, ...], str, float]] = [
        ((int(i),), "single", float(scores.single[i])) for i in singles
    ]
    entries += [((i, j), "pair", z) for z, i, j in scores.pairs[:TOP]]
    entries += [(places, KINDS[len(places)], float("nan")) for places in products[:TOP]]
    named = [
        (tuple(sorted({labels[owner[column]] for column in columns})), kind, z)
        for columns, kind, z in entries
    ]
    table = pd.DataFrame(named, columns=["features", "kind", "z"])
    return table.sort_values("z", ascending=False, kind="stable", ignore_index=True)


def interactions(structure: Structure, judge: Judge, labels: Sequence[str]) -> pd.DataFrame:
    """List the pairs that were tested: the loss that their interaction saves, and its z."""
    entries = []
    inside = set(structure.edges)
    for edge in combinations(structure.features, 2):
        other = structure.without_edges([edge]) if edge in inside else structure.with_edges([edge])
        if other == structure or other not in judge.losses_of:
            continue
        difference = judge.compare(other, structure)
        sign = 1 if edge in inside else -1
        entries.append(
            (
                *(labels[f] for f in edge),
                sign * difference.mean,
                sign * difference.z,
                edge in inside,
            )
        )
    table = pd.DataFrame(entries, columns=["a", "b", "effect", "z", "kept"])
    return table.sort_values("effect", ascending=False, kind="stable", ignore_index=True)


def alternatives(
    structure: Structure,
    judge: Judge,
    stand_ins: dict[int, list[int]],
    labels: Sequence[str],
) -> dict[str, pd.DataFrame]:
    """List for each member the features that would do clearly no worse in its place."""
    found = {}
    for member in structure.features:
        entries = []
        for other in stand_ins.get(member, []):
            swapped = structure.swapped(member, other)
            if swapped == structure or swapped not in judge.losses_of:
                continue
            difference = judge.compare(swapped, structure)
            if not judge.clearly_worse(swapped, structure):
                entries.append((labels[other], difference.mean, difference.z))
        table = pd.DataFrame(entries, columns=["feature", "loss_difference", "z"])
        found[labels[member]] = table.sort_values("loss_difference", ignore_index=True)
    return found
