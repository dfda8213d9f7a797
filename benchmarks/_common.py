"""What the benchmarks share: the facts of the machine, results written whole, tables."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import IO, Any

from coterie.experiments import facts
from coterie.io.files import write_atomically

ROOT = Path(__file__).parent
RESULTS = ROOT / "results"


def machine() -> dict[str, Any]:
    """Say what the numbers were measured on."""
    return facts.machine() | {"usable_cores": usable_cores(), "memory_gb": _memory_gb()}


def usable_cores() -> int:
    """Count the cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions(packages: Iterable[str] = facts.PACKAGES) -> dict[str, str]:
    """Give the installed versions, and the revision of the working tree where there is one."""
    found = facts.versions(packages)
    git = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True
    )
    return found | ({"revision": git.stdout.strip()} if git.returncode == 0 else {})


def describe(known: dict[str, Any]) -> str:
    """Put facts into one line."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in known.items())


def write_text(path: Path, text: str) -> None:
    """Put the text in place of the file's in one go."""

    def write(file: IO[bytes]) -> None:
        file.write(text.encode())

    write_atomically(path, write)


def write_json(path: Path, content: Any) -> None:
    """Put the content in place of the file's in one go."""
    write_text(path, json.dumps(content, indent=1) + "\n")


def read_json(path: Path) -> Any:
    """Return the content, None where there is no file."""
    return json.loads(path.read_text()) if path.exists() else None


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lay out a table whose columns line up in the source too.

    >>> print(markdown_table(["task", "n"], [["Syn1", 2]]))
    | task | n |
    | ---- | - |
    | Syn1 | 2 |
    """
    cells = [list(header), *([str(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    lines = (
        " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        for row in cells
    )
    return "\n".join(f"| {line} |" for line in lines)


class Disturbance:
    """How much of the machine others use while a block of child processes runs.

    ``share`` is the cores' time that went neither to idling nor to children of this process; None
    where the system does not tell. Programs that wait for each other's threads, as PyTorch's do,
    slow down many times over on cores that they have to share.
    """

    share: float | None = None

    def __enter__(self) -> Disturbance:
        self._busy, self._own, self._started = _busy_seconds(), seconds_of_children(), monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        busy, elapsed = _busy_seconds(), monotonic() - self._started
        if busy is not None and self._busy is not None:
            others = busy - self._busy - (seconds_of_children() - self._own)
            self.share = max(0.0, others / (elapsed * (os.cpu_count() or 1)))


def _busy_seconds() -> float | None:
    """Sum the time that all cores have worked since the start of the system."""
    facts = Path("/proc/stat")
    if not facts.exists():
        return None
    user, nice, system, _idle, _waiting, *interrupts = map(
        int, facts.read_text().splitlines()[0].split()[1:8]
    )
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def seconds_of_children() -> float:
    """Return what finished child processes have used of the processor."""
    times = os.times()
    return times.children_user + times.children_system


def _memory_gb() -> float | None:
    names = ("SC_PHYS_PAGES", "SC_PAGE_SIZE")
    if not all(name in os.sysconf_names for name in names):
        return None
    pages, size = (os.sysconf(name) for name in names)
    return round(pages * size / 2**30, 1)
