"""Data frames of any make as those of pandas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from coterie.io.errors import TableError


def as_frame(table: Any) -> pd.DataFrame:
    """Return a table as a data frame of pandas, itself if it is one.

    Parameters
    ----------
    table : DataFrame of pandas or polars, any object with ``to_pandas``, or array-like
        Columns of arrays are named x0, x1 and so on.

    Raises
    ------
    TableError
        If names of columns are not text or occur more than once, or there is no table at all.

    Examples
    --------
    >>> as_frame([[1, 2], [3, 4]])
       x0  x1
    0   1   2
    1   3   4
    """
    if not isinstance(table, pd.DataFrame):
        table = _converted(table)
    unnamed = [name for name in table.columns if not isinstance(name, str)]
    if unnamed:
        raise TableError(
            f"Names of columns must be text, but {unnamed[0]!r} is of type "
            f"{type(unnamed[0]).__name__}: use table.columns = table.columns.astype(str)."
        )
    if table.columns.has_duplicates:
        repeated = table.columns[table.columns.duplicated()][0]
        raise TableError(
            f"{int((table.columns == repeated).sum())} columns are named {repeated!r}. Give every "
            "column a name of its own."
        )
    return table


def _converted(table: Any) -> pd.DataFrame:
    """Return what is not a frame of pandas as one."""
    if type(table).__module__.partition(".")[0] == "polars":
        return _from_polars(table)
    if hasattr(table, "to_pandas"):
        return table.to_pandas()
    if sparse.issparse(table):
        raise TableError(
            "A sparse matrix has no types of columns to find. Give it to the estimator itself, or "
            "use pandas.DataFrame.sparse.from_spmatrix."
        )
    array = np.asarray(table)
    if array.ndim != 2:
        raise TableError(f"A table has rows and columns; got an array of shape {array.shape}.")
    if array.dtype.kind in "USO" and not isinstance(table, np.ndarray):
        array = np.asarray(table, dtype=object)  # numpy turns numbers beside text into text
    frame = pd.DataFrame(array, columns=[f"x{column}" for column in range(array.shape[1])])
    return frame.infer_objects() if array.dtype == object else frame


def _from_polars(table: Any) -> pd.DataFrame:
    """Copy a frame of polars column by column, which takes no further package."""
    if hasattr(table, "collect"):
        table = table.collect()
    return pd.DataFrame({name: _column_of_polars(table[name]) for name in table.columns})


def _column_of_polars(column: Any) -> Any:
    if column.dtype.is_numeric() and not column.dtype.is_decimal():
        return column.to_numpy()  # what is missing in integers becomes NaN
    values = column.to_list()
    is_category = str(column.dtype).startswith(("Categorical", "Enum"))
    return pd.Categorical(values) if is_category else pd.Series(values, dtype=object)
