from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from coterie.experiments import CellStore, Failure, Job, run_jobs
from coterie.experiments.cells import Cell
from coterie.experiments.runner import MEASURES, fill

JOB = Job("synthetic", "lasso", "Syn2", 3, {"reg": 0.4}, {"n_train": 50})


def count(job: Job) -> dict[str, int]:
    if job.seed < 0:
        raise ValueError("seeds count from 0")
    return {"seed": job.seed}


@pytest.fixture
def counted(monkeypatch):
    monkeypatch.setitem(MEASURES, "synthetic", f"{__name__}:count")
    monkeypatch.setattr("coterie.experiments.runner.import_module", lambda _: _Module)


class _Module:
    count = staticmethod(count)


def test_a_cell_is_one_small_file_in_a_folder_of_its_method(tmp_path, counted):
    store = CellStore(tmp_path)
    store.keep(fill(JOB))
    path = tmp_path / "synthetic" / "lasso" / "Syn2-3.json"
    kept = json.loads(path.read_text())
    assert path.stat().st_size < 2000
    assert kept["results"] == {"seed": 3}
    assert kept["settings"] == {"arguments": {"reg": 0.4}, "data": {"n_train": 50}}
    assert kept["versions"]["coterie"]
    assert kept["machine"]["python"]
    assert kept["started"].endswith("+00:00")


def test_what_was_kept_is_found_again(tmp_path, counted):
    store = CellStore(tmp_path)
    store.keep(fill(JOB))
    found = store.find(JOB)
    assert isinstance(found, Cell)
    assert found.results == {"seed": 3}
    assert store.find_all([JOB, replace(JOB, seed=4)]) == [found]


@pytest.mark.parametrize("other", [{"arguments": {"reg": 0.1}}, {"data": {"n_train": 60}}])
def test_a_cell_with_other_settings_does_not_stand_for_a_job(tmp_path, counted, other):
    store = CellStore(tmp_path)
    store.keep(fill(JOB))
    assert store.find(replace(JOB, **other)) is None


def test_a_job_that_fails_leaves_no_cell_and_the_others_are_run(tmp_path, counted):
    store = CellStore(tmp_path)
    bad = replace(JOB, seed=-1)
    outcomes = list(run_jobs([bad, JOB], store))
    assert outcomes[0] == Failure(bad, "ValueError: seeds count from 0")
    assert store.find(bad) is None
    assert store.find(JOB) == outcomes[1]


@pytest.mark.slow
def test_jobs_side_by_side_give_the_cells_of_jobs_one_by_one(tmp_path):
    sizes = {"n_train": 200, "n_features": 12, "n_test": 20, "n_test_more": 20}
    jobs = [replace(JOB, seed=seed, data=sizes) for seed in range(3)]
    alone = {cell.seed: cell.results for cell in run_jobs(jobs, CellStore(tmp_path / "a"))}
    both = {cell.seed: cell.results for cell in run_jobs(jobs, CellStore(tmp_path / "b"), 2)}
    for results in (*alone.values(), *both.values()):
        del results["fit_seconds"]
    assert alone == both
    assert "NPROC" not in os.environ
