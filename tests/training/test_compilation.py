"""Where compiled programs are kept, and how they are compiled."""

import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from coterie.training import compilation
from coterie.training.compilation import keep_compiled_programs, program_for, resolve_device

FOLDER, LEAST_SECONDS = "jax_compilation_cache_dir", "jax_persistent_cache_min_compile_time_secs"


@pytest.fixture
def untouched():
    """JAX without a cache folder, whatever other tests have set; put back afterwards."""
    before = {name: jax.config.values[name] for name in (FOLDER, LEAST_SECONDS)}
    jax.config.update(FOLDER, None)
    yield
    for name, value in before.items():
        jax.config.update(name, value)


@pytest.mark.parametrize("word", ["off", "OFF"])
def test_off_keeps_programs_in_memory_only(untouched, monkeypatch, word):
    monkeypatch.setenv(compilation.SWITCH, word)
    keep_compiled_programs()
    assert jax.config.values[FOLDER] is None


def test_a_path_names_the_folder(untouched, monkeypatch, tmp_path):
    monkeypatch.setenv(compilation.SWITCH, str(tmp_path / "some" / "folder"))
    keep_compiled_programs()
    assert jax.config.values[FOLDER] == str(tmp_path / "some" / "folder")
    assert (tmp_path / "some" / "folder").is_dir()


def test_by_default_the_folder_is_in_the_users_cache(untouched, monkeypatch, tmp_path):
    monkeypatch.delenv(compilation.SWITCH, raising=False)
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path))
    keep_compiled_programs()
    assert jax.config.values[FOLDER] == str(tmp_path / "compiled")


def test_a_folder_that_was_set_through_jax_stays(untouched, monkeypatch, tmp_path):
    jax.config.update(FOLDER, str(tmp_path / "chosen"))
    monkeypatch.setenv(compilation.SWITCH, str(tmp_path / "other"))
    keep_compiled_programs()
    assert jax.config.values[FOLDER] == str(tmp_path / "chosen")


def test_a_folder_that_cannot_be_made_is_harmless(untouched, monkeypatch, tmp_path, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(compilation.SWITCH, str(tmp_path / "file" / "folder"))
    with caplog.at_level("INFO", logger="coterie"):
        keep_compiled_programs()
    assert jax.config.values[FOLDER] is None
    assert "can't be written" in caplog.text


def test_a_folder_that_is_read_only_is_harmless(untouched, monkeypatch, tmp_path):
    monkeypatch.setenv(compilation.SWITCH, str(tmp_path))
    monkeypatch.setattr(compilation.os, "access", lambda path, mode: False)
    keep_compiled_programs()
    assert jax.config.values[FOLDER] is None


def test_options_that_xla_does_not_know_are_done_without(monkeypatch):
    monkeypatch.setattr(compilation, "_CPU_OPTIONS", {"xla_no_such_option": True})
    device = jax.devices()[0]
    program = program_for(lambda factor: lambda x: factor * x, 2, (jnp.ones(3),), device)
    assert program(jnp.arange(3.0)).tolist() == [0.0, 2.0, 4.0]


def test_a_device_is_found_by_platform_or_taken_as_it_is():
    first = jax.devices()[0]
    assert resolve_device(None) is resolve_device("cpu") is resolve_device(first) is first


FIT = """
import sys
import jax
import numpy as np
from coterie.model.losses import CrossEntropy
from coterie.training import TrainingData, TrainingSettings, train_ensembles

hits = []
jax.monitoring.register_event_listener(
    lambda event, **about: hits.append(event) if event.endswith("cache_hits") else None
)
columns = np.random.default_rng(0).normal(size=(64, 8)).astype(np.float32)
data = TrainingData(columns, (columns[:, 0] > 0).astype(np.int32))
settings = TrainingSettings(n_groups=2, hidden_dim=4, max_epochs=1, batch_size=32)
(run,) = train_ensembles(settings, CrossEntropy(2), data, [0])
print(len(hits), np.isfinite(run.parameters["logits"]).all())
"""


def fit_in_a_process_of_its_own(monkeypatch, choice: Path | str) -> list[str]:
    """Return the number of programs read from the folder, and whether the result is finite."""
    monkeypatch.setenv(compilation.SWITCH, str(choice))
    done = subprocess.run([sys.executable, "-c", FIT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_a_second_process_reads_what_the_first_has_compiled(monkeypatch, tmp_path):
    assert fit_in_a_process_of_its_own(monkeypatch, tmp_path) == ["0", "True"]
    kept = {path.name for path in tmp_path.iterdir()}
    assert any("epoch" in name for name in kept)
    hits, finite = fit_in_a_process_of_its_own(monkeypatch, tmp_path)
    assert int(hits) >= 1
    assert finite == "True"


@pytest.mark.slow
def test_a_fit_without_a_folder_works(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    for choice in ("off", tmp_path / "file" / "folder"):
        assert fit_in_a_process_of_its_own(monkeypatch, choice) == ["0", "True"]
