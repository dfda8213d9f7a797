"""Runs the command line as the entry point does, in this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from coterie.cli.main import main


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """What it said of errors, on one line."""
        return " ".join(self.err.split())


class CommandLine:
    """Calls ``main`` with arguments."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, *arguments: object) -> Done:
        self._monkeypatch.setattr(sys, "argv", ["coterie", *map(str, arguments)])
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        said = self._capsys.readouterr()
        return Done(int(stop.value.code or 0), said.out, said.err)
