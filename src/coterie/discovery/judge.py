"""Judges structures by the held-out losses of their composite models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import jax
import numpy as np
from numpy.typing import NDArray

from coterie.discovery.problem import Fitted, Problem, masks_of
from coterie.discovery.structures import Structure
from coterie.discovery.usage import Usage, losses_without_groups, usage_of
from coterie.model.aggregators import AGGREGATORS
from coterie.model.composite import Composite, constant_composite, constant_losses
from coterie.training.composites import (
    Job,
    Outcome,
    Rows,
    Schedule,
    train_composites,
)

N_HIDDEN, MORE_HIDDEN = 16, 32
SLOTS = (4, 8)
LIKELY, CLEAR = 1.64, 2.5
"""Standard errors by which a difference has to exceed zero: to keep a part, and to add one."""
MORE_RESTARTS, MORE_STEPS, DOUBTFUL = 2, 2.0, 4.0
"""How a structure is trained again that seems to lose less than so many times the tolerance: that
often, for that much longer and with networks of more hidden units."""
FEW_STEPS = 1000
TOLERANCE = 0.02
"""Share of what can be explained that a simpler structure may cost: the noise of training."""


class Trial(NamedTuple):
    """One model to train: its structure, the number of its restart, the decay of its weights."""

    structure: Structure
    restart: int
    decay: float


Lane = tuple[int, list[Trial]]
"""What one program trains: a fold, and the models."""
Trained = tuple[NDArray[np.intp], NDArray[np.bool_], Outcome]
"""What comes out: the columns, the masks of the models, their outcome."""


@dataclass(frozen=True)
class Difference:
    """The mean of paired differences of losses, and its standard error."""

    mean: float
    error: float

    @property
    def z(self) -> float:
        """The difference in standard errors."""
        return self.mean / max(self.error, 1e-12)


class Judge:
    """Trains structures as they are asked for, and remembers what came out.

    Parameters
    ----------
    problem : Problem
    seed : int
    device : jax.Device
    n_restarts : int
        Models trained for a structure and fold; the best on held-out rows counts.
    effort : float
        Multiplies the number of steps.
    n_workers : int
        Programs that run side by side.
    check : callable
        Called before each training; may raise to stop the search.

    Attributes
    ----------
    decay : float
        Of the weights of the models that are trained from now on.
    steadiness : dict of int to float
        Of weak features that were gathered: the share of bootstrap samples that choose them again.
    """

    def __init__(
        self,
        problem: Problem,
        seed: int,
        device: jax.Device,
        n_restarts: int,
        effort: float,
        n_workers: int = 1,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.problem, self.seed, self.device, self.check = problem, seed, device, check
        self.n_restarts, self.effort, self.n_workers = n_restarts, effort, n_workers
        self.losses_of: dict[Structure, NDArray[np.float64]] = {}
        self.fitted_of: dict[Structure, list[Any]] = {}
        self.n_trained = 0
        self.decay = 0.0
        self.insists = True
        self.steadiness: dict[int, float] = {}
        self.counts = problem.weights[problem.held_out].astype(np.float64)
        self.attempts: dict[Structure, int] = {}
        self.best = np.inf

    def anew(self, decay: float) -> Judge:
        """Return a judge of the same rows that has not tried anything yet."""
        judge = Judge(
            self.problem,
            self.seed,
            self.device,
            self.n_restarts,
            self.effort,
            self.n_workers,
            self.check,
        )
        judge.decay = decay
        return judge

    def economise(self) -> None:
        """Train each model from now on once, and with few steps; what fails is not insisted on."""
        n_rows = int((self.problem.folds != 0).sum())
        self.n_restarts, self.insists = 1, False
        self.effort = min(self.effort, FEW_STEPS / Schedule.for_rows(n_rows).steps)

    @property
    def null(self) -> float:
        """The loss of a constant prediction."""
        return self.mean(Structure(()))

    def judge(self, structures: Iterable[Structure]) -> None:
        """Train all structures that are not yet known, side by side."""
        self._train_all(
            [s for s in dict.fromkeys(structures) if s not in self.losses_of],
            range(self.n_restarts),
            self.effort,
            N_HIDDEN,
        )

    def insist(self, structures: Iterable[Structure], attempt: int = 0) -> None:
        """Train structures some more times, and longer: training can fail, and only ever loses.

        A structure is trained again once in each attempt.
        """
        if not self.insists:
            return
        doubted = [s for s in dict.fromkeys(structures) if self.attempts.get(s, 0) <= attempt]
        self.attempts.update(dict.fromkeys(doubted, attempt + 1))
        first = self.n_restarts + attempt * MORE_RESTARTS
        more = range(first, first + MORE_RESTARTS)
        self._train_all(doubted, more, MORE_STEPS * self.effort, MORE_HIDDEN)

    def is_doubtful(self, first: Structure, second: Structure) -> bool:
        """Tell whether the first looks worse than the second by so little that luck may decide."""
        lost = self.compare(first, second).mean
        return self.clearly_worse(first, second) and lost < DOUBTFUL * TOLERANCE * self.gain

    def _train_all(
        self, structures: list[Structure], restarts: range, effort: float, n_hidden: int
    ) -> None:
        if not structures:
            return
        self.check()
        for structure in structures:
            if not structure.groups:
                self._settle_constant(structure)
        structures = [structure for structure in structures if structure.groups]
        lanes = list(self._lanes(structures, restarts))
        self._remember(structures, lanes, self._run(lanes, effort, n_hidden))

    def losses_by_fold(
        self, choices: Sequence[Sequence[Structure]], decays: Sequence[float]
    ) -> NDArray[np.float64]:
        """Train structures that may differ from fold to fold, under each decay.

        Parameters
        ----------
        choices : sequence of sequences of Structure
            For each fold its choices, equally many.
        decays : sequence of float

        Returns
        -------
        ndarray of shape (choices, decays, held-out rows)
            The losses of the best restart.
        """
        shape = (len(choices[0]), len(decays), self.n_restarts)
        lanes = [
            (fold, [Trial(*each) for each in product(own, range(self.n_restarts), decays)])
            for fold, own in enumerate(choices)
        ]
        losses = np.zeros((*shape[:2], len(self.problem.folds)))
        for (fold, _), (_, _, outcome) in zip(
            lanes, self._run(lanes, self.effort, N_HIDDEN), strict=True
        ):
            judged = self.problem.folds == fold
            ours = np.nan_to_num(outcome.losses[:, judged], nan=np.inf)
            ours = ours.reshape(shape[0], shape[2], shape[1], -1).swapaxes(1, 2)
            best = np.argmin(ours @ self.problem.weights[judged], axis=2)[..., None, None]
            losses[:, :, judged] = np.take_along_axis(ours, best, axis=2)[:, :, 0]
        return losses[:, :, self.problem.held_out]

    def _run(self, lanes: list[Lane], effort: float, n_hidden: int) -> list[Trained]:
        """Train the models of all lanes, a few lanes side by side."""

        def run(lane: Lane) -> Trained:
            self.check()
            return self._train(*lane, effort, n_hidden)

        with ThreadPoolExecutor(max_workers=self.n_workers) as workers:
            results = list(workers.map(run, lanes))
        self.n_trained += sum(len(wanted) for _, wanted in lanes)
        return results

    def mean(self, structure: Structure) -> float:
        """Return the mean held-out loss."""
        self.judge([structure])
        return float(np.average(self.losses_of[structure], weights=self.counts))

    def compare(self, first: Structure, second: Structure) -> Difference:
        """Return by how much the loss of the first exceeds that of the second, row by row."""
        self.judge([first, second])
        return self.difference(self.losses_of[first], self.losses_of[second])

    def difference(self, first: NDArray[np.float64], second: NDArray[np.float64]) -> Difference:
        """Compare losses of the held-out rows."""
        with np.errstate(invalid="ignore"):  # of infinite losses
            differences = first - second
            mean = float(np.average(differences, weights=self.counts))
            squares = (self.counts * (differences - mean)) ** 2
        return Difference(mean, float(np.sqrt(squares.sum()) / self.counts.sum()))

    def clearly_worse(self, first: Structure, second: Structure, errors: float = LIKELY) -> bool:
        """Tell whether the first loses more than chance and the noise of training explain."""
        difference = self.compare(first, second)
        # Training that failed leaves an infinite loss, and no error.
        return bool(difference.mean > np.fmax(errors * difference.error, TOLERANCE * self.gain))

    def share_of_steps(self, structure: Structure) -> float:
        """Return after which part of the steps the structure's models were at their best."""
        self.judge([structure])
        return float(np.mean([fitted.share for fitted in self.fitted_of[structure]]))

    @property
    def gain(self) -> float:
        """What the best structure so far explains of the loss without any feature."""
        return max(self.null - self.best, 1e-6)

    def usage(self, structure: Structure) -> Usage:
        """Return how much a structure's models use each feature and each pair."""
        self.judge([structure])
        return usage_of(structure, self.problem, self.fitted_of[structure])

    def losses_without_groups(self, structure: Structure) -> NDArray[np.float64]:
        """Return the held-out losses without the effect of each group, all else as it is."""
        self.judge([structure])
        return losses_without_groups(structure, self.problem, self.fitted_of[structure])

    def residual(self, structure: Structure) -> NDArray[np.float32]:
        """Return what a structure leaves of the outcome, shape (rows, outputs).

        A row that was held out is predicted by the model that did not learn from it; where there is
        one fold, its model predicts all rows.
        """
        self.judge([structure])
        problem = self.problem
        residual: NDArray[np.float32] | None = None
        for fold, fitted in enumerate(self.fitted_of[structure]):
            rows = problem.folds == fold if problem.n_folds > 1 else slice(None)
            part = fitted.residual(structure, problem, rows)
            if residual is None:
                residual = np.zeros((len(problem.scores), part.shape[1]), np.float32)
            residual[rows] = part
        assert residual is not None
        return residual - residual.mean(axis=0)

    def _lanes(self, fresh: list[Structure], restarts: range) -> Iterator[Lane]:
        """Share the models out over programs: a fold, and some structures and restarts of it."""
        alike = sorted(fresh, key=lambda s: (len(s.groups), len(s.features)))
        wanted = [Trial(*each, self.decay) for each in product(alike, restarts)]
        size = SLOTS[-1] if len(wanted) * self.problem.n_folds > SLOTS[0] * 2 else SLOTS[0]
        for fold in range(self.problem.n_folds):
            for start in range(0, len(wanted), size):
                yield fold, wanted[start : start + size]

    def _train(self, fold: int, wanted: list[Trial], effort: float, n_hidden: int) -> Trained:
        problem = self.problem
        structures = [trial.structure for trial in wanted]
        columns = self._columns(structures)
        masks = masks_of(structures, columns, problem.owner)
        rows = np.zeros((len(problem.scores), masks.shape[2]), np.float32)
        rows[:, : len(columns)] = problem.scores[:, columns]
        jobs = [
            Job(
                mask,
                AGGREGATORS.index(trial.structure.aggregator),
                (self.seed, fold, trial.restart),
                trial.decay,
            )
            for mask, trial in zip(masks, wanted, strict=True)
        ]
        learn_from = np.flatnonzero(problem.folds != fold)
        outcome = train_composites(
            jobs,
            Rows(rows, problem.target, problem.weights),
            learn_from,
            problem.predictor,
            Schedule.for_rows(len(learn_from), effort),
            n_hidden,
            self.device,
            next((slots for slots in SLOTS if slots >= len(jobs)), len(jobs)),
            problem.folds == fold,
        )
        return columns, masks, outcome

    def _columns(self, structures: list[Structure]) -> NDArray[np.intp]:
        """Return the columns of all features of the structures."""
        features = sorted({feature for s in structures for feature in s.features})
        return np.flatnonzero(np.isin(self.problem.owner, features))

    def _settle_constant(self, constant: Structure) -> None:
        """Judge the structure without groups, which needs no training."""
        problem = self.problem
        masks = masks_of([constant], np.zeros(0, np.intp), problem.owner)
        losses = np.zeros(len(problem.folds))
        fits = []
        for fold in range(problem.n_folds):
            learnt, judged = problem.folds != fold, problem.folds == fold
            offset = problem.predictor.constant(problem.target[learnt], problem.weights[learnt])
            parameters = constant_composite(masks.shape[2], offset)
            fits.append(Fitted(np.zeros(0, np.intp), masks[0, :1], parameters, 1.0))
            losses[judged] = constant_losses(offset, problem.target[judged], problem.predictor)
        self.losses_of[constant] = losses[problem.held_out]
        self.fitted_of[constant] = fits
        self.best = min(self.best, self.mean(constant))

    def _remember(
        self,
        structures: list[Structure],
        lanes: list[Lane],
        results: list[Trained],
    ) -> None:
        """Keep the best restart of each structure and fold."""
        held_out = np.flatnonzero(self.problem.held_out)
        for structure in structures:
            self.losses_of.setdefault(structure, np.zeros(len(held_out)))
            self.fitted_of.setdefault(structure, [None] * self.problem.n_folds)
        for (fold, wanted), (columns, masks, outcome) in zip(lanes, results, strict=True):
            judged = self.problem.folds == fold
            place = np.searchsorted(held_out, np.flatnonzero(judged))
            weights = self.problem.weights[judged]
            counted = weights > 0
            for job, (structure, _, _) in enumerate(wanted):
                known = self.losses_of[structure]
                ours = np.nan_to_num(outcome.losses[job, judged], nan=np.inf)
                better = (ours - known[place])[counted] @ weights[counted] < 0
                if self.fitted_of[structure][fold] is None or better:
                    known[place] = ours
                    one = Composite(*(leaf[job] for leaf in outcome.parameters))
                    share = float(outcome.share[job])
                    self.fitted_of[structure][fold] = Fitted(columns, masks[job], one, share)
        for structure in structures:
            self.best = min(self.best, self.mean(structure))
