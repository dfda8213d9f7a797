"""Compressed files, opened as the bytes that were packed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from coterie.io.errors import TableError

ENDINGS = (".gz", ".bz2", ".xz", ".zst", ".zip")


def unpacked_name(path: Path) -> str:
    """Return the name of the file that a compressed file holds, or the file's own."""
    ending = path.suffix.lower()
    if ending == ".zip":
        with _only_what_is_whole(path), zipfile.ZipFile(path) as archive:
            return Path(_only_member(path, archive).filename).name
    return path.stem if ending in ENDINGS else path.name


@contextmanager
def open_unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, decompressed if its ending says that it is compressed."""
    with _only_what_is_whole(path), _opened(path) as stream:
        yield stream


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    ending = path.suffix.lower()
    if ending == ".zip":
        with zipfile.ZipFile(path) as archive, archive.open(_only_member(path, archive)) as stream:
            yield stream
    elif ending == ".zst":
        with path.open("rb") as packed, _zstandard(path)(packed) as stream:
            yield stream
    else:
        openers: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
        with openers.get(ending, Path.open)(path, "rb") as stream:
            yield cast(IO[bytes], stream)


def _zstandard(path: Path) -> Any:
    """Return what reads a Zstandard stream."""
    try:
        return import_module("zstandard").ZstdDecompressor().stream_reader
    except ImportError:
        raise TableError(
            f"{path}: to read .zst files, install the extra 'io' (pip install 'coterie[io]'), or "
            "unpack the file first."
        ) from None


def _only_member(path: Path, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Return the one file in an archive; what systems add beside it does not count."""
    members = [
        member
        for member in archive.infolist()
        if not member.is_dir()
        and not member.filename.startswith("__MACOSX/")
        and not Path(member.filename).name.startswith(".")
    ]
    if len(members) != 1:
        names = ", ".join(repr(member.filename) for member in members[:5]) or "none"
        raise TableError(
            f"{path}: the archive must hold one table, but it holds {len(members)} files "
            f"({names}{', …' if len(members) > 5 else ''}). Unpack it and name one of them."
        )
    return members[0]


@contextmanager
def _only_what_is_whole(path: Path) -> Iterator[None]:
    """Say in one way that a compressed file is damaged, whatever its kind."""
    try:
        yield
    except (
        gzip.BadGzipFile,
        EOFError,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,  # an encrypted archive
    ) as error:
        raise _damaged(path, error) from error
    except OSError as error:
        if error.errno is not None or path.suffix.lower() not in ENDINGS:
            raise
        raise _damaged(path, error) from error
    except Exception as error:
        if type(error).__name__ != "ZstdError":
            raise
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> TableError:
    return TableError(
        f"{path}: the file can't be unpacked ({error}). It may be damaged, encrypted, or not be "
        f"what its ending {path.suffix!r} says: download or export it again, or unpack it first."
    )
