"""Tables in: one function for every kind of file that a table comes in."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pandas as pd

from coterie.io._columnar import read_feather, read_npz, read_parquet
from coterie.io._genetics import read_bed, read_h5ad
from coterie.io._packed import ENDINGS as PACKED
from coterie.io._packed import unpacked_name
from coterie.io._text import TextOptions, read_text
from coterie.io.errors import TableError

__all__ = ["READERS", "TEXT", "TableError", "read_table"]

TEXT = (".csv", ".tsv", ".tab", ".txt")

READERS: dict[str, Callable[[Path, int | None], pd.DataFrame]] = {
    ".parquet": read_parquet,
    ".pq": read_parquet,
    ".feather": read_feather,
    ".npz": read_npz,
    ".h5ad": read_h5ad,
    ".bed": read_bed,
}
"""What reads a file, given its path and a limit of memory; a new kind is one line."""


def read_table(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = (),
    memory_limit: int | None = None,
) -> pd.DataFrame:
    r"""Read a table; the ending of its name tells its kind.

    Parameters
    ----------
    path : str or path
        Delimited text (.csv, .tsv, .tab, .txt; compressed too: .gz, .bz2, .xz, .zst, .zip),
        Parquet (.parquet, .pq), Feather (.feather), NumPy (.npz), AnnData (.h5ad) or PLINK (.bed,
        with .bim and .fam beside it).
    delimiter : str, optional
        Of delimited text; by default told from the first lines: comma, tab, semicolon or bar.
    encoding : str, optional
        Of delimited text; by default UTF-8, with or without a mark at its beginning.
    missing : sequence of str
        What stands for a missing value in delimited text, beside the empty value, NA, NaN, NULL
        and the like.
    memory_limit : int, optional
        Bytes that the table may take; by default what the machine has left.

    Returns
    -------
    DataFrame
        Columns are named by text. A first column without a name holds the names of the rows.

    Raises
    ------
    TableError
        If the file can't be used as it is; the message names the place and the remedy.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "patients.csv")
    ...     _ = path.write_text("age;dose\n71;0,5\n64;1,25\n")
    ...     read_table(path)
       age  dose
    0   71  0.50
    1   64  1.25
    """
    path = Path(path).expanduser()
    _check_file(path)
    table = _reader(path, TextOptions(delimiter, encoding, missing, memory_limit))(path)
    table.columns = [str(name) for name in table.columns]
    _check_table(path, table)
    return table


def _reader(path: Path, options: TextOptions) -> Callable[[Path], pd.DataFrame]:
    """Return what reads files of this ending."""
    ending = path.suffix.lower()
    name = unpacked_name(path) if ending in PACKED else path.name
    inside = Path(name).suffix.lower()
    if inside in TEXT:
        return partial(read_text, options=options)
    if inside in READERS and ending in PACKED:
        raise TableError(f"{path}: only delimited text is read compressed: unpack the file first.")
    if inside in READERS:
        read = READERS[inside]
        return lambda path: read(path, options.memory_limit)
    kinds = ", ".join([*TEXT, *READERS])
    raise TableError(
        f"{path}: files that end in {inside or 'nothing'!r} can't be read. Known endings are "
        f"{kinds}; text also compressed ({', '.join(PACKED)}). Export the table as CSV, or correct "
        "the ending."
    )


def _check_file(path: Path) -> None:
    """Refuse what is no file that can be read."""
    if path.is_dir():
        tables = [p.name for p in sorted(path.iterdir()) if p.suffix.lower() in (*TEXT, *READERS)]
        inside = f", such as {tables[0]!r}" if tables else ""
        raise TableError(f"{path}: this is a folder. Name a file in it{inside}.")
    if not path.exists():
        raise TableError(f"{path}: there is no such file.{_similar_names(path)}")
    if not os.access(path, os.R_OK):
        raise TableError(f"{path}: the file may not be read. Ask for the permission to read it.")
    if path.stat().st_size == 0:
        raise TableError(f"{path}: the file is empty. It needs a line of names and rows of values.")


def _similar_names(path: Path) -> str:
    """Return the names beside a path that it may have meant, as a sentence."""
    if not path.parent.is_dir():
        return f" The folder {path.parent} does not exist either."
    names = [other.name for other in path.parent.iterdir() if other.is_file()]
    similar = difflib.get_close_matches(path.name, names, n=3)
    return f" Did you mean {' or '.join(repr(name) for name in similar)}?" if similar else ""


def _check_table(path: Path, table: pd.DataFrame) -> None:
    """Refuse tables without rows or columns, and names given twice."""
    n_rows, n_columns = table.shape
    if not n_rows or not n_columns:
        raise TableError(f"{path}: the table has {n_rows} rows and {n_columns} columns.")
    repeated = table.columns[table.columns.duplicated()]
    if len(repeated):
        raise TableError(
            f"{path}: {len(set(repeated))} names of columns occur more than once, such as "
            f"{repeated[0]!r}. Give every column a name of its own."
        )
