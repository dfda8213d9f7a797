"""Whether a table fits into memory, asked before it is read."""

from __future__ import annotations

import os
from pathlib import Path

from coterie.io.errors import TableError

COPIES = 3
"""How often the numbers of a table are held while it is read, checked and encoded."""
BYTES_A_VALUE = 8

_CONTROL_GROUP = Path("/sys/fs/cgroup")
_MEMINFO = Path("/proc/meminfo")


def available_memory() -> int | None:
    """Return the bytes that this process may still take, None where the system does not say."""
    known = [size for size in (_free_on_machine(), _free_in_control_group()) if size is not None]
    return min(known, default=None)


def check_memory(path: Path, n_rows: int, n_columns: int, limit: int | None) -> None:
    """Refuse a table that is larger than ``limit`` bytes, by default the available memory."""
    available = available_memory() if limit is None else limit
    needed = n_rows * n_columns * BYTES_A_VALUE * COPIES
    if available is not None and needed > available:
        raise TableError(
            f"{path}: {n_rows:,} rows of {n_columns:,} columns take some {_readable(needed)} of "
            f"memory, but {_readable(available)} are available. Use fewer rows (a random sample "
            "finds the same groups if it is not too small), fewer columns, or a larger machine."
        )


def _free_on_machine() -> int | None:
    """Return the free memory of the machine."""
    try:
        lines = _MEMINFO.read_text().splitlines()
        entries = dict(line.split(":", 1) for line in lines if ":" in line)
        return int(entries["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError, IndexError):
        pass
    try:
        pages = "SC_AVPHYS_PAGES" if "SC_AVPHYS_PAGES" in os.sysconf_names else "SC_PHYS_PAGES"
        return os.sysconf(pages) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # Windows has no sysconf
        return None


def _free_in_control_group() -> int | None:
    """Return what a container leaves to its processes."""
    try:
        most = (_CONTROL_GROUP / "memory.max").read_text().strip()
        used = (_CONTROL_GROUP / "memory.current").read_text().strip()
        return None if most == "max" else max(0, int(most) - int(used))
    except (OSError, ValueError):
        return None


def _readable(size: float) -> str:
    """Return a number of bytes as people write it."""
    units = ["bytes", "KB", "MB", "GB", "TB"]
    while size >= 1000 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return (
        f"{size:.0f} {units[0]}" if size >= 10 or units[0] == "bytes" else f"{size:.1f} {units[0]}"
    )
