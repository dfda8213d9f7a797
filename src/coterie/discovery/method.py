"""The whole method: screen, discover, refine."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from coterie.discovery.efforts import Effort
from coterie.discovery.ensemble import gated_groups
from coterie.discovery.gather import gather
from coterie.discovery.judge import CLEAR, Judge
from coterie.discovery.limits import Limits
from coterie.discovery.problem import Problem
from coterie.discovery.products import best_products
from coterie.discovery.propose import MOST_WHOLE
from coterie.discovery.pursuit import Pursuit, clear_score
from coterie.discovery.refine import Refinement, Trace
from coterie.discovery.screen import Evenness, PairScores, Term, rows_to_screen, score_pairs
from coterie.discovery.structures import Structure

CLEAR_WITHOUT_SCREEN = 4.0
"""Standard errors that gates' candidates have to clear, since no score vouches for them."""
CORRELATED, MOST_STAND_INS = 0.7, 6
DENSE = 32
"""Features proposed above which single trainings are kept short."""

_logger = logging.getLogger(__name__)


class StoppedError(Exception):
    """The time is up, or a callback has asked to stop."""


@dataclass
class Found:
    """What the search ends with.

    Attributes
    ----------
    structure : Structure
    judge : Judge
        Knows the held-out losses of all structures that were tried.
    terms : list of Term
        What the screen proposed, round by round.
    scores : PairScores
        Of the first screen.
    products : list of tuple
        Triples and quadruples of columns that stood out.
    stand_ins : dict
        Correlated features of each member.
    trace, history : list of dict
    is_matched : bool
        False if one network of all candidate features predicts held-out rows better.
    is_complete : bool
        False if the search was stopped before its end.
    """

    structure: Structure
    judge: Judge
    terms: list[Term]
    scores: PairScores
    products: list[tuple[int, ...]]
    stand_ins: dict[int, list[int]] = field(default_factory=dict)
    trace: Trace = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)
    is_matched: bool = True
    is_complete: bool = True


