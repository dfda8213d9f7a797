"""What the supervised and the unsupervised concrete autoencoder share."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from coterie.baselines._base import COMMON, Baseline
from coterie.baselines._concrete import (
    NEVER,
    ConcreteObjective,
    DecoderLoss,
    Selectable,
    chosen_columns,
    init_concrete,
    sureness,
)
from coterie.baselines._layers import as_arrays, init_layers
from coterie.baselines._training import Schedule, padded_width, train_network
from coterie.training import TrainingData
from coterie.training.callbacks import Record
from coterie.training.padding import pad_to


class ConcreteAutoencoder(Baseline):
    """Selections that turn from mixtures of all columns into one column each."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        "n_select": [Interval(Integral, 1, None, closed="left")],
        "hidden_dim": [Interval(Integral, 1, None, closed="left")],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "max_tries": [Interval(Integral, 1, None, closed="left")],
        "sure": [Interval(Real, 0, 1, closed="both")],
        "start_temperature": [Interval(Real, 0, None, closed="neither")],
        "end_temperature": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state", np.random.Generator],
    }
    n_select: int
    hidden_dim: int
    max_epochs: int
    max_tries: int
    sure: float
    start_temperature: float
    end_temperature: float
    batch_size: int
    learning_rate: float
    random_state: Any

    def _select_columns(
        self, data: TrainingData, loss: DecoderLoss, n_outputs: int, n_padded: int, seed: int
    ) -> NDArray[np.intp]:
        """Train, with twice as many epochs each time, until the selections are sure.

        ``n_outputs`` are what the decoder has, ``n_padded`` what it has in the program.
        """
        n_columns, width = data.columns.shape[1], padded_width(data)
        closed = np.full(width, NEVER, np.float32)
        closed[:n_columns] = np.where(self._is_constant, NEVER, 0.0)
        is_column = np.arange(width) < n_columns
        self.history_: list[Record] = []
        for attempt in range(self.max_tries):
            rng = np.random.default_rng([seed, attempt])
            sizes = [self.n_select, self.hidden_dim, self.hidden_dim, n_outputs]
            decoder = _widen_output(init_layers(rng, sizes), n_padded)
            initial = init_concrete(rng, self.n_select, n_columns, decoder)
            trained, history = train_network(
                ConcreteObjective(loss, self.start_temperature, self.end_temperature),
                initial._replace(logits=pad_to(initial.logits, (self.n_select, width))),
                Selectable(closed, is_column.astype(np.float32)),
                data,
                Schedule(self.max_epochs * 2**attempt, self.batch_size, self.learning_rate),
                seed + attempt,
            )
            self.history_ += [{"attempt": attempt + 1, **record} for record in history]
            self.sureness_ = float(sureness(trained.logits + closed))
            if self.sureness_ >= self.sure:
                break
        self._decoder = as_arrays(trained.decoder)
        self.selection_ = chosen_columns(trained.logits, closed)
        return self.selection_

    def _selected(self, columns: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return what the decoder sees when each selection is its likeliest column."""
        return columns[:, self.selection_]


def _widen_output(layers: Any, n_outputs: int) -> Any:
    """Append outputs of zero weights to the last layer."""
    last = layers[-1]
    wider = last._replace(
        weight=pad_to(last.weight, (len(last.weight), n_outputs)),
        bias=pad_to(last.bias, (n_outputs,)),
    )
    return (*layers[:-1], wider)
