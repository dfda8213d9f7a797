"""Lets the paper's gated ensemble look for what leaves no trace in the scores of the screen."""

from __future__ import annotations

import jax
import numpy as np

from coterie.discovery.judge import Problem
from coterie.groups import Group, canonical_groups
from coterie.model.losses import CrossEntropy, Loss, SquaredError
from coterie.model.thresholds import AtLeast
from coterie.training import TrainingData, TrainingSettings, train_ensembles

OPEN = 0.5
SETTINGS = TrainingSettings(
    n_groups=4,
    hidden_dim=20,
    beta=0.3,
    beta_overlap=0.1,
    max_epochs=12,
    batch_size=250,
    learning_rate=0.01,
    lr_decay=0.97,
    penalty_decay=1.35,
    gate_noise="batch",
    threshold=AtLeast(OPEN),
)
"""Penalties that rise: features are tried first and shed later."""
MOST_FEATURES = 24


def gated_groups(problem: Problem, seeds: list[int], device: jax.Device) -> list[Group]:
    """Return the groups of features whose gates stay open, in any of several seeds.

    Only the rows outside the first fold are learnt from, so that the candidates can be judged on
    that fold.
    """
    rows = problem.folds != 0
    target = problem.target[rows]
    loss: Loss
    if np.issubdtype(target.dtype, np.integer) or target.ndim == 1:
        loss = CrossEntropy(int(problem.target.max()) + 1)
        target = target.astype(np.int32)
    else:
        loss = SquaredError(target.shape[1])
    shared = len(np.unique(problem.owner)) < len(problem.owner)
    data = TrainingData(
        problem.scores[rows], target, problem.weights[rows], problem.owner if shared else None
    )
    runs = train_ensembles(SETTINGS, loss, data, seeds, device=device)
    found = []
    for run in runs:
        for learner in run.probabilities:
            open_ = np.flatnonzero(learner >= OPEN)
            if len(open_) <= MOST_FEATURES:
                found.append(open_)
    return canonical_groups(found)
