"""Epochs of mini-batches of any network, each epoch one compiled program."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import jax
import jax.numpy as jnp
import numpy as np

from coterie.model.objective import Batch
from coterie.training import TrainingData
from coterie.training.callbacks import Record
from coterie.training.compilation import keep_compiled_programs, program_for, resolve_device
from coterie.training.descent import OPTIMISER, Learning, descend
from coterie.training.epoch import take_rows
from coterie.training.padding import pad_to, padded_size, power_of_two

Parameters = TypeVar("Parameters")

FEW_ROWS, LEAST_CAPACITY = 4096, 256
"""Up to so many rows, tables share few shapes, and with them programs."""


class Step(NamedTuple):
    """What a network may ask about a step: the seed of its noise, how far the run is (0 to 1)."""

    noise: jax.Array
    progress: jax.Array


class Objective(Hashable, Protocol):
    """What a network is trained to lower; a frozen dataclass, so that programs can be shared."""

    def __call__(
        self, parameters: Any, constants: Any, batch: Batch, step: Step
    ) -> tuple[jax.Array, dict[str, jax.Array]]:
        """Return the loss of a mini-batch, and parts of it for the history."""
        ...


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to train."""

    epochs: int
    batch_size: int
    learning_rate: float
    lr_decay: float = 1.0


class Plan(NamedTuple):
    """The steps of an epoch: rows (steps, batch), -1 where a batch is not full; noise (steps,)."""

    order: Any
    noise: Any
    n_steps: Any
    progress: Any
    pace: Any
    learning_rate: Any


def train_network(
    objective: Objective,
    initial: Parameters,
    constants: Any,
    data: TrainingData,
    schedule: Schedule,
    seed: int,
    watch: Callable[[Parameters], Record] | None = None,
) -> tuple[Parameters, list[Record]]:
    """Train a network.

    Parameters
    ----------
    objective : Objective
    initial : pytree of arrays
        For columns padded to ``padded_width(data)``.
    constants : pytree of arrays
        What the objective needs and training leaves alone.
    data : TrainingData
    schedule : Schedule
    seed : int
        Orders the rows and seeds the noise.
    watch : callable, optional
        Gives entries of an epoch's record from the parameters after it.

    Returns
    -------
    parameters : pytree of numpy arrays
    history : list of dict
        A record for each epoch.
    """
    keep_compiled_programs()
    device = resolve_device(None)
    n_rows = len(data.columns)
    n_steps = -(-n_rows // schedule.batch_size)
    total = schedule.epochs * n_steps
    history: list[Record] = []
    with jax.default_device(device):
        parameters = jax.tree.map(jnp.asarray, initial)
        moments = jax.eval_shape(OPTIMISER.init, parameters)
        learning = Learning(
            parameters, jax.tree.map(lambda m: jnp.zeros(m.shape, m.dtype), moments)
        )
        fixed = jax.tree.map(jnp.asarray, constants), _rows_on_device(data)
        for epoch in range(schedule.epochs):
            plan = _plan(schedule, n_rows, seed, epoch, n_steps, total)
            arguments = (learning, *fixed, plan)
            program = program_for(make_epoch, objective, arguments, device, donated=(0,))
            learning, parts = program(*arguments)
            record = {name: float(value) for name, value in parts.items()}
            seen = {} if watch is None else watch(jax.device_get(learning.parameters))
            rate = schedule.learning_rate * schedule.lr_decay**epoch
            history.append({"epoch": epoch + 1, **record, "learning_rate": rate, **seen})
        return jax.device_get(learning.parameters), history


def padded_width(data: TrainingData) -> int:
    """Return how many columns the rows have on the device."""
    return padded_size(data.columns.shape[1])


def make_epoch(
    objective: Objective,
) -> Callable[[Learning[Any], Any, Batch, Plan], tuple[Learning[Any], dict[str, jax.Array]]]:
    """Build the function of one epoch."""

    def epoch(
        learning: Learning[Any], constants: Any, rows: Batch, plan: Plan
    ) -> tuple[Learning[Any], dict[str, jax.Array]]:
        def step_loss(parameters: Any, index: jax.Array) -> tuple[jax.Array, Any]:
            batch = take_rows(rows, plan.order[index])
            step = Step(plan.noise[index], plan.progress + plan.pace * index)
            loss, parts = objective(parameters, constants, batch, step)
            return loss, {"loss": loss, **parts}

        return descend(step_loss, learning, plan.n_steps, lambda index: plan.learning_rate)

    return epoch


def weighted_mean(losses: jax.Array, batch: Batch) -> jax.Array:
    """Average the losses of a mini-batch over the rows that are there."""
    return jnp.sum(losses * batch.weights) / jnp.maximum(jnp.sum(batch.weights > 0), 1)


def _capacity(n_rows: int) -> int:
    """Return how many rows there is room for."""
    if n_rows > FEW_ROWS:
        return padded_size(n_rows)
    return max(LEAST_CAPACITY, power_of_two(n_rows))


def _rows_on_device(data: TrainingData) -> Batch:
    capacity = _capacity(len(data.columns))
    return Batch(
        jnp.asarray(pad_to(data.columns, (capacity, padded_width(data)))),
        jnp.asarray(pad_to(data.target, (capacity, *data.target.shape[1:]))),
        jnp.asarray(pad_to(data.scaled_weights(), (capacity,))),
    )


def _plan(schedule: Schedule, n_rows: int, seed: int, epoch: int, n_steps: int, total: int) -> Plan:
    """Shuffle the rows and seed the noise: of the seed and the epoch alone."""
    rng = np.random.default_rng([seed, epoch + 1])
    room = -(-_capacity(n_rows) // schedule.batch_size)
    order = np.full(room * schedule.batch_size, -1, np.int32)
    order[:n_rows] = rng.permutation(n_rows)
    return Plan(
        order.reshape(room, schedule.batch_size),
        rng.integers(2**32, size=room, dtype=np.uint32),
        np.int32(n_steps),
        np.float32(epoch * n_steps / total),
        np.float32(1 / total),
        np.float32(schedule.learning_rate * schedule.lr_decay**epoch),
    )
