"""Callbacks one by one, on records made by hand."""

import logging
import os

import numpy as np
import pytest

from coterie.training import Checkpoint, EarlyStopping, Progress
from coterie.training.callbacks import TrainingState

STATE = TrainingState(
    fingerprint="abc",
    seed=7,
    epoch=2,
    arrays={"logits": np.arange(6, dtype=np.float32).reshape(2, 3).T, "count": np.int32(4)},
    history=[{"epoch": 1, "loss": 0.1 + 0.2}, {"epoch": 2, "loss": 0.25, "n_features": [1, 2]}],
)


def never_asked():
    raise AssertionError("the state was copied although nobody needed it")


def stops_at(stopping, values, seed=0):
    """Return the first epoch that ends the run, None if none does."""
    for epoch, value in enumerate(values, start=1):
        record = {"seed": seed, "epoch": epoch, "validation_loss": value}
        if stopping.on_epoch_end(record, never_asked):
            return epoch
    return None


@pytest.mark.parametrize(
    ("patience", "values", "expected"),
    [
        (2, [5, 4, 3, 2, 1], None),
        (2, [1, 2, 3, 4, 5], 3),
        (2, [3, 2, 4, 1, 4, 4], 6),
        (1, [3, 3], 2),
        (3, [1, 1, 1, 1, 1], 4),
    ],
)
def test_a_run_ends_after_epochs_of_patience_without_a_new_lowest_value(patience, values, expected):
    assert stops_at(EarlyStopping(patience), values) == expected


def test_a_fall_below_the_tolerance_does_not_count():
    falling = [1.0, 0.99, 0.98, 0.97]
    assert stops_at(EarlyStopping(2, tolerance=0.1), falling) == 3
    assert stops_at(EarlyStopping(2, tolerance=0.001), falling) is None


def test_seeds_are_judged_apart():
    stopping = EarlyStopping(2)
    for epoch in (1, 2, 3):
        falling = {"seed": 0, "epoch": epoch, "validation_loss": -epoch}
        rising = {"seed": 1, "epoch": epoch, "validation_loss": epoch}
        assert not stopping.on_epoch_end(falling, never_asked)
        assert stopping.on_epoch_end(rising, never_asked) == (epoch == 3)


def test_a_second_run_starts_afresh():
    stopping = EarlyStopping(2)
    assert stops_at(stopping, [1, 2, 3]) == 3
    assert stops_at(stopping, [9, 8, 7]) is None


def test_looking_back_is_as_having_been_there():
    history = [{"seed": 0, "epoch": i, "validation_loss": v} for i, v in [(1, 1.0), (2, 2.0)]]
    stopping = EarlyStopping(2)
    assert not stopping.on_resume(history)
    assert stopping.on_epoch_end({"seed": 0, "epoch": 3, "validation_loss": 3.0}, never_asked)
    ended = [*history, {"seed": 0, "epoch": 3, "validation_loss": 3.0}]
    assert EarlyStopping(2).on_resume(ended)


def test_a_quantity_that_is_not_recorded_is_refused_by_name():
    with pytest.raises(ValueError, match=r"no 'validation_loss', only seed, epoch, loss\. Train"):
        EarlyStopping().on_epoch_end({"seed": 0, "epoch": 1, "loss": 1.0}, never_asked)


def test_progress_speaks_every_few_epochs_through_logging(caplog):
    progress = Progress(every=2)
    with caplog.at_level(logging.INFO, logger="coterie"):
        for epoch in range(1, 5):
            record = {"seed": 3, "epoch": epoch, "loss": 0.5, "n_features": [1, 2], "overlap": 0}
            progress.on_epoch_end(record, never_asked)
    assert caplog.messages == [
        f"seed 3, epoch {epoch}: loss 0.5000, features [1, 2], overlap 0" for epoch in (2, 4)
    ]


def test_a_saved_state_is_read_back_unchanged(tmp_path):
    checkpoint = Checkpoint(tmp_path / "new" / "folder")
    checkpoint.save(STATE)
    again = checkpoint.load(7, "abc")
    assert again._replace(arrays=None) == STATE._replace(arrays=None)
    assert again.arrays.keys() == STATE.arrays.keys()
    for name, array in STATE.arrays.items():
        assert again.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(again.arrays[name], array)


def test_a_seed_without_a_saved_state_has_none(tmp_path):
    assert Checkpoint(tmp_path).load(7, "abc") is None


def test_the_state_of_another_run_is_refused(tmp_path):
    checkpoint = Checkpoint(tmp_path)
    checkpoint.save(STATE)
    with pytest.raises(ValueError, match=r"seed-7\.safetensors belongs to a run with other"):
        checkpoint.load(7, "xyz")


def test_states_are_saved_every_few_epochs(tmp_path):
    checkpoint = Checkpoint(tmp_path, every=3)
    checkpoint.on_epoch_end({"epoch": 2}, never_asked)
    assert list(tmp_path.iterdir()) == []
    checkpoint.on_epoch_end({"epoch": 3}, lambda: STATE)
    assert list(tmp_path.iterdir()) == [checkpoint.path(7)]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError])
def test_an_interrupted_write_leaves_the_older_file(tmp_path, monkeypatch, failure):
    checkpoint = Checkpoint(tmp_path)
    checkpoint.save(STATE)

    def interrupt(*_):
        raise failure

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(failure):
        checkpoint.save(STATE._replace(epoch=3))
    assert checkpoint.load(7, "abc").epoch == 2
    assert list(tmp_path.iterdir()) == [checkpoint.path(7)]
