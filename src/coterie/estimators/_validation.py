"""From what users have to the float32 columns that a model trains on.

Frames, arrays and sparse matrices of numbers are welcome; whatever cannot be read as numbers is
refused with the column, the value and the remedy. scikit-learn's own checks see to shapes, widths
and column names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import gen_batches

NUMERIC_KINDS = "biufc"  # what complex columns deserve is said by scikit-learn
READABLE_CONTENTS = {"integer", "floating", "mixed-integer-float", "boolean", "decimal", "empty"}
ROWS_AT_ONCE = 4096


def refuse_unreadable_columns(X: Any) -> Any:
    """Return X as a frame, an array or a sparse matrix if each of its columns holds numbers.

    Raises
    ------
    ValueError
        If a column holds text, categories, dates or a missing value that has no number (pandas.NA).
    TypeError
        If a column holds any other object.
    """
    X = _keep_mixed_lists_mixed(X)
    for name, column in _columns_in_doubt(X):
        if isinstance(getattr(column, "dtype", None), pd.CategoricalDtype):
            _refuse_value(name, np.asarray(column)[0], 0, "categories")
        values = np.asarray(column)
        if values.dtype.kind in "mM":
            _refuse_value(name, values[0], 0, "dates or time spans")
        if values.dtype.kind not in NUMERIC_KINDS:
            _refuse_objects(name, values)
    return X


def column_names(X: Any) -> list[str] | None:
    """Return the names of a frame's columns, None for arrays and sparse matrices."""
    return [str(name) for name in X.columns] if hasattr(X, "columns") else None


def _keep_mixed_lists_mixed(X: Any) -> Any:
    """Turn nested lists into an array without numpy's silent step from numbers to text."""
    if not isinstance(X, (list, tuple)) or not X or not isinstance(X[0], (list, tuple)):
        return X
    if len({len(row) for row in X if isinstance(row, (list, tuple))}) > 1:
        return X
    array = np.asarray(X)
    return np.asarray(X, dtype=object) if array.dtype.kind in "US" else array


