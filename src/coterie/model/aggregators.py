"""How the outputs of the groups become one prediction, and what it costs: sum, or, and.

All three are cases of the paper's Definition 2.1. A task's predictor knows the shapes of its
outputs and its targets; ``aggregator`` is a position in :data:`AGGREGATORS`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

AGGREGATORS = ("sum", "or", "and")
SUM, OR, AND = range(3)
_LEAST_PROBABILITY = 1e-7

Array = Any
"""A jax.Array within a program, a numpy array outside of it."""


class Joint(Protocol):
    """The parameters that belong to no group; the leading axes are those of the jobs."""

    @property
    def offset(self) -> Any:
        """What all rows share, shape (jobs, outputs)."""
        ...

    @property
    def floor(self) -> Any:
        """The logit of the least probability of an effect, shape (jobs,)."""
        ...

    @property
    def ceiling(self) -> Any:
        """The logit of how far causes raise it, shape (jobs,)."""
        ...


class Predictor(Hashable, Protocol):
    """What a task is: its loss, and its predictions."""

    @property
    def n_outputs(self) -> int:
        """The number of outputs of a group for a row."""
        ...

    @property
    def aggregators(self) -> tuple[str, ...]:
        """The aggregators that make sense for the task."""
        ...

    def effects(self, aggregator: Array, outputs: Array) -> jax.Array:
        """Return what each group adds on the aggregator's scale, shape as ``outputs``."""
        ...

    def losses(self, joint: Joint, aggregator: Array, effects: Array, target: Array) -> jax.Array:
        """Return each row's loss, shape (jobs, rows), of effects (jobs, groups, rows, outputs)."""
        ...

    def guides(self, joint: Joint, aggregator: Array, outputs: Array, target: Array) -> jax.Array:
        """Return each row's loss if the networks' outputs were simply added."""
        ...

    def predictions(self, joint: Joint, aggregator: Array, effects: Array) -> jax.Array:
        """Return probabilities of classes or values, shape (jobs, rows, classes or outputs)."""
        ...

    def residual(self, target: NDArray[Any], predicted: NDArray[Any]) -> NDArray[np.float32]:
        """Return what a prediction leaves of the target, shape (rows, outputs)."""
        ...

    def residual_of_constant(self, target: NDArray[Any]) -> NDArray[np.float32]:
        """Return what a constant leaves of the target, with mean zero."""
        ...

    def constant(self, target: NDArray[Any], weights: NDArray[Any]) -> NDArray[np.float32]:
        """Return the best offset without any effect, shape (outputs,)."""
        ...


@dataclass(frozen=True)
class TwoClasses:
    r"""Binary outcomes.

    With "sum" the effects are added to the log-odds. With "or",

    .. math:: P(y = 1 \mid x) = q_0 + (q_1 - q_0) (1 - e^{-\sum_i e_i}), \quad e_i \ge 0:

    each group alone can cause the outcome; ``q_0`` is the floor, ``q_1`` the ceiling. "and" is the
    same for ``y = 0``: each group alone can prevent it.
    """

    n_outputs: int = 1
    aggregators: tuple[str, ...] = AGGREGATORS

    def effects(self, aggregator: Array, outputs: Array) -> jax.Array:
        is_sum = (aggregator == SUM)[:, None, None, None]
        return jnp.where(is_sum, outputs, jax.nn.softplus(outputs))

    def losses(self, joint: Joint, aggregator: Array, effects: Array, target: Array) -> jax.Array:
        total = effects.sum(axis=1)[..., 0]
        of_sum = jax.nn.softplus((1.0 - 2.0 * target) * (total + joint.offset))
        code = aggregator[:, None]
        # Negative totals of "sum" would overflow, and their gradient spoil the others'.
        caused, spared = _cause(joint, jnp.where(code == SUM, 0.0, total))
        has_cause = jnp.where(code == AND, target < 0.5, target > 0.5)
        of_cause = -jnp.log(jnp.where(has_cause, caused, spared) + _LEAST_PROBABILITY)
        return jnp.where(code == SUM, of_sum, of_cause)

    def guides(self, joint: Joint, aggregator: Array, outputs: Array, target: Array) -> jax.Array:
        total = outputs.sum(axis=1)[..., 0] + joint.offset
        caused = jnp.where(aggregator[:, None] == AND, 1.0 - target, target)
        return jax.nn.softplus((1.0 - 2.0 * caused) * total)

    def predictions(self, joint: Joint, aggregator: Array, effects: Array) -> jax.Array:
        total = effects.sum(axis=1)[..., 0]
        code = aggregator[:, None]
        # Negative totals of "sum" would overflow, and their gradient spoil the others'.
        caused, spared = _cause(joint, jnp.where(code == SUM, 0.0, total))
        of_cause = jnp.where(code == AND, spared, caused)
        positive = jnp.where(code == SUM, jax.nn.sigmoid(total + joint.offset), of_cause)
        return jnp.stack([1 - positive, positive], axis=-1)

    def residual(self, target: NDArray[Any], predicted: NDArray[Any]) -> NDArray[np.float32]:
        return np.asarray(target[:, None] - predicted[:, 1:], np.float32)

    def residual_of_constant(self, target: NDArray[Any]) -> NDArray[np.float32]:
        return _centred(self.residual(target, np.zeros((len(target), 2), np.float32)))

    def constant(self, target: NDArray[Any], weights: NDArray[Any]) -> NDArray[np.float32]:
        logarithms = _log_shares(target.astype(int), weights, 2)
        return logarithms[1:] - logarithms[:1]


