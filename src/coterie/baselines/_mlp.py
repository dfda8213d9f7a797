"""A classifier with two hidden layers on given columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from coterie.baselines._layers import Layers, apply_layers, as_arrays, init_layers
from coterie.baselines._training import Schedule, Step, padded_width, train_network, weighted_mean
from coterie.model.losses import Loss
from coterie.model.objective import Batch
from coterie.training import TrainingData
from coterie.training.callbacks import Record
from coterie.training.padding import pad_to

ArraysOfLayers = list[tuple[NDArray[Any], NDArray[Any]]]


@dataclass(frozen=True)
class PredictionObjective:
    """The loss of the outputs of plain layers."""

    loss: Loss

    def __call__(
        self, parameters: Layers, constants: None, batch: Batch, step: Step
    ) -> tuple[jax.Array, dict[str, jax.Array]]:
        outputs = apply_layers(parameters, batch.rows)
        return weighted_mean(self.loss(outputs, batch.target), batch), {}


def train_mlp(
    data: TrainingData,
    chosen: NDArray[np.intp],
    loss: Loss,
    hidden_dim: int,
    schedule: Schedule,
    seed: int,
) -> tuple[ArraysOfLayers, list[Record]]:
    """Train a classifier on the chosen columns.

    Returns
    -------
    layers : list of (weight, bias)
    history : list of dict
    """
    seen = TrainingData(np.ascontiguousarray(data.columns[:, chosen]), data.target, data.weights)
    rng = np.random.default_rng([seed, 0])
    first, *rest = init_layers(rng, [len(chosen), hidden_dim, hidden_dim, loss.n_outputs])
    wide = first._replace(weight=pad_to(first.weight, (padded_width(seen), hidden_dim)))
    trained, history = train_network(
        PredictionObjective(loss), (wide, *rest), None, seen, schedule, seed
    )
    layers = as_arrays(trained)
    layers[0] = np.ascontiguousarray(layers[0][0][: len(chosen)]), layers[0][1]
    return layers, history
