"""Tables in binary files of columns: Parquet, Feather and NumPy's NPZ."""

from __future__ import annotations

import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from coterie.io._memory import check_memory
from coterie.io.errors import TableError

NAMES = ("feature_names", "columns", "names")
"""Arrays of an NPZ file that name the columns of its matrix."""


def read_parquet(path: Path, memory_limit: int | None) -> pd.DataFrame:
    """Read a Parquet file; its size is known before its columns are read."""
    parquet = optional_module(path, "pyarrow.parquet", "io")
    try:
        about = parquet.ParquetFile(path).metadata
        check_memory(path, about.num_rows, about.num_columns, memory_limit)
        return pd.read_parquet(path, engine="pyarrow")
    except (ValueError, OSError) as error:
        raise damaged(path, "Parquet", error) from error


def read_feather(path: Path, memory_limit: int | None) -> pd.DataFrame:
    """Read a Feather file (Arrow's, of version 2 or 1)."""
    feather = optional_module(path, "pyarrow.feather", "io")
    check_memory(path, 1, path.stat().st_size // 8, memory_limit)
    try:
        return feather.read_table(path, memory_map=False).to_pandas()
    except (ValueError, OSError) as error:
        raise damaged(path, "Feather", error) from error


def read_npz(path: Path, memory_limit: int | None) -> pd.DataFrame:
    """Read NumPy arrays: a matrix with its names, vectors of one length, or both.

    The names of the matrix's columns stand in an array ``feature_names``, ``columns`` or
    ``names``; without one they are x0, x1 and so on. Every other vector is a column.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        for name, array in arrays.items():
            if not isinstance(array, np.ndarray):
                raise ValueError(f"{name} is no array")
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, AttributeError) as error:
        raise damaged(path, "NPZ", error) from error
    names = next((arrays.pop(key) for key in NAMES if key in arrays), None)
    matrices = {name: array for name, array in arrays.items() if array.ndim == 2}
    vectors = {name: array for name, array in arrays.items() if array.ndim == 1}
    if len(matrices) > 1 or len(matrices) + len(vectors) < len(arrays) or not arrays:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items()) or "none"
        raise TableError(
            f"{path}: an NPZ table holds one matrix of shape (rows, columns) or none, and vectors "
            f"with a value for each row; this one holds: {shapes}. Save a matrix of the values of "
            "each row by numpy.savez."
        )
    lengths = {name: len(array) for name, array in (matrices | vectors).items()}
    if len(set(lengths.values())) > 1:
        raise TableError(
            f"{path}: all arrays must have a value for each row, but their lengths are "
            f"{', '.join(f'{name} {length}' for name, length in lengths.items())}. (Names of "
            f"columns stand in an array called {NAMES[0]!r}.)"
        )
    matrix = next(iter(matrices.values()), None)
    check_memory(path, *_shape(matrix, vectors), memory_limit)
    parts = [] if matrix is None else [pd.DataFrame(matrix, columns=_names(path, matrix, names))]
    return pd.concat([*parts, pd.DataFrame(vectors)], axis=1)


def optional_module(path: Path, name: str, extra: str) -> Any:
    """Import what reads a kind of file, or say how to install it."""
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise TableError(
            f"{path}: to read {path.suffix} files, install the extra {extra!r} "
            f"(pip install 'coterie[{extra}]'): {package} is missing."
        ) from None


def damaged(path: Path, kind: str, error: Exception) -> TableError:
    """Return what to raise for a file that its reader can't read."""
    if isinstance(error, TableError):
        return error
    return TableError(
        f"{path}: this is no {kind} file that can be read ({str(error).splitlines()[0]}). It may "
        "be damaged or have the wrong ending: download or export it again."
    )


def _shape(matrix: NDArray[Any] | None, vectors: dict[str, NDArray[Any]]) -> tuple[int, int]:
    n_rows = len(next(iter(vectors.values()))) if matrix is None else len(matrix)
    return n_rows, len(vectors) + (0 if matrix is None else matrix.shape[1])


def _names(path: Path, matrix: NDArray[Any], names: NDArray[Any] | None) -> list[str]:
    if names is None:
        return [f"x{column}" for column in range(matrix.shape[1])]
    if names.shape != (matrix.shape[1],):
        raise TableError(
            f"{path}: {names.size} names are given for the {matrix.shape[1]} columns of the "
            "matrix: give one for each."
        )
    return [str(name) for name in names]
