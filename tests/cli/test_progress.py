"""How far a fit is, and what Ctrl-C does to it."""

import copy
import io
import signal

import pytest
from rich.console import Console

from coterie.cli import _progress
from coterie.cli._progress import Progress

STAGE = {"round": 2, "stage": "refine", "loss": 0.25, "n_groups": 1, "n_trained": 40}
EPOCH = {"seed": 0, "epoch": 10, "loss": 0.5}


@pytest.fixture
def written(monkeypatch):
    """Return what is written, to a file unless it is asked to be a terminal."""
    file = io.StringIO()

    def use(is_terminal=False):
        console = Console(file=file, force_terminal=is_terminal, width=200)
        monkeypatch.setattr(_progress, "messages", lambda: console)
        return file

    return use


@pytest.fixture(autouse=True)
def ctrl_c_counts():
    """Let Ctrl-C interrupt, also where the shell has the tests ignore it."""
    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, earlier)


@pytest.fixture
def at(monkeypatch):
    """Return what sets the clock."""
    now = [0.0]
    monkeypatch.setattr(_progress, "monotonic", lambda: now[0])
    return lambda seconds: now.__setitem__(0, seconds)


def test_stages_are_lines_in_a_file(written, at):
    file = written()
    progress = Progress("Fitting", time_limit=60)
    with progress.running():
        at(20)
        progress.on_epoch_end(STAGE, None)
    assert file.getvalue().splitlines() == [
        "Fitting …",
        "Fitting: structure refined, round 2: loss 0.2500, 1 group, 40 networks tried "
        "(20 s, at most 40 s left)",
    ]


def test_epochs_are_lines_now_and_then_with_the_time_left(written, at):
    file = written()
    progress = Progress("Fitting", epochs=40)
    with progress.running():
        at(3)  # the first epoch takes longer
        progress.on_epoch_end({**EPOCH, "epoch": 1}, None)
        at(6)
        progress.on_epoch_end(EPOCH, None)
    assert file.getvalue().splitlines()[1:] == [
        "Fitting: epoch 10 of 40, loss 0.5000 (6 s, about 10 s left)"
    ]


def test_a_terminal_has_one_line_that_changes(written):
    file = written(is_terminal=True)
    progress = Progress("Fitting")
    with progress.running():
        progress.on_epoch_end(STAGE, None)
        progress.stops_now()
        assert str(progress.__rich__()).startswith("structure refined, round 2: loss 0.2500")
    assert file.getvalue().count("Fitting") == 1


def test_quiet_is_quiet(written):
    file = written()
    progress = Progress("Fitting", is_quiet=True)
    with progress.running():
        progress.on_epoch_end(STAGE, None)
    assert file.getvalue() == ""


def test_the_first_ctrl_c_asks_to_stop_and_the_second_ends(written):
    file = written()
    progress = Progress("Fitting")
    earlier = signal.getsignal(signal.SIGINT)
    with progress.running():
        assert not progress.stops_now()
        signal.raise_signal(signal.SIGINT)
        assert progress.stops_now()
        assert progress.on_epoch_end(STAGE, None)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert "what is found so far will be written" in file.getvalue()
    assert signal.getsignal(signal.SIGINT) is earlier


def test_ctrl_c_ends_a_method_that_cannot_stop(written):
    written()
    progress = Progress("Fitting", can_stop=False)
    with pytest.raises(KeyboardInterrupt), progress.running():
        signal.raise_signal(signal.SIGINT)
    assert progress.callbacks == []


def test_a_program_in_the_background_ignores_ctrl_c(written):
    written()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    progress = Progress("Fitting")
    with progress.running():
        signal.raise_signal(signal.SIGINT)
    assert not progress.is_stopped


def test_a_cloned_estimator_tells_the_same_terminal():
    progress = Progress("Fitting")
    assert copy.deepcopy([progress])[0] is progress
