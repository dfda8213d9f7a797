"""What a file really is, told from its first bytes."""

from __future__ import annotations

from pathlib import Path

from coterie.io.errors import TableError

EXPORT = "export the table as CSV"

MAGIC = [
    (b"PK\x03\x04", "a zip archive or an Excel workbook", f"{EXPORT}, or name the file .zip"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", EXPORT),
    (b"\x1f\x8b", "compressed by gzip", "add .gz to its name"),
    (b"BZh", "compressed by bzip2", "add .bz2 to its name"),
    (b"\xfd7zXZ", "compressed by xz", "add .xz to its name"),
    (b"\x28\xb5\x2f\xfd", "compressed by Zstandard", "add .zst to its name"),
    (b"PAR1", "a Parquet file", "name it .parquet"),
    (b"ARROW1", "a Feather file", "name it .feather"),
    (b"\x89HDF", "an HDF5 file", "name it .h5ad if it is AnnData"),
    (b"\x93NUMPY", "a NumPy array", "save it by numpy.savez, as .npz"),
    (b"%PDF", "a PDF document", EXPORT),
    (b"\x89PNG", "an image", EXPORT),
    (b"\xff\xfe", "text in UTF-16", "save it as UTF-8, or give encoding='utf-16'"),
    (b"\xfe\xff", "text in UTF-16", "save it as UTF-8, or give encoding='utf-16'"),
    (b"<!DOCTYPE", "a web page", "download the table itself"),
    (b"<html", "a web page", "download the table itself"),
]


def refuse_what_is_not_text(path: Path, start: bytes) -> None:
    """Raise if the first bytes of a file are not those of text in one byte a letter or UTF-8."""
    for magic, what, remedy in MAGIC:
        if start.startswith(magic):
            raise TableError(f"{path}: this is {what}, not delimited text: {remedy}.")
    if b"\0" in start:
        raise TableError(
            f"{path}: this is not text: it holds binary data (a zero byte at position "
            f"{start.index(0)}). Export the table as CSV, Parquet or Feather."
        )
