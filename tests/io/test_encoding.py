"""From tables to columns of numbers."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from coterie.io.encoding import TableEncoder
from coterie.io.errors import TableError

TABLE = pd.DataFrame(
    {
        "age": [71, 64, 58, 66],
        "smokes": [True, False, False, True],
        "site": ["A", "B", "A", "B"],
        "dose": [0.5, 1.5, 2.5, 3.5],
    }
)
GAPS = pd.DataFrame(
    {
        "age": [71, np.nan, 58, 66],
        "smokes": pd.Series([True, None, True, False], dtype=object),
        "site": ["A", "B", None, "B"],
        "dose": [0.5, 1.5, 2.5, 3.5],
    }
)


def test_each_kind_of_column_is_encoded():
    encoded = TableEncoder().fit_transform(TABLE)
    assert encoded.to_dict("list") == {
        "age": [71, 64, 58, 66],
        "smokes": [1, 0, 0, 1],
        "site=A": [1, 0, 1, 0],
        "site=B": [0, 1, 0, 1],
        "dose": [0.5, 1.5, 2.5, 3.5],
    }
    assert encoded.dtypes.eq(np.float64).all()


def test_the_columns_of_a_category_have_one_owner():
    assert TableEncoder().fit(TABLE).owner_.tolist() == [0, 1, 2, 2, 3]
    assert TableEncoder(impute=True).fit(GAPS).owner_.tolist() == [0, 0, 1, 1, 2, 2, 3]


def test_gaps_are_filled_and_marked():
    encoder = TableEncoder(impute=True).fit(GAPS)
    encoded = encoder.transform(GAPS)
    assert encoded.to_dict("list") == {
        "age": [71, 66, 58, 66],
        "age is missing": [0, 1, 0, 0],
        "smokes": [1, 1, 1, 0],
        "smokes is missing": [0, 1, 0, 0],
        "site=B": [0, 1, 1, 1],
        "site is missing": [0, 0, 1, 0],
        "dose": [0.5, 1.5, 2.5, 3.5],
    }
    assert "1 missing value of 'age' filled with 66." in encoder.notes_
    assert any("of 'site' filled with 'B'." in note for note in encoder.notes_)


def test_a_gap_where_training_had_none_is_filled_without_a_mark():
    encoder = TableEncoder(impute=True).fit(TABLE)
    encoded = encoder.transform(GAPS)
    assert "age is missing" not in encoded
    assert encoded["age"].tolist() == [71, 65, 58, 66]


def test_gaps_are_refused_with_columns_and_counts():
    with pytest.raises(TableError, match=r"3 of 4 columns have missing .*'age' \(1\), 'smokes'"):
        TableEncoder().fit(GAPS)
    with pytest.raises(TableError, match=r"'age' has 1 missing value \(NaN\).* in row 1.*impute="):
        TableEncoder().fit(GAPS[["age", "dose"]])
    with pytest.raises(TableError, match="train with impute=True"):
        TableEncoder().fit(TABLE).transform(GAPS)


def test_unseen_categories_are_none_of_the_known_ones():
    encoder = TableEncoder().fit(TABLE)
    new = TABLE.assign(site=["A", "C", "B", "C"])
    encoded = encoder.transform(new)
    assert encoded["site=A"].tolist() == [1, 0, 0, 0]
    assert encoded["site=B"].tolist() == [0, 0, 1, 0]
    assert encoder.unseen_categories(new) == {"site": ["C"]}
    assert encoder.unseen_categories(TABLE) == {}


def test_a_category_of_one_row_is_like_an_unseen_one():
    table = pd.DataFrame({"site": ["A", "B", "C", "B", "A"]})
    encoder = TableEncoder().fit(table)
    assert encoder.transform(table).to_numpy().sum(axis=1).tolist() == [1, 1, 0, 1, 1]
    assert encoder.unseen_categories(table) == {}
    assert "a single row ('C')" in encoder.notes_[1]


def test_categories_are_the_same_as_text_and_as_numbers():
    encoder = TableEncoder().fit(pd.DataFrame({"gene": ["0", "0", "R175H", "R175H", "1"]}))
    as_numbers = pd.DataFrame({"gene": [0.0, 0.0]})
    assert encoder.transform(as_numbers)["gene=0"].tolist() == [1, 1]


def test_later_tables_are_read_by_name():
    encoder = TableEncoder().fit(TABLE)
    shuffled = TABLE[["dose", "site", "age", "smokes"]].assign(more="x")
    assert encoder.transform(shuffled).equals(encoder.transform(TABLE))
    with pytest.raises(TableError, match=r"lacks 2 columns .*'smokes', 'dose'.*columns are 'age'"):
        encoder.transform(TABLE[["age", "site"]])


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("age", "old", "Column 'age' holds 'old' in row 2, but in training it held numbers"),
        ("age", pd.Timestamp("2020-01-01"), "Column 'age' holds .* in row 2"),
        ("smokes", "maybe", "Column 'smokes' holds 'maybe' in row 2.*booleans"),
        ("smokes", 3, "Column 'smokes' holds 3 in row 2"),
    ],
)
def test_values_of_another_kind_are_refused_later(column, value, message):
    encoder = TableEncoder().fit(TABLE)
    new = TABLE.astype({column: object})
    new.loc[2, column] = value
    with pytest.raises(TableError, match=message):
        encoder.transform(new)


def test_booleans_may_come_as_words_or_numbers_later():
    encoder = TableEncoder().fit(TABLE)
    for column in (["True", "FALSE", "false", "true"], [1, 0, 0, 1], [1.0, 0.0, 0.0, 1.0]):
        assert encoder.transform(TABLE.assign(smokes=column))["smokes"].tolist() == [1, 0, 0, 1]


def test_times_are_no_numbers_later():
    encoder = TableEncoder().fit(TABLE)
    new = TABLE.assign(age=pd.to_datetime(["2020-01-01"] * 4))
    with pytest.raises(TableError, match="in training it held numbers"):
        encoder.transform(new)


def test_one_column_that_cannot_be_used_is_refused_with_its_remedy():
    table = TABLE.assign(seen=["2020-01-01", "2020-02-01", "2020-03-01", "2020-04-01"])
    with pytest.raises(TableError, match=r"'seen' holds dates .* in row 0\. Turn dates .* leave"):
        TableEncoder().fit(table)


def test_all_columns_that_cannot_be_used_are_refused_at_once():
    table = TABLE.assign(seen=pd.Timestamp("2020-01-01"), name=["u", "v", "w", "x"], gap=np.nan)
    with pytest.raises(TableError) as caught:
        TableEncoder(impute=True).fit(table)
    for words in ("3 of 7 columns", "'seen' holds dates", "'name' holds names", "'gap' holds no"):
        assert words in str(caught.value)


def test_many_bad_columns_make_a_short_message():
    table = pd.DataFrame({f"date{i}": ["2020-01-01", "2021-01-01"] for i in range(300)})
    with pytest.raises(TableError, match="and 292 more") as caught:
        TableEncoder().fit(table)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (TABLE.iloc[:0], "0 rows"),
        (TABLE[[]], "no columns"),
        (TABLE.rename(columns={"age": 3}), "must be text, but 3"),
        (pd.concat([TABLE, TABLE["age"]], axis=1), "2 columns are named 'age'"),
        ([1, 2], "rows and columns"),
    ],
)
def test_what_is_no_table_is_refused(table, message):
    with pytest.raises(TableError, match=message):
        TableEncoder().fit(table)


def test_names_of_encoded_columns_are_unique():
    table = pd.DataFrame({"site=A": [1, 2, 3, 4], "site": ["A", "B", "A", "B"]})
    names = TableEncoder().fit(table).get_feature_names_out().tolist()
    assert names == ["site=A", "site=A'", "site=B"]


def test_constant_columns_and_row_numbers_are_noted():
    notes = TableEncoder().fit(TABLE.assign(unit=7, row=range(4))).notes_
    assert "'unit' holds a single value, so no group can contain it." in notes
    assert any(note.startswith("Column 'row' numbers the rows") for note in notes)
    assert not any("'age'" in note for note in notes)
    gaps = pd.DataFrame({"a": pd.array([True, None, True], dtype="boolean"), "b": [1, 2, 2]})
    assert not any("single value" in note for note in TableEncoder(impute=True).fit(gaps).notes_)


def test_many_columns_make_few_notes():
    values = np.ones((5, 100))
    values[0] = np.nan
    table = pd.DataFrame(values, columns=[f"x{i}" for i in range(100)]).assign(constant=1)
    notes = TableEncoder(impute=True).fit(table).notes_
    assert len(notes) == 23
    assert "Missing values of 80 more columns were filled likewise." in notes


def test_numbers_pass_as_they_are():
    numbers = TABLE[["age", "dose"]]
    assert TableEncoder().fit(numbers).transform(numbers) is numbers


def test_arrays_have_numbered_columns():
    encoder = TableEncoder().fit([[1, "a"], [2, "b"], [3, "a"], [4, "b"]])
    assert encoder.get_feature_names_out().tolist() == ["x0", "x1=a", "x1=b"]


def test_frames_of_polars_are_the_same():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {
            "age": [71, None, 58, 66],
            "smokes": [True, None, True, False],
            "site": polars.Series(["A", "B", None, "B"], dtype=polars.Categorical),
            "dose": [0.5, 1.5, 2.5, 3.5],
        }
    )
    encoder = TableEncoder(impute=True).fit(GAPS)
    assert encoder.transform(frame).equals(encoder.transform(GAPS))
    assert clone(encoder).fit(frame).notes_ == encoder.notes_
    assert clone(encoder).fit(frame.lazy()).notes_ == encoder.notes_
    dates = frame.with_columns(seen=polars.date(2020, 1, 1))
    with pytest.raises(TableError, match="'seen' holds dates"):
        TableEncoder(impute=True).fit(dates)


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="max_categories"):
        TableEncoder(max_categories=0).fit(TABLE)


@given(
    st.lists(
        st.sampled_from(["A", "B", "C", "a b", "<x>", "", "é", "0 or 1"]), min_size=4, max_size=30
    ).filter(lambda values: len(set(values)) < len(values))
)
def test_every_known_category_has_one_column(values):
    table = pd.DataFrame({"c": values})
    encoder = TableEncoder().fit(table)
    encoded = encoder.transform(table).to_numpy()
    counts = pd.Series(values).map(pd.Series(values).value_counts())
    expected = 1 if counts.nunique() and len(set(values)) == 1 else (counts > 1).astype(int)
    assert (encoded.sum(axis=1) == expected).all()
    names = encoder.get_feature_names_out()
    assert all(re.match("c=", name) for name in names)
