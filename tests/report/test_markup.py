"""Text stays text, whatever it says."""

import json

import numpy as np
import pytest

from coterie.report.markup import Markup, as_json, clean, cut, join, name_of, number, tag
from tests.report.pages import HOSTILE


@pytest.mark.parametrize("name", HOSTILE)
def test_text_in_elements_and_attributes_is_escaped(name):
    made = tag("p", name, title=name)
    assert made.count("<") == 2
    assert made.count('"') == 2


def test_markup_is_not_escaped_twice():
    assert tag("p", tag("b", "<")) == "<p><b>&lt;</b></p>"
    assert join([Markup("<hr/>"), "&"], between="<") == "<hr/>&lt;&amp;"


@pytest.mark.parametrize("name", HOSTILE)
def test_json_holds_no_letter_that_ends_a_script_and_reads_back(name):
    written = as_json({"name": name})
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == {"name": name}


def test_json_of_numbers_keeps_four_digits_and_has_null_for_what_is_none():
    assert (
        as_json([np.float64(1 / 3), np.inf, np.int64(7), np.array([1.0])])
        == "[0.3333,null,7,[1.0]]"
    )


def test_names_are_one_line_without_marks_that_turn_the_text_around():
    assert clean("a\nb\x00\u202ec") == "a b\ufffd\ufffdc"
    assert clean("\ud800") == "\ufffd"


def test_a_long_name_carries_itself_as_title():
    assert 'title="' + "x" * 40 in name_of("x" * 40)
    assert "title" not in name_of("short")


def test_a_name_without_letters_has_something_to_show():
    assert name_of("") == "<bdi>(no name)</bdi>"


def test_cutting_counts_wide_letters_twice_and_accents_not_at_all():
    assert cut("年齢年齢", 8) == "年齢年齢"
    assert cut("e\u0301" * 5, 5) == "e\u0301" * 5


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (np.nan, "–"), (1e12, "1.00e+12"), (-1234.5, "−1,234"), (1e-9, "1e-09")],
)
def test_numbers_for_the_eye(value, text):
    assert number(value) == text
