"""Comma, tab, semicolon or bar: looks at the lines of a text file, and finds what breaks them.

pandas fills short rows and shifts long ones without a word, so every record is counted here first.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from coterie.io.errors import TableError

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
SAMPLE_LINES = 50
LONGEST_VALUE = 2**20

_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+")
_DECIMAL_POINT = re.compile(r"[-+]?\d*\.\d+([eE][-+]?\d+)?")


@dataclass(frozen=True)
class Layout:
    """How the lines of a file are to be read.

    Attributes
    ----------
    delimiter : str
    decimal : str
        "," where numbers are written so, as in tables of continental Europe.
    """

    delimiter: str
    decimal: str = "."


@dataclass(frozen=True)
class Extent:
    """What a file holds, after every record has been counted.

    Attributes
    ----------
    names : list of str
        Of all columns, the row names included.
    n_rows : int
    has_row_names : bool
        Whether the first column has no name of its own, as R and pandas write row names.
    """

    names: list[str]
    n_rows: int
    has_row_names: bool


def find_layout(path: Path, stream: IO[str], delimiter: str | None) -> Layout:
    """Tell the delimiter and the decimal sign from the first lines."""
    lines = list(islice(stream, SAMPLE_LINES))
    if not any(line.strip() for line in lines):
        raise TableError(f"{path}: the file is empty. It needs a line of names and rows of values.")
    chosen = _sniff(lines, path.suffixes) if delimiter is None else delimiter
    values = [value for record in _records(lines, chosen)[1:] for value in record]
    return Layout(chosen, "," if chosen == ";" and _has_decimal_commas(values) else ".")


def measure(path: Path, stream: IO[str], layout: Layout) -> Extent:
    """Count the values of every record.

    Raises
    ------
    TableError
        For a header that can't name the columns, rows of another length, with their line, and
        quotes that are never closed.
    """
    records = _numbered_records(path, stream, layout.delimiter)
    _, header = next(records)
    names = [name.strip() for name in header]
    first = next(records, None)
    if first is None:
        raise TableError(f"{path}: the file has a line of names, but no rows below it.")
    n_named = len(names)
    if len(first[1]) == n_named + 1:
        names = ["", *names]  # R leaves out the name of the row names
    n_rows = 0
    for line, record in (first, *records):
        n_rows += 1
        if len(record) != len(names):
            ragged = first if len(record) == n_named else (line, record)
            _refuse_ragged(path, ragged, n_named, layout)
    _check_names(path, names)
    return Extent(names, n_rows, not names[0])


def _sniff(lines: Sequence[str], endings: Sequence[str]) -> str:
    """Return the delimiter that cuts the lines into most equal numbers of values."""
    usual = "\t" if {".tsv", ".tab"} & {ending.lower() for ending in endings} else ","
    best, best_score = usual, (0.0, False, 0)
    for delimiter in DELIMITERS:
        records = _records(lines, delimiter)
        width = len(records[0]) if records else 0
        if width < 2:
            continue
        agreeing = sum(len(record) in (width, width + 1) for record in records) / len(records)
        if (score := (agreeing, delimiter == usual, width)) > best_score:
            best, best_score = delimiter, score
    return best


def _records(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Cut a few lines; the last one may be part of a longer record and does not count."""
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t")
    try:
        records = [record for record in reader if record]
    except csv.Error:
        return []
    return records[:-1] if len(records) > 2 and len(lines) == SAMPLE_LINES else records


def _has_decimal_commas(values: Sequence[str]) -> bool:
    """Tell whether some numbers have a decimal comma, and none a decimal point."""
    with_comma = [value for value in values if _DECIMAL_COMMA.fullmatch(value)]
    certain = [value for value in with_comma if not _THOUSANDS.fullmatch(value)]
    return bool(certain) and not any(_DECIMAL_POINT.fullmatch(value) for value in values)


def _numbered_records(
    path: Path, stream: IO[str], delimiter: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield the records that are not blank, each with the line on which it begins."""
    lines = _text_lines(path, stream)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t", strict=True)
    line = 1
    usual = csv.field_size_limit()
    try:
        csv.field_size_limit(LONGEST_VALUE)
        for record in reader:
            if record:
                yield line, record
            line = reader.line_num + 1
    except csv.Error as error:
        raise TableError(
            f"{path}: the record that begins on line {line} can't be read ({error}). Look for a "
            'quotation mark (") that is never closed, or one inside a value, which is written "".'
        ) from None
    finally:
        csv.field_size_limit(usual)


def _text_lines(path: Path, stream: IO[str]) -> Iterator[str]:
    """Yield the lines as long as they are text."""
    for number, line in enumerate(stream, start=1):
        if "\0" in line:
            raise TableError(
                f"{path}: line {number} holds binary data (a zero byte). The file may be damaged: "
                "export the table again."
            )
        yield line


def _refuse_ragged(path: Path, ragged: tuple[int, list[str]], n_names: int, layout: Layout) -> None:
    """Raise for a row whose length is not that of the header."""
    line, count = ragged[0], len(ragged[1])
    sign = DELIMITERS.get(layout.delimiter, repr(layout.delimiter))
    cure = (
        f"a value that holds a {sign} must stand in quotation marks"
        if count > n_names
        else "give a missing value its place, too"
    )
    raise TableError(
        f"{path}: line {line} has {_several(count, 'value')}, but the header names "
        f"{_several(n_names, 'column')} (separated by {sign}). Mend the line: {cure}."
    )


def _check_names(path: Path, names: list[str]) -> None:
    """Refuse columns without a name (but for row names), names given twice, and a lone blob."""
    if len(names) == 1 and re.search(r"\S\s+\S", names[0]):
        raise TableError(
            f"{path}: the table has a single column, {names[0]!r}. Its columns may be separated by "
            "something else than comma, tab, semicolon or bar: separate them by commas, or give "
            "the delimiter, such as read_table(path, delimiter=' ')."
        )
    nameless = [str(position) for position, name in enumerate(names, start=1) if not name][:6]
    nameless = nameless[1:] if not names[0] else nameless
    if nameless:
        raise TableError(
            f"{path}: {'column' if len(nameless) == 1 else 'columns'} {', '.join(nameless)} of "
            f"{len(names)} have no name in the header. Name them, or remove the delimiters at the "
            "end of the lines."
        )
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        places = [str(i) for i, name in enumerate(names, start=1) if name == repeated[0]]
        raise TableError(
            f"{path}: {_several(len(repeated), 'name')} in the header occur more than once, such "
            f"as {repeated[0]!r} (columns {', '.join(places)}). Give every column its own name."
        )
    if all(_is_number(name) for name in names) and any("." in name for name in names):
        raise TableError(
            f"{path}: the first line holds numbers ({', '.join(names[:3])}, …) in place of names. "
            "Put a line with the names of the columns above it."
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _several(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
