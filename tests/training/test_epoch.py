"""An epoch as one program equals the same steps, one after another, in plain Python."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from coterie.model.losses import CrossEntropy
from coterie.model.objective import (
    Architecture,
    Batch,
    Coefficients,
    Ensemble,
    LossParts,
    init_ensemble,
    loss_parts,
    total_loss,
)
from coterie.training.descent import OPTIMISER, Learning
from coterie.training.epoch import Plan, Rates, make_epoch, take_rows

N_ROWS, N_COLUMNS, BATCH = 11, 4, 4
ARCHITECTURE = Architecture(CrossEntropy(2), BATCH, temperature=0.5, stop_gradient=True)
RATES = Rates(Coefficients(jnp.float32(2.0), jnp.float32(1.0), jnp.float32(0.5)), jnp.float32(0.01))
N_FEATURES = jnp.float32(N_COLUMNS)


@pytest.fixture(scope="module")
def data() -> Batch:
    rng = np.random.default_rng(0)
    rows = jnp.float32(rng.normal(size=(N_ROWS, N_COLUMNS)))
    weights = jnp.float32(rng.uniform(0.5, 1.5, N_ROWS))
    return Batch(rows, jnp.asarray(rng.integers(2, size=N_ROWS)), weights)


@pytest.fixture(scope="module")
def plan() -> Plan:
    """Three steps for each of two seeds, the last of three rows, in room for five steps."""
    order = np.full((2, 5 * BATCH), -1, np.int32)
    for i in range(2):
        order[i, :N_ROWS] = np.random.default_rng(i).permutation(N_ROWS)
    noise = jnp.arange(10, dtype=jnp.uint32).reshape(2, 5)
    return Plan(jnp.asarray(order.reshape(2, 5, BATCH)), noise, jnp.int32(3))


@pytest.fixture(scope="module")
def initial() -> list[Ensemble]:
    return [init_ensemble(np.random.default_rng(i), 2, N_COLUMNS, N_COLUMNS, 3, 2) for i in (0, 1)]


def step_by_step(parameters: Ensemble, data: Batch, plan: Plan, lane: int):
    """Take optax's Adam steps on batches that are cut to the rows that they hold."""
    optimiser = optax.adam(RATES.learning_rate)
    state, sums = optimiser.init(parameters), []

    @jax.jit
    def gradient_of(parameters, batch, noise):
        def total(moved):
            parts = loss_parts(moved, batch, noise, N_FEATURES, ARCHITECTURE)
            return total_loss(parts, RATES.coefficients), parts

        return jax.grad(total, has_aux=True)(parameters)

    for step in range(int(plan.n_steps)):
        order = plan.order[lane, step]
        batch = jax.tree.map(lambda leaf, kept=order[order >= 0]: leaf[kept], data)
        gradient, parts = gradient_of(parameters, batch, plan.noise[lane, step])
        updates, state = optimiser.update(gradient, state)
        parameters = optax.apply_updates(parameters, updates)
        sums.append(parts)
    return parameters, LossParts(*(np.mean(part) for part in zip(*sums, strict=True)))


def test_an_epoch_equals_its_steps_one_after_another(data, plan, initial):
    learning = Learning(
        jax.tree.map(lambda *leaves: jnp.stack(leaves), *initial),
        jax.tree.map(lambda *leaves: jnp.stack(leaves), *map(OPTIMISER.init, initial)),
    )
    after, parts = jax.jit(make_epoch(ARCHITECTURE))(learning, data, plan, RATES, N_FEATURES)
    for lane in range(2):
        expected, expected_parts = step_by_step(initial[lane], data, plan, lane)
        for found, wanted in [(after.parameters, expected), (parts, expected_parts)]:
            jax.tree.map(
                lambda leaf, value, i=lane: np.testing.assert_allclose(
                    leaf[i], value, rtol=1e-3, atol=1e-5
                ),
                found,
                wanted,
            )


def test_places_that_hold_no_row_get_weight_zero(data):
    batch = take_rows(data, jnp.array([3, -1, 0]))
    assert batch.weights.tolist() == [data.weights[3], 0.0, data.weights[0]]
    assert (batch.rows[0] == data.rows[3]).all()
    assert batch.target[2] == data.target[0]
