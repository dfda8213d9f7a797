"""The per-user folder, and writing without ever leaving half a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO


def cache_folder() -> Path:
    """Return the folder for what can be made or downloaded again; it need not exist yet.

    It is ``COTERIE_CACHE`` where that is set, else ``coterie`` in ``XDG_CACHE_HOME``, else
    ``~/.cache/coterie``.
    """
    if chosen := os.environ.get("COTERIE_CACHE"):
        return Path(chosen).expanduser()
    shared = os.environ.get("XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "coterie"


def write_atomically(path: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Let ``write`` fill a temporary file that then takes the place of ``path``.

    Readers see the old file or the whole new one; if ``write`` fails, nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as partial:
        try:
            write(partial)
            partial.close()
            os.chmod(partial.name, _mode_of_new_files())
            os.replace(partial.name, path)
        except BaseException:
            Path(partial.name).unlink(missing_ok=True)
            raise


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8; what has no such form becomes an escape."""
    content = text.encode("utf-8", "backslashreplace")

    def write(file: IO[bytes]) -> None:
        file.write(content)

    write_atomically(path, write)


def _mode_of_new_files() -> int:
    """Return the permissions that the user gives to new files; temporary ones are private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
