"""Refuse what cannot be trained on, with the column, the value and the remedy.

Frames, arrays and sparse matrices of numbers are welcome. scikit-learn's own checks see to shapes,
widths and column names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

NUMERIC_KINDS = "biufc"  # what complex columns deserve is said by scikit-learn
READABLE_CONTENTS = {"integer", "floating", "mixed-integer-float", "boolean", "decimal", "empty"}
FILL = "Fill such values, for example with sklearn.impute.SimpleImputer, or leave out their rows."


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
                "The X argument must be numeric, each string or other object encoded as a number "
                f"first; column {name} holds {value!r} of type {type(value).__name__} in row {row}."
            )


def _is_number(value: Any) -> bool:
    """Tell whether Python can turn the value into a float; None counts as missing, as in pandas."""
    return value is None or hasattr(value, "__float__") or hasattr(value, "__index__")


def _refuse_value(name: str, value: Any, row: int, contents: str) -> NoReturn:
    """Raise because a column holds something that only its owner can turn into numbers."""
    value = value.item() if isinstance(value, np.generic) else value
    raise ValueError(
        f"Column {name} of X holds {contents}, such as {value!r} in row {row}, but columns must be "
        "numeric. Encode it first: pandas.to_numeric for numbers kept as text, "
        "sklearn.preprocessing.OneHotEncoder for categories, together with feature_groups so that "
        "all columns of a category share one gate."
    )


def check_weights(
    sample_weight: Any, n_rows: int, name: str = "sample_weight"
) -> NDArray[np.float64] | None:
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
            f"{name} must hold one weight for each of the {n_rows} rows of X; "
            f"got shape {weights.shape}."
        )
    refused = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if refused.size:
        raise ValueError(
            f"{name} must be finite and not negative; "
            f"got {weights[refused[0]]} in row {refused[0]}."
        )
    if not weights.any():
        raise ValueError(f"{name} is zero in every row: at least one weight must be above 0.")
    return weights


def integer_seed(random_state: Any) -> int:
    """Return the seed that ``random_state`` stands for; a fresh one for None."""
    if random_state is None:
        random_state = np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)
