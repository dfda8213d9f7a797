"""How far a fit is: one line that changes on a terminal, plain lines in a file; and Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from time import monotonic
from types import FrameType
from typing import Any

from rich.console import Console
from rich.text import Text

from coterie.cli._terminal import messages

SECONDS_BETWEEN_LINES = 5.0
STAGES = {
    "open": "first structure found",
    "refine": "structure refined",
    "swap": "correlated features tried",
    "extend": "rest screened again",
    "end": "search ended",
}


class Progress:
    """A callback that says how far a fit is and, after Ctrl-C, ends it.

    Parameters
    ----------
    title : str
    time_limit : float, optional
        Seconds.
    epochs : int, optional
        How many there will be, of methods that train for epochs.
    can_stop : bool, default=True
        Whether the method can end on the way with what it found; else Ctrl-C ends the program.
    is_quiet : bool, default=False
        Only listen for Ctrl-C.
    """

    def __init__(
        self,
        title: str,
        time_limit: float | None = None,
        epochs: int | None = None,
        *,
        can_stop: bool = True,
        is_quiet: bool = False,
    ) -> None:
        self.title, self.time_limit, self.epochs = title, time_limit, epochs
        self.can_stop, self.is_quiet = can_stop, is_quiet
        self.is_stopped = False
        self._console: Console = messages()
        self._start = self._last_line = monotonic()
        self._state = "screening the features"
        self._is_live = False

    def __deepcopy__(self, memo: dict[int, Any]) -> Progress:
        """Stay one: estimators are cloned, but there is one terminal."""
        return self

    @property
    def callbacks(self) -> list[Progress]:
        """What to give to the method."""
        return [self] if self.can_stop else []

    def on_epoch_end(self, record: dict[str, Any], state: Any) -> bool:
        """Show a stage or an epoch; return True after Ctrl-C."""
        self._state = self._in_words(record)
        is_stage = "stage" in record
        now = monotonic()
        if (
            not self._is_live
            and not self.is_quiet
            and (is_stage or now - self._last_line > SECONDS_BETWEEN_LINES)
        ):
            self._last_line = now
            self._console.print(Text(f"{self.title}: {self._line()}"))
        return self.is_stopped

    def stops_now(self) -> bool:
        """Tell whether to end in the middle of a stage."""
        return self.is_stopped

    def __rich__(self) -> Text:
        """Return the line of a terminal, which is drawn again and again."""
        return Text(self._line(), overflow="ellipsis", no_wrap=True)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Show progress and, if the method can stop on the way, catch the first Ctrl-C."""
        self._start = self._last_line = monotonic()
        self._is_live = self._console.is_terminal and not self.is_quiet
        if not self.is_quiet:
            self._console.print(Text(f"{self.title} …"))
        with self._listening(), self._console.status(self) if self._is_live else nullcontext():
            yield

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Catch Ctrl-C, unless the method can't stop or the shell has the program ignore it."""
        earlier = signal.getsignal(signal.SIGINT)
        catches = self.can_stop and earlier is not signal.SIG_IGN
        if catches:
            signal.signal(signal.SIGINT, self._stop)
        try:
            yield
        finally:
            if catches:
                signal.signal(signal.SIGINT, earlier)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """End the fit at the next opportunity; a second Ctrl-C ends the program."""
        if self.is_stopped:
            raise KeyboardInterrupt
        self.is_stopped = True
        self._console.print(
            "Stopping: what is found so far will be written. Press Ctrl-C again to stop at once."
        )

    def _line(self) -> str:
        return f"{self._state} ({self._clock()})"

    def _clock(self) -> str:
        """Return the time that has passed and, where it is known, the time left."""
        elapsed = monotonic() - self._start
        left = self._left(elapsed)
        return f"{elapsed:.0f} s" if left is None else f"{elapsed:.0f} s, {left}"

    def _left(self, elapsed: float) -> str | None:
        estimates = []
        if self.epochs and (done := self._epochs_done - 1) > 0:  # the first one compiles
            estimates.append((elapsed - self._first_epoch) * (self.epochs - done - 1) / done)
        if self.time_limit is not None:
            estimates.append(self.time_limit - elapsed)
        if not estimates:
            return None
        most = "about" if len(estimates) > 1 or self.time_limit is None else "at most"
        return f"{most} {max(0.0, min(estimates)):.0f} s left"

    _epochs_done, _first_epoch = 0, 0.0

    def _in_words(self, record: dict[str, Any]) -> str:
        """Return a record of the history as text."""
        loss = f"loss {record['loss']:.4f}" if "loss" in record else ""
        if "stage" in record:
            stage = STAGES.get(record["stage"], record["stage"])
            groups, trained = record["n_groups"], record["n_trained"]
            return (
                f"{stage}, round {record['round']}: {loss}, {groups} "
                f"group{'' if groups == 1 else 's'}, {trained} networks tried"
            )
        self._epochs_done = int(record.get("epoch", 0))
        if self._epochs_done == 1:
            self._first_epoch = monotonic() - self._start
        of = f" of {self.epochs}" if self.epochs else ""
        return ", ".join(part for part in (f"epoch {self._epochs_done}{of}", loss) if part)
