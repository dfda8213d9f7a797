"""Writing text in one go."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from coterie.io.files import write_atomically


def write_text(path: Path, text: str) -> Path:
    """Put the text in place of the file's, and return the path."""

    def write(stream: IO[bytes]) -> None:
        stream.write(text.encode("utf-8"))

    write_atomically(path, write)
    return path
