"""Trains the ensembles of several seeds in one program."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import repeat
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from coterie.model.losses import Loss
from coterie.model.objective import (
    CLOSED,
    Architecture,
    Batch,
    Coefficients,
    Ensemble,
    LossParts,
    init_ensemble,
)
from coterie.training.callbacks import Callback, Checkpoint, Record, TrainingState
from coterie.training.compilation import keep_compiled_programs, program_for, resolve_device
from coterie.training.descent import OPTIMISER, Learning
from coterie.training.epoch import Plan, Rates, make_epoch
from coterie.training.padding import aligned_zeros, pad_to, padded_size
from coterie.training.settings import TrainingData, TrainingSettings
from coterie.training.trained import TrainedEnsemble, predict_outputs, sigmoid, widen
from coterie.training.trees import flatten, unflatten


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
    found = resolve_device(device)
    with jax.default_device(found):
        run = _Run(settings, loss, data, list(seeds), validation, tuple(callbacks), found)
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
        device: jax.Device,
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
        self.device = device
        # A CPU's cache holds the step of one seed at a time; wider devices take all seeds at once.
        self.per_lane = 1 if device.platform == "cpu" else len(seeds)
        self.histories: list[list[Record]] = [[] for _ in seeds]
        self.finished: dict[int, dict[str, np.ndarray]] = {}

    def train(self) -> list[TrainedEnsemble]:
        """Run the epochs that are left for each seed and give the trained ensembles."""
        lanes, first_epoch = self._start()
        rows = self._rows_on_device()
        n_features = np.float32(self.data.n_features)

        def arguments(lane: int, epoch: int) -> tuple[Any, ...]:
            return lanes[lane], rows, self._plan(lane, epoch), self._rates(epoch), n_features

        example = arguments(0, first_epoch)
        program = program_for(make_epoch, self._architecture(), example, self.device, donated=(0,))

        def train_lane(lane: int, epoch: int) -> tuple[Learning[Ensemble], LossParts]:
            with jax.default_device(self.device):
                return jax.block_until_ready(program(*arguments(lane, epoch)))

        with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
            for epoch in range(first_epoch, self.settings.max_epochs):
                if len(self.finished) == len(self.seeds):
                    break
                done = list(workers.map(train_lane, range(len(lanes)), repeat(epoch)))
                lanes = [learning for learning, _ in done]
                self._close_epoch(epoch + 1, lanes, [parts for _, parts in done])
        return [self._trained(lanes, i) for i in range(len(self.seeds))]

    def _trained(self, lanes: list[Learning[Ensemble]], seed_index: int) -> TrainedEnsemble:
        parameters = self.finished.get(seed_index)
        if parameters is None:
            parameters = self._cut(self._of_seed(lanes, seed_index).parameters)
        history = self.histories[seed_index]
        return TrainedEnsemble(parameters, self.centre, self.data.owner, history)

    def _of_seed(self, lanes: list[Any], seed_index: int) -> Any:
        """Take one seed's part out of the lanes, as arrays on the host."""
        lane, place = divmod(seed_index, self.per_lane)
        return jax.tree.map(lambda leaf: np.asarray(leaf[place]), lanes[lane])

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
            rows_per_mask=self.settings.rows_per_mask(self.batch_size),
            temperature=self.settings.temperature,
            stop_gradient=self.settings.stop_gradient,
            owner=owner,
        )

    def _start(self) -> tuple[list[Learning[Ensemble]], int]:
        """Draw the initial states, or take up saved ones if every seed has one.

        A lane is what one call of the program trains: every seed, or one seed after another.
        """
        saved = self._saved_states()
        if saved:
            self.histories = [list(state.history) for state in saved]
            learnings = [unflatten(self._initial(state.seed), state.arrays) for state in saved]
            self.finished = {
                i: self._cut(learning.parameters)
                for i, learning in enumerate(learnings)
                if self._had_ended(saved[i])
            }
        else:
            learnings = [self._initial(seed) for seed in self.seeds]
        lanes = [
            jax.tree.map(
                lambda *leaves: jax.device_put(np.stack(leaves)), *learnings[i : i + self.per_lane]
            )
            for i in range(0, len(learnings), self.per_lane)
        ]
        return lanes, max((state.epoch for state in saved), default=0)

    def _saved_states(self) -> list[TrainingState]:
        for checkpoint in (c for c in self.callbacks if isinstance(c, Checkpoint)):
            states = [checkpoint.load(seed, self.fingerprint) for seed in self.seeds]
            found = [state for state in states if state is not None]
            running = {state.epoch for state in found if not self._had_ended(state)}
            if len(found) == len(states) and len(running) <= 1:
                return found
        return []

    def _had_ended(self, state: TrainingState) -> bool:
        """Let the callbacks look back; a seed that one of them had ended stays as it is."""
        looking_back = [c.on_resume for c in self.callbacks if hasattr(c, "on_resume")]
        ended = [on_resume(state.history) for on_resume in looking_back]
        return any(ended)

    def _initial(self, seed: int) -> Learning[Ensemble]:
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
        # Only the shapes of the moments are asked for: making them by JAX compiles a program each.
        moments = jax.eval_shape(OPTIMISER.init, padded)
        return Learning(
            padded, jax.tree.map(lambda leaf: np.zeros(leaf.shape, leaf.dtype), moments)
        )

    def _pad(self, parameters: Ensemble) -> Ensemble:
        shape = (self.settings.n_groups, self.padded_features)
        logits = pad_to(parameters.logits, shape, CLOSED)
        return parameters._replace(
            logits=logits, first=widen(parameters.first, self.padded_columns)
        )

    def _cut(self, parameters: Ensemble) -> dict[str, np.ndarray]:
        """Name the arrays and cut the padding off."""
        arrays = flatten(parameters)
        arrays["logits"] = arrays["logits"][:, : self.data.n_features]
        arrays["first.weight"] = arrays["first.weight"][:, :, : self.n_columns]
        return {name: np.ascontiguousarray(array) for name, array in arrays.items()}

    def _rows_on_device(self) -> Batch:
        columns = aligned_zeros((self.capacity, self.padded_columns))
        np.subtract(
            self.data.columns, self.centre, out=columns[: len(self.data.columns), : self.n_columns]
        )
        target, weights = self.data.target, self.data.scaled_weights()
        return Batch(
            jax.device_put(columns),
            jax.device_put(pad_to(target, (self.capacity, *target.shape[1:]))),
            jax.device_put(pad_to(weights, (self.capacity,))),
        )

    def _plan(self, lane: int, epoch: int) -> Plan:
        """Shuffle the rows and seed the noise: of the seed and the epoch alone."""
        seeds = self.seeds[lane * self.per_lane : (lane + 1) * self.per_lane]
        n_rows = len(self.data.columns)
        steps = -(-self.capacity // self.batch_size)
        order = np.full((len(seeds), steps * self.batch_size), -1, np.int32)
        noise = np.zeros((len(seeds), steps), np.uint32)
        for i, seed in enumerate(seeds):
            rng = np.random.default_rng([seed, epoch + 1])
            order[i, :n_rows] = rng.permutation(n_rows)
            noise[i, : self.n_steps] = rng.integers(2**32, size=self.n_steps, dtype=np.uint32)
        shaped = order.reshape(len(seeds), steps, self.batch_size)
        return Plan(jax.device_put(shaped), jax.device_put(noise), np.int32(self.n_steps))

    def _rates(self, epoch: int) -> Rates:
        settings = self.settings
        shrink = settings.penalty_decay**epoch
        return Rates(
            Coefficients(
                size=np.float32(settings.beta * shrink),
                ensemble=np.float32(settings.beta_ensemble),
                overlap=np.float32(settings.beta_overlap * shrink),
            ),
            np.float32(settings.learning_rate * settings.lr_decay**epoch),
        )

    def _close_epoch(
        self, epoch: int, lanes: list[Learning[Ensemble]], parts: list[LossParts]
    ) -> None:
        """Write the records, ask the callbacks, and keep the state of seeds that stop."""
        for i, seed in enumerate(self.seeds):
            if i in self.finished:
                continue
            logits = self._of_seed([lane.parameters.logits for lane in lanes], i)
            probabilities = sigmoid(logits[:, : self.data.n_features])
            record = self._record(epoch, seed, self._of_seed(parts, i))
            record |= self._selection(probabilities)
            if self.validation is not None:
                record["validation_loss"] = self._validation_loss(lanes, i, probabilities)
            self.histories[i].append(record)
            read = partial(self._state, lanes, i, epoch)
            stops = [callback.on_epoch_end(record, read) for callback in self.callbacks]
            if any(stops):
                self.finished[i] = self._cut(self._of_seed(lanes, i).parameters)

    def _record(self, epoch: int, seed: int, parts: LossParts) -> Record:
        rates = self._rates(epoch - 1)
        weighted = LossParts(
            individual=parts.individual,
            ensemble=rates.coefficients.ensemble * parts.ensemble,
            size=rates.coefficients.size * parts.size,
            overlap=rates.coefficients.overlap * parts.overlap,
        )
        return {
            "seed": seed,
            "epoch": epoch,
            "loss": float(sum(weighted)),
            **{f"{name}_loss": float(value) for name, value in weighted._asdict().items()},
            "learning_rate": float(rates.learning_rate),
        }

    def _selection(self, probabilities: np.ndarray) -> Record:
        mask = self.settings.threshold(probabilities)
        return {
            "n_features": [int(size) for size in mask.sum(axis=1)],
            "overlap": int((mask.sum(axis=0) > 1).sum()),
        }

    def _validation_loss(
        self, lanes: list[Learning[Ensemble]], seed_index: int, probabilities: np.ndarray
    ) -> float:
        assert self.validation is not None
        parameters = self._cut(self._of_seed(lanes, seed_index).parameters)
        trained = TrainedEnsemble(parameters, self.centre, self.data.owner, [])
        mask = self.settings.threshold(probabilities)
        outputs = predict_outputs(trained, mask, self.validation.columns)
        losses = np.asarray(self.loss(jnp.asarray(outputs), jnp.asarray(self.validation.target)))
        return float(np.average(losses, weights=self.validation.scaled_weights()))

    def _state(self, lanes: list[Learning[Ensemble]], seed_index: int, epoch: int) -> TrainingState:
        arrays = flatten(self._of_seed(lanes, seed_index))
        history = self.histories[seed_index]
        return TrainingState(self.fingerprint, self.seeds[seed_index], epoch, arrays, history)


def _fingerprint(settings: TrainingSettings, loss: Loss, data: TrainingData) -> str:
    """Tell runs apart by their settings and data."""
    digest = hashlib.sha256(repr((settings, loss)).encode())
    for array in (data.columns, data.target, data.weights, data.owner):
        if array is not None:
            digest.update(repr((array.shape, str(array.dtype))).encode())
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
