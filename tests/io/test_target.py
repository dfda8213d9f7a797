"""The column to be predicted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.io.errors import TableError
from coterie.io.target import check_target, find_task

N = 40


@pytest.mark.parametrize(
    ("values", "task", "reason"),
    [
        (["ill", "well"] * 9, "classification", "two values, ill and well"),
        ([0, 1] * 9, "classification", "two values, 0 and 1"),
        ([0.5, 1.5] * 9, "classification", "two values, 0.5 and 1.5"),
        ([True, False] * 9, "classification", "two values, False and True"),
        (["a", "b", "c"] * 9, "classification", "text, 3 different values"),
        (pd.Categorical([1, 2, 3] * 9), "classification", "categories, 3 different values"),
        ([1, 2, 3] * 9, "classification", "3 different whole numbers"),
        ([1.0, 2.0, 3.0] * 9, "classification", "3 different whole numbers"),
        (range(N), "regression", "40 different whole numbers"),
        ([1, 2, 3, 4], "regression", "4 different whole numbers"),
        ([0.0, 1.0, 2.5] * 9, "regression", "decimals, such as 2.5"),
    ],
)
def test_the_task_is_found_and_said(values, task, reason):
    found, why = find_task(pd.Series(values, name="y"))
    assert found == task
    assert why.startswith("'y' h")
    assert reason in why


def table(values):
    return pd.DataFrame({"age": range(len(values)), "y": values})


def test_a_target_may_be_asked_to_be_a_number():
    assert check_target(table([1, 2, 3] * 9), "y").task == "classification"
    asked = check_target(table([1, 2, 3] * 9), "y", "regression")
    assert asked.task == "regression"
    assert "asked for" in asked.reason


def test_rows_without_a_target_are_refused_or_left_out():
    gaps = table(["a", "b", None, "a", "b"])
    with pytest.raises(TableError, match=r"missing in 1 of 5 rows\. Leave out"):
        check_target(gaps, "y")
    target = check_target(gaps, "y", drop_missing=True)
    assert target.values.index.tolist() == [0, 1, 3, 4]
    assert target.notes == ("1 of 5 rows was left out: the target is missing there.",)


@pytest.mark.parametrize(
    ("values", "task", "message"),
    [
        ([3] * 9, None, "one value only, '3'"),
        ([None] * 9, None, "missing in all 9 rows"),
        ([f"p{i}" for i in range(N)], None, "40 different values in 40 rows, too many"),
        (np.arange(N), "classification", "too many for classes"),
        (["a", "b", "a", "b", "a", "b", "c"], None, "Class 'c' of target 'y' has a single row"),
        (["a", "b"] * 9, "regression", "holds text, such as 'a'.*classification"),
        (pd.date_range("2020", periods=9), None, "holds dates"),
        (["1,234", "5,678"] * 9, None, "separators of thousands.*Name another"),
        (["5 mg", "10 mg"] * 9, None, "unit 'mg'"),
        ([1.5, np.inf, 2.5], None, "inf in row 1"),
        ([1.5, "abc", 2.5], None, "'abc' in row 1"),
        ([0.5, 1.5], "ranking", "task='ranking' is not known"),
    ],
)
def test_what_cannot_be_learnt_is_refused(values, task, message):
    with pytest.raises(TableError, match=message):
        check_target(table(values), "y", task)


@pytest.mark.parametrize(
    ("name", "message"),
    [("Age", r"Did you mean 'age'\?"), ("agee", r"Did you mean 'age'"), ("zzz", "'age', 'y'")],
)
def test_an_unknown_column_brings_similar_names(name, message):
    with pytest.raises(TableError, match=f"no column '{name}'.*{message}"):
        check_target(table([1, 2]), name)
