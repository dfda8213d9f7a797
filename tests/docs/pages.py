"""Reads a page as what it asks its reader to do, and does it."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.running import run_coterie

FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d*)?")
WITHIN, LEAST = 0.1, 0.01
"""How far decimals may be from those on the page, as a share and at least: machines differ."""
NOT_OURS = ("cd", "git", "pip", "python")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line on which it starts."""

    language: str
    text: str
    line: int


def blocks_of(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start()) + 1)


def commands_of(text: str) -> list[list[str]]:
    """Return the words of each command of a shell block."""
    lines = text.replace("\\\n", " ").splitlines()
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def agrees(expected: str, got: str) -> bool:
    """Tell whether an output is that of the page; ``...`` stands for anything.

    Blanks don't count, and decimals may differ a little.

    Examples
    --------
    >>> agrees("loss 0.30 ...", "loss  0.31 after 5 s"), agrees("2 groups", "3 groups")
    (True, False)
    """
    parts = re.split(rf"({NUMBER.pattern}|\.\.\.)", " ".join(expected.split()))
    numbers = [part for part in parts[1::2] if part != "..."]
    parts[1::2] = [".*" if part == "..." else f"({NUMBER.pattern})" for part in parts[1::2]]
    parts[::2] = map(re.escape, parts[::2])
    matched = re.fullmatch("".join(parts), " ".join(got.split()))
    return matched is not None and all(map(_is_near, numbers, matched.groups()))


def _is_near(expected: str, got: str) -> bool:
    if "." not in expected:
        return expected == got
    return abs(float(expected) - float(got)) <= WITHIN * abs(float(expected)) + LEAST


@dataclass
class Reader:
    """Follows a page in a folder: Python in one namespace, ``coterie`` through its entry point."""

    folder: Path
    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    said: str = ""

    def follow(self, page: Path) -> None:
        """Do what a page says; an output on the page is that of what stands before it."""
        for block in blocks_of(page):
            where = f"{page.name}, line {block.line}"
            if block.language == "python":
                self._run_python(block, page)
            elif block.language == "sh":
                self._run_commands(block.text, where)
            elif block.language == "text":
                assert agrees(block.text, self.said), f"{where}: the output is\n{self.said}"

    def _run_python(self, block: Block, page: Path) -> None:
        text = "\n" * block.line + block.text  # so that a traceback names the line of the page
        code = compile(text, str(page), "exec", dont_inherit=True)
        out = io.StringIO()
        with chdir(self.folder), redirect_stdout(out):
            exec(code, self.namespace)
        self.said = out.getvalue()

    def _run_commands(self, text: str, where: str) -> None:
        for program, *arguments in commands_of(text):
            if program == "coterie":
                done = run_coterie(*arguments, folder=self.folder)
                assert done.code == 0, f"{where}: {done.err}"
                self.said = done.out
            else:
                assert program in (*NOT_OURS, "make"), f"{where}: {program} is not known here"
