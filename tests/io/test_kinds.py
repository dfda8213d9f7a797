"""What a column holds."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from coterie.io.kinds import Refusal, kind_of, plain_label

NUMBERS_AS_TEXT = [str(number) for number in range(30)]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 3], "number"),
        ([1.5, None, 2.0], "number"),
        (pd.array([1, None, 3], dtype="Int64"), "number"),
        (np.array([1, 2.5, None], dtype=object), "number"),
        (pd.Series([Decimal("1.5"), Decimal("2")]), "number"),
        (pd.arrays.SparseArray([0, 0, 1]), "number"),
        ([True, False, True], "boolean"),
        (pd.array([True, None, False], dtype="boolean"), "boolean"),
        (np.array([True, None, False], dtype=object), "boolean"),
        (["a", "b", "a"], "category"),
        (["a", None, "a"], "category"),
        (pd.Categorical([1, 2, 3]), "category"),
        (pd.Categorical(["2020-01-01", "b"]), "category"),
        (["4ER+", "10", "3", "4ER-", "10", "3"], "category"),
        (["<5", "5-9", ">9", "<5"], "category"),
        (["3 mg", "one tablet", "3 mg"], "category"),
        (["1st", "2nd", "3rd", "1st"], "category"),
        (["0"] * 9 + ["R175H"], "category"),
        (["B/C", "A/C", "B/C"], "category"),
    ],
)
def test_usable_columns_are_told_apart(values, kind):
    assert kind_of(pd.Series(values)) == kind


@pytest.mark.parametrize(
    ("values", "reason", "remedy"),
    [
        (pd.to_datetime(["2020-01-01", "2020-02-01"]), "dates or times", "days since"),
        (pd.to_timedelta(["1 day", "2 days"]), "dates or times", "days since"),
        (pd.period_range("2020", periods=2, freq="M"), "dates or times", "days since"),
        ([datetime.date(2020, 1, 1), None], "dates or times", "days since"),
        (["2020-01-31", "2021-02-28"], "dates or times, such as '2020-01-31' in row 0", "days"),
        (["31.1.2020", "28.2.2021"] * 9, "dates or times", "days since"),
        (["12/31/20", None, "1/1/21"], "dates or times", "days since"),
        (["2020-01-31 10:00", "2020-01-31T11:00:05Z"], "dates or times", "days since"),
        (["3 Jan 2020", "14-Feb-2021"], "dates or times", "days since"),
        (["10:30", "11:45:10"], "dates or times", "days since"),
        (["1,234", "5,000,000", "12"], "separators of thousands, such as '1,234'", "1234"),
        (["12", "1'234", "5'000"], 'separators of thousands, such as "1\'234" in row 1', "1234"),
        (["0,5", "1,25", "3"], "decimal comma, such as '0,5'", "decimal point"),
        (["5 mg", "10 mg", "5 mg"], "the unit 'mg', such as '5 mg'", "name of the column"),
        (["5%", "12.5%"], "the unit '%'", "name of the column"),
        (["€5", "€ 12"], "the unit '€'", "name of the column"),
        (["1.5", "2", "1e3"], "numbers kept as text, such as '1.5'", "pandas.to_numeric"),
        (
            [*NUMBERS_AS_TEXT, "unknown"],
            "numbers and text, such as 'unknown' in row 30",
            "missing=",
        ),
        ([f"patient {i}" for i in range(9)], "names or identifiers", ""),
        ([f"t{i % 60}" for i in range(99)], "text of 60 different values", "merge"),
        (["he went to the sea " + "far " * i for i in range(9)], "free text", ""),
        (pd.Categorical(range(60)), "text of 60 different values", "merge"),
        ([1.0, "abc", 2.0], "text .* such as 'abc' in row 1", "all of its values into numbers"),
        ([1.0, [2], 3.0], r"objects .*list.* such as '\[2\]' in row 1", "turn all"),
        ([1, True], "numbers and booleans", "into numbers"),
        ([None, None], "no value at all", ""),
        ([np.nan, np.nan], "no value at all", ""),
        (pd.Categorical([None, None], ["a"]), "no value at all", ""),
        ([1 + 1j, 2], "complex", "Complex data not supported"),
    ],
)
def test_unusable_columns_are_refused_with_a_remedy(values, reason, remedy):
    refusal = kind_of(pd.Series(values))
    assert isinstance(refusal, Refusal)
    assert pd.Series([refusal.reason]).str.contains(reason).all(), refusal.reason
    assert remedy in refusal.remedy


def test_the_number_of_categories_can_be_set():
    values = pd.Series([f"t{i % 4}" for i in range(9)])
    assert kind_of(values, 4) == "category"
    assert isinstance(kind_of(values, 3), Refusal)


@pytest.mark.parametrize("value", ["2", 2, 2.0, np.float32(2), np.int8(2)])
def test_a_whole_number_has_one_label(value):
    assert plain_label(value) == "2"
