"""Trains composite models of many structures side by side."""

from __future__ import annotations

import math
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
    decay_of_weights,
    group_effects,
    guided_losses,
    init_composite,
)
from coterie.training.compilation import keep_compiled_programs, program_for
from coterie.training.descent import OPTIMISER, Learning, descend
from coterie.training.padding import pad_to, padded_size, power_of_two

LARGEST_RATE, SMALLEST_RATE = 0.03, 1e-4
WARM_UP, GUIDED = 0.1, 0.3
"""Shares of the steps in which the rate rises, and in which "sum" guides the other aggregators."""
ROWS_AT_ONCE, LEAST_ROWS = 4096, 64
FEW_ROWS, LEAST_CAPACITY, LOOKS = 4096, 256, 10
LEAST_MEMBERS, LEAST_SAVING = 4, 8
"""Groups are told by their members if these, so many at least, are so small a part of columns."""


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


class Outcome(NamedTuple):
    """What a run leaves of each job, the jobs along the first axis.

    ``losses`` (jobs, rows) are those of all rows, learnt from or not; ``share`` (jobs,) is the part
    of the steps after which the job was at its best.
    """

    parameters: Composite
    losses: Any
    share: Any


@dataclass(frozen=True)
class Job:
    """One model to train: its groups' columns, its aggregator's code, its seed.

    ``decay`` pulls the weights of its networks towards zero: 0 for none, 1 for nearly linear ones.
    """

    mask: NDArray[np.bool_]
    aggregator: int
    seed: tuple[int, ...]
    decay: float = 0.0


