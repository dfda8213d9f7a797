"""Trains composite models of many structures side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from coterie.model.aggregators import Predictor
from coterie.model.composite import (
    Composite,
    Masks,
    composite_losses,
    group_effects,
    guided_losses,
    init_composite,
)
from coterie.training.compilation import keep_compiled_programs, program_for
from coterie.training.descent import OPTIMISER, Learning, descend
from coterie.training.padding import pad_to, padded_size

LARGEST_RATE, SMALLEST_RATE = 0.03, 1e-4
WARM_UP, GUIDED = 0.1, 0.3
"""Shares of the steps in which the rate rises, and in which "sum" guides the other aggregators."""
ROWS_AT_ONCE, LEAST_ROWS = 4096, 64
FEW_ROWS, LEAST_CAPACITY = 4096, 256


@dataclass(frozen=True)
class Schedule:
    """How long to train: ``steps`` mini-batches of ``batch_size`` rows."""

    steps: int
    batch_size: int

    @classmethod
    def for_rows(cls, n_rows: int, effort: float = 1.0) -> Schedule:
        """Make ten passes over many rows, and at least some hundred steps over few."""
        batch_size = 128 if n_rows >= 1500 else 64 if n_rows >= 300 else 32
        steps = int(effort * min(max(10 * n_rows / batch_size, 800), 2500))
        return cls(steps, batch_size)


class Rows(NamedTuple):
    """Columns (rows, columns), targets and weights (rows,), as numpy or JAX arrays."""

    columns: Any
    target: Any
    weights: Any


@dataclass(frozen=True)
class Job:
    """One model to train: its groups' columns, its aggregator's code and its seed."""

    mask: NDArray[np.bool_]
    aggregator: int
    seed: tuple[int, ...]


def train_composites(
    jobs: list[Job],
    rows: Rows,
    learn_from: NDArray[np.intp],
    predictor: Predictor,
    schedule: Schedule,
    n_hidden: int,
    device: jax.Device,
    slots: int,
) -> tuple[Composite, NDArray[np.float32]]:
    """Train the jobs in one program, on the same mini-batches.

    Parameters
    ----------
    jobs : list of Job
        All with masks of one shape, (groups, columns).
    rows : Rows
    learn_from : array of int
        The rows to learn from.
    predictor : Predictor
    schedule : Schedule
    n_hidden : int
    device : jax.Device
    slots : int
        The jobs that the program has room for.

    Returns
    -------
    parameters : Composite
        Of numpy arrays, a job along the first axis.
    losses : array of shape (jobs, rows)
        Of every row, learnt from or not.
    """
    keep_compiled_programs()
    filled = [jobs[i % len(jobs)] for i in range(slots)]
    masks = np.stack([job.mask for job in filled]).astype(np.float32)
    initial = [
        init_composite(np.random.default_rng(job.seed), job.mask, n_hidden, predictor.n_outputs)
        for job in filled
    ]
    n_rows = len(rows.columns)
    capacity = _capacity(n_rows)
    with jax.default_device(device):
        parameters = jax.tree.map(lambda *leaves: jnp.asarray(np.stack(leaves)), *initial)
        arguments = (
            parameters,
            Masks(
                jnp.asarray(masks), jnp.asarray([job.aggregator for job in filled], dtype=jnp.int32)
            ),
            Rows(
                jnp.asarray(pad_to(rows.columns, (capacity, rows.columns.shape[1]))),
                jnp.asarray(pad_to(rows.target, (capacity, *rows.target.shape[1:]))),
                jnp.asarray(pad_to(rows.weights, (capacity,))),
            ),
            jnp.asarray(_order(learn_from, schedule, filled[0].seed)),
            jnp.int32(schedule.steps),
        )
        program = program_for(make_training, predictor, arguments, device)
        trained, losses = jax.device_get(program(*arguments))
    kept = jax.tree.map(lambda leaf: leaf[: len(jobs)], trained)
    return kept, np.asarray(losses)[: len(jobs), :n_rows]


def _capacity(n_rows: int) -> int:
    """Round up to a power of two where rows are few, so that they share programs."""
    if n_rows > FEW_ROWS:
        return padded_size(n_rows)
    return max(LEAST_CAPACITY, 1 << (n_rows - 1).bit_length())


def _order(
    learn_from: NDArray[np.intp], schedule: Schedule, seed: tuple[int, ...]
) -> NDArray[np.int32]:
    """Return the rows of each step, pass after pass over shuffled rows."""
    rng = np.random.default_rng([*seed, 1])
    wanted = schedule.steps * schedule.batch_size
    passes = [rng.permutation(learn_from) for _ in range(-(-wanted // len(learn_from)))]
    order = np.concatenate(passes)[:wanted].astype(np.int32)
    n_steps = padded_size(schedule.steps, least=64)
    shaped = order.reshape(schedule.steps, schedule.batch_size)
    return pad_to(shaped, (n_steps, schedule.batch_size))


def make_training(predictor: Predictor) -> Callable[..., tuple[Composite, jax.Array]]:
    """Build the function of a whole training run.

    It maps (parameters, masks, rows, order, steps) to the parameters after it, and to the loss of
    each row under each job.
    """

    def run(
        parameters: Composite, masks: Masks, rows: Rows, order: jax.Array, n_steps: jax.Array
    ) -> tuple[Composite, jax.Array]:
        def step_loss(parameters: Composite, index: jax.Array) -> tuple[jax.Array, tuple[()]]:
            chosen = order[index]
            weights = rows.weights[chosen]
            guidance = jnp.maximum(0.0, 1 - index / (GUIDED * n_steps))
            losses = guided_losses(
                parameters, masks, rows.columns[chosen], rows.target[chosen], predictor, guidance
            )
            return jnp.sum(losses * weights) / len(weights), ()

        def rate(index: jax.Array) -> jax.Array:
            share = index / n_steps
            rise = jnp.minimum(share / WARM_UP + 0.05, 1.0)
            fall = 0.5 * (1 + jnp.cos(jnp.pi * share))
            return LARGEST_RATE * rise * fall + SMALLEST_RATE

        learning = Learning(parameters, OPTIMISER.init(parameters))
        learning, _ = descend(step_loss, learning, n_steps, rate)
        final = learning.parameters
        return final, composite_losses(final, masks, rows.columns, rows.target, predictor)

    return run


def predict_effects(
    parameters: Composite,
    masks: Masks,
    columns: NDArray[np.float32],
    predictor: Predictor,
) -> NDArray[np.float32]:
    """Return what each group of each job adds, shape (jobs, groups, rows, outputs)."""
    blocks = []
    for start in range(0, max(len(columns), 1), ROWS_AT_ONCE):
        rows = columns[start : start + ROWS_AT_ONCE]
        size = max(LEAST_ROWS, 1 << max(len(rows) - 1, 0).bit_length())
        padded = pad_to(rows, (size, columns.shape[1]))
        effects = _effects_program(parameters, masks, padded, predictor)
        blocks.append(np.asarray(effects)[:, :, : len(rows)])
    return np.concatenate(blocks, axis=2)


_effects_program = jax.jit(group_effects, static_argnums=3)
