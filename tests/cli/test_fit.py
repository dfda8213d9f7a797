"""``coterie fit``: what it writes and prints, and that held-out rows stay out."""

import json
import signal
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest

import coterie as package
from coterie.io.models import read_notes

FAST = ("--effort", "fast")
KEYS = {
    "command", "created", "coterie", "versions", "machine", "settings", "seed", "task", "target",
    "rows", "features", "notes", "scores", "seconds", "partial", "groups",
}  # fmt: skip


@pytest.fixture
def small(patients, tmp_path):
    """Write the first patients to a file."""
    path = tmp_path / "patients.csv"
    patients.iloc[:200].drop(columns=["patient", "weight"]).to_csv(path, index=False)
    return path


def test_it_writes_four_files_and_nothing_else(fitted):
    folder, done = fitted
    assert done.code == 0, done.err
    written = {path.name for path in (folder / "found").iterdir()}
    assert written == {"groups.csv", "model.safetensors", "report.html", "run.json"}
    assert {path.name for path in folder.iterdir()} == {"patients.csv", "found"}


def test_the_files_are_readable_by_others_as_the_user_says(fitted):
    folder, _ = fitted
    plain = folder / "found" / "plain"
    plain.touch()
    modes = {path.stat().st_mode for path in (folder / "found").iterdir()}
    plain.unlink()
    assert len(modes) == 1


def test_the_run_says_all_it_takes_to_repeat_it(fitted):
    folder, _ = fitted
    run = json.loads((folder / "found" / "run.json").read_text())
    assert set(run) >= KEYS
    assert run["task"] == "classification"
    assert run["rows"] == {"train": 400, "test": 100}
    assert run["features"] == 4
    assert run["id"] == "patient"
    assert run["command"].startswith("coterie fit patients.csv --target relapse --id patient")
    assert not run["partial"]
    assert next(iter(run["scores"])) == "coterie"
    assert run["scores"]["coterie"] > run["scores"]["commonest class"]
    assert set(run["measures"]["logistic regression"]) == {"accuracy", "AUROC"}


def test_the_groups_are_the_same_in_all_files(fitted):
    folder, done = fitted
    groups = pd.read_csv(folder / "found" / "groups.csv")
    model = package.load(folder / "found" / "model.safetensors")
    run = json.loads((folder / "found" / "run.json").read_text())
    named = [list(group) for group in model.get_groups(names=True)]
    assert named == [["dose", "site"]]
    assert groups["members"].tolist() == ["dose; site"]
    assert [group["members"] for group in run["groups"]] == named
    assert read_notes(folder / "found" / "model.safetensors")["run"]["groups"] == run["groups"]
    assert "dose & site" in done.out


def test_the_summary_says_what_was_found_how_well_and_on_which_rows(fitted):
    _, done = fitted
    text = " ".join(done.out.split())
    for part in (
        "'relapse' has two values, no and yes",
        "Found 1 group of 2 features that act on 'relapse'",
        "on 100 held-out rows",
        "gradient boosting",
        "fitted on the other 400 rows",
        "Report: found/report.html",
    ):
        assert part in text


def test_progress_is_plain_lines_on_standard_error(fitted):
    _, done = fitted
    assert "Fitting coterie on 400 rows of 4 features" in done.err
    assert "search ended" in done.err
    assert "\x1b" not in done.err + done.out


def test_json_is_all_that_goes_to_standard_output(coterie, small, tmp_path):
    done = coterie("fit", small, "--target", "relapse", "--json", *FAST)
    assert done.code == 0, done.err
    assert json.loads(done.out) == json.loads((tmp_path / "patients-coterie/run.json").read_text())


def test_quiet_says_nothing(coterie, small):
    done = coterie("fit", small, "--target", "relapse", "--quiet", *FAST)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_finding_nothing_is_no_failure(coterie, small):
    table = pd.read_csv(small)
    table["relapse"] = np.random.default_rng(1).permutation(table["relapse"])
    table.to_csv(small, index=False)
    done = coterie("fit", small, "--target", "relapse", *FAST)
    assert done.code == 0, done.err
    assert "Found no feature that predicts 'relapse' better than a constant" in done.out


@pytest.mark.slow
def test_numbers_are_predicted_beside_ridge_regression(coterie, small, tmp_path):
    table = pd.read_csv(small)
    table["growth"] = 3 * table["dose"] * (table["site"] == "B") + 0.1 * table["smoker"]
    table.to_csv(small, index=False)
    done = coterie("fit", small, "--target", "growth", "--ignore", "relapse", "--json", *FAST)
    run = json.loads(done.out)
    assert run["task"] == "regression"
    assert run["metric"] == "R²"
    assert "ridge regression" in run["scores"]
    assert run["groups"][0]["members"] == ["dose", "site"]


