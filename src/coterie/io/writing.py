"""Tables out: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pandas as pd

from coterie.io.errors import TableError
from coterie.io.files import write_atomically


def _write_text(separator: str, compression: str | None) -> Callable[[pd.DataFrame, Any], None]:
    def write(table: pd.DataFrame, file: Any) -> None:
        table.to_csv(file, sep=separator, index=False, compression=compression)

    return write


WRITERS: dict[str, Callable[[pd.DataFrame, Any], None]] = {
    ".csv": _write_text(",", None),
    ".tsv": _write_text("\t", None),
    ".csv.gz": _write_text(",", "gzip"),
    ".tsv.gz": _write_text("\t", "gzip"),
    ".parquet": lambda table, file: table.to_parquet(file, index=False),
    ".feather": lambda table, file: table.to_feather(file),
}
"""What writes a table to an open file, by the ending of its name."""


def write_table(path: str | os.PathLike[str], table: pd.DataFrame) -> Path:
    """Write a table without its index; the ending of the name tells the format.

    Parameters
    ----------
    path : str or path
        .csv, .tsv (.gz too), .parquet or .feather.
    table : DataFrame

    Raises
    ------
    TableError
        If the file can't be written, or its ending is not known.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_table(Path(folder, "ages.csv"), pd.DataFrame({"age": [71, 64]}))
    ...     path.read_text().splitlines()
    ['age', '71', '64']
    """
    path = Path(path).expanduser()
    check_writable(path)
    write = WRITERS[_ending(path)]

    def fill(file: IO[bytes]) -> None:
        write(table, file)

    try:
        write_atomically(path, fill)
    except ImportError:
        raise TableError(
            f"{path}: this format needs pyarrow: pip install 'coterie[io]', or write .csv."
        ) from None
    return path


def check_writable(path: str | os.PathLike[str], *, any_ending: bool = False) -> None:
    """Refuse a path that can't be written to, before the work begins."""
    path = Path(path).expanduser()
    if not any_ending and _ending(path) not in WRITERS:
        raise TableError(
            f"{path}: tables are written as {', '.join(WRITERS)}. Choose one of these endings."
        )
    if path.is_dir():
        raise TableError(f"{path}: this is a folder. Name a file in it.")
    existing = next(parent for parent in path.absolute().parents if parent.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise TableError(f"{path}: {existing} can't be written to. Name another place.")


def _ending(path: Path) -> str:
    """Return the ending that tells the format."""
    name = path.name.lower()
    return next((e for e in sorted(WRITERS, key=len, reverse=True) if name.endswith(e)), "")
