"""``coterie compare``: methods on the same rows."""

import json

import pandas as pd
import pytest


@pytest.fixture
def small(patients, tmp_path):
    path = tmp_path / "patients.csv"
    patients.iloc[:200].drop(columns=["patient", "weight"]).to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_all_methods_are_measured_on_the_same_rows(coterie, small, tmp_path):
    options = ("--methods", "coterie,lasso", "--effort", "fast", "--out", "methods.csv", "--json")
    done = coterie("compare", small, "--target", "relapse", *options)
    assert done.code == 0, done.err
    content = json.loads(done.out)
    assert content["rows"] == {"train": 160, "test": 40}
    methods = [row["method"] for row in content["methods"]]
    assert methods == ["coterie", "lasso", "logistic regression", "gradient boosting",
                       "commonest class"]  # fmt: skip
    first = content["methods"][0]
    assert first["found"] == [["dose", "site"]]
    assert (first["groups"], first["features"]) == (1, 2)
    assert pd.read_csv(tmp_path / "methods.csv")["found"][0] == "{dose, site}"


def test_the_table_is_for_people(coterie, small):
    done = coterie("compare", small, "--target", "relapse", "--methods", "lasso,random_forest")
    assert done.code == 0, done.err
    text = " ".join(done.out.split())
    assert "on 40 held-out rows accuracy AUROC groups features seconds" in text
    assert "gradient boosting" in text
    assert "random_forest: {" in text


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--methods", "coterie,magic"), "--methods: there is no 'magic'"),
        (("--methods", ""), "--methods names none"),
        (("--methods", "lasso,lasso"), "'lasso' more than once"),
        (("--test-fraction", "0"), "nothing to compare the methods on"),
        (("--methods", "lasso", "--task", "regression"), "tells classes apart"),
        (("--out", "methods.docx"), "tables are written as .csv"),
    ],
)
def test_what_cannot_be_compared(coterie, small, options, says):
    done = coterie("compare", small, "--target", "relapse", *options)
    assert done.code == 2
    assert says in done.said


def test_after_ctrl_c_the_methods_so_far_are_shown(coterie, small, monkeypatch):
    from coterie.cli._progress import Progress

    stopped = property(lambda _: True, lambda *_: None)
    monkeypatch.setattr(Progress, "is_stopped", stopped, raising=False)
    done = coterie("compare", small, "--target", "relapse", "--methods", "lasso,gbdt", "--json")
    assert done.code == 130
    assert [row["method"] for row in json.loads(done.out)["methods"]] == ["lasso"]
