"""Models out and in: one safetensors file with JSON, checked before it is used.

The file holds arrays and text alone; loading it runs no code that it could name. Its header says
which version of the format it has, its document (JSON) what the arrays are for, and a checksum over
all of it that nothing was changed or lost on the way.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from coterie import __version__
from coterie.io.codec import Arrays, NoClasses, Reader, Registry, Writer
from coterie.io.errors import ModelFileError
from coterie.io.files import write_atomically
from coterie.io.formats import FORMAT, Document, migrate

__all__ = ["ModelFile", "ModelFileError", "open_model", "read_model", "read_notes", "write_model"]

KIND = "coterie-model"

DAMAGE = (
    AttributeError,
    IndexError,
    KeyError,
    MemoryError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What goes wrong with JSON that has not the expected form."""


@dataclass(frozen=True)
class ModelFile:
    """What a checked file holds, before any object is made of it.

    Attributes
    ----------
    path : Path
    written_by : str
        The version of Coterie.
    document : dict
        ``estimator`` and ``notes`` in the forms of :mod:`coterie.io.codec`.
    arrays : dict of str to ndarray
    """

    path: Path
    written_by: str
    document: Document
    arrays: Arrays


def write_model(
    path: str | os.PathLike[str], estimator: Any, registry: Registry, notes: Any = None
) -> Path:
    """Write an estimator and notes to a file, which is there as a whole or not at all.

    Raises
    ------
    TypeError
        If a part of it can't be saved; names the part.
    """
    path = Path(path).expanduser()
    arrays: Arrays = {}
    document = {
        "estimator": Writer(registry, arrays).encode(estimator, "model"),
        "notes": Writer(NoClasses(), arrays).encode(_plain(notes), "notes"),
        "arrays": {name: [a.dtype.name, list(a.shape)] for name, a in arrays.items()},
    }
    text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    about = {"kind": KIND, "format": str(FORMAT), "coterie": __version__, "document": text}
    about["sha256"] = _checksum(about, arrays)
    content = save({name: _contiguous(a) for name, a in arrays.items()}, metadata=about)

    def write(file: IO[bytes]) -> None:
        file.write(content)

    write_atomically(path, write)
    return path


def read_model(path: str | os.PathLike[str], registry: Registry) -> Any:
    """Return the estimator in a file.

    Raises
    ------
    ModelFileError
        If there is no such file, or it is not whole, not a model, or of a newer version.
    """
    file = open_model(path)
    return _decoded(file, "estimator", registry)


def read_notes(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the notes that were saved with a model."""
    notes = _decoded(open_model(path), "notes", NoClasses())
    return dict(notes)


def open_model(path: str | os.PathLike[str]) -> ModelFile:
    """Read a file and check it, without making anything of it yet."""
    path = Path(path).expanduser()
    about, arrays = _read(path)
    version = _check_version(path, about)
    if about.get("sha256") != _checksum(about, arrays):
        raise ModelFileError(
            f"{path}: the file was changed or damaged after it was written (its checksum is "
            "another one). Copy or save it again."
        )
    try:
        document = json.loads(about["document"], parse_constant=_refuse_constant)
        document, arrays = migrate(document, arrays, version)
        _check_arrays(path, document["arrays"], arrays)
    except ModelFileError:
        raise
    except DAMAGE as error:
        raise _malformed(path, error) from error
    return ModelFile(path, about["coterie"], document, arrays)


def _decoded(file: ModelFile, part: str, registry: Registry) -> Any:
    """Make the object that a part of the document stands for."""
    try:
        return Reader(file.arrays, registry).decode(file.document[part])
    except ModelFileError as error:
        raise ModelFileError(f"{file.path}: {error}") from error
    except DAMAGE as error:
        raise _malformed(file.path, error) from error


def _read(path: Path) -> tuple[dict[str, str], Arrays]:
    """Return the metadata and the arrays of a safetensors file."""
    if path.is_dir():
        raise ModelFileError(f"{path}: this is a folder. Name the file of the model.")
    if not path.exists():
        raise ModelFileError(f"{path}: there is no such file.")
    try:
        with safe_open(path, framework="numpy") as file:
            about = dict(file.metadata() or {})
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, *DAMAGE) as error:
        raise ModelFileError(
            f"{path}: this is no model, or a damaged one ({error}). Models are the .safetensors "
            "files that save() writes; copy or save it again."
        ) from error
    if about.get("kind") != KIND:
        raise ModelFileError(
            f"{path}: this safetensors file holds no model of Coterie, but something else."
        )
    return about, arrays


def _check_version(path: Path, about: dict[str, str]) -> int:
    """Return the version of the format, if it can be read."""
    text = about.get("format", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) >= 1):
        raise ModelFileError(f"{path}: the version of the format, {text!r}, is no number.")
    if int(text) > FORMAT:
        raise ModelFileError(
            f"{path}: the file was written by a newer Coterie ({about.get('coterie')}, format "
            f"{text}); this one ({__version__}) reads formats up to {FORMAT}. Upgrade by "
            "pip install --upgrade coterie."
        )
    return int(text)


def _check_arrays(path: Path, expected: dict[str, Any], arrays: Arrays) -> None:
    """Refuse arrays that are missing, of another type or shape, or not spoken of."""
    for name, (dtype, shape) in expected.items():
        if name not in arrays:
            raise ModelFileError(f"{path}: the array {name!r} is missing.")
        found = arrays[name]
        if found.dtype.name != dtype or list(found.shape) != shape:
            raise ModelFileError(
                f"{path}: the array {name!r} should be {dtype} of shape {shape}, but is "
                f"{found.dtype.name} of shape {list(found.shape)}."
            )
    if unknown := sorted(set(arrays) - set(expected)):
        raise ModelFileError(f"{path}: the array {unknown[0]!r} belongs to nothing in the model.")


def _checksum(about: dict[str, str], arrays: Arrays) -> str:
    """Return the checksum of everything in the file but the checksum itself."""
    digest = hashlib.sha256()
    for key in sorted(set(about) - {"sha256"}):
        digest.update(json.dumps([key, about[key]]).encode())
    for name in sorted(arrays):
        array = _contiguous(arrays[name])
        digest.update(json.dumps([name, array.dtype.name, array.shape]).encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def _contiguous(array: Any) -> Any:
    """Return the array in C order; numpy.ascontiguousarray would lift scalars to one axis."""
    return np.require(array, requirements="C") if array.ndim else array.copy()


def _plain(notes: Any) -> dict[str, Any]:
    notes = {} if notes is None else notes
    if not isinstance(notes, dict):
        raise TypeError(f"notes must be a dict, such as {{'seed': 0}}; got {notes!r}.")
    return notes


def _refuse_constant(name: str) -> Any:
    raise ModelFileError(f"The document holds {name}, which is no JSON.")


def _malformed(path: Path, error: BaseException) -> ModelFileError:
    return ModelFileError(
        f"{path}: what the file says of the model makes no sense ({type(error).__name__}: "
        f"{str(error)[:200]}). Save the model again."
    )
