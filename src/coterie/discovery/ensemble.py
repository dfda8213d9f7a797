"""Lets the paper's gated ensemble look for what leaves no trace in the scores of the screen."""

from __future__ import annotations

import jax
import numpy as np
from numpy.typing import NDArray

from coterie.discovery.problem import Problem
from coterie.groups import Group, canonical_groups
from coterie.model.losses import CrossEntropy, Loss, SquaredError
from coterie.model.thresholds import AtLeast
from coterie.training import TrainedEnsemble, TrainingData, TrainingSettings, train_ensembles

OPEN, SHUT = 0.5, 0.1
SETTINGS = TrainingSettings(
    n_groups=4,
    hidden_dim=32,
    beta=0.002,
    beta_overlap=0.001,
    temperature=0.5,
    max_epochs=24,
    batch_size=250,
    learning_rate=0.01,
    lr_decay=0.97,
    penalty_decay=1.4,
    gate_noise="batch",
    threshold=AtLeast(OPEN),
)
"""Penalties that rise: features are tried first and shed later."""
MOST_FEATURES = 24
MOST_PASSES, LEAST_SHED = 4, 0.1


def gated_groups(problem: Problem, seeds: list[int], device: jax.Device) -> list[Group]:
    """Return the groups of features whose gates stay open, in any of several seeds.

    All seeds train in one program. Features whose gates are shut in every learner of every seed are
    dropped, and what is left is trained again, until few more would go: among fewer features, those
    that act together are found sooner. Only the rows outside the first fold are learnt from, so
    that the candidates can be judged on that fold.
    """
    rows = problem.folds != 0
    loss, target = _loss_of(problem.target)
    features = np.unique(problem.owner)
    chosen: list[Group] = []
    for _ in range(MOST_PASSES):
        data = _table(problem, rows, target, features)
        runs = train_ensembles(SETTINGS, loss, data, seeds, device=device)
        chosen = [
            tuple(int(feature) for feature in features[learner >= OPEN])
            for run in runs
            for learner in run.probabilities
        ]
        left = features[_ever_open(runs)]
        if len(left) == 0 or len(left) > (1 - LEAST_SHED) * len(features):
            break
        features = left
    return canonical_groups(group for group in chosen if len(group) <= MOST_FEATURES)


def _loss_of(target: NDArray) -> tuple[Loss, NDArray]:
    """Return the loss of the outcome, and the outcome as that loss takes it."""
    if target.ndim == 1:
        return CrossEntropy(int(target.max()) + 1), target.astype(np.int32)
    return SquaredError(target.shape[1]), target


def _table(
    problem: Problem, rows: NDArray[np.bool_], target: NDArray, features: NDArray[np.intp]
) -> TrainingData:
    """Return the columns of some features for some rows."""
    columns = np.flatnonzero(np.isin(problem.owner, features))
    owner = np.searchsorted(features, problem.owner[columns])
    return TrainingData(
        problem.scores[np.ix_(rows, columns)],
        target[rows],
        problem.weights[rows],
        owner if len(features) < len(columns) else None,
    )


def _ever_open(runs: list[TrainedEnsemble]) -> NDArray[np.bool_]:
    """Tell which features have a gate that is not shut, in any learner of any seed."""
    return np.any([(run.probabilities >= SHUT).any(axis=0) for run in runs], axis=0)
