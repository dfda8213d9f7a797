"""What a run leaves, and predicting with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import jax
import numpy as np

from coterie.model.encoders import Linear, encode
from coterie.model.objective import Ensemble, ensemble_outputs, individual_outputs
from coterie.training.callbacks import Record
from coterie.training.padding import pad_to, padded_size, power_of_two
from coterie.training.trees import unflatten

_BLOCK_OF_ROWS = 2048
_LEAST_ROWS = 64
_EMPTY = Ensemble(0, *(Linear(0, 0) for _ in range(4)))


@dataclass(frozen=True)
class TrainedEnsemble:
    """What a run of one seed leaves: plain arrays, enough to predict with any mask.

    Parameters
    ----------
    parameters : dict of str to array
        The arrays of :class:`coterie.model.objective.Ensemble` by path, padding cut off.
    centre : array of shape (columns,)
        The training means, which stand in for features that are not selected.
    owner : int array of shape (columns,) or None
        The feature that owns each column.
    history : list of dict
        A record for each epoch.
    """

    parameters: dict[str, np.ndarray]
    centre: np.ndarray
    owner: np.ndarray | None
    history: list[Record]

    @property
    def probabilities(self) -> np.ndarray:
        """The gates' selection probabilities, shape (learners, features)."""
        return sigmoid(self.parameters["logits"])


def predict_outputs(
    trained: TrainedEnsemble,
    mask: np.ndarray,
    columns: np.ndarray,
    group: int | None = None,
) -> np.ndarray:
    """Predict with hard gates: the features of ``mask``, means for all others.

    Parameters
    ----------
    trained : TrainedEnsemble
    mask : bool array of shape (learners, features)
    columns : array of shape (n, columns)
    group : int, optional
        The learner whose own prediction is wanted; by default the ensemble's.

    Returns
    -------
    outputs : array of shape (n, outputs)
    """
    parameters = unflatten(_EMPTY, trained.parameters)
    n_columns = columns.shape[1]
    gates = np.asarray(mask, np.float32)
    gates = gates if trained.owner is None else gates[:, trained.owner]
    width = padded_size(n_columns)
    arguments = (
        parameters._replace(first=widen(parameters.first, width), logits=np.zeros(0, np.float32)),
        pad_to(gates, (len(gates), width))[:, None, :],
        np.int32(0 if group is None else group),
    )
    program = _outputs_program if group is None else _own_outputs_program
    blocks = [
        np.asarray(program(*arguments, block))[:n_kept]
        for block, n_kept in _blocks(columns, trained.centre, width)
    ]
    return (
        np.concatenate(blocks)
        if blocks
        else np.zeros((0, parameters.ensemble.bias.shape[-1]), np.float32)
    )


def widen(layer: Linear, n_columns: int) -> Linear:
    """Append columns of zero weights."""
    shape = (*layer.weight.shape[:2], n_columns)
    return layer._replace(weight=pad_to(layer.weight, shape))


def _blocks(
    columns: np.ndarray, centre: np.ndarray, width: int
) -> Iterable[tuple[np.ndarray, int]]:
    """Centre and pad the rows block by block; few rows make a smaller block.

    Sizes are powers of two: where a product is cut into tiles, no row falls into a smaller last
    tile, so the prediction for a row is the same to the last bit wherever it stands.
    """
    size = min(_BLOCK_OF_ROWS, max(_LEAST_ROWS, power_of_two(len(columns))))
    for start in range(0, len(columns), size):
        rows = columns[start : start + size] - centre
        yield pad_to(rows.astype(np.float32), (size, width)), len(rows)


@jax.jit
def _outputs_program(
    parameters: Ensemble, gates: jax.Array, _: jax.Array, rows: jax.Array
) -> jax.Array:
    codes = encode(parameters.first, parameters.second, gates, rows)
    return ensemble_outputs(parameters, codes)


@jax.jit
def _own_outputs_program(
    parameters: Ensemble, gates: jax.Array, group: jax.Array, rows: jax.Array
) -> jax.Array:
    codes = encode(parameters.first, parameters.second, gates, rows)
    return individual_outputs(parameters, codes)[group]


def sigmoid(logits: np.ndarray) -> np.ndarray:
    """Give probabilities in float64."""
    return np.asarray(1 / (1 + np.exp(-logits.astype(np.float64))))
