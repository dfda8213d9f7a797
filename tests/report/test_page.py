"""What a report says of a model, read from its HTML."""

import re
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest

from coterie import CompFSClassifier, CoterieClassifier, TableModel
from coterie.baselines import load_baseline
from coterie.report import render_report, write_report
from coterie.report.page import SCRIPTS
from tests.plots.stubs import additive, found, labelled
from tests.report.pages import MEASURES, PAGES, RUN, rows


def text_of(html):
    """Return what a reader sees, without styles and scripts."""
    body = re.sub(r"<(style|script)\b.*?</\1>", "", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", body)).replace("&#x27;", "'")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_no_other_place(name):
    html = re.sub(r"<style>.*?</style>", "", PAGES[name](), flags=re.DOTALL)
    outside = set(re.findall(r"https?://[^\s\"'`<]+", html))
    assert outside <= {"http://www.w3.org/2000/svg"}
    assert re.findall(r'<(?:link|script|img)[^>]+(?:src|href)="(?!data:,)', html) == []


def test_the_answer_is_a_sentence():
    html = render_report(labelled([(0, 1), (2,)], "abc", ["no", "yes"]), run={"target": "y"})
    assert "Two groups predict y: a × b and c." in text_of(html)


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ([(0,)], "One feature predicts the outcome: a."),
        ([(0,), (2,)], "Two features predict, each on its own, the outcome: a and c."),
        ([(0, 1)], "One group of features predicts the outcome: a × b."),
        ([], "Found selected no features to predict the outcome."),
        ([(0,), (1,), (2,), (3,), (4,)], "a, b, c, d, and one more."),
    ],
)
def test_the_answer_fits_what_was_found(groups, sentence):
    assert sentence in text_of(render_report(found_named(groups)))


def test_a_search_that_found_nothing_says_that_this_is_a_result_or_that_it_was_stopped():
    model = additive([], "ab")
    text = text_of(render_report(model))
    assert "No group of features was found that predicts the outcome." in text
    assert "This is a result" in text
    text = text_of(render_report(model, run={"partial": True}))
    assert "stopped before it had found any group" in text


def found_named(groups):
    model = found(groups, 5)
    model.feature_names_in_ = np.array(list("abcde"), dtype=object)
    model._set_groups(groups)
    return model


@pytest.mark.parametrize(("aggregator", "class_"), [("or", "yes"), ("and", "no")])
def test_the_answer_says_what_a_group_alone_brings_about(aggregator, class_):
    model = labelled([(0,), (1,)], "ab")
    model.aggregator_ = aggregator
    model.effort = "fast"
    html = render_report(model, rows(2), run={"target": "y"})
    assert f"Each group alone can bring about y = {class_}." in text_of(html)


def test_strength_interval_certainty_and_stand_ins_are_there():
    model = labelled([(0, 1), (2,), (3,)], "abcd", **MEASURES)
    model.effort = "thorough"
    table = pd.DataFrame({"feature": ["spare"], "loss_difference": [0.0], "z": [0.1]})
    model.alternatives_ = {"a": table}
    text = text_of(render_report(model))
    assert "0.5 (0.4 to 0.6)" in text
    assert "95%" in text
    assert "a could be spare" in text
    assert "10 whole searches" in text


def test_scores_of_the_run_are_listed_with_coterie_first():
    text = text_of(PAGES["several"]())
    assert text.index("LASSO") < text.index("commonest class")
    assert "Measured on 100 held-out rows. The bar is the accuracy" in text
    assert "0.95" in text


def test_scores_on_the_rows_stand_beside_those_of_a_constant():
    X = rows(2)
    text = text_of(render_report(additive([(0,)], "ab"), X, 1 + X["f0"]))
    assert "R² 1 0" in re.sub(r"(R²) ?(1) ?(0)", r"\1 \2 \3", text)


def test_a_partial_run_and_an_unmatched_structure_are_said():
    model = labelled([(0,)], "ab")
    model.trace_ = [
        {
            "stage": "check",
            "action": "loses",
            "groups": [("a",)],
            "aggregator": "sum",
            "loss": 0.5,
            "z": 3.0,
        }
    ]
    text = text_of(render_report(model, run={"partial": True}))
    assert "stopped before its end" in text
    assert "may be missing" in text


def test_without_a_run_the_code_to_repeat_it_is_given():
    assert "model = Found(" in text_of(PAGES["nothing"]())
    assert "coterie fit table.csv --target y" in text_of(PAGES["several"]())


def test_the_same_model_gives_the_same_page():
    assert PAGES["several"].__wrapped__() == PAGES["several"]()


def test_outcomes_without_rows_and_of_another_number_are_refused():
    with pytest.raises(ValueError, match="y needs X"):
        render_report(found([(0,)]), y=[1])
    with pytest.raises(ValueError, match="y has 3 outcomes, but X has 40 rows"):
        render_report(additive([(0,)], "ab"), rows(2), [1, 2, 3])


def test_a_report_is_written_whole(tmp_path):
    path = write_report(found([(0,)]), tmp_path / "new" / "report.html", run=RUN)
    assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=400), "b": rng.normal(size=400)})
    X["site"] = rng.choice(["A", "B", "C"], 400)
    return X, np.where((X["site"] == "B") | (X["a"] > 1), "ill", "well")


@pytest.mark.slow
def test_a_table_model_is_reported_with_the_columns_of_the_table(task):
    X, y = task
    model = TableModel(CoterieClassifier(effort="fast", random_state=0)).fit(X, y)
    html = render_report(model, X, pd.Series(y, name="state"))
    assert "site" in text_of(html)
    assert '"labels":["A","B","C"]' in html
    assert "Column 'site' is a category" in text_of(html)
    assert '"labels":["A","B","C"]' in render_report(model)


def test_the_papers_method_and_a_baseline_are_reported_as_far_as_they_know(task):
    X = task[0][["a", "b"]]
    y = X["a"] > 0
    settings = {"beta": 0.0, "threshold": 0.2, "max_epochs": 2, "random_state": 0}
    compfs = CompFSClassifier(n_groups=1, **settings).fit(X, y)
    assert "Training, two epochs" in text_of(render_report(compfs, X, y))
    forest = load_baseline("random_forest")(n_trees=5, random_state=0).fit(X, y)
    text = text_of(render_report(forest, X, y))
    assert "does not measure the strength" in text
    assert "all else as usual" in text
    assert "Rows are needed" in text_of(render_report(forest))


def test_rows_that_the_run_was_measured_on_are_not_measured_again():
    X = rows(2)
    model = labelled([(0,)], "ab")
    run = RUN | {"rows": {"train": 100, "test": len(X)}}
    assert "flatter" not in text_of(render_report(model, X, model.predict(X), run=run))
    run = RUN | {"rows": {"train": 100, "test": 7}}
    assert "flatter" in text_of(render_report(model, X, model.predict(X), run=run))


def test_the_assets_are_in_the_package():
    folder = files("coterie.report") / "assets"
    names = {entry.name for entry in folder.iterdir()}
    assert {"page.html", "style.css", "inter-regular.woff2", "OFL.txt"} <= names
    assert {f"{name}.js" for name in SCRIPTS} <= names
