"""The options that get past a refusal."""

import pandas as pd

from coterie.study.hints import with_hint


def said(table, impute=False):
    return with_hint("Refused.", table, impute).splitlines()[1:]


def test_nothing_to_say_about_a_table_that_can_be_used():
    assert said(pd.DataFrame({"a": [1, 2]})) == []


def test_names_are_quoted_as_a_shell_takes_them():
    dates = ["2020-01-31", "2020-02-01"]
    assert said(pd.DataFrame({"last seen": dates})) == ["To leave it out: --ignore 'last seen'"]
    assert said(pd.DataFrame({"a,b": dates, "c": dates})) == [
        "To leave them out: --ignore a,b --ignore c"
    ]


def test_many_columns_that_end_alike_become_a_pattern():
    dates = [f"2020-01-{day:02d}" for day in range(1, 10)]
    table = pd.DataFrame(
        {f"g{i}_mut": dates for i in range(7)} | {"h_mut": 0, "a": 0, "b": [None] * 3 + [1] * 6}
    )
    assert said(table) == [
        "To leave them out: --ignore '*_mut' --impute (other columns have missing values)",
        "This leaves out 1 column that could be used, too.",
    ]
    assert "--impute" not in said(table, impute=True)[0]