def test_a_column_that_follows_from_the_target_is_named(coterie, small):
    table = pd.read_csv(small)
    table["code"] = (table["relapse"] == "yes") * 3 + 7
    table.to_csv(small, index=False)
    done = coterie("fit", small, "--target", "relapse", *FAST)
    assert "Column 'code' alone tells 'relapse'" in " ".join(done.out.split())


def test_another_table_can_be_held_out(coterie, small, patients, tmp_path):
    patients.iloc[200:].to_csv(tmp_path / "later.csv", index=False)
    done = coterie("fit", small, "--target", "relapse", "--test", "later.csv", "--json", *FAST)
    assert json.loads(done.out)["rows"] == {"train": 200, "test": 300}


def test_without_rows_held_out_there_are_no_scores(coterie, small):
    done = coterie("fit", small, "--target", "relapse", "--test-fraction", 0, "--json", *FAST)
    run = json.loads(done.out)
    assert run["rows"] == {"train": 200, "test": 0}
    assert run["scores"] == {}


def test_a_time_limit_leaves_a_partial_result(coterie, small):
    done = coterie("fit", small, "--target", "relapse", "--time-limit", 0.001)
    assert done.code == 0, done.err
    assert "partial: the search was stopped before its end" in done.out


@pytest.mark.slow
def test_a_method_of_epochs_ends_after_the_time_limit(coterie, small):
    options = ("--method", "compfs", "--time-limit", 0.001, "--test-fraction", 0, "--json")
    done = coterie("fit", small, "--target", "relapse", *options)
    assert done.code == 0, done.err
    assert json.loads(done.out)["partial"]


def test_other_methods_write_the_same_files(coterie, small, tmp_path):
    done = coterie("fit", small, "--target", "relapse", "--method", "lasso")
    assert done.code == 0, done.err
    assert {path.suffix for path in (tmp_path / "patients-coterie").iterdir()} == {
        ".csv", ".html", ".json", ".safetensors",
    }  # fmt: skip
    assert "lasso" in done.out


def test_earlier_results_stay_if_the_new_ones_cannot_be_written(coterie, small, tmp_path):
    folder = tmp_path / "patients-coterie"
    folder.mkdir()
    (folder / "groups.csv").write_text("earlier")
    (folder / "run.json").mkdir()  # no file can take its place
    with pytest.raises(OSError, match="directory"):
        coterie("fit", small, "--target", "relapse", "--method", "lasso")
    assert {path.name for path in tmp_path.iterdir()} == {"patients.csv", "patients-coterie"}


PROGRAM = "from coterie.cli.main import main; main()"


@pytest.mark.slow
def test_ctrl_c_writes_what_is_found_so_far(tmp_path):
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(1500, 12)).round(3)).rename(columns="x{}".format)
    table["y"] = ((table["x0"] * table["x1"] > 0.3) | (table["x2"] * table["x3"] > 0.3)).astype(int)
    table.to_csv(tmp_path / "table.csv", index=False)
    program = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {PROGRAM}"
    command = [sys.executable, "-c", program, "fit", "table.csv", "--target", "y"]
    with subprocess.Popen(
        [*command, "--effort", "thorough"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        watchdog = threading.Timer(300, process.kill)
        watchdog.start()
        for line in process.stderr:
            if "first structure found" in line:
                process.send_signal(signal.SIGINT)
                break
        out, err = process.communicate()
        watchdog.cancel()
    assert process.returncode == 130, err
    assert "what is found so far will be written" in err
    assert "partial" in out
    run = json.loads((tmp_path / "table-coterie" / "run.json").read_text())
    assert run["partial"]
    found = {tuple(group["members"]) for group in run["groups"]}
    assert found & {("x0", "x1"), ("x2", "x3")}
    assert (tmp_path / "table-coterie" / "report.html").exists()


def test_ctrl_c_before_the_search_writes_nothing(coterie, small, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("coterie.io.tables.read_table", interrupted)
    done = coterie("fit", small, "--target", "relapse")
    assert done.code == 130
    assert "stopped before the end" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["patients.csv"]


def test_errors_have_no_traceback_in_a_process_of_their_own(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "fit", "none.csv", "--target", "y"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.strip() == "Error: none.csv: there is no such file."
    assert done.stdout == ""
