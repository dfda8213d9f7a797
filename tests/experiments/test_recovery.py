from __future__ import annotations

import sys
import textwrap

import pytest

import coterie.baselines
from coterie.experiments import EXPERIMENTS, CellStore, Options, load_experiment, run_jobs
from coterie.experiments.cells import Cell, Job
from coterie.experiments.methods import methods

SMALL = {"n_train": 300, "n_features": 12, "n_test": 50, "n_test_more": 50}


def cell(method, task, seed, **results):
    family = "synthetic" if task.startswith("Syn") else "chemistry"
    return Cell(family, method, task, seed, {}, results, 1.0, "", {}, {})


def found(gsim, **others):
    return {"tpr": 100.0, "fdr": 0.0, "gsim": gsim, "n_groups": 2, "accuracy": 99.0, **others}


@pytest.fixture
def newcomer(tmp_path, monkeypatch):
    """One file with a method, and one line in the registry of baselines."""
    (tmp_path / "first_column.py").write_text(
        textwrap.dedent(
            '''
            from coterie.baselines.oracle import OracleClassifier

            class FirstColumnClassifier(OracleClassifier):
                """Always takes the first column."""

                def __init__(self, max_epochs=1, batch_size=100, random_state=None):
                    super().__init__(
                        [(0,)], max_epochs=max_epochs, batch_size=batch_size,
                        random_state=random_state,
                    )
            '''
        )
    )
    monkeypatch.syspath_prepend(tmp_path)
    place = "first_column:FirstColumnClassifier"
    monkeypatch.setitem(coterie.baselines.BASELINES, "first_column", place)
    yield "first_column"
    sys.modules.pop("first_column", None)


def test_a_file_and_a_line_put_a_method_into_all_tables(newcomer):
    for name in set(EXPERIMENTS) - {"ablation", "similarity"}:
        jobs = load_experiment(name).jobs(Options(n_seeds=1))
        assert newcomer in {job.method for job in jobs}, name


def test_a_new_method_is_fitted_measured_and_shown(newcomer, tmp_path):
    job = Job("synthetic", newcomer, "Syn1", 0, {}, SMALL)
    [filled] = run_jobs([job], CellStore(tmp_path))
    assert filled.results["groups"] == [[0]]
    assert (filled.results["tpr"], filled.results["gsim"]) == (50.0, 0.5)
    report = load_experiment("table1").report([filled])
    assert newcomer in report.markdown()


def test_cells_of_the_small_table_are_cells_of_the_large_one():
    options = Options()
    small, large = (
        {
            (job.family, job.method, job.task, job.seed)
            for job in load_experiment(name).jobs(options)
        }
        for name in ("table1", "table-synthetic-all")
    )
    assert small < large


def test_the_paper_has_ten_runs_of_its_main_methods_and_five_of_the_additional_ones():
    jobs = load_experiment("table-chemistry-all").jobs(Options())
    seeds = {name: len({job.seed for job in jobs if job.method == name}) for name in methods()}
    assert (seeds["compfs5"], seeds["compfs1"], seeds["coterie"]) == (10, 10, 10)
    assert (seeds["gbdt"], seeds["unsupervised_cae"]) == (5, 5)


def test_differences_beyond_chance_are_marked():
    cells = [cell("compfs5", "Syn2", seed, **found(0.3)) for seed in range(3)]
    cells += [cell("stg", "Syn2", seed, **found(0.5, n_groups=1)) for seed in range(3)]
    report = load_experiment("table1").report(cells)
    measures, similarities = report.tables
    assert "0.30 ± 0.00 (0.90 ± 0.20)*" in measures.rows[0]
    assert "0.50 ± 0.00 (0.50 ± 0.00)" in measures.rows[1]
    assert [row[-1] for row in similarities.rows] == ["WORSE", "agrees"]


def test_a_reconstruction_error_is_compared_in_place_of_an_accuracy():
    results = found(0.0, accuracy=50.0, mse=0.995)
    cells = [cell("unsupervised_cae", "Syn2", seed, **results) for seed in range(3)]
    [row] = load_experiment("table-synthetic-all").report(cells).tables[0].rows
    assert row[-2:] == ["50.0 ± 0.0", "0.995 ± 0.000 (0.995 ± 0.005)"]


def test_a_table_without_cells_is_empty():
    report = load_experiment("table2").report([])
    assert [list(table.rows) for table in report.tables] == [[], []]
    assert not report.figures


def test_the_oracle_is_told_the_truth(tmp_path):
    job = Job("synthetic", "oracle", "Syn3", 0, {"max_epochs": 1}, SMALL)
    [filled] = run_jobs([job], CellStore(tmp_path))
    assert filled.results["groups"] == [[0, 1, 2]]
    assert filled.results["gsim"] == pytest.approx(2 / 3)


def test_an_unknown_experiment_is_refused():
    with pytest.raises(ValueError, match=r"name must be one of table1.*got 'table9'"):
        load_experiment("table9")
