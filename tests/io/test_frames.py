"""Frames of any make."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from coterie.io.errors import TableError
from coterie.io.frames import as_frame


def test_a_frame_of_pandas_is_itself():
    frame = pd.DataFrame({"a": [1]})
    assert as_frame(frame) is frame


def test_arrays_keep_the_types_of_their_columns():
    frame = as_frame(np.array([[1, "a"], [2.5, "b"]], dtype=object))
    assert frame.columns.tolist() == ["x0", "x1"]
    assert frame["x0"].dtype == float


def test_tables_of_arrow_are_converted():
    pyarrow = pytest.importorskip("pyarrow")
    assert as_frame(pyarrow.table({"a": [1, 2]}))["a"].tolist() == [1, 2]


def test_numbers_of_polars_are_not_copied_one_by_one():
    polars = pytest.importorskip("polars")
    frame = as_frame(polars.DataFrame({"a": [1, 2], "b": [0.5, None], "c": [1, None]}))
    assert frame["a"].dtype.kind == "i"
    assert frame["b"].dtype.kind == frame["c"].dtype.kind == "f"
    assert frame["c"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros(3), r"rows and columns; got an array of shape \(3,\)"),
        (3, "rows and columns"),
        (sparse.eye(3).tocsr(), "sparse matrix"),
        (pd.DataFrame(np.eye(2)), "must be text, but 0 is of type int"),
    ],
)
def test_what_is_no_table_is_refused(table, message):
    with pytest.raises(TableError, match=message):
        as_frame(table)
