"""Trains the ensembles of several seeds in one program."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from coterie.model.encoders import Linear, encode
from coterie.model.losses import Loss
from coterie.model.objective import (
    CLOSED,
    Architecture,
    Batch,
    Coefficients,
    Ensemble,
    LossParts,
    ensemble_outputs,
    individual_outputs,
    init_ensemble,
)
from coterie.training.callbacks import Callback, Checkpoint, Record, TrainingState
from coterie.training.compilation import compile_program, keep_compiled_programs
from coterie.training.epoch import OPTIMISER, Learning, Plan, Rates, make_epoch
from coterie.training.padding import pad_to, padded_size
from coterie.training.settings import TrainingData, TrainingSettings

_BLOCK_OF_ROWS = 2048


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
        return _sigmoid(self.parameters["logits"])


def train_ensembles(
    settings: TrainingSettings,
    loss: Loss,
    data: TrainingData,
    seeds: Sequence[int],
    *,
    validation: TrainingData | None = None,
    callbacks: Iterable[Callback] = (),
    device: str | jax.Device | None = None,
) -> list[TrainedEnsemble]:
    """Train the paper's ensemble once for each seed, all seeds in one program.

    Each seed starts from the state, and makes the draws, that it would alone.

    Parameters
    ----------
    settings : TrainingSettings
    loss : Loss
        ``loss.n_outputs`` outputs a row.
    data : TrainingData
    seeds : sequence of int
    validation : TrainingData, optional
        Its loss, with the gates as they are after thresholding, enters the history.
    callbacks : iterable of Callback
        Called for each seed at the end of each epoch. A :class:`Checkpoint` among them also
        restores: seeds with a saved state go on from it.
    device : str or jax.Device, optional
        For instance ``"cpu"`` or ``"gpu"``; JAX's first device by default.

    Returns
    -------
    list of TrainedEnsemble, one for each seed
    """
    keep_compiled_programs()
    with jax.default_device(_resolve_device(device)):
        run = _Run(settings, loss, data, list(seeds), validation, tuple(callbacks))
        return run.train()


class _Run:
    """The state of one call of :func:`train_ensembles`: arrays on the device, records, seeds."""

    def __init__(
        self,
        settings: TrainingSettings,
        loss: Loss,
        data: TrainingData,
        seeds: list[int],
        validation: TrainingData | None,
        callbacks: tuple[Callback, ...],
    ) -> None:
        n_rows, self.n_columns = data.columns.shape
        self.settings, self.loss, self.data, self.seeds = settings, loss, data, seeds
        self.validation, self.callbacks = validation, callbacks
        self.batch_size = min(settings.batch_size, n_rows)
        self.n_steps = -(-n_rows // self.batch_size)
        self.capacity = padded_size(n_rows, least=64)
        self.padded_columns = padded_size(self.n_columns)
        self.padded_features = padded_size(data.n_features)
        self.centre = data.columns.mean(axis=0, dtype=np.float64).astype(np.float32)
        self.histories: list[list[Record]] = [[] for _ in seeds]
        self.finished: dict[int, dict[str, np.ndarray]] = {}

    def train(self) -> list[TrainedEnsemble]:
        """Run the epochs that are left for each seed and give the trained ensembles."""
        learning, first_epoch = self._start()
        rows = self._rows_on_device()
        n_features = jnp.float32(self.data.n_features)
        epoch_program = None
        for epoch in range(first_epoch, self.settings.max_epochs):
            arguments = (learning, rows, self._plan(epoch), self._rates(epoch), n_features)
            if epoch_program is None:
                epoch_program = _epoch_program(self._architecture(), arguments)
            learning, parts = epoch_program(*arguments)
            self._close_epoch(epoch + 1, learning, jax.device_get(parts))
            if len(self.finished) == len(self.seeds):
                break
        last = jax.device_get(learning.parameters)
        return [
            TrainedEnsemble(
                self.finished.get(i) or self._cut(_one_seed(last, i)),
                self.centre,
                self.data.owner,
                self.histories[i],
            )
            for i in range(len(self.seeds))
        ]

    @cached_property
    def fingerprint(self) -> str:
        """Which settings and data the run belongs to; hashing them is left to who asks."""
        return _fingerprint(self.settings, self.loss, self.data)

    def _architecture(self) -> Architecture:
        owner = None
        if self.data.owner is not None:
            padding = np.full(self.padded_columns - self.n_columns, self.padded_features - 1)
            owner = tuple(int(i) for i in np.concatenate([self.data.owner, padding]))
        return Architecture(
            loss=self.loss,
            n_masks=self.settings.n_masks(self.batch_size),
            temperature=self.settings.temperature,
            stop_gradient=self.settings.stop_gradient,
            owner=owner,
        )

    def _start(self) -> tuple[Learning, int]:
        """Draw the initial states, or take up saved ones if every seed has one."""
        saved = self._saved_states()
        if saved:
            self.histories = [list(state.history) for state in saved]
            learnings = [_unflatten(self._initial(state.seed), state.arrays) for state in saved]
        else:
            learnings = [self._initial(seed) for seed in self.seeds]
        stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *learnings)
        return stacked, saved[0].epoch if saved else 0

    def _saved_states(self) -> list[TrainingState]:
        for checkpoint in (c for c in self.callbacks if isinstance(c, Checkpoint)):
            states = [checkpoint.load(seed, self.fingerprint) for seed in self.seeds]
            found = [state for state in states if state is not None]
            if len(found) == len(states) and len({state.epoch for state in found}) == 1:
                return found
        return []

    def _initial(self, seed: int) -> Learning:
        rng = np.random.default_rng([seed, 0])
        parameters = init_ensemble(
            rng,
            self.settings.n_groups,
            self.data.n_features,
            self.n_columns,
            self.settings.hidden_dim,
            self.loss.n_outputs,
        )
        padded = self._pad(parameters)
        return Learning(padded, OPTIMISER.init(jax.tree.map(jnp.asarray, padded)))

    def _pad(self, parameters: Ensemble) -> Ensemble:
        weight = parameters.first.weight
        return parameters._replace(
            logits=pad_to(
                parameters.logits, (len(parameters.logits), self.padded_features), CLOSED
            ),
            first=Linear(
                pad_to(weight, (*weight.shape[:2], self.padded_columns)), parameters.first.bias
            ),
        )

    def _cut(self, parameters: Ensemble) -> dict[str, np.ndarray]:
        """Name the arrays and cut the padding off."""
        arrays = _flatten(parameters)
        arrays["logits"] = arrays["logits"][:, : self.data.n_features]
        arrays["first.weight"] = arrays["first.weight"][:, :, : self.n_columns]
        return {name: np.ascontiguousarray(array) for name, array in arrays.items()}

    def _rows_on_device(self) -> Batch:
        columns = np.zeros((self.capacity, self.padded_columns), np.float32)
        np.subtract(
            self.data.columns, self.centre, out=columns[: len(self.data.columns), : self.n_columns]
        )
        target, weights = self.data.target, self.data.scaled_weights()
        return Batch(
            jnp.asarray(columns),
            jnp.asarray(pad_to(target, (self.capacity, *target.shape[1:]))),
            jnp.asarray(pad_to(weights, (self.capacity,))),
        )

    def _plan(self, epoch: int) -> Plan:
        """Shuffle the rows and seed the noise: of the seed and the epoch alone."""
        n_rows = len(self.data.columns)
        steps = -(-self.capacity // self.batch_size)
        order = np.full((len(self.seeds), steps * self.batch_size), -1, np.int32)
        noise = np.zeros((len(self.seeds), steps), np.uint32)
        for i, seed in enumerate(self.seeds):
            rng = np.random.default_rng([seed, epoch + 1])
            order[i, :n_rows] = rng.permutation(n_rows)
            noise[i, : self.n_steps] = rng.integers(2**32, size=self.n_steps, dtype=np.uint32)
        shaped = order.reshape(len(self.seeds), steps, self.batch_size)
        return Plan(jnp.asarray(shaped), jnp.asarray(noise), jnp.int32(self.n_steps))

    def _rates(self, epoch: int) -> Rates:
        settings = self.settings
        shrink = settings.penalty_decay**epoch
        return Rates(
            Coefficients(
                size=jnp.float32(settings.beta * shrink),
                ensemble=jnp.float32(settings.beta_ensemble),
                overlap=jnp.float32(settings.beta_overlap * shrink),
            ),
            jnp.float32(settings.learning_rate * settings.lr_decay**epoch),
        )

    def _close_epoch(self, epoch: int, learning: Learning, parts: LossParts) -> None:
        """Write the records, ask the callbacks, and keep the state of seeds that stop."""
        logits = np.asarray(learning.parameters.logits)[:, :, : self.data.n_features]
        for i, seed in enumerate(self.seeds):
            if i in self.finished:
                continue
            record = self._record(epoch, seed, LossParts(*(float(p[i]) for p in parts)))
            record |= self._selection(logits[i])
            if self.validation is not None:
                record["validation_loss"] = self._validation_loss(learning, i, logits[i])
            self.histories[i].append(record)
            read = partial(self._state, learning, i, epoch)
            stops = [callback.on_epoch_end(record, read) for callback in self.callbacks]
            if any(stops):
                parameters = jax.tree.map(lambda leaf, i=i: leaf[i], learning.parameters)
                self.finished[i] = self._cut(jax.device_get(parameters))

    def _record(self, epoch: int, seed: int, parts: LossParts) -> Record:
        rates = jax.device_get(self._rates(epoch - 1))
        weighted = LossParts(
            individual=parts.individual,
            ensemble=float(rates.coefficients.ensemble) * parts.ensemble,
            size=float(rates.coefficients.size) * parts.size,
            overlap=float(rates.coefficients.overlap) * parts.overlap,
        )
        return {
            "seed": seed,
            "epoch": epoch,
            "loss": sum(weighted),
            **{f"{name}_loss": value for name, value in weighted._asdict().items()},
            "learning_rate": float(rates.learning_rate),
        }

    def _selection(self, logits: np.ndarray) -> Record:
        mask = self.settings.threshold(_sigmoid(logits))
        return {
            "n_features": [int(size) for size in mask.sum(axis=1)],
            "overlap": int((mask.sum(axis=0) > 1).sum()),
        }

    def _validation_loss(self, learning: Learning, seed_index: int, logits: np.ndarray) -> float:
        assert self.validation is not None
        parameters = self._cut(_one_seed(jax.device_get(learning.parameters), seed_index))
        trained = TrainedEnsemble(parameters, self.centre, self.data.owner, [])
        mask = self.settings.threshold(_sigmoid(logits))
        outputs = predict_outputs(trained, mask, self.validation.columns)
        losses = np.asarray(self.loss(jnp.asarray(outputs), jnp.asarray(self.validation.target)))
        return float(np.average(losses, weights=self.validation.scaled_weights()))

    def _state(self, learning: Learning, seed_index: int, epoch: int) -> TrainingState:
        arrays = _flatten(_one_seed(jax.device_get(learning), seed_index))
        history = self.histories[seed_index]
        return TrainingState(self.fingerprint, self.seeds[seed_index], epoch, arrays, history)


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
    parameters = _unflatten(_EMPTY, trained.parameters)
    n_columns = columns.shape[1]
    gates = np.asarray(mask, np.float32)
    gates = gates if trained.owner is None else gates[:, trained.owner]
    width = padded_size(n_columns)
    weight = parameters.first.weight
    first = Linear(pad_to(weight, (*weight.shape[:2], width)), parameters.first.bias)
    arguments = (
        parameters._replace(first=first, logits=np.zeros(0, np.float32)),
        pad_to(gates, (len(gates), width))[:, None, :],
        np.int32(0 if group is None else group),
    )
    program = _outputs_program if group is None else _own_outputs_program
    blocks = [
        np.asarray(program(*arguments, block))[:n_kept]
        for block, n_kept in _blocks(columns, trained.centre, width)
    ]
    return np.concatenate(blocks) if blocks else np.zeros((0, first.bias.shape[-1]), np.float32)


def _blocks(
    columns: np.ndarray, centre: np.ndarray, width: int
) -> Iterable[tuple[np.ndarray, int]]:
    """Centre and pad the rows block by block; few rows make a smaller block."""
    size = min(_BLOCK_OF_ROWS, padded_size(len(columns)))
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


def _epoch_program(architecture: Architecture, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """Give the compiled epoch for these shapes; a second run of the same shapes finds it here."""
    shapes = jax.tree.map(
        lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), arguments
    )
    leaves, structure = jax.tree.flatten(shapes)
    device = arguments[1].rows.devices().pop()
    return _compiled_epoch(architecture, tuple(leaves), structure, device)


@lru_cache(maxsize=64)
def _compiled_epoch(
    architecture: Architecture,
    leaves: tuple[jax.ShapeDtypeStruct, ...],
    structure: Any,
    device: jax.Device,
) -> Callable[..., Any]:
    arguments = jax.tree.unflatten(structure, leaves)
    return compile_program(make_epoch(architecture), arguments, donate_argnums=(0,))


def _resolve_device(device: str | jax.Device | None) -> jax.Device:
    if not isinstance(device, str):
        return jax.devices()[0] if device is None else device
    try:
        return jax.devices(device)[0]
    except RuntimeError as error:
        known = ", ".join(sorted({d.platform for d in jax.devices()}))
        raise ValueError(f"device: {device!r} is not available here; JAX has {known}.") from error


def _fingerprint(settings: TrainingSettings, loss: Loss, data: TrainingData) -> str:
    """Tell runs apart by their settings and data."""
    digest = hashlib.sha256(repr((settings, loss)).encode())
    for array in (data.columns, data.target, data.weights, data.owner):
        if array is not None:
            digest.update(repr((array.shape, str(array.dtype))).encode())
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _one_seed(tree: Any, index: int) -> Any:
    return jax.tree.map(lambda leaf: np.asarray(leaf)[index], tree)


def _sigmoid(logits: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-logits.astype(np.float64))))


def _flatten(tree: Any) -> dict[str, np.ndarray]:
    """Name the leaves of a tree by their paths: ``first.weight`` and so on."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {_name(path): np.asarray(leaf) for path, leaf in leaves}


def _unflatten(like: Any, arrays: Any) -> Any:
    """Put named arrays back into the shape of a tree."""
    return jax.tree_util.tree_map_with_path(lambda path, _: arrays[_name(path)], like)


def _name(path: tuple[Any, ...]) -> str:
    return jax.tree_util.keystr(path, simple=True, separator=".")


_EMPTY = Ensemble(0, *(Linear(0, 0) for _ in range(4)))  # type: ignore[arg-type]
