from __future__ import annotations

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
import pytest

from coterie.baselines._layers import apply_layers, as_arrays, init_layers, predict_layers
from coterie.baselines._training import Schedule, train_network, weighted_mean
from coterie.model.objective import Batch
from coterie.training import TrainingData


@dataclass(frozen=True)
class Mean:
    """The squared distance of one number from the first column; notes what a step is told."""

    def __call__(self, parameters, constants, batch, step):
        losses = (batch.rows[:, 0] - parameters) ** 2
        return weighted_mean(losses, batch), {
            "rows": jnp.sum(batch.weights),
            "progress": step.progress,
        }


def run(values, schedule, weights=None):
    data = TrainingData(np.float32(values)[:, None], np.zeros(len(values), np.int32), weights)
    return train_network(Mean(), np.float32(0), None, data, schedule, seed=0)


def test_it_finds_the_mean():
    found, history = run([1.0, 2.0, 6.0], Schedule(400, 3, 0.1))
    assert float(found) == pytest.approx(3.0, abs=1e-2)
    assert len(history) == 400
    assert history[0]["epoch"] == 1


def test_rows_of_weight_zero_do_not_count():
    found, _ = run([1.0, 2.0, 600.0], Schedule(400, 3, 0.1), weights=np.array([1.0, 1.0, 0.0]))
    assert float(found) == pytest.approx(1.5, abs=1e-2)


def test_an_epoch_meets_every_row_once():
    _, history = run(np.ones(7), Schedule(2, 3, 0.1))
    assert [3 * record["rows"] for record in history] == pytest.approx([7, 7])


def test_progress_goes_from_nothing_to_all():
    _, history = run(np.ones(6), Schedule(2, 3, 0.1))
    assert [record["progress"] for record in history] == pytest.approx([0.125, 0.625])


def test_the_learning_rate_decays_by_epochs():
    _, history = run(np.ones(4), Schedule(3, 2, 0.1, lr_decay=0.5))
    assert [record["learning_rate"] for record in history] == pytest.approx([0.1, 0.05, 0.025])


def test_numpy_predicts_what_jax_does():
    layers = init_layers(np.random.default_rng(0), [3, 5, 5, 2])
    rows = np.random.default_rng(1).normal(size=(4, 3)).astype(np.float32)
    expected = np.asarray(apply_layers(layers, jnp.asarray(rows)))
    assert predict_layers(as_arrays(layers), rows) == pytest.approx(expected, abs=1e-5)


def test_a_batch_without_rows_has_no_loss():
    batch = Batch(jnp.ones((2, 1)), jnp.zeros(2), jnp.zeros(2))
    assert float(weighted_mean(jnp.ones(2), batch)) == 0
