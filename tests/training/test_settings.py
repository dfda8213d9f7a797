"""Settings and data of a run."""

import numpy as np
import pytest

from coterie.model.thresholds import AtLeast
from coterie.training import TrainingData, TrainingSettings

COLUMNS = np.zeros((4, 3), np.float32)
TARGET = np.zeros(4, np.int32)


def test_the_defaults_are_the_papers():
    settings = TrainingSettings()
    assert (settings.n_groups, settings.hidden_dim, settings.batch_size) == (5, 20, 50)
    assert (settings.beta, settings.beta_ensemble, settings.beta_overlap) == (4.5, 1.0, 1.2)
    assert (settings.temperature, settings.threshold) == (0.1, AtLeast(0.7))
    assert (settings.max_epochs, settings.learning_rate, settings.lr_decay) == (35, 0.003, 0.99)
    assert settings.gate_noise == "sample"


@pytest.mark.parametrize(
    ("gate_noise", "expected"), [("sample", 1), ("batch", 50), (1, 1), (20, 20), (50, 50), (80, 50)]
)
def test_gate_noise_counts_the_rows_that_share_a_mask(gate_noise, expected):
    assert TrainingSettings(gate_noise=gate_noise).rows_per_mask(50) == expected


def test_weights_have_a_mean_of_one_over_the_rows_that_count():
    data = TrainingData(COLUMNS, TARGET, weights=np.array([2.0, 0.0, 4.0, 6.0]))
    assert data.scaled_weights().tolist() == [0.5, 0.0, 1.0, 1.5]
    assert data.scaled_weights().dtype == np.float32


def test_without_weights_every_row_weighs_one():
    assert TrainingData(COLUMNS, TARGET).scaled_weights().tolist() == [1.0] * 4


def test_features_are_columns_unless_they_own_several():
    assert TrainingData(COLUMNS, TARGET).n_features == 3
    assert TrainingData(COLUMNS, TARGET, owner=np.array([0, 1, 0])).n_features == 2
