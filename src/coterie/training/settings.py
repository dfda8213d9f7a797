"""What a training run needs to know: plain values and plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from coterie.model.thresholds import AtLeast, Threshold


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of the paper's method, with its defaults."""

    n_groups: int = 5
    hidden_dim: int = 20
    beta: float = 4.5
    beta_ensemble: float = 1.0
    beta_overlap: float = 1.2
    temperature: float = 0.1
    max_epochs: int = 35
    batch_size: int = 50
    learning_rate: float = 0.003
    lr_decay: float = 0.99
    penalty_decay: float = 0.99
    gate_noise: str | int = "sample"
    stop_gradient: bool = True
    threshold: Threshold = field(default_factory=AtLeast)

    def n_masks(self, batch_size: int) -> int:
        """Count the masks drawn for a batch: one a row, one in all, or one every few rows."""
        if self.gate_noise == "sample":
            return batch_size
        if self.gate_noise == "batch":
            return 1
        return -(-batch_size // int(self.gate_noise))


@dataclass(frozen=True)
class TrainingData:
    """Rows to learn from.

    Parameters
    ----------
    columns : array of shape (n, columns), float32
    target : int array of shape (n,) or float array of shape (n, outputs)
    weights : array of shape (n,), optional
        Scaled to a mean of one here, so that the penalties keep their meaning.
    owner : int array of shape (columns,), optional
        The feature that owns each column; by default each column is a feature.
    """

    columns: np.ndarray
    target: np.ndarray
    weights: np.ndarray | None = None
    owner: np.ndarray | None = None

    @property
    def n_features(self) -> int:
        """The number of features, that is of gates a learner."""
        return self.columns.shape[1] if self.owner is None else int(np.max(self.owner)) + 1

    def scaled_weights(self) -> np.ndarray:
        """Give the weights with a mean of one, shape (n,)."""
        if self.weights is None:
            return np.ones(len(self.columns), np.float32)
        return (self.weights / np.mean(self.weights)).astype(np.float32)
