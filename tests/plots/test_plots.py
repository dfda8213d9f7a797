"""Each picture shows what the model says, on the Axes it is given."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgba

from coterie import plots
from coterie.plots._axes import COLOURS
from tests.plots.stubs import additive, found

ROWS = pd.DataFrame(np.random.default_rng(0).normal(size=(100, 4)), columns=list("abcd"))
MODEL = additive(
    [(0, 1), (2,), (0, 3)],
    ["a", "$b$", "c" * 80, "ד"],
    strength=[3.0, 2.0, 1.0],
    strength_low=[2.5, 1.5, 0.5],
    strength_high=[3.5, 2.5, 1.5],
    certainty=[1.0, 0.9, 0.5],
)
PICTURES = {
    "plot_network": lambda ax: plots.plot_network(MODEL, ax=ax),
    "plot_matrix": lambda ax: plots.plot_matrix(MODEL, ax=ax),
    "plot_importance": lambda ax: plots.plot_importance(MODEL, ax=ax),
    "plot_effect": lambda ax: plots.plot_effect(
        MODEL, 0, ROWS.set_axis(MODEL.feature_names_in_, axis=1), ax=ax
    ),
    "plot_pixels": lambda ax: plots.plot_pixels(MODEL, background=np.ones(4), ax=ax),
    "plot_comparison": lambda ax: plots.plot_comparison({"a": 1.0, "b": [0.5, np.nan]}, ax=ax),
    "plot_gate_paths": lambda ax: plots.plot_gate_paths(np.full((3, 2, 4), 0.8), ax=ax),
}


@pytest.fixture(autouse=True)
def _without_windows():
    with pyplot.rc_context({"backend": "Agg"}):
        yield
    pyplot.close("all")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_drawn_on_the_axes_given_and_returned(name):
    figure, ax = pyplot.subplots()
    assert PICTURES[name](ax) is ax
    figure.canvas.draw()
    assert ax.has_data() or ax.patches


@pytest.mark.parametrize("name", ["plot_network", "plot_matrix", "plot_importance"])
def test_a_model_without_groups_says_so(name):
    ax = getattr(plots, name)(found([]))
    assert [text.get_text() for text in ax.texts] == ["No group was found."]


def test_colours_follow_the_position_of_the_group():
    ax = plots.plot_network(MODEL)
    edges = {patch.get_edgecolor() for patch in ax.patches}
    assert edges == {to_rgba(colour) for colour in COLOURS[:3]}


def test_long_names_are_cut():
    labels = [text.get_text() for text in plots.plot_network(MODEL).texts]
    assert "c" * 13 + "…" in labels


def test_importance_shows_strength_interval_and_certainty():
    ax = plots.plot_importance(MODEL)
    assert ax.lines[0].get_xdata().tolist() == [2.5, 3.5]
    assert ax.lines[1].get_xdata().tolist() == [3.0]
    assert [text.get_text() for text in ax.texts][:3] == ["100%", "90%", "50%"]


def test_strengths_that_were_not_measured_are_said_to_be_so():
    ax = plots.plot_importance(found([(0,)]))
    assert ax.texts[0].get_text() == "Found does not measure strengths."


def test_a_pixel_of_two_groups_is_divided():
    ax = plots.plot_pixels(MODEL)
    assert sorted(patch.get_width() for patch in ax.patches) == [0.5, 0.5, 1.0, 1.0, 1.0]


def test_pixels_that_fill_no_image_are_refused():
    with pytest.raises(ValueError, match=r"shape=\(2, 3\) does not hold the 4 features"):
        plots.plot_pixels(MODEL, (2, 3))


def test_gates_that_open_have_the_colour_of_their_learner():
    ax = plots.plot_gate_paths([[[0.5, 0.5]], [[0.9, 0.1]]], threshold=0.7)
    colours = [line.get_color() for line in ax.lines]
    assert COLOURS[0] in colours
    assert len(colours) == 3


def test_gate_paths_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"\(epochs, learners, features\)"):
        plots.plot_gate_paths(np.ones((3, 2)))


def test_a_comparison_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one method"):
        plots.plot_comparison({})


@pytest.mark.parametrize("name", ["plot_history", "plot_screen"])
def test_a_model_that_keeps_no_such_thing_is_refused(name):
    with pytest.raises(TypeError, match="Additive"):
        getattr(plots, name)(MODEL)


def test_stages_of_a_search_are_drawn_with_their_groups():
    model = found([(0,)])
    model.history_ = [
        {"stage": "open", "loss": 0.5, "n_groups": 1},
        {"stage": "end", "loss": 0.4, "n_groups": 2},
    ]
    ax = plots.plot_history(model)
    assert [text.get_text() for text in ax.texts] == ["1 group", "2 groups"]


def test_without_matplotlib_the_numbers_are_there_and_pictures_say_what_is_missing():
    program = """
import sys
sys.modules["matplotlib"] = None
from coterie import plots
from coterie.plots import effects, layout
try:
    plots.plot_comparison({"a": 1.0})
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'coterie[plots]'" in done.stdout, done.stderr
