"""Runs: reproducible, alike alone and together, complete in their records, and resumable."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from coterie.model.losses import CrossEntropy, SquaredError
from coterie.training import (
    Checkpoint,
    EarlyStopping,
    TrainingData,
    ensembles,
    predict_outputs,
)
from coterie.training.compilation import program_for


class KilledError(Exception):
    """Stands for whatever ends a process."""


class KillAfter:
    """Ends the run once so many epochs are done."""

    def __init__(self, n_epochs):
        self.n_epochs = n_epochs

    def on_epoch_end(self, record, state):
        if record["epoch"] == self.n_epochs:
            raise KilledError


class Remember:
    """Keeps the epochs that it is told of."""

    def __init__(self):
        self.epochs = []

    def on_epoch_end(self, record, state):
        self.epochs.append((record["seed"], record["epoch"]))


def assert_same_run(first, second):
    """Nothing differs, not in the last bit."""
    assert first.history == second.history
    assert first.parameters.keys() == second.parameters.keys()
    for name, array in first.parameters.items():
        np.testing.assert_array_equal(array, second.parameters[name], err_msg=name)


def assert_close_run(first, second, **tolerance):
    for name, array in first.parameters.items():
        np.testing.assert_allclose(array, second.parameters[name], err_msg=name, **tolerance)


def test_the_same_seed_gives_the_same_run(train, trained):
    assert_same_run(train()[0], trained)


def test_another_seed_gives_another_run(train, trained):
    other = train(seeds=[1])[0]
    assert np.abs(other.parameters["logits"] - trained.parameters["logits"]).max() > 0.1
    assert other.history[0]["loss"] != trained.history[0]["loss"]


def test_seeds_together_equal_each_alone_after_an_epoch(train, settings):
    once = replace(settings, max_epochs=1)
    together = train(seeds=[4, 0, 7], settings=once)
    for seed, run in zip([4, 0, 7], together, strict=True):
        assert run.history[0]["seed"] == seed
        assert_close_run(run, train(seeds=[seed], settings=once)[0], atol=1e-4)


def test_seeds_in_one_program_equal_each_alone_after_an_epoch(train, settings, monkeypatch):
    """As on a GPU, where a single call of the program trains all seeds."""
    once = replace(settings, max_epochs=1)
    alone = [train(seeds=[seed], settings=once)[0] for seed in (4, 0)]
    original = ensembles._Run.__init__

    def in_one_lane(run, *arguments):
        original(run, *arguments)
        run.per_lane = len(run.seeds)

    monkeypatch.setattr(ensembles._Run, "__init__", in_one_lane)
    for run, single in zip(train(seeds=[4, 0], settings=once), alone, strict=True):
        assert_close_run(run, single, atol=1e-4)


def test_a_second_fit_of_the_same_shapes_compiles_nothing(train, data, count_compilations):
    train(seeds=[0, 1])
    predict_outputs(train()[0], np.ones((3, 12), bool), data.columns)
    other = TrainingData(data.columns[::-1] * 2, 1 - data.target)
    with count_compilations() as compiled:
        again = train(seeds=[5, 6], data=other)[0]
        predict_outputs(again, np.zeros((3, 12), bool), other.columns)
    assert compiled == []


def test_other_rates_and_a_few_more_rows_or_epochs_compile_no_epoch(
    train, settings, data, count_compilations
):
    """Rates are arguments of the program, and 195 to 208 rows are padded to 208."""
    train()
    other = replace(settings, beta=1.0, learning_rate=0.01, max_epochs=4)
    fewer = TrainingData(data.columns[:195], data.target[:195])
    with count_compilations() as compiled:
        train(settings=other)
        train(data=fewer)
    assert not any("epoch" in name for name in compiled)


def test_another_shape_is_compiled_and_counted(train, settings, count_compilations):
    with count_compilations() as compiled:
        train(settings=replace(settings, hidden_dim=9, max_epochs=1))
    assert any("epoch" in name for name in compiled)


def test_every_epoch_takes_each_row_once_in_a_new_order_with_new_noise(train, monkeypatch):
    plans = []

    def watched(*arguments, **options):
        program = program_for(*arguments, **options)

        def run(learning, rows, plan, *others):
            plans.append(plan)
            return program(learning, rows, plan, *others)

        return run

    monkeypatch.setattr(ensembles, "program_for", watched)
    train(seeds=[0, 1])
    orders = [np.asarray(plan.order).ravel() for plan in plans]
    noises = [np.asarray(plan.noise)[0, : plan.n_steps] for plan in plans]
    assert len(plans) == 6
    assert all(sorted(order[order >= 0]) == list(range(200)) for order in orders)
    assert len({tuple(order) for order in orders}) == 6
    assert len(set(np.concatenate(noises))) == 6 * 7


def test_every_epoch_has_a_complete_record(train, settings, data):
    run = train(validation=TrainingData(data.columns[:50], data.target[:50]))[0]
    assert [record["epoch"] for record in run.history] == [1, 2, 3]
    parts = ("individual_loss", "ensemble_loss", "size_loss", "overlap_loss")
    for record in run.history:
        assert set(record) == {
            "seed", "epoch", "loss", *parts, "learning_rate", "n_features", "overlap",
            "validation_loss",
        }  # fmt: skip
        assert record["seed"] == 0
        assert np.isfinite([record[part] for part in (*parts, "loss", "validation_loss")]).all()
        assert record["loss"] == pytest.approx(sum(record[part] for part in parts), rel=1e-5)
        rate = settings.learning_rate * settings.lr_decay ** (record["epoch"] - 1)
        assert record["learning_rate"] == pytest.approx(rate)
    mask = settings.threshold(run.probabilities)
    assert run.history[-1]["n_features"] == mask.sum(axis=1).tolist()
    assert run.history[-1]["overlap"] == (mask.sum(axis=0) > 1).sum()


def test_the_validation_loss_is_that_of_hard_gates(train, settings, data):
    held_out = TrainingData(data.columns[:50], data.target[:50], np.arange(50.0))
    run = train(validation=held_out)[0]
    outputs = predict_outputs(run, settings.threshold(run.probabilities), held_out.columns)
    losses = CrossEntropy(2)(outputs, held_out.target)
    expected = np.average(losses, weights=np.arange(50))
    assert run.history[-1]["validation_loss"] == pytest.approx(expected, rel=1e-5)


def test_held_out_rows_do_not_change_the_training(train, trained, data):
    run = train(validation=TrainingData(data.columns[:50], data.target[:50]))[0]
    assert_close_run(run, trained, rtol=0)


def test_arrays_have_the_shapes_of_the_data(trained):
    assert trained.parameters["logits"].shape == (3, 12)
    assert trained.parameters["first.weight"].shape == (3, 8, 12)
    assert trained.centre.shape == (12,)


def test_the_centre_is_the_mean_of_the_training_rows(trained, data):
    np.testing.assert_allclose(trained.centre, data.columns.mean(axis=0, dtype=float), rtol=1e-6)


def test_more_room_for_rows_changes_nothing(train, trained, monkeypatch):
    real = ensembles.padded_size
    monkeypatch.setattr(
        ensembles, "padded_size", lambda size, least=16: 512 if least == 64 else real(size, least)
    )
    assert_close_run(train()[0], trained, atol=1e-5)


def test_only_ratios_of_weights_matter(train, trained, data):
    """Powers of two, so that the scaling is exact."""
    weights = 2.0 ** np.random.default_rng(0).integers(0, 3, len(data.columns))
    light, heavy = (
        train(data=replace(data, weights=scale * weights), seeds=[0])[0] for scale in (1, 8)
    )
    assert_same_run(light, heavy)
    assert light.history != trained.history
    assert_same_run(train(data=replace(data, weights=np.full(200, 4.0)))[0], trained)


def test_more_columns_a_feature_share_its_gate(train, settings, data):
    """Each of six features owns a column and, six places further, another one."""
    owned = replace(data, owner=np.arange(12) % 6)
    run = train(data=owned)[0]
    assert run.probabilities.shape == (3, 6)
    assert run.parameters["first.weight"].shape == (3, 8, 12)
    mask = np.zeros((3, 6), bool)
    mask[:, 2] = True
    filled = np.where(np.arange(12) % 6 == 2, data.columns, run.centre)
    np.testing.assert_allclose(
        predict_outputs(run, mask, data.columns),
        predict_outputs(run, np.ones_like(mask), filled),
        atol=1e-5,
    )


def test_one_column_a_feature_is_the_default(train, trained, data):
    assert_close_run(train(data=replace(data, owner=np.arange(12)))[0], trained, atol=1e-5)


@pytest.mark.parametrize("gate_noise", ["batch", 5])
def test_every_kind_of_noise_trains(train, settings, gate_noise):
    run = train(settings=replace(settings, gate_noise=gate_noise, max_epochs=1))[0]
    assert all(np.isfinite(array).all() for array in run.parameters.values())


def test_fewer_rows_than_a_batch_are_one_batch(train, settings, data):
    few = TrainingData(data.columns[:5], data.target[:5])
    run = train(settings=replace(settings, max_epochs=1), data=few)[0]
    assert np.isfinite(run.history[0]["loss"])


def test_nothing_turns_into_nan_at_a_high_rate_and_large_columns(train, settings, data):
    wild = replace(settings, learning_rate=3.0, beta=1e4, max_epochs=3)
    large = TrainingData(data.columns * 1e4, data.target)
    run = train(settings=wild, data=large)[0]
    assert np.abs(run.parameters["logits"]).max() > 20
    assert all(np.isfinite(array).all() for array in run.parameters.values())
    assert np.isfinite(run.history[-1]["loss"])


def test_several_outcomes_are_learnt_together(settings, data):
    target = np.stack([data.columns[:, 0], -data.columns[:, 3]], axis=1)
    real = TrainingData(data.columns, target - target.mean(axis=0))
    run = ensembles.train_ensembles(settings, SquaredError(2), real, [0])[0]
    assert run.history[-1]["ensemble_loss"] < run.history[0]["ensemble_loss"]
    assert predict_outputs(run, np.ones((3, 12), bool), data.columns).shape == (200, 2)


def test_no_epochs_leave_the_initial_state(train, settings):
    run = train(settings=replace(settings, max_epochs=0))[0]
    assert run.history == []
    assert np.abs(run.parameters["first.bias"]).max() <= 12**-0.5


@pytest.mark.parametrize("seeds", [[0], [0, 3]])
@pytest.mark.parametrize("every", [1, 2])
def test_a_killed_run_resumes_to_the_identical_result(train, settings, tmp_path, seeds, every):
    longer = replace(settings, max_epochs=5)
    whole = train(seeds=seeds, settings=longer)
    saving = Checkpoint(tmp_path, every=every)
    with pytest.raises(KilledError):
        train(seeds=seeds, settings=longer, callbacks=[KillAfter(4), saving])
    seen = Remember()
    resumed = train(seeds=seeds, settings=longer, callbacks=[saving, seen])
    first_epoch = 4 if every == 1 else 3
    assert seen.epochs == [(seed, epoch) for epoch in range(first_epoch, 6) for seed in seeds]
    for first, second in zip(resumed, whole, strict=True):
        assert_same_run(first, second)


def test_seeds_saved_at_different_epochs_start_anew_to_the_identical_result(
    train, settings, tmp_path
):
    whole = train(seeds=[0, 3])
    saving = Checkpoint(tmp_path)
    with pytest.raises(KilledError):
        train(seeds=[0, 3], callbacks=[saving, KillAfter(2)])
    for first, second in zip(train(seeds=[0, 3], callbacks=[saving]), whole, strict=True):
        assert_same_run(first, second)


def test_a_finished_run_is_read_back_without_training(train, trained, tmp_path):
    saving, seen = Checkpoint(tmp_path), Remember()
    train(callbacks=[saving])
    assert_same_run(train(callbacks=[saving, seen])[0], trained)
    assert seen.epochs == []


def stopping() -> EarlyStopping:
    """Ends after two epochs without a fall of at least 10, that is after epoch 3."""
    return EarlyStopping(patience=2, quantity="loss", tolerance=10.0)


def test_early_stopping_ends_the_run(train, settings):
    longer = replace(settings, max_epochs=8)
    run = train(settings=longer, callbacks=[stopping()])[0]
    assert [record["epoch"] for record in run.history] == [1, 2, 3]
    assert_same_run(run, train(settings=longer, callbacks=[stopping()])[0])


def test_a_seed_that_stops_keeps_its_state_while_others_go_on(train, settings):
    class StopFirst:
        def on_epoch_end(self, record, state):
            return record["seed"] == 0 and record["epoch"] == 2

    longer = replace(settings, max_epochs=4)
    stopped, other = train(seeds=[0, 1], settings=longer, callbacks=[StopFirst()])
    assert [len(stopped.history), len(other.history)] == [2, 4]
    short = train(settings=replace(settings, max_epochs=2))[0]
    assert_same_run(stopped, short)
    assert_same_run(other, train(seeds=[1], settings=longer)[0])


@pytest.mark.parametrize("n_epochs", [2, 3])
def test_early_stopping_ends_a_resumed_run_at_the_same_epoch(train, settings, tmp_path, n_epochs):
    longer = replace(settings, max_epochs=8)
    whole = train(settings=longer, callbacks=[stopping()])[0]
    saving = Checkpoint(tmp_path)
    with pytest.raises(KilledError):
        train(settings=longer, callbacks=[saving, KillAfter(n_epochs)])
    resumed = train(settings=longer, callbacks=[saving, stopping()])[0]
    assert_same_run(resumed, whole)


def test_a_checkpoint_of_other_settings_or_data_is_refused(train, settings, data, tmp_path):
    saving = Checkpoint(tmp_path)
    train(callbacks=[saving])
    message = r"seed-0\.safetensors belongs to a run with other settings or data\. Remove it"
    with pytest.raises(ValueError, match=message):
        train(settings=replace(settings, beta=1.0), callbacks=[saving])
    with pytest.raises(ValueError, match=message):
        train(data=TrainingData(data.columns * 2, data.target), callbacks=[saving])


def test_a_platform_that_is_not_there_is_refused_by_name(train):
    with pytest.raises(ValueError, match=r"device: 'abacus' is not available here; JAX has cpu\."):
        train(device="abacus")


def test_a_device_may_be_named_by_its_platform(train, trained):
    assert_same_run(train(device="cpu")[0], trained)


EIGHT_DEVICES = """
import sys
import jax
import numpy as np
from coterie.model.losses import CrossEntropy
from coterie.training import TrainingData, TrainingSettings, ensembles

used = set()
program_for = ensembles.program_for

def watched(*arguments, **options):
    program = program_for(*arguments, **options)

    def run(*arguments):
        result = program(*arguments)
        for leaf in jax.tree.leaves(result):
            used.update(leaf.devices())
        return result

    return run

ensembles.program_for = watched
columns = np.random.default_rng(0).normal(size=(100, 12)).astype(np.float32)
data = TrainingData(columns, (columns[:, 0] > 0).astype(np.int32))
settings = TrainingSettings(n_groups=2, hidden_dim=4, max_epochs=2, batch_size=32)
devices = jax.devices()
assert len(devices) == 8
logits = []
for device in (None, devices[3]):
    used.clear()
    runs = ensembles.train_ensembles(settings, CrossEntropy(2), data, [0, 1], device=device)
    assert used == {device or devices[0]}, used
    logits.append([run.parameters["logits"] for run in runs])
np.testing.assert_array_equal(*logits)
"""


@pytest.mark.slow
def test_any_of_several_devices_gives_the_same_result(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
    done = subprocess.run([sys.executable, "-c", EIGHT_DEVICES], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
