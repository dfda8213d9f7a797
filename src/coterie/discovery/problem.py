"""What structures are judged on, and what a structure's model says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from coterie.discovery.structures import Structure
from coterie.model.aggregators import AGGREGATORS, Predictor
from coterie.model.composite import Composite, Masks
from coterie.training.composites import predict_effects
from coterie.training.padding import power_of_two

LEAST_GROUPS, LEAST_COLUMNS = 4, 8
FINE = 16
"""Size above which padding to the next power of two would cost more than another program."""


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


def bootstrap_rows(problem: Problem, seed: int, resample: int) -> Problem:
    """Draw rows anew, with replacement, by their weights: each copy stays in its row's fold."""
    rng = np.random.default_rng([seed, 4, resample])
    n_rows = len(problem.weights)
    counts = rng.multinomial(n_rows, np.full(n_rows, 1 / n_rows))
    weights = problem.weights * counts
    return replace(problem, weights=np.asarray(weights / weights.mean(), np.float32))


@dataclass(frozen=True)
class Fitted:
    """A structure's model of one fold: its columns, its parameters, and when it was at its best."""

    columns: NDArray[np.intp]
    mask: NDArray[np.bool_]
    parameters: Composite
    share: float

    def residual(
        self, structure: Structure, problem: Problem, rows: NDArray[np.bool_] | slice
    ) -> NDArray[np.float32]:
        """Return the target less the prediction for some rows, shape (rows, outputs)."""
        one, code = self._alone(structure)
        effects = self.effects(structure, problem, self.columns_of(problem, rows))
        predicted = problem.predictor.predictions(one, code, effects)[0]
        return problem.predictor.residual(problem.target[rows], np.asarray(predicted))

    def losses(
        self, structure: Structure, problem: Problem, effects: NDArray[np.float32], target: NDArray
    ) -> NDArray[np.float64]:
        """Return the losses of rows, given what the groups add to each."""
        one, code = self._alone(structure)
        losses = problem.predictor.losses(one, code, effects, target)[0]
        return np.asarray(losses, np.float64)

    def effects(
        self, structure: Structure, problem: Problem, columns: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return what the groups add to rows, shape (1, groups, rows, outputs)."""
        one, code = self._alone(structure)
        masks = Masks(self.mask[None].astype(np.float32), code)
        return predict_effects(one, masks, columns, problem.predictor)

    def columns_of(
        self, problem: Problem, rows: NDArray[np.bool_] | NDArray[np.intp] | slice
    ) -> NDArray[np.float32]:
        """Return the columns of the model for some rows, padded as its mask."""
        chosen = problem.scores[rows]
        columns = np.zeros((len(chosen), self.mask.shape[1]), np.float32)
        columns[:, : len(self.columns)] = chosen[:, self.columns]
        return columns

    def _alone(self, structure: Structure) -> tuple[Composite, NDArray[np.intp]]:
        """Return the parameters and the aggregator as those of a single job."""
        one = Composite(*(np.asarray(leaf)[None] for leaf in self.parameters))
        return one, np.array([AGGREGATORS.index(structure.aggregator)])


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
    """Round up to a power of two or, if large, to half again as much as one.

    Examples
    --------
    >>> [_padded(size, 4) for size in (3, 5, 16, 17, 25, 33)]
    [4, 8, 16, 24, 32, 48]
    """
    power = power_of_two(size)
    return max(least, power * 3 // 4 if power > FINE and size <= power * 3 // 4 else power)