def _cause(joint: Joint, total: Array) -> tuple[jax.Array, jax.Array]:
    """Return the probabilities that a cause has its effect, and that none has."""
    floor = jax.nn.sigmoid(joint.floor)[:, None]
    span = (1 - floor) * jax.nn.sigmoid(joint.ceiling)[:, None]
    return floor - span * jnp.expm1(-total), (1 - floor - span) + span * jnp.exp(-total)


@dataclass(frozen=True)
class ManyClasses:
    """Three classes or more: effects are added to unnormalised log-probabilities."""

    n_outputs: int
    aggregators: tuple[str, ...] = AGGREGATORS[:1]

    def effects(self, aggregator: Array, outputs: Array) -> jax.Array:
        return outputs

    def losses(self, joint: Joint, aggregator: Array, effects: Array, target: Array) -> jax.Array:
        logits = effects.sum(axis=1) + joint.offset[:, None, :]
        chosen = target[:, None] == np.arange(self.n_outputs)
        return -jnp.sum(jnp.where(chosen, jax.nn.log_softmax(logits), 0.0), axis=-1)

    def guides(self, joint: Joint, aggregator: Array, outputs: Array, target: Array) -> jax.Array:
        return self.losses(joint, aggregator, outputs, target)

    def predictions(self, joint: Joint, aggregator: Array, effects: Array) -> jax.Array:
        return jax.nn.softmax(effects.sum(axis=1) + joint.offset[:, None, :])

    def residual(self, target: NDArray[Any], predicted: NDArray[Any]) -> NDArray[np.float32]:
        return np.asarray((target[:, None] == np.arange(self.n_outputs)) - predicted, np.float32)

    def residual_of_constant(self, target: NDArray[Any]) -> NDArray[np.float32]:
        return _centred(self.residual(target, np.zeros((len(target), self.n_outputs), np.float32)))

    def constant(self, target: NDArray[Any], weights: NDArray[Any]) -> NDArray[np.float32]:
        return _log_shares(target, weights, self.n_outputs)


@dataclass(frozen=True)
class Values:
    """Real outcomes, one or several: effects are added; the loss is the squared error."""

    n_outputs: int
    aggregators: tuple[str, ...] = AGGREGATORS[:1]

    def effects(self, aggregator: Array, outputs: Array) -> jax.Array:
        return outputs

    def losses(self, joint: Joint, aggregator: Array, effects: Array, target: Array) -> jax.Array:
        return jnp.mean((self.predictions(joint, aggregator, effects) - target) ** 2, axis=-1)

    def guides(self, joint: Joint, aggregator: Array, outputs: Array, target: Array) -> jax.Array:
        return self.losses(joint, aggregator, outputs, target)

    def predictions(self, joint: Joint, aggregator: Array, effects: Array) -> jax.Array:
        return effects.sum(axis=1) + joint.offset[:, None, :]

    def residual(self, target: NDArray[Any], predicted: NDArray[Any]) -> NDArray[np.float32]:
        return np.asarray(target - predicted, np.float32)

    def residual_of_constant(self, target: NDArray[Any]) -> NDArray[np.float32]:
        return _centred(self.residual(target, np.zeros((len(target), self.n_outputs), np.float32)))

    def constant(self, target: NDArray[Any], weights: NDArray[Any]) -> NDArray[np.float32]:
        return np.asarray(np.average(target, axis=0, weights=weights), np.float32)


def _log_shares(target: NDArray[Any], weights: NDArray[Any], n_classes: int) -> NDArray[np.float32]:
    """Return the logarithms of the classes' shares, finite for a class without rows."""
    shares = np.bincount(target, weights, n_classes) / weights.sum()
    return np.log(np.maximum(shares, _LEAST_PROBABILITY)).astype(np.float32)


def _centred(residual: NDArray[np.float32]) -> NDArray[np.float32]:
    return residual - residual.mean(axis=0)
