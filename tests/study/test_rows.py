"""Held-out rows decide nothing, and are drawn fairly."""

import numpy as np
import pandas as pd
import pytest

from coterie.io.errors import TableError
from coterie.study.columns import Roles
from coterie.study.rows import prepare

ROWS = 100


def table(**columns):
    random = np.random.default_rng(0)
    made = {
        "a": random.normal(size=ROWS),
        "kind": random.choice(["u", "v"], ROWS),
        "y": ["no"] * 80 + ["yes"] * 20,
    }
    return pd.DataFrame({**made, **columns})


def test_each_class_gives_its_share():
    data = prepare(table(), Roles("y"), test_fraction=0.25)
    counts = pd.Series(data.test.y).value_counts()
    assert counts.to_dict() == {"no": 20, "yes": 5}
    assert len(data.train) == 75


def test_no_row_is_on_both_sides_and_none_is_lost():
    data = prepare(table(), Roles("y"), seed=3)
    assert sorted([*data.train.X.index, *data.test.X.index]) == list(range(ROWS))


def test_the_seed_decides_which_rows():
    first, again, other = (prepare(table(), Roles("y"), seed=s).test.X.index for s in (1, 1, 2))
    assert list(first) == list(again)
    assert list(first) != list(other)


def test_what_held_out_rows_hold_changes_nothing_for_the_others():
    data = prepare(table(), Roles("y"))
    spoilt = table()
    held_out = data.test.X.index
    spoilt.loc[held_out, "a"] = 1e6
    spoilt.loc[held_out, "kind"] = "never seen"
    again = prepare(spoilt, Roles("y"))
    pd.testing.assert_frame_equal(data.train.X, again.train.X)
    assert data.train.y.tolist() == again.train.y.tolist()


def test_two_rows_of_a_rare_class_are_learnt_from():
    data = prepare(table(y=["no"] * 97 + ["yes"] * 3), Roles("y"), test_fraction=0.9)
    assert (data.train.y == "yes").sum() == 2


def test_rows_of_one_name_stay_together():
    names = np.repeat([f"P{i}" for i in range(25)], 4)
    data = prepare(table(patient=names), Roles("y", id="patient"))
    assert not set(data.train.X.index) & set(data.test.X.index)
    assert 12 <= len(data.test) <= 20
    assert "rows of one name were held out together" in data.notes[0]


def test_rows_without_a_target_are_left_out_with_a_note():
    spoilt = table()
    spoilt.loc[[0, 7], "y"] = None
    data = prepare(spoilt, Roles("y"), test_fraction=0)
    assert len(data.train) == 98
    assert 7 not in data.train.X.index
    assert data.notes == ("2 of 100 rows were left out: the target is missing there.",)


def test_classes_that_gaps_turned_into_decimals_are_whole_again():
    data = prepare(table(y=[1.0, 2.0, None, 2.0, 1.0] * 20), Roles("y"), test_fraction=0)
    assert np.unique(data.train.y).tolist() == [1, 2]
    assert data.train.y.dtype.kind == "i"


def test_weights_follow_their_rows():
    data = prepare(table(w=np.arange(ROWS)), Roles("y", weights="w"))
    assert data.train.weights.tolist() == data.train.X.index.tolist()
    assert list(data.train.X) == ["a", "kind"]


def test_a_column_that_names_the_rows_is_noted():
    data = prepare(table(patient_id=range(ROWS)), Roles("y"))
    assert "leave it out by --id patient_id" in data.notes[0]


def test_columns_that_are_named_like_the_target_are_noted():
    spoilt = table().rename(columns={"y": "er_status"}).assign(er_status_by_ihc=range(ROWS))
    notes = prepare(spoilt, Roles("er_status")).notes
    assert len(notes) == 1
    assert notes[0].startswith("Named like the target: 'er_status_by_ihc'.")
    assert prepare(table(yield_=range(ROWS)), Roles("y")).notes == ()


def test_labels_of_another_table_are_those_of_the_training():
    rows = table(y=[0, 1] * 50)
    other = table(y=[0.0, 1.0] * 50)
    data = prepare(rows, Roles("y"), test_table=other)
    assert data.test.y.tolist() == data.train.y.tolist()


def test_few_rows_of_one_class_can_be_held_out():
    assert len(prepare(table(), Roles("y"), test_table=table()[:3]).test) == 3


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (table(y=["no", "never"] * 50), "--test: Target 'y' holds 'never', which no row"),
        (table(y=None), "--test: Target 'y' is missing in all 100 rows"),
        (table().drop(columns="a"), "--test: The table lacks the column 'a'"),
        (table().drop(columns="y"), "--test: --target: the table has no column 'y'"),
    ],
)
def test_tables_that_cannot_be_held_out(other, says):
    with pytest.raises(TableError, match=says):
        prepare(table(), Roles("y"), test_table=other)
