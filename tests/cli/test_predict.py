"""``coterie predict``, ``report`` and ``export``: what a saved model is good for."""

import io
import json

import pandas as pd
import pytest

import coterie as package
from coterie.cli.commands import export, predict, report

MODEL = "found/model.safetensors"


@pytest.fixture
def run(fitted, tmp_path):
    """Return what runs a command beside a fitted model, and the folder of both."""
    from functools import partial

    from tests.cli.running import run_coterie

    folder, _ = fitted
    return partial(run_coterie, folder=folder)


def test_commands_have_help():
    assert all(command.run.__doc__ for command in (predict, report, export))


def test_predictions_are_those_of_the_model(run, fitted, patients):
    folder, _ = fitted
    done = run("predict", MODEL, "patients.csv")
    assert done.code == 0, done.err
    predicted = pd.read_csv(io.StringIO(done.out))
    model = package.load(folder / MODEL)
    assert list(predicted) == ["patient", "prediction", "probability of no", "probability of yes"]
    assert predicted["patient"].tolist() == patients["patient"].tolist()
    assert predicted["prediction"].tolist() == model.predict(patients).tolist()


def test_predictions_go_to_a_file(run, fitted, tmp_path):
    done = run("predict", MODEL, "patients.csv", "--out", tmp_path / "predicted.parquet")
    assert (done.code, done.out) == (0, "")
    assert len(pd.read_parquet(tmp_path / "predicted.parquet")) == 500


def test_contributions_of_each_group(run):
    done = run("predict", MODEL, "patients.csv", "--contributions", "--json")
    assert "contribution of dose & site" in json.loads(done.out)[0]


def test_columns_in_another_order_and_unseen_categories(run, patients, tmp_path):
    later = patients.drop(columns=["relapse", "weight"])[["site", "smoker", "dose", "age"]]
    later.assign(site=["D", *later["site"][1:]]).to_csv(tmp_path / "later.csv", index=False)
    done = run("predict", MODEL, tmp_path / "later.csv")
    assert done.code == 0, done.err
    assert "Column 'site' holds values that no row of training has (D)" in done.said
    assert pd.read_csv(io.StringIO(done.out)).columns[0] == "row"


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        ({"drop": "dose"}, ["lacks 1 column", "'dose'"]),
        ({"gap": "dose"}, ["Column 'dose' has 1 missing value", "fit with --impute"]),
        ({"text": "dose"}, ["Column 'dose' holds 'much' in row 0", "in training it held numbers"]),
    ],
)
def test_tables_that_do_not_fit_the_model(run, patients, tmp_path, spoilt, says):
    table = patients.iloc[:20].astype({"dose": object})
    if "drop" in spoilt:
        table = table.drop(columns=spoilt["drop"])
    else:
        table.loc[0, "dose"] = None if "gap" in spoilt else "much"
    table.to_csv(tmp_path / "later.csv", index=False)
    done = run("predict", MODEL, tmp_path / "later.csv")
    assert done.code == 2
    assert done.out == ""
    for text in says:
        assert text in done.said


@pytest.mark.parametrize("command", ["predict", "report", "export"])
@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "no such file"), (b"nothing", "this is no model"), (b"", "this is no model")],
)
def test_what_is_no_model(run, tmp_path, command, content, says):
    path = tmp_path / "model.safetensors"
    if content is not None:
        path.write_bytes(content)
    table = ["patients.csv"] if command == "predict" else []
    done = run(command, path, *table)
    assert done.code == 2
    assert says in done.said
    assert "Traceback" not in done.err


def test_unwritable_places_are_refused_before_the_work(run):
    done = run("predict", MODEL, "patients.csv", "--out", "predicted.docx")
    assert done.code == 2
    assert "tables are written as .csv" in done.said


def test_a_report_again_with_other_rows(run, patients, tmp_path):
    patients.iloc[:50].to_csv(tmp_path / "later.csv", index=False)
    page = tmp_path / "page.html"
    done = run("report", MODEL, tmp_path / "later.csv", "--out", page)
    assert done.code == 0, done.err
    assert "accuracy on the 50 rows of this table" in done.said
    assert page.read_text().lower().startswith("<!doctype html>")
    assert "Measured on 100 held-out rows" in page.read_text()
    assert done.out.split() == ["Report:", str(page)]


def test_a_report_of_the_model_alone(run, tmp_path):
    done = run("report", MODEL, "--out", tmp_path / "page.html", "--title", "Relapse")
    assert done.code == 0, done.err
    assert (tmp_path / "page.html").exists()


def test_export_is_json_with_the_run(run, tmp_path):
    content = json.loads(run("export", MODEL).out)
    assert content["groups"][0]["members"] == ["dose", "site"]
    assert content["notes"]["run"]["target"] == "relapse"
    done = run("export", MODEL, "--weights", "--out", tmp_path / "model.json")
    assert (done.code, done.out) == (0, "")
    assert json.loads((tmp_path / "model.json").read_text())["weights"]