class Search:
    """One search on one problem.

    Parameters
    ----------
    problem : Problem
    aggregators : sequence of str
    effort : Effort
    limits : Limits
    seed : int
    device : jax.Device
    report : callable
        Called with a record after each stage, with None before each training; returns True to stop.
    n_workers : int
        Trainings side by side.
    """

    def __init__(
        self,
        problem: Problem,
        aggregators: Sequence[str],
        effort: Effort,
        limits: Limits,
        seed: int,
        device: jax.Device,
        report: Callable[[dict[str, Any] | None], bool],
        n_workers: int,
    ) -> None:
        self.problem, self.aggregators, self.effort = problem, aggregators, effort
        self.limits, self.seed, self.device, self.report = limits, seed, device, report
        self.judge = Judge(
            problem, seed, device, effort.n_restarts, effort.steps, n_workers, self._check
        )
        self.refinement = Refinement(self.judge, limits)
        self.even = Evenness.of(problem.scores)
        self.history: list[dict[str, Any]] = []
        self._may_stop = False

    def run(self) -> Found:
        """Search, and give what was found when the search ended or was stopped."""
        constant = Structure(())
        residual = self.problem.predictor.residual_of_constant(self.problem.target)
        scores, products, terms = self._screen(residual, with_products=False)
        if not terms:
            scores, products, terms = self._screen(residual)
        found = Found(constant, self.judge, terms, scores, products, history=self.history)
        found.trace = self.refinement.trace
        self.judge.judge([constant])  # what everything is compared with, however short the time
        self._may_stop = True
        try:
            self._search(found)
        except StoppedError:
            found.is_complete = False
        self._may_stop = False
        if not found.is_complete:
            found.structure = self._best_so_far(found)
        return found

    def _search(self, found: Found) -> None:
        candidates = found.terms or self._gated_terms(found)
        if candidates:
            self._refine(found, candidates)
        found.structure = self._gather(found.structure)
        found.is_matched = self.refinement.is_matched(found.structure, self._leading(found.terms))
        found.structure = self.refinement.fit_limits(found.structure)
        if not self._is_clear(found, found.structure):
            found.structure = Structure(())
        self._close("end", found.structure)

    def _refine(self, found: Found, candidates: Sequence[Term]) -> None:
        """Go from candidates to a structure, and on with what that leaves unexplained."""
        if self._is_dense(candidates):
            self.judge.economise()
        opened = self.refinement.open(candidates, self.aggregators)
        self._close("open", opened[0])
        found.structure = self.refinement.choose(self.refinement.refine_all(opened))
        self._close("refine", found.structure)
        found.structure = self._swap(found, found.structure)
        for _ in range(self.effort.rounds):
            extended = self._extend(found)
            if extended == found.structure:
                break
            found.structure = self._swap(found, self.refinement.refine(extended))
            self._close("extend", found.structure)

    def _is_dense(self, candidates: Sequence[Term]) -> bool:
        """Tell whether so many features matter that none of them can matter much."""
        return len({feature for term in candidates for feature in term.features}) > DENSE

    def _screen(
        self, residual: NDArray[np.float32], with_products: bool = True
    ) -> tuple[PairScores, list[tuple[int, ...]], list[Term]]:
        """Score all features on a residual and pick the terms that stand out."""
        weights = self.problem.weights
        mean = np.average(residual, axis=0, weights=weights).astype(np.float32)
        residual = (residual - mean) * weights[:, None]
        scores = self._score_pairs(residual)
        work = self.effort.product_work if with_products else 0.0
        products = best_products(self.problem.scores, residual, work)
        pursuit = Pursuit(self.problem.scores, residual, self.even, self.problem.owner)
        return scores, products, pursuit.run(scores, products)

    def _score_pairs(self, residual: NDArray[np.float32]) -> PairScores:
        """Score pairs on the rows that the effort pays for."""
        n_rows, n_columns = self.problem.scores.shape
        rows = rows_to_screen(n_rows, n_columns, residual.shape[1], self.effort.pair_work)
        if len(rows) == n_rows:
            return score_pairs(self.problem.scores, residual, self.even)
        part = residual[rows] - residual[rows].mean(axis=0)
        return score_pairs(self.problem.scores[rows], part, self.even)

    def _gated_terms(self, found: Found) -> list[Term]:
        """Ask the gated ensemble where the screen is silent."""
        if not self.effort.gates or self.problem.n_folds > 1:
            return []
        seeds = [self.seed + i for i in range(self.effort.gates)]
        groups = gated_groups(self.problem, seeds, self.device)
        self.refinement.note("gates", "propose", Structure.of(groups), Structure(()))
        return [Term(group, 0.0, 1.0) for group in groups]

    def _swap(self, found: Found, structure: Structure) -> Structure:
        found.stand_ins = self._correlated(structure)
        if not any(found.stand_ins.values()):
            return structure
        swapped = self.refinement.swap(structure, found.stand_ins)
        found.stand_ins = self._correlated(swapped)
        self._close("swap", swapped)
        return swapped

    def _correlated(self, structure: Structure) -> dict[int, list[int]]:
        """Return the features most correlated with each member."""
        scores, owner = self.problem.scores, self.problem.owner
        stand_ins = {}
        for feature in structure.features:
            own = scores[:, owner == feature]
            products = np.abs(scores.T @ own).max(axis=1) / len(scores)
            strongest = np.zeros(int(owner.max()) + 1)
            np.maximum.at(strongest, owner, products)
            strongest[feature] = 0.0
            order = np.argsort(-strongest)[:MOST_STAND_INS]
            stand_ins[feature] = [int(f) for f in order if strongest[f] >= CORRELATED]
        return stand_ins

    def _extend(self, found: Found) -> Structure:
        """Screen what the structure leaves unexplained."""
        if self.refinement.is_explained(found.structure):
            return found.structure
        residual = self.judge.residual(found.structure)
        _, products, terms = self._screen(residual)
        found.products += [product for product in products if product not in found.products]
        if not terms:
            return found.structure
        found.terms += terms
        return self.refinement.extend(found.structure, terms)

    def _gather(self, structure: Structure) -> Structure:
        """Add features of weak effects, if all of them together are clearly of use."""
        if self.refinement.is_explained(structure):
            return structure
        gathered = gather(structure, self.judge, self.limits)
        if gathered != structure:
            self.refinement.note("gather", "take", gathered, structure)
            self._close("gather", gathered)
        return gathered

    def _leading(self, terms: Sequence[Term]) -> list[int]:
        """Return the features of the clearest terms, as many as one network can learn from."""
        clearest = sorted(terms, key=lambda term: -term.z)
        features = dict.fromkeys(feature for term in clearest for feature in term.features)
        return list(features)[:MOST_WHOLE]

    def _is_clear(self, found: Found, structure: Structure) -> bool:
        """Tell whether a structure is better than nothing."""
        if not structure.groups:
            return False
        difference = self.judge.compare(Structure(()), structure)
        scored = any(term.z >= clear_score(len(self.problem.owner)) for term in found.terms)
        return difference.z > (CLEAR if scored else CLEAR_WITHOUT_SCREEN)

    def _best_so_far(self, found: Found) -> Structure:
        """Return what to end with where the search was stopped.

        It is what the last stage ended with, unless something clearly better has been judged since:
        then the simplest that is as good as that.
        """
        constant, last = Structure(()), found.structure
        self.judge.judge([constant])
        best = self.refinement.simplest([*self.judge.losses_of])
        if last.groups and not self.judge.clearly_worse(last, best):
            best = last
        best = self.refinement.fit_limits(best)
        return best if self._is_clear(found, best) else constant

    def _close(self, stage: str, structure: Structure) -> None:
        """End a stage: write the record, tell who listens."""
        record = {
            "round": len(self.history) + 1,
            "stage": stage,
            "loss": self.judge.mean(structure),
            "n_groups": len(structure.groups),
            "n_trained": self.judge.n_trained,
        }
        self.history.append(record)
        _logger.debug("%s: loss %.4f, groups %s", stage, record["loss"], structure.groups)
        if self.report(record):
            raise StoppedError

    def _check(self) -> None:
        """Stop in the middle of a stage if it is time."""
        if self._may_stop and self.report(None):
            raise StoppedError