def train_composites(
    jobs: list[Job],
    rows: Rows,
    learn_from: NDArray[np.intp],
    predictor: Predictor,
    schedule: Schedule,
    n_hidden: int,
    device: jax.Device,
    slots: int,
    judged: NDArray[np.bool_] | None = None,
) -> Outcome:
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

    judged : bool array of shape (rows,), optional
        Rows that say when to stop, where rows are few; without them, training runs to its end.

    Returns
    -------
    Outcome
        Of numpy arrays.
    """
    keep_compiled_programs()
    filled = [jobs[i % len(jobs)] for i in range(slots)]
    columns = np.stack([job.mask for job in filled]).astype(np.float32)
    initial = [
        init_composite(np.random.default_rng(job.seed), job.mask, n_hidden, predictor.n_outputs)
        for job in filled
    ]
    stacked: Composite = jax.tree.map(lambda *leaves: np.stack(leaves), *initial)
    codes = np.array([job.aggregator for job in filled], np.int32)
    masks, start = compacted(Masks(columns, codes), stacked)
    n_rows = len(rows.columns)
    capacity = _capacity(n_rows)
    weights_of_judged = rows.weights * (True if judged is None else judged)
    with jax.default_device(device):
        arguments = (
            jax.tree.map(jnp.asarray, start),
            jax.tree.map(jnp.asarray, masks),
            jnp.asarray([job.decay for job in filled], dtype=jnp.float32),
            Rows(
                jnp.asarray(pad_to(rows.columns, (capacity, rows.columns.shape[1]))),
                jnp.asarray(pad_to(rows.target, (capacity, *rows.target.shape[1:]))),
                jnp.asarray(pad_to(rows.weights, (capacity,))),
            ),
            jnp.asarray(pad_to(weights_of_judged, (capacity,))),
            jnp.asarray(_order(learn_from, schedule, filled[0].seed)),
            jnp.int32(schedule.steps),
        )
        n_looks = LOOKS if judged is not None and n_rows <= FEW_ROWS else 1
        program = program_for(make_training, (predictor, n_looks), arguments, device)
        outcome = jax.device_get(program(*arguments))
    whole = outcome._replace(
        parameters=expanded(outcome.parameters, masks, columns.shape[2]),
        losses=outcome.losses[:, :n_rows],
    )
    kept: Outcome = jax.tree.map(lambda leaf: leaf[: len(jobs)], whole)
    return kept


def compacted(masks: Masks, parameters: Composite) -> tuple[Masks, Composite]:
    """Keep of the first layer what the groups see, where that is little of it.

    Takes and returns numpy arrays.

    Examples
    --------
    >>> masks = Masks(np.eye(3, 64)[None], np.array([0]))
    >>> one = init_composite(np.random.default_rng(0), masks.columns[0] > 0, 8, 1)
    >>> parameters = Composite(*(leaf[None] for leaf in one))
    >>> small, fewer = compacted(masks, parameters)
    >>> parameters.first.shape, fewer.first.shape
    ((1, 3, 8, 64), (1, 3, 8, 4))
    >>> bool(np.all(expanded(fewer, small, 64).first == parameters.first))
    True
    """
    width = masks.columns.shape[2]
    largest = int(masks.columns.sum(axis=2).max())
    most = max(LEAST_MEMBERS, power_of_two(largest))
    if most > width // LEAST_SAVING:
        return masks, parameters
    members = np.argsort(-masks.columns, axis=2, kind="stable")[:, :, :most].astype(np.int32)
    columns = np.take_along_axis(masks.columns, members, axis=2)
    first = np.take_along_axis(parameters.first, members[:, :, None, :], axis=3)
    return Masks(columns, masks.aggregator, members), parameters._replace(first=first)


def expanded(parameters: Composite, masks: Masks, width: int) -> Composite:
    """Give the first layer all columns back, with weights of zero outside the groups."""
    if masks.members is None:
        return parameters
    first = np.zeros((*parameters.first.shape[:3], width), parameters.first.dtype)
    np.put_along_axis(first, masks.members[:, :, None, :], parameters.first, axis=3)
    return parameters._replace(first=first)


def _capacity(n_rows: int) -> int:
    """Round up to a power of two where rows are few, so that they share programs."""
    if n_rows > FEW_ROWS:
        return padded_size(n_rows)
    return max(LEAST_CAPACITY, power_of_two(n_rows))


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


def make_training(setting: tuple[Predictor, int]) -> Callable[..., Outcome]:
    """Build the function of a whole training run, for a predictor and a number of looks.

    It maps (parameters, masks, decay, rows, judged, order, steps) to the outcome of each job: of
    all looks at the rows that ``judged`` weighs, evenly spread over the steps, the best one.
    """
    predictor, n_looks = setting

    def run(
        parameters: Composite,
        masks: Masks,
        decay: jax.Array,
        rows: Rows,
        judged: jax.Array,
        order: jax.Array,
        n_steps: jax.Array,
    ) -> Outcome:
        def step_loss(parameters: Composite, index: jax.Array) -> tuple[jax.Array, tuple[()]]:
            chosen = order[index]
            guidance = jnp.maximum(0.0, 1 - index / (GUIDED * n_steps))
            losses = guided_losses(
                parameters, masks, rows.columns[chosen], rows.target[chosen], predictor, guidance
            )
            return jnp.sum(losses * rows.weights[chosen]) / len(chosen), ()

        def rate(index: jax.Array) -> jax.Array:
            share = index / n_steps
            rise = jnp.minimum(share / WARM_UP + 0.05, 1.0)
            fall = 0.5 * (1 + jnp.cos(jnp.pi * share))
            return LARGEST_RATE * rise * fall + SMALLEST_RATE

        def look(
            carry: tuple[Learning[Composite], Outcome], number: jax.Array
        ) -> tuple[tuple[Learning[Composite], Outcome], None]:
            learning, best = carry
            first, last = number * n_steps // n_looks, (number + 1) * n_steps // n_looks
            learning, _ = descend(
                lambda parameters, index: step_loss(parameters, first + index),
                learning,
                last - first,
                lambda index: rate(first + index),
                decay_of_weights(parameters, decay),
            )
            found = learning.parameters
            losses = _losses_in_blocks(found, masks, rows, predictor)
            share = jnp.full(len(losses), (number + 1) / n_looks)
            return (learning, _better(best, Outcome(found, losses, share), judged)), None

        learning = Learning(parameters, OPTIMISER.init(parameters))
        jobs, n_rows = len(parameters.offset), len(rows.weights)
        nothing = Outcome(parameters, jnp.full((jobs, n_rows), jnp.inf), jnp.zeros(jobs))
        (_, best), _ = jax.lax.scan(look, (learning, nothing), jnp.arange(n_looks))
        return best

    return run


def _losses_in_blocks(
    parameters: Composite, masks: Masks, rows: Rows, predictor: Predictor
) -> jax.Array:
    """Return the losses of all rows, shape (jobs, rows), with little in memory at a time."""
    block = math.gcd(len(rows.columns), ROWS_AT_ONCE // 2)
    columns, target = (
        leaf.reshape(-1, block, *leaf.shape[1:]) for leaf in (rows.columns, rows.target)
    )

    def one(own: tuple[jax.Array, jax.Array]) -> jax.Array:
        return composite_losses(parameters, masks, own[0], own[1], predictor)

    losses = jax.lax.map(one, (columns, target))
    return jnp.moveaxis(losses, 0, 1).reshape(losses.shape[1], -1)


def _better(old: Outcome, new: Outcome, judged: jax.Array) -> Outcome:
    """Take for each job the outcome of the lower loss on the judged rows; the new one on a tie."""
    counted = judged > 0
    means = [jnp.sum(jnp.where(counted, o.losses * judged, 0.0), axis=1) for o in (old, new)]
    is_better = means[1] <= means[0]

    def take(before: jax.Array, after: jax.Array) -> jax.Array:
        return jnp.where(is_better.reshape(-1, *[1] * (after.ndim - 1)), after, before)

    return jax.tree.map(take, old, new)


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
        size = max(LEAST_ROWS, power_of_two(len(rows)))
        padded = pad_to(rows, (size, columns.shape[1]))
        effects = _effects_program(parameters, masks, padded, predictor)
        blocks.append(np.asarray(effects)[:, :, : len(rows)])
    return np.concatenate(blocks, axis=2)


_effects_program = jax.jit(group_effects, static_argnums=3)
