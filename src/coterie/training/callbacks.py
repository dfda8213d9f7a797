"""What a run tells the outside, and how the outside stops or saves it.

A callback is any object with ``on_epoch_end(record, state)``. ``record`` is the epoch's entry of
the history (a dict of plain values); ``state()`` gives the :class:`TrainingState` after it. Whoever
returns True ends the run of that seed.

A callback that remembers earlier epochs also has ``on_resume(history)``: a run that goes on from a
saved state hands it the records so far. If it returns True, the run of that seed had ended.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

import numpy as np
from safetensors.numpy import load_file, save

from coterie.io.files import write_atomically

Record = dict[str, Any]

_logger = logging.getLogger(__name__)


class TrainingState(NamedTuple):
    """All that a run needs to go on: arrays by name, the epochs done and the history so far.

    ``fingerprint`` tells which settings and data the run belongs to.
    """

    fingerprint: str
    seed: int
    epoch: int
    arrays: Mapping[str, np.ndarray]
    history: list[Record]


class Callback(Protocol):
    """What the training loop calls at the end of each epoch, for each seed."""

    def on_epoch_end(self, record: Record, state: StateReader) -> bool | None:
        """Look at an epoch; return True to end the run."""
        ...


class StateReader(Protocol):
    """Gives the state when asked: copying it off the device takes time that few callbacks need."""

    def __call__(self) -> TrainingState:
        """Copy the state of this seed to the host."""
        ...


@dataclass
class EarlyStopping:
    """End a run when a quantity of the history has not fallen for ``patience`` epochs.

    The quantity is lowest for the best model (``"validation_loss"`` by default). The run keeps its
    last state; what the gates select is settled by the penalties, not by the best epoch.
    """

    patience: int = 5
    quantity: str = "validation_loss"
    tolerance: float = 1e-4
    _best: dict[int, tuple[float, int]] = field(default_factory=dict, repr=False)

    def on_epoch_end(self, record: Record, state: StateReader) -> bool:
        """Return True once ``patience`` epochs have passed without a new lowest value."""
        return self._ends(record)

    def _ends(self, record: Record) -> bool:
        if self.quantity not in record:
            known = ", ".join(record)
            raise ValueError(
                f"EarlyStopping: the history has no {self.quantity!r}, only {known}. "
                "Train with validation data or name another quantity."
            )
        seed, epoch, value = record["seed"], record["epoch"], record[self.quantity]
        best, when = self._best.get(seed, (np.inf, epoch))
        if epoch <= 1 or value < best - self.tolerance:
            self._best[seed] = (value, epoch)
            return False
        return epoch - when >= self.patience

    def on_resume(self, history: list[Record]) -> bool:
        """Look at the epochs before a saved state; return True if they end the run."""
        ends = [self._ends(record) for record in history]
        return any(ends)


@dataclass
class Progress:
    """Report every few epochs through ``logging`` at level INFO."""

    every: int = 1
    logger: logging.Logger = _logger

    def on_epoch_end(self, record: Record, state: StateReader) -> None:
        """Log the epoch's loss and the number of features of each learner."""
        if record["epoch"] % self.every == 0:
            self.logger.info(
                "seed %d, epoch %d: loss %.4f, features %s, overlap %d",
                record["seed"],
                record["epoch"],
                record["loss"],
                record["n_features"],
                record["overlap"],
            )


@dataclass(frozen=True)
class Checkpoint:
    """Save the state every few epochs, and let a later run of the same settings go on from it.

    One safetensors file a seed, in ``folder``; an interrupted write leaves the older file whole.
    """

    folder: Path | str
    every: int = 1

    def on_epoch_end(self, record: Record, state: StateReader) -> None:
        """Save the state if this epoch is due."""
        if record["epoch"] % self.every == 0:
            self.save(state())

    def path(self, seed: int) -> Path:
        """Name the file of a seed."""
        return Path(self.folder) / f"seed-{seed}.safetensors"

    def save(self, state: TrainingState) -> None:
        """Write the state atomically."""
        about = {
            "fingerprint": state.fingerprint,
            "epoch": str(state.epoch),
            "history": json.dumps(state.history),
        }
        arrays = {name: np.ascontiguousarray(array) for name, array in state.arrays.items()}
        content = save(arrays, metadata=about)

        def write(file: IO[bytes]) -> None:
            file.write(content)

        write_atomically(self.path(state.seed), write)

    def load(self, seed: int, fingerprint: str) -> TrainingState | None:
        """Read the state of a seed, or None if there is none; refuse that of another run."""
        path = self.path(seed)
        if not path.exists():
            return None
        about = _metadata(path)
        if about["fingerprint"] != fingerprint:
            raise ValueError(
                f"Checkpoint: {path} belongs to a run with other settings or data. "
                "Remove it or name another folder."
            )
        history = json.loads(about["history"])
        return TrainingState(fingerprint, seed, int(about["epoch"]), load_file(path), history)


def _metadata(path: Path) -> dict[str, str]:
    """Read the header of a safetensors file: its length in eight bytes, then JSON."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        return dict(json.loads(file.read(length))["__metadata__"])
