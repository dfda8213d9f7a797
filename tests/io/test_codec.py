"""Objects to JSON and arrays, and back."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from pandas.testing import assert_frame_equal

from coterie.io._forms import NUMBERS
from coterie.io.codec import NoClasses, Reader, Writer
from coterie.io.errors import ModelFileError


@dataclass(frozen=True)
class Pair:
    left: Any
    right: Any = 0


class Point(NamedTuple):
    x: Any
    y: Any


class Thing:
    """Neither a data class nor a named tuple."""


class TestClasses:
    """A registry of the classes above."""

    __test__ = False
    known = (Pair, Point, Thing)

    def name_of(self, cls):
        return cls.__name__ if cls in self.known else None

    def find(self, name):
        found = [cls for cls in self.known if cls.__name__ == name]
        if not found:
            raise ModelFileError(f"unknown class {name}")
        return found[0]

    def state_of(self, instance):
        return vars(instance)

    def build(self, cls, state):
        instance = cls()
        vars(instance).update(state)
        return instance


def there_and_back(value: Any) -> Any:
    writer = Writer(TestClasses())
    text = json.dumps(writer.encode(value, "value"), allow_nan=False)
    return Reader(writer.arrays, TestClasses()).decode(json.loads(text))


def assert_same(one: Any, other: Any) -> None:
    """Compare values and types, NaN with NaN."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        for a, b in zip(one.ravel().tolist(), other.ravel().tolist(), strict=True):
            assert_same(a, b)
    elif isinstance(one, dict):
        assert_same(list(one), list(other))
        assert_same(list(one.values()), list(other.values()))
    elif isinstance(one, list | tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_same(a, b)
    elif isinstance(one, Pair | Thing):
        assert_same(vars(one), vars(other))
    elif isinstance(one, float) and math.isnan(one):
        assert math.isnan(other)
    else:
        assert one == other


KEYS = st.one_of(st.text(max_size=5), st.integers(), st.binary(max_size=4), st.booleans())
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.sets(st.integers()),
    st.frozensets(st.text()),
)
ARRAYS = st.sampled_from(sorted(NUMBERS)).flatmap(
    lambda dtype: arrays_of.arrays(dtype, arrays_of.array_shapes(min_dims=0, min_side=0))
)
TEXTS = arrays_of.arrays("U4", arrays_of.array_shapes(min_dims=0, min_side=0))
VALUES = st.recursive(
    st.one_of(PLAIN, ARRAYS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(KEYS, inner, max_size=4),
        st.builds(Pair, inner, inner),
        st.builds(Point, inner, inner),
    ),
    max_leaves=12,
)


@given(VALUES)
def test_every_value_comes_back_as_it_was(value):
    assert_same(there_and_back(value), value)


@given(TEXTS)
def test_arrays_of_text_come_back(array):
    again = there_and_back(array)
    assert again.dtype.kind == "U"
    assert again.shape == array.shape
    assert again.ravel().tolist() == array.ravel().tolist()


@given(st.sampled_from(sorted(NUMBERS - {"bool"})), st.integers(0, 100))
def test_scalars_of_numpy_keep_their_type(dtype, number):
    assert_same(there_and_back(np.dtype(dtype).type(number)), np.dtype(dtype).type(number))


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6).reshape(2, 3).T,
        np.arange(6)[::-2],
        np.asfortranarray(np.ones((2, 3), np.float32)),
        np.arange(3, dtype=">i4"),
        np.array(["a", None, 3, (1, 2)], dtype=object),
        np.array([["a"], ["b"]], dtype=object),
        np.array(7.0),
        np.zeros((0, 3)),
    ],
)
def test_arrays_of_any_layout_come_back(array):
    again = there_and_back(array)
    assert again.dtype == array.dtype.newbyteorder("=")
    assert again.shape == array.shape
    assert (again == array).all()


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [1, 2], "b": [0.5, np.nan], "c": [True, False]}),
        pd.DataFrame({"members": [("x", "y"), ("z",)], "name": ["é", "b"]}),
        pd.DataFrame({"name": pd.Series(["a", None])}),
        pd.DataFrame({"a": [1.0, 2.0]}, index=["r", "s"]),
        pd.DataFrame({"a": [1.0, 2.0]}, index=[5, 3]),
        pd.DataFrame([[1, 2]], columns=[0, ("a", "b")]),
        pd.DataFrame({"a": [], "b": pd.Series([], dtype=object)}),
        pd.DataFrame(index=range(3)),
        pd.DataFrame([[1, 2]], columns=["same", "same"]),
    ],
)
def test_frames_come_back(frame):
    assert_frame_equal(there_and_back(frame), frame, check_column_type=False)


