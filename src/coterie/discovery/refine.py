"""Refines structures: simplify while it costs nothing, grow while it pays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from coterie.discovery.judge import CLEAR, Judge
from coterie.discovery.limits import Limits
from coterie.discovery.propose import MOST_WHOLE, propose
from coterie.discovery.screen import Term
from coterie.discovery.shed import WIDE, give_up, shed
from coterie.discovery.structures import Structure
from coterie.groups import Group

MOST_MERGES = 28
SEPARABLE, UNEXPLAINED = 0.2, 0.05
"""Shares of the loss without features below which labels count as separable, and as explained."""
MANY_FEATURES = 4
"""Features of one group that is hard to learn."""
MOST_SWAPS = 48
MOST_ATTEMPTS = 2
"""How often what looks a little worse is trained again before that is believed."""
HOPELESS = 0.25
"""Share of what can be explained; an aggregator that loses more of it at first is given up."""

Trace = list[dict[str, Any]]


@dataclass
class Refinement:
    """The search over structures, with a record of every decision."""

    judge: Judge
    limits: Limits = field(default_factory=Limits)
    trace: Trace = field(default_factory=list)

    def open(self, terms: Sequence[Term], aggregators: Iterable[str]) -> list[Structure]:
        """Return one structure for each aggregator that can explain the outcome."""
        proposals = [s for s in propose(terms) if self.limits.admits(s)]
        by_aggregator = {
            name: [structure.joined_by(name) for structure in proposals] for name in aggregators
        }
        everything = [s for structures in by_aggregator.values() for s in structures]
        self.judge.judge(everything)
        best = self._best(everything)
        chosen = [s for own in by_aggregator.values() for s in self._starts(own)]
        kept = [s for s in chosen if self._is_worth_refining(s, best, chosen)] or [best]
        for structure in chosen:
            self.note("open", "propose" if structure in kept else "discard", structure, best)
        return kept

    def _starts(self, structures: list[Structure]) -> list[Structure]:
        """Return where to start: the simplest that will do, and several groups beside a large one.

        One group of many features is hard to learn, so parts of it that can be merged may lead
        further than a whole that has to be taken apart.
        """
        simplest = self.simplest(structures)
        several = [s for s in structures if len(s.groups) > 1]
        if len(simplest.groups) > 1 or len(simplest.features) < MANY_FEATURES or not several:
            return [simplest]
        return [simplest, self._best(several)]

    def simplest(self, structures: list[Structure]) -> Structure:
        """Return the least penalised structure that is not clearly worse than the best."""
        best = self._best(structures)
        fine = [s for s in structures if not self.judge.clearly_worse(s, best)]
        return min(fine, key=lambda s: (s.penalty, self.judge.mean(s)))

    def _is_worth_refining(
        self, structure: Structure, best: Structure, others: list[Structure]
    ) -> bool:
        """Tell whether an aggregator may still win.

        One group fits under any aggregator: it speaks for none as long as several groups of another
        do as well, unless labels are separable, where "sum" is not identified.
        """
        several = [s for s in others if len(s.groups) > 1]
        if structure.aggregator == "sum" and self._is_sum_beaten(best, several):
            return False
        lone = len(structure.groups) < 2
        if lone and any(not self.judge.clearly_worse(s, best) for s in several):
            return self.is_separable(best) and not self._is_settled(best)
        if not several or structure == best:
            return True
        if lone and self._is_settled(best):
            return False
        lost = self.judge.mean(structure) - self.judge.mean(best)
        return lost < HOPELESS * self.judge.gain

    def _is_settled(self, best: Structure) -> bool:
        """Tell whether several groups under "or" or "and" leave nothing to be explained."""
        return len(best.groups) > 1 and best.aggregator != "sum" and self.is_explained(best)

    def _is_sum_beaten(self, best: Structure, several: list[Structure]) -> bool:
        """Tell whether :meth:`choose` would prefer another aggregator to "sum" in any case."""
        rivals = [s for s in several if s.aggregator != "sum"]
        fine = [s for s in rivals if not self.judge.clearly_worse(s, best)]
        return self.is_separable(best) and bool(fine)

    def is_separable(self, structure: Structure) -> bool:
        """Tell whether a structure leaves next to nothing unexplained."""
        return self.judge.mean(structure) < SEPARABLE * self.judge.null

    def is_explained(self, structure: Structure) -> bool:
        """Tell whether a structure leaves so little that there is nothing to look for in it."""
        return self.judge.mean(structure) < UNEXPLAINED * self.judge.null

    def refine_all(self, structures: Iterable[Structure]) -> list[Structure]:
        """Refine the start of each aggregator, those of several groups first.

        Which features matter does not depend on the aggregator: what the first ones do without, the
        others are spared.
        """
        refined: list[Structure] = []
        for start in sorted(structures, key=lambda s: (len(s.groups) < 2, self.judge.mean(s))):
            start = self._spared(start, refined) if refined else start
            refined.append(self.refine(start, refined))
        return refined

    def _spared(self, structure: Structure, refined: list[Structure]) -> Structure:
        """Drop the features that are not in the best refined structure, if that costs nothing."""
        needed = self._best(refined).features
        fewer = structure.without(set(structure.features) - set(needed))
        self._insist([fewer], structure)
        return structure if self.judge.clearly_worse(fewer, structure) else fewer

    def refine(self, structure: Structure, rivals: Sequence[Structure] = ()) -> Structure:
        """Simplify and grow in turn until neither changes anything, or a rival has won."""
        for _ in range(6):
            simpler = self.simplify(structure)
            if self._is_outdone(simpler, rivals):
                return simpler
            grown = self.grow(simpler)
            if grown == simpler:
                return simpler
            structure = grown
        return self.simplify(structure)

    def _is_outdone(self, structure: Structure, rivals: Sequence[Structure]) -> bool:
        """Tell whether :meth:`choose` would prefer a rival, however the structure grows.

        A rival of no more penalty explains as much as the structure does, and as one network of all
        its features. Where labels are separable, only several groups under "or" or "and" count.
        """
        whole = structure.whole()
        simpler = [r for r in rivals if r.penalty <= structure.penalty]
        if len(whole.features) > MOST_WHOLE or not simpler or not structure.groups:
            return False
        if self.is_separable(self._best([whole, structure])):
            simpler = [r for r in simpler if r.aggregator != "sum" and len(r.groups) > 1]
        fine = (r for r in simpler if not self.judge.clearly_worse(r, structure))
        return any(not self.judge.clearly_worse(r, whole) for r in fine)

    def simplify(self, structure: Structure) -> Structure:
        """Drop features and split groups as long as nothing is clearly lost."""
        reference = structure
        if len(structure.features) > WIDE:
            structure = shed(structure, reference, self.judge)
            self.note("simplify", "shed", structure, reference)
            if len(structure.features) > WIDE:
                return structure
        while structure.groups:
            for insists in (False, True):  # what seems needed is doubted once nothing else is free
                moves, reference = self._moves(structure, reference, insists)
                free = [s for s in moves if not self.judge.clearly_worse(s, reference)]
                if free:
                    break
            for move in moves:
                self.note("simplify", "keep" if move not in free else "free", move, reference)
            if not free:
                break
            structure = self._take(structure, moves, free, reference)
            self.note("simplify", "take", structure, reference)
        return structure

    def _moves(
        self, structure: Structure, reference: Structure, insists: bool
    ) -> tuple[dict[Structure, Group], Structure]:
        """Return what is one step simpler, and what it is held to.

        With each simpler structure goes the feature or the pair that it does without; nothing
        where a group gives way to all its parts.
        """
        splits: dict[Structure, Group] = {structure.without_edges([e]): e for e in structure.edges}
        large = [group for group in structure.groups if len(group) > 2]
        splits.update((structure.shattered(group), ()) for group in large)
        self.judge.judge([structure, *splits])
        reference = self._best([reference, structure])
        if insists:
            self._insist(splits, reference)
        needed = self._needed(splits, reference)
        drops: dict[Structure, Group] = {
            structure.without([f]): (f,) for f in structure.features if f not in needed
        }
        self.judge.judge(drops)
        if insists:
            self._insist(drops, reference)
        return {**drops, **splits}, reference

    def _take(
        self,
        structure: Structure,
        moves: dict[Structure, Group],
        free: list[Structure],
        reference: Structure,
    ) -> Structure:
        """Make as many of the free moves at once as cost nothing together, the best ones first."""
        free = sorted(free, key=self.judge.mean)
        sizes = [len(free) >> halvings for halvings in range(len(free).bit_length() - 1)]
        portions = [_without(structure, [moves[move] for move in free[:size]]) for size in sizes]
        self.judge.judge(portions)
        others = [portion for portion in portions if portion != structure]
        fine = [s for s in others if not self.judge.clearly_worse(s, reference)]
        return fine[0] if fine else free[0]

    def _insist(self, moves: Iterable[Structure], reference: Structure) -> None:
        """Train simpler structures again that look a little worse, and what they are held to."""
        moves = list(moves)
        self.judge.judge(moves)
        for attempt in range(MOST_ATTEMPTS):
            doubtful = [s for s in moves if self.judge.is_doubtful(s, reference)]
            if not doubtful:
                break
            self.judge.insist([reference, *doubtful], attempt)

    def _needed(self, splits: dict[Structure, Group], reference: Structure) -> set[int]:
        """Return the features of which an interaction is needed, and so they themselves are."""
        worse = (e for s, e in splits.items() if self.judge.clearly_worse(s, reference))
        return {feature for edge in worse for feature in edge}

    def grow(self, structure: Structure) -> Structure:
        """Merge groups where the merged ones are clearly better."""
        merges = [structure.merged(*couple) for couple in combinations(structure.groups, 2)]
        merges = [merge for merge in merges if self.limits.admits(merge)]
        if len(merges) > MOST_MERGES:
            return structure
        self.judge.judge(merges)
        better = [s for s in merges if self.judge.clearly_worse(structure, s, CLEAR)]
        if not better:
            return structure
        edges = {edge for s in better for edge in s.edges}
        together = structure.with_edges(edges)
        best = self._best([*better, *([together] if self.limits.admits(together) else [])])
        self.note("grow", "merge", best, structure)
        return best

    def extend(self, structure: Structure, terms: Sequence[Term]) -> Structure:
        """Take in terms that the residual shows, if they clearly help on held-out rows."""
        known = set(structure.features)
        groups = [*structure.groups]
        with_all = structure.with_groups([*groups, *(term.features for term in terms)])
        only_new = structure.with_groups(
            [*groups, *(t.features for t in terms if not set(t.features) <= known)]
        )
        fitting = [s for s in (with_all, only_new) if self.limits.admits(s)]
        best = self._best([structure, *fitting])
        self._insist([structure], best)
        if not self.judge.clearly_worse(structure, best, CLEAR):
            return structure
        self.note("extend", "take", best, structure)
        return best

    def swap(self, structure: Structure, stand_ins: dict[int, list[int]]) -> Structure:
        """Replace features by correlated ones that are better.

        Where that would be too many trainings, the first stand-ins of each feature are tried.
        """
        while True:
            by_rank = sorted(
                (rank, old, new)
                for old, others in stand_ins.items()
                if old in structure.features
                for rank, new in enumerate(n for n in others if n not in structure.features)
            )
            swaps = {
                structure.swapped(old, new): (old, new) for _, old, new in by_rank[:MOST_SWAPS]
            }
            self.judge.judge(swaps)
            better = [s for s in swaps if self._is_better_swap(structure, s)]
            if not better:
                return structure
            better.sort(key=self.judge.mean)
            together = structure
            moved: set[int] = set()
            for swap in better:
                old, new = swaps[swap]
                if old not in moved and new not in together.features:
                    together, moved = together.swapped(old, new), moved | {old}
            best = self._best([better[0], together])
            self.note("swap", "take", best, structure)
            if len(by_rank) > MOST_SWAPS:
                return best
            stand_ins = _moved(stand_ins, structure, best)
            structure = best

    def _is_better_swap(self, structure: Structure, swap: Structure) -> bool:
        difference = self.judge.compare(structure, swap)
        return difference.mean > 0 and difference.z > 2

    def choose(self, structures: Sequence[Structure]) -> Structure:
        """Choose between aggregators: of those that explain most, the one of least penalty."""
        best = self._best(structures)
        fine = [s for s in structures if not self.judge.clearly_worse(s, best)]
        several = [s for s in fine if s.aggregator != "sum" and len(s.groups) > 1]
        if self.is_separable(best) and several:
            fine = several
        chosen = min(fine, key=lambda s: (s.penalty, s.aggregator != "sum", self.judge.mean(s)))
        for structure in structures:
            self.note("choose", "take" if structure == chosen else "leave", structure, best)
        return chosen

    def is_matched(self, structure: Structure, others: Iterable[int]) -> bool:
        """Tell whether a structure predicts as well as one network of its features and others."""
        unrestricted = structure.with_groups([{*structure.features, *others}])
        if not structure.groups or unrestricted == structure:
            return True
        self._insist([structure], unrestricted)
        matched = not self.judge.clearly_worse(structure, unrestricted, CLEAR)
        self.note("check", "holds" if matched else "loses", structure, unrestricted)
        return matched

    def fit_limits(self, structure: Structure) -> Structure:
        """Give up what matters least until all bounds are met."""
        if self.limits.max_features is not None:
            structure = give_up(structure, self.limits.max_features, self.judge)
        while structure.groups and not self.limits.is_met(structure):
            most = self.limits.max_groups
            if most is not None and len(structure.groups) > most:
                smaller = [
                    structure.with_groups(set(structure.groups) - {group})
                    for group in structure.groups
                ]
            else:
                smaller = [structure.without([feature]) for feature in structure.features]
            structure = self._best(smaller)
            self.note("limits", "take", structure, structure)
        return structure

    def _best(self, structures: Iterable[Structure]) -> Structure:
        candidates = list(structures)
        self.judge.judge(candidates)
        return min(candidates, key=self.judge.mean)

    def note(self, stage: str, action: str, structure: Structure, against: Structure) -> None:
        difference = self.judge.compare(structure, against)
        self.trace.append(
            {
                "stage": stage,
                "action": action,
                "structure": structure,
                "against": against,
                "loss": self.judge.mean(structure),
                "z": difference.z,
            }
        )


def _without(structure: Structure, parts: Iterable[Group]) -> Structure:
    """Do without several features and pairs at once."""
    parts = list(parts)
    fewer = structure.without(part[0] for part in parts if len(part) == 1)
    edges = [part for part in parts if len(part) == 2 and set(part) <= set(fewer.features)]
    return fewer.without_edges([(a, b) for a, b in edges])


def _moved(
    stand_ins: dict[int, list[int]], before: Structure, after: Structure
) -> dict[int, list[int]]:
    """Let what has left a structure stand in for what has come, so that it can come back."""
    return {
        **stand_ins,
        **{
            new: [old for old in before.features if new in stand_ins.get(old, [])]
            for new in set(after.features) - set(before.features)
        },
    }
