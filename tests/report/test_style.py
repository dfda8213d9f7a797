"""Text stands out from what is behind it, in the light and in the dark."""

import re
from importlib.resources import files

import pytest

LEAST = 4.5  # what WCAG asks of text
TEXTS = ["ink", "soft", "faint", "accent", "warn"]
GROUPS = [f"c{i}" for i in range(1, 9)]


def themes():
    style = (files("coterie.report") / "assets" / "style.css").read_text()
    blocks = re.findall(r":root[^{]*\{([^}]*--page[^}]*)\}", style)
    return [dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block)) for block in blocks]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_has_the_contrast_that_it_has():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_both_ways_into_the_dark_have_the_same_colours():
    light, by_system, by_choice = themes()
    assert by_system == by_choice
    assert light.keys() == by_choice.keys()


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("behind", ["page", "surface"])
def test_text_can_be_read(text, behind):
    for theme in themes():
        assert contrast(theme[text], theme[behind]) >= LEAST


@pytest.mark.parametrize("group", GROUPS)
def test_numbers_of_groups_can_be_read_in_their_badges(group):
    for theme in themes():
        assert contrast(theme[group], theme["surface"]) >= LEAST