def test_an_array_in_two_places_is_kept_once():
    array = np.ones(3)
    writer = Writer(NoClasses())
    node = writer.encode({"a": array, "b": array}, "value")
    assert list(writer.arrays) == ["value.a"]
    again = Reader(writer.arrays, NoClasses()).decode(node)
    assert again["a"] is again["b"]


def test_places_of_one_name_stay_apart():
    value = {"a": {"b": np.ones(1)}, "a.b": np.zeros(1), 1: np.ones(2), "1": np.zeros(2)}
    assert_same(there_and_back(value), value)


def test_instances_come_back_with_defaults_for_what_is_new():
    thing = Thing()
    thing.inside = Pair(np.ones(2), [Point(1, 2)])
    assert_same(there_and_back(thing), thing)
    node = {"instance": {"class": "Pair", "state": {"left": 1}}}
    assert Reader({}, TestClasses()).decode(node) == Pair(1, 0)


class Stranger:
    pass


@pytest.mark.parametrize(
    "value",
    [
        lambda x: x,
        print,
        Stranger(),
        Stranger,
        np.array([1 + 1j]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        np.datetime64("2020-01-01"),
        pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}),
        np.random.default_rng(0),
        object(),
    ],
)
def test_what_cannot_be_saved_is_named_with_its_place(value):
    with pytest.raises(TypeError, match=r"model\.deep\.0.* can't be saved"):
        Writer(TestClasses()).encode({"deep": [value]}, "model")


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ({"array": "missing"}, "array 'missing' is missing"),
        ({"array": ["unhashable"]}, None),
        ({"code": "import os"}, "unknown form 'code'"),
        ({}, "no known form"),
        ({"tuple": [], "set": []}, "no known form"),
        ({"instance": {"class": "os.system", "state": {}}}, "unknown class os.system"),
        ({"instance": {"class": "Pair", "state": {"other": 1}}}, "does not make one"),
        ({"instance": {"class": "Pair", "state": {}}}, "does not make one"),
        ({"instance": {}}, None),
        ({"objects": {"dtype": "object", "shape": [10**12], "items": []}}, "holds 0 entries"),
        ({"objects": {"dtype": "V8", "shape": [0], "items": []}}, "holds 0 entries"),
        ({"scalar": ["complex128", 1]}, "no type of numbers"),
        ({"scalar": [["float64"], 1]}, None),
        ({"float": "1e5"}, None),
        ({"set": [[1]]}, None),
        ({"dict": [[[1], 2]]}, None),
        ({"dict": [1]}, None),
        ({"bytes": "***"}, None),
        ({"tuple": 3}, None),
    ],
)
def test_json_that_no_writer_made_is_refused(node, message):
    errors = (ModelFileError, TypeError, KeyError, ValueError)
    with pytest.raises(errors if message is None else ModelFileError, match=message):
        Reader({}, TestClasses()).decode(node)


def test_without_classes_there_are_none():
    with pytest.raises(ModelFileError, match="plain values"):
        Reader({}, NoClasses()).decode({"instance": {"class": "Pair", "state": {}}})
    with pytest.raises(TypeError, match="can't be saved"):
        Writer(NoClasses()).encode(Pair(1), "notes")
