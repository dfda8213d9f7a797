"""Judges structures by the held-out losses of their composite models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product

import jax
import numpy as np
from numpy.typing import NDArray

from coterie.discovery.structures import Structure
from coterie.model.aggregators import AGGREGATORS, Predictor
from coterie.model.composite import Composite, Masks
from coterie.training.composites import Job, Rows, Schedule, predict_effects, train_composites

N_HIDDEN = 16
SLOTS = (4, 8)
LEAST_GROUPS, LEAST_COLUMNS = 4, 8
CLEAR = 2.5
"""Standard errors by which a difference has to exceed zero."""
TOLERANCE = 0.02
"""Share of what can be explained that a simpler structure may cost: the noise of training."""


@dataclass(frozen=True)
class Problem:
    """All that structures are judged on.

    Parameters
    ----------
    scores : float32 array of shape (rows, columns)
    owner : int array of shape (columns,)
        The feature of each column.
    target : array of shape (rows,) or (rows, outputs)
    weights : float32 array of shape (rows,), mean one
    predictor : Predictor
    folds : int array of shape (rows,)
        The fold in which a row is held out; -1 for rows that are always learnt from.
    """

    scores: NDArray[np.float32]
    owner: NDArray[np.intp]
    target: NDArray
    weights: NDArray[np.float32]
    predictor: Predictor
    folds: NDArray[np.int64]

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """The rows on which losses count."""
        return self.folds >= 0

    @property
    def n_folds(self) -> int:
        """How many models are trained for a structure, at least."""
        return int(self.folds.max()) + 1


@dataclass(frozen=True)
class Fitted:
    """A structure's model of one fold: parameters of one job, and the columns that it takes."""

    columns: NDArray[np.intp]
    mask: NDArray[np.bool_]
    parameters: Composite

    def residual(
        self, structure: Structure, problem: Problem, rows: NDArray[np.bool_] | slice
    ) -> NDArray[np.float32]:
        """Return the target less the prediction for some rows, shape (rows, outputs)."""
        columns = np.zeros((len(problem.scores[rows]), self.mask.shape[1]), np.float32)
        columns[:, : len(self.columns)] = problem.scores[rows][:, self.columns]
        one = Composite(*(np.asarray(leaf)[None] for leaf in self.parameters))
        code = np.array([AGGREGATORS.index(structure.aggregator)])
        masks = Masks(self.mask[None].astype(np.float32), code)
        effects = predict_effects(one, masks, columns, problem.predictor)
        predicted = problem.predictor.predictions(one, code, effects)[0]
        return problem.predictor.residual(problem.target[rows], np.asarray(predicted))


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
        self.fitted_of: dict[Structure, list[Fitted]] = {}
        self.n_trained = 0
        self.counts = problem.weights[problem.held_out].astype(np.float64)
        self.best = np.inf

    @property
    def null(self) -> float:
        """The loss of a constant prediction."""
        return self.mean(Structure(()))

    def judge(self, structures: Iterable[Structure]) -> None:
        """Train all structures that are not yet known, side by side."""
        fresh = [s for s in dict.fromkeys(structures) if s not in self.losses_of]
        if not fresh:
            return
        self.check()
        lanes = list(self._lanes(fresh))
        with ThreadPoolExecutor(max_workers=self.n_workers) as workers:
            results = list(workers.map(lambda lane: self._train(*lane), lanes))
        self._remember(fresh, lanes, results)

    def mean(self, structure: Structure) -> float:
        """Return the mean held-out loss."""
        self.judge([structure])
        return float(np.average(self.losses_of[structure], weights=self.counts))

    def compare(self, first: Structure, second: Structure) -> Difference:
        """Return by how much the loss of the first exceeds that of the second, row by row."""
        self.judge([first, second])
        differences = self.losses_of[first] - self.losses_of[second]
        mean = float(np.average(differences, weights=self.counts))
        squares = (self.counts * (differences - mean)) ** 2
        return Difference(mean, float(np.sqrt(squares.sum()) / self.counts.sum()))

    def clearly_worse(self, first: Structure, second: Structure) -> bool:
        """Tell whether the first loses more than chance and the noise of training explain."""
        difference = self.compare(first, second)
        return difference.mean > max(CLEAR * difference.error, TOLERANCE * self.gain)

    @property
    def gain(self) -> float:
        """What the best structure so far explains of the loss without any feature."""
        return max(self.null - self.best, 1e-6)

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

    def _lanes(self, fresh: list[Structure]) -> Iterator[tuple[int, list[tuple[Structure, int]]]]:
        """Share the models out over programs: a fold, and some structures and restarts of it."""
        wanted = list(product(fresh, range(self.n_restarts)))
        size = SLOTS[-1] if len(wanted) * self.problem.n_folds > SLOTS[0] * 2 else SLOTS[0]
        for fold in range(self.problem.n_folds):
            for start in range(0, len(wanted), size):
                yield fold, wanted[start : start + size]

    def _train(
        self, fold: int, wanted: list[tuple[Structure, int]]
    ) -> tuple[NDArray[np.intp], NDArray[np.bool_], Composite, NDArray[np.float32]]:
        problem = self.problem
        columns = self._columns([structure for structure, _ in wanted])
        masks = masks_of([structure for structure, _ in wanted], columns, problem.owner)
        rows = np.zeros((len(problem.scores), masks.shape[2]), np.float32)
        rows[:, : len(columns)] = problem.scores[:, columns]
        jobs = [
            Job(mask, AGGREGATORS.index(structure.aggregator), (self.seed, fold, restart))
            for mask, (structure, restart) in zip(masks, wanted, strict=True)
        ]
        learn_from = np.flatnonzero(problem.folds != fold)
        parameters, losses = train_composites(
            jobs,
            Rows(rows, problem.target, problem.weights),
            learn_from,
            problem.predictor,
            Schedule.for_rows(len(learn_from), self.effort),
            N_HIDDEN,
            self.device,
            next(slots for slots in SLOTS if slots >= len(jobs)),
        )
        return columns, masks, parameters, losses

    def _columns(self, structures: list[Structure]) -> NDArray[np.intp]:
        """Return the columns of all features of the structures."""
        features = sorted({feature for s in structures for feature in s.features})
        return np.flatnonzero(np.isin(self.problem.owner, features))

    def _remember(self, fresh: list[Structure], lanes: list, results: list) -> None:
        """Keep the best restart of each structure and fold."""
        held_out = self.problem.held_out
        best: dict[tuple[Structure, int], tuple[float, NDArray, Fitted]] = {}
        for (fold, wanted), (columns, masks, parameters, losses) in zip(
            lanes, results, strict=True
        ):
            judged = self.problem.folds == fold
            weights = self.problem.weights[judged]
            for job, (structure, _) in enumerate(wanted):
                mean = float(np.average(losses[job, judged], weights=weights))
                if not np.isfinite(mean):
                    mean = np.inf
                known = best.get((structure, fold))
                if known is None or mean < known[0]:
                    one = Composite(*(leaf[job] for leaf in parameters))
                    fitted = Fitted(columns, masks[job], one)
                    best[structure, fold] = (mean, losses[job, judged], fitted)
        for structure in fresh:
            losses_of = np.zeros(len(held_out))
            for fold in range(self.problem.n_folds):
                losses_of[self.problem.folds == fold] = best[structure, fold][1]
            self.losses_of[structure] = losses_of[held_out]
            self.fitted_of[structure] = [
                best[structure, fold][2] for fold in range(self.problem.n_folds)
            ]
            self.n_trained += self.problem.n_folds * self.n_restarts
            self.best = min(self.best, self.mean(structure))


def masks_of(
    structures: Sequence[Structure], columns: NDArray[np.intp], owner: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return the groups as masks over the columns, padded to one of a few shapes."""
    most = max(len(structure.groups) for structure in structures)
    shape = (_padded(most, LEAST_GROUPS), _padded(len(columns), LEAST_COLUMNS))
    masks = np.zeros((len(structures), *shape), bool)
    for mask, structure in zip(masks, structures, strict=True):
        for row, group in zip(mask, structure.groups, strict=False):
            row[: len(columns)] = np.isin(owner[columns], group)
    return masks


def _padded(size: int, least: int) -> int:
    """Round up to a power of two."""
    return max(least, 1 << max(size - 1, 0).bit_length())
