"""The composite model with exactly the found groups, which is what predicts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import jax
import numpy as np
from numpy.typing import NDArray

from coterie.discovery.judge import N_HIDDEN, Judge
from coterie.discovery.problem import Problem, masks_of
from coterie.discovery.scales import NormalScores
from coterie.discovery.structures import Structure
from coterie.model.aggregators import AGGREGATORS, Predictor
from coterie.model.composite import Composite, Masks
from coterie.training.composites import Job, Rows, Schedule, predict_effects, train_composites

N_MODELS = 4
STEPS = 2.0
WORSE = 1.25
"""Restarts whose loss exceeds the best one's by such a factor are left out of the average."""


@dataclass(frozen=True)
class CompositeModel:
    """A fitted composite model: the average of a few networks of one structure.

    Attributes
    ----------
    structure : Structure
        The groups, in the order of the mask's rows.
    columns : int array
        The columns of all groups, in the order of the mask's columns.
    mask : bool array of shape (groups, columns), padded
    parameters : Composite
        Of numpy arrays, a network along the first axis.
    scales : NormalScores
        Of ``columns``.
    centre : array of shape (groups, outputs)
        The mean effects on the training rows, which "sum" takes as its zero.
    predictor : Predictor
    """

    structure: Structure
    columns: NDArray[np.intp]
    mask: NDArray[np.bool_]
    parameters: Composite
    scales: NormalScores
    centre: NDArray[np.float32]
    predictor: Predictor

    @property
    def code(self) -> int:
        """The position of the aggregator."""
        return AGGREGATORS.index(self.structure.aggregator)

    def effects(self, table: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return what each group adds to each row, shape (rows, groups, outputs).

        Parameters
        ----------
        table : array of shape (rows, all columns)
            As the estimator reads it.
        """
        rows = np.zeros((len(table), self.mask.shape[1]), np.float32)
        rows[:, : len(self.columns)] = self.scales(table[:, self.columns])
        return self.effects_of_scores(rows)

    def effects_of_scores(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the effects for rows of normal scores, padded as the mask."""
        n_models = len(self.parameters.offset)
        masks = Masks(
            np.repeat(self.mask[None], n_models, axis=0).astype(np.float32),
            np.full(n_models, self.code, np.int32),
        )
        effects = predict_effects(self.parameters, masks, rows, self.predictor)
        mean = effects.mean(axis=0, dtype=np.float64)[: len(self.structure.groups)]
        return np.moveaxis(mean, 0, 1) - self.centre

    @property
    def base(self) -> NDArray[np.float64]:
        """The score without any effect, shape (outputs,); 0 for "or" and "and"."""
        if self.code:
            return np.zeros(self.centre.shape[1])
        offset = np.asarray(self.parameters.offset, np.float64).mean(axis=0)
        return offset + self.centre.sum(axis=0)

    def predictions(self, effects: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities or values from the effects of all groups."""
        joint = Composite(
            *(np.asarray(leaf).mean(axis=0, keepdims=True) for leaf in self.parameters)
        )
        whole = np.moveaxis(effects + self.centre, 1, 0)[None].astype(np.float32)
        predicted = self.predictor.predictions(joint, np.array([self.code]), whole)
        return np.asarray(predicted[0], np.float64)


def final_effort(judge: Judge, structure: Structure, effort: float) -> float:
    """Return the factor for the steps: longer than a trial, unless trials were best half-way."""
    share = judge.share_of_steps(structure)
    return effort * (STEPS if share == 1 else share)


def fit_final(
    structure: Structure,
    problem: Problem,
    scales: NormalScores,
    seed: int,
    effort: float,
    device: jax.Device,
    decay: float = 0.0,
) -> CompositeModel:
    """Train the structure on all rows, several times, and average the good ones.

    ``effort`` multiplies the number of steps, ``decay`` is that of the weights.
    """
    columns = np.flatnonzero(np.isin(problem.owner, structure.features))
    mask = masks_of([structure], columns, problem.owner)[0]
    rows = np.zeros((len(problem.scores), mask.shape[1]), np.float32)
    rows[:, : len(columns)] = problem.scores[:, columns]
    code = AGGREGATORS.index(structure.aggregator)
    outcome = train_composites(
        [Job(mask, code, (seed, 1 << 20, restart), decay) for restart in range(N_MODELS)],
        Rows(rows, problem.target, problem.weights),
        np.arange(len(rows)),
        problem.predictor,
        Schedule.for_rows(len(rows), effort),
        N_HIDDEN,
        device,
        N_MODELS,
    )
    means = outcome.losses @ problem.weights
    kept = means <= WORSE * np.nanmin(means)  # one network whose training failed is left out
    model = CompositeModel(
        structure,
        columns,
        mask,
        Composite(*(leaf[kept] for leaf in outcome.parameters)),
        scales.of_columns(columns),
        np.zeros((len(structure.groups), problem.predictor.n_outputs), np.float32),
        problem.predictor,
    )
    if code:
        return model
    weights = problem.weights / problem.weights.sum()
    centre = np.tensordot(weights, model.effects_of_scores(rows), axes=1)
    return replace(model, centre=np.asarray(centre, np.float32))
