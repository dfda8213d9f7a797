"""The ablation, the examples of the similarity, and the page of results."""

from __future__ import annotations

from coterie.experiments import CellStore, Options, load_experiment
from coterie.experiments.cells import Cell
from coterie.experiments.results import write_results


def ablation_cell(job, n_used):
    results = {"n_used": n_used, "n_groups": n_used, "gsim": 1.0, "n_members": 4}
    return Cell("ablation", job.method, job.task, job.seed, job.settings, results, 1, "", {}, {})


def test_the_ablation_varies_one_penalty_and_holds_the_other():
    jobs = load_experiment("ablation").jobs(Options(n_seeds=1))
    held = {
        "beta_overlap": {job.arguments["beta"] for job in jobs if job.method == "beta_overlap"},
        "beta": {job.arguments["beta_overlap"] for job in jobs if job.method == "beta"},
    }
    assert held == {"beta_overlap": {1.0}, "beta": {1.2}}
    assert len({(job.method, job.task) for job in jobs}) == len(jobs)


def test_the_ablation_lays_out_means():
    experiment = load_experiment("ablation")
    jobs = [job for job in experiment.jobs(Options(n_seeds=2)) if job.arguments["n_groups"] == 2]
    report = experiment.report([ablation_cell(job, job.seed + 1) for job in jobs])
    for table in report.tables:
        assert [row[1] for row in table.rows] == ["1.5 ± 0.7"] * 4


def test_the_examples_of_the_similarity_are_the_papers():
    [table] = load_experiment("similarity").report([]).tables
    assert [row[-1] for row in table.rows] == ["equal"] * 11


def test_the_page_says_what_differs_and_why(tmp_path):
    store = CellStore(tmp_path / "cells")
    gsim = {"compfs5": 0.9, "group_lasso": 0.1}
    for job in load_experiment("table1").jobs(Options(n_seeds=2)):
        if job.method in gsim and job.task == "Syn2":
            results = {
                "gsim": gsim[job.method] + 0.01 * job.seed,
                "tpr": 100.0,
                "fdr": 0.0,
                "n_groups": 2,
                "accuracy": 95.0,
            }
            facts = {"coterie": "1"}, {"cpu": "made"}
            store.keep(
                Cell(
                    job.family, job.method, job.task, job.seed, job.settings, results, 9, "", *facts
                )
            )
    page = write_results(tmp_path).read_text()
    assert "4 cells" in page
    assert "`coterie paper table1`: 4 of 280 cells" in page
    assert "Of 2 means 1 agree" in page
    assert "**Group LASSO on Syn2 (better).**" in page
    assert "CompFS(5) on" not in page
    assert (tmp_path / "tables" / "table-synthetic-all.csv").exists()
