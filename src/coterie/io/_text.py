"""Tables in delimited text: CSV and TSV, compressed or not."""

from __future__ import annotations

import codecs
import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pandas as pd

from coterie.io._contents import refuse_what_is_not_text
from coterie.io._delimited import Extent, Layout, find_layout, measure
from coterie.io._memory import check_memory
from coterie.io._packed import open_unpacked
from coterie.io.errors import TableError

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>", "-nan", "-NaN")
"""What stands for a missing value; "None" and "." don't, for they may be values."""

FIRST_BYTES = 2**16


@dataclass(frozen=True)
class TextOptions:
    """What the caller knows about the text; None is found out.

    Attributes
    ----------
    delimiter, encoding : str or None
    missing : sequence of str
        What stands for a missing value beside :data:`MISSING`.
    memory_limit : int or None
    """

    delimiter: str | None = None
    encoding: str | None = None
    missing: Sequence[str] = ()
    memory_limit: int | None = None


def read_text(path: Path, options: TextOptions) -> pd.DataFrame:
    """Read delimited text, after a look at its first bytes and a count of all its records."""
    encoding = _find_encoding(path, options.encoding)
    with _lines(path, encoding) as stream:
        layout = find_layout(path, stream, options.delimiter)
    with _lines(path, encoding) as stream:
        extent = measure(path, stream, layout)
    check_memory(path, extent.n_rows, len(extent.names), options.memory_limit)
    with _lines(path, encoding) as stream:
        return _parse(path, stream, layout, extent, options.missing)


def _parse(
    path: Path, stream: IO[str], layout: Layout, extent: Extent, missing: Sequence[str]
) -> pd.DataFrame:
    """Let pandas read what is known to be even."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what deserves a word is said by whoever uses a column
        try:
            table = pd.read_csv(
                stream,
                sep=layout.delimiter,
                decimal=layout.decimal,
                header=0,
                names=extent.names,
                index_col=0 if extent.has_row_names else False,
                skipinitialspace=layout.delimiter != "\t",
                keep_default_na=False,
                na_values=[*MISSING, *missing],
                low_memory=False,
            )
        except pd.errors.ParserError as error:
            raise TableError(f"{path}: the table can't be read ({error}).") from error
    if extent.has_row_names:
        table.index.name = None
    if not len(table.columns):
        raise TableError(f"{path}: the table holds row names, but no columns.")
    return table


def _find_encoding(path: Path, chosen: str | None) -> str:
    """Return the encoding: the chosen one, or UTF-8 with or without a mark at its beginning."""
    if chosen is not None:
        try:
            return codecs.lookup(chosen).name
        except LookupError:
            raise TableError(
                f"{path}: encoding={chosen!r} is not known. Common ones are 'utf-8', 'utf-16', "
                "'cp1252' (Windows) and 'latin-1'."
            ) from None
    with open_unpacked(path) as stream:
        start = stream.read(FIRST_BYTES)
    if not start:
        raise TableError(f"{path}: the file is empty. It needs a line of names and rows of values.")
    refuse_what_is_not_text(path, start)
    return "utf-8-sig"


@contextmanager
def _lines(path: Path, encoding: str) -> Iterator[IO[str]]:
    """Open the text; what is in another encoding is reported with its line."""
    try:
        with open_unpacked(path) as stream:
            yield io.TextIOWrapper(io.BufferedReader(_Raw(stream)), encoding=encoding, newline="")
    except UnicodeError as error:
        line = _line_of_bad_bytes(path, encoding)
        raise TableError(
            f"{path}: {line} is not text in {encoding.removesuffix('-sig')} ({error}). Save the "
            "file as UTF-8 (in Excel: 'CSV UTF-8'), or give its encoding, such as "
            "read_table(path, encoding='cp1252')."
        ) from None


class _Raw(io.RawIOBase):
    """A stream of bytes with the one method that buffering needs, whatever unpacks it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        content = self.stream.read(len(view))
        view[: len(content)] = content
        return len(content)


def _line_of_bad_bytes(path: Path, encoding: str) -> str:
    """Name the first line that can't be decoded."""
    with open_unpacked(path) as stream:
        for number, line in enumerate(io.BufferedReader(_Raw(stream)), start=1):
            try:
                line.decode(encoding)
            except UnicodeError:
                return f"line {number}"
    return "the file"
