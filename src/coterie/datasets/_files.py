"""Finds the published data files: in the user's folder, in the cache, or by a download."""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from coterie.io.files import cache_folder, write_atomically

DOWNLOAD_TIMEOUT_SECONDS = 60


class ChecksumError(ValueError):
    """A data file does not have the contents that were published."""


@dataclass(frozen=True)
class DataFile:
    """A published file and how to recognise it.

    Parameters
    ----------
    name : str
        Its path below the data folder, with forward slashes.
    sha256 : tuple of str
        The checksums that are accepted, one for each way in which the same contents are packed.
    source : str
        Where a person finds the file, in words.
    url : str or None
        Where a program can download it; None if it takes an account.
    """

    name: str
    sha256: tuple[str, ...]
    source: str
    url: str | None = None


def find_data_file(file: DataFile) -> Path:
    """Return the path of a data file, downloading it to the cache if it is nowhere yet.

    The file is looked for in the folder that ``COTERIE_DATA`` names, then in ``data`` in the
    cache folder.

    Raises
    ------
    ChecksumError
        A file of that name, or the download, has other contents than were published.
    FileNotFoundError
        The file is in neither folder and could not be downloaded.
    """
    for path in places(file):
        if path.is_file():
            _verify(path, path, file)
            return path
    if file.url is None:
        raise _missing(file, "It cannot be downloaded without an account.")
    try:
        return _download(file, file.url)
    except (OSError, http.client.HTTPException) as error:
        raise _missing(file, f"Its download from {file.url} failed: {error}.") from error


def sha256_of(path: Path) -> str:
    """Return the SHA-256 checksum of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def places(file: DataFile) -> list[Path]:
    """Return the paths at which a file may be, the first one first."""
    chosen = os.environ.get("COTERIE_DATA")
    folders = [Path(chosen).expanduser()] if chosen else []
    return [folder / file.name for folder in [*folders, cache_folder() / "data"]]


def _download(file: DataFile, url: str) -> Path:
    destination = places(file)[-1]

    def receive(partial: IO[bytes]) -> None:
        with urllib.request.urlopen(url, timeout=DOWNLOAD_TIMEOUT_SECONDS) as response:
            shutil.copyfileobj(response, partial)
        partial.flush()
        _verify(Path(partial.name), url, file)

    write_atomically(destination, receive)
    return destination


def _verify(path: Path, origin: Path | str, file: DataFile) -> None:
    found = sha256_of(path)
    if found not in file.sha256:
        raise ChecksumError(
            f"{origin} is not the published {file.name}: its sha256 is {found}, expected "
            f"{' or '.join(file.sha256)}. Replace it by the published file ({file.source}), "
            "or remove it."
        )


def _missing(file: DataFile, why_no_download: str) -> FileNotFoundError:
    known = places(file)
    unset = "" if os.environ.get("COTERIE_DATA") else " (COTERIE_DATA is not set)"
    return FileNotFoundError(
        f"The data file {file.name} is missing. Looked for "
        f"{' and '.join(str(path) for path in known)}{unset}. {why_no_download} "
        f"Get it from {file.source} and save it as {known[0]}, or set COTERIE_DATA to a folder "
        f"that holds it as {file.name}."
    )
