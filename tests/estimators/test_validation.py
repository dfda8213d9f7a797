from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.estimators._validation import (
    check_weights,
    integer_seed,
    refuse_unreadable_columns,
)

NUMBERS = {
    "float": [0.5, 1.5],
    "int": [1, 2],
    "bool": [True, False],
    "nullable": pd.array([1, 2], dtype="Int64"),
    "object": np.array([1, 2.5], dtype=object),
    "missing": np.array([None, 2.5], dtype=object),
    "truths": np.array([True, 2], dtype=object),
}


def test_frames_of_numbers_pass_as_they_are():
    frame = pd.DataFrame(NUMBERS)
    assert refuse_unreadable_columns(frame) is frame


@pytest.mark.parametrize(
    ("column", "error", "message"),
    [
        (["a", "b"], ValueError, "Column 'bad' of X holds text, such as 'a' in row 0"),
        (["1.5", "2"], ValueError, "such as '1.5' in row 0.*pandas.to_numeric"),
        (np.array([1, "b"], dtype=object), ValueError, "such as 'b' in row 1"),
        (pd.Categorical([1, 2]), ValueError, "holds categories.*feature_groups"),
        (pd.to_datetime(["2024-01-01", "2024-01-02"]), ValueError, "holds dates"),
        (np.array([1, {}], dtype=object), TypeError, r"column 'bad' holds \{\} of type dict"),
        (np.array([1, pd.NA], dtype=object), ValueError, "NaN, in column 'bad' .row 1."),
    ],
)
def test_a_column_that_is_not_numeric_is_named(column, error, message):
    with pytest.raises(error, match=message):
        refuse_unreadable_columns(pd.DataFrame({"good": [0.0, 1.0], "bad": column}))


@pytest.mark.parametrize(
    "X",
    [
        [[1, "b"], [2, "c"]],
        np.array([[1, "b"], [2, "c"]], dtype=object),
    ],
)
def test_a_column_without_a_name_is_counted(X):
    with pytest.raises(ValueError, match="Column 1 of X holds text, such as 'b' in row 0"):
        refuse_unreadable_columns(X)


class OtherFrame:
    """Frames of other libraries have columns by name, and dtypes that numpy does not know."""

    columns = ("good", "bad")
    dtypes = ("Float64", "String")

    def __getitem__(self, name):
        return {"good": np.array([1.0, 2.0]), "bad": np.array(["u", "v"])}[name]


def test_frames_of_other_libraries_are_read_by_column():
    with pytest.raises(ValueError, match="Column 'bad' of X holds text, such as 'u' in row 0"):
        refuse_unreadable_columns(OtherFrame())


def test_weights_pass_or_say_what_is_wrong():
    assert check_weights(None, 3) is None
    assert check_weights([0, 1, 2], 3).tolist() == [0.0, 1.0, 2.0]
    assert check_weights(2.0, 3).tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"one weight for each of the 3 rows.*got shape \(2,\)"),
        ([1, -2, 1], "got -2.0 in row 1"),
        ([1, 1, np.nan], "got nan in row 2"),
        ([0, 0, 0], "zero in every row"),
    ],
)
def test_unusable_weights_are_named(weights, message):
    with pytest.raises(ValueError, match=message):
        check_weights(weights, 3)


def test_a_seed_is_an_integer_whatever_it_is_given_as():
    assert integer_seed(7) == 7
    assert integer_seed(np.int64(7)) == 7
    assert integer_seed(np.random.RandomState(1)) == integer_seed(np.random.RandomState(1))
    assert integer_seed(np.random.default_rng(1)) == integer_seed(np.random.default_rng(1))
    assert integer_seed(None) != integer_seed(None)


def test_a_seed_of_none_leaves_the_global_random_state_alone():
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    integer_seed(None)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002