def _columns_in_doubt(X: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of columns that are not plainly numeric."""
    names = column_names(X)
    if names is not None and not sparse.issparse(X):
        kinds = [getattr(dtype, "kind", "O") for dtype in X.dtypes]
        for position, kind in enumerate(kinds):
            if kind not in NUMERIC_KINDS:
                column = X.iloc[:, position] if hasattr(X, "iloc") else X[names[position]]
                if len(column):
                    yield repr(names[position]), column
    elif isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind not in NUMERIC_KINDS and len(X):
        for position in range(X.shape[1]):
            yield str(position), X[:, position]


def _refuse_objects(name: str, values: NDArray[Any]) -> None:
    """Raise for the first entry of an object column that is not a number."""
    if pd.api.types.infer_dtype(values, skipna=True) in READABLE_CONTENTS and not any(
        value is pd.NA for value in values[pd.isna(values)]
    ):
        return
    for row, value in enumerate(values):
        if value is pd.NA:
            raise ValueError(
                f"Input X contains a missing value, NaN, in column {name} (row {row}). {FILL}"
            )
        if isinstance(value, (str, bytes)):
            _refuse_value(name, value, row, "text")
        if not _is_number(value):
            raise TypeError(
                f"The X argument must be numeric, every string or object encoded as a number first; "
                f"column {name} holds {value!r} of type {type(value).__name__} in row {row}."
            )


FILL = "Fill such values, for example with sklearn.impute.SimpleImputer, or leave out their rows."


def _is_number(value: Any) -> bool:
    """Tell whether Python can turn the value into a float; None counts as missing, as in pandas."""
    return value is None or hasattr(value, "__float__") or hasattr(value, "__index__")


def _refuse_value(name: str, value: Any, row: int, contents: str) -> NoReturn:
    """Raise because a column holds something that only its owner can turn into numbers."""
    raise ValueError(
        f"Column {name} of X holds {contents}, such as {value!r} in row {row}, but columns must be "
        "numeric. Encode it first: pandas.to_numeric for numbers kept as text, "
        "sklearn.preprocessing.OneHotEncoder for categories, together with feature_groups so that "
        "all columns of a category share one gate."
    )


@dataclass(frozen=True)
class Scaling:
    """What is taken from the columns, and what they are then divided by, both of shape (columns,).

    Held in double precision, so that a large common offset costs the columns no digits.
    """

    offset: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def none(cls, n_columns: int) -> Scaling:
        """Leave columns as they are."""
        return cls(np.zeros(n_columns), np.ones(n_columns))

    @classmethod
    def standard(cls, X: Any, weights: NDArray[np.float64] | None) -> Scaling:
        """Bring columns to mean 0 and variance 1; a constant column is only shifted."""
        share = np.ones(X.shape[0]) if weights is None else weights
        share = share / share.sum()
        with np.errstate(over="ignore", invalid="ignore"):
            mean = sum(share[rows] @ block for rows, block in _dense_blocks(X))
            variance = sum(share[rows] @ (block - mean) ** 2 for rows, block in _dense_blocks(X))
            deviation = np.sqrt(variance)
            is_constant = deviation <= 1e-12 * np.abs(mean)
        return cls(np.asarray(mean), np.where(is_constant, 1.0, deviation))


def float32_columns(X: Any, scaling: Scaling, names: list[str] | None) -> NDArray[np.float32]:
    """Return the scaled columns as one dense float32 array, shape (rows, columns).

    Sparse matrices become dense: a step of training multiplies every column of a mini-batch by a
    gate of its own, so the zeros take part, and 4 bytes an entry is all that X then costs. Rows
    pass through double precision a block at a time, so no second copy of X is made.

    Raises
    ------
    ValueError
        If a value is NaN, infinite or too large for float32; names the column and the row.
    """
    columns = np.empty(X.shape, dtype=np.float32)
    for rows, block in _dense_blocks(X):
        with np.errstate(over="ignore", invalid="ignore"):
            columns[rows] = (block - scaling.offset) / scaling.scale
        if not np.isfinite(columns[rows]).all():
            _refuse_not_finite(block, columns[rows], rows.start, names)
    return columns


def _dense_blocks(X: Any) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield consecutive rows of X in double precision."""
    for rows in gen_batches(X.shape[0], ROWS_AT_ONCE):
        block = X[rows].toarray() if sparse.issparse(X) else X[rows]
        yield rows, np.asarray(block, dtype=np.float64)


def _refuse_not_finite(
    block: NDArray[np.float64], scaled: NDArray[np.float32], start: int, names: list[str] | None
) -> NoReturn:
    """Raise for the first value that is not a finite float32."""
    row, column = np.argwhere(~np.isfinite(scaled))[0]
    unusable = ~np.isfinite(block).all(axis=0)
    if unusable.any():  # one such value spoils the mean, and with it all rows of its column
        column = np.flatnonzero(unusable)[0]
        row = np.flatnonzero(~np.isfinite(block[:, column]))[0]
    value = block[row, column]
    name = str(column) if names is None else repr(names[column])
    place = f"in column {name} (row {start + row})"
    if np.isnan(value):
        raise ValueError(f"Input X contains NaN {place}. {FILL}")
    if np.isinf(value):
        raise ValueError(f"Input X contains infinity, {value}, {place}. {FILL}")
    raise ValueError(
        f"Input X contains {value:g} {place}: it is infinity as float32, whose largest value is "
        "3.4e38. Divide the column, or take its logarithm."
    )


def check_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Return the weights of the rows, None for equal ones.

    Raises
    ------
    ValueError
        If there is not one finite weight for each row, one is negative, or all are zero.
    """
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must hold one weight for each of the {n_rows} rows of X; "
            f"got shape {weights.shape}."
        )
    refused = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if refused.size:
        raise ValueError(
            "sample_weight must be finite and not negative; "
            f"got {weights[refused[0]]} in row {refused[0]}."
        )
    if not weights.any():
        raise ValueError("sample_weight is zero in every row: at least one weight must be above 0.")
    return weights


def held_out_rows(strata: NDArray[Any], fraction: float) -> NDArray[np.bool_]:
    """Choose a share of the rows of each stratum, at least one of which stays behind.

    The choice depends on the strata alone, never on a seed: fits with different seeds are then
    compared on the same rows.

    Parameters
    ----------
    strata : ndarray, shape (rows,)
        The class of each row; one value for all where there are no classes.
    fraction : float in (0, 1)

    Returns
    -------
    ndarray of bool, shape (rows,)

    Examples
    --------
    >>> held_out_rows(np.array([0, 0, 0, 0, 1, 1]), 0.5).sum()
    np.int64(3)
    """
    draws = np.random.default_rng(0)
    chosen = np.zeros(len(strata), dtype=bool)
    for stratum in np.unique(strata):
        rows = draws.permutation(np.flatnonzero(strata == stratum))
        chosen[rows[: int(fraction * len(rows))]] = True
    if not chosen.any():
        raise ValueError(
            f"validation_fraction={fraction} of {len(strata)} rows leaves none to hold out: "
            "raise it or set validation_fraction=None."
        )
    return chosen
