from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils import Bunch

from coterie.experiments import Options, load_experiment, patients
from coterie.experiments.cells import Cell
from coterie.experiments.metabric import OF_PAPER, RANDOM
from coterie.experiments.runner import fill

N_GENES = 12


@pytest.fixture
def made(monkeypatch):
    """Patients whose status two of twelve genes tell."""
    rng = np.random.default_rng(0)
    data = rng.normal(size=(300, N_GENES)).astype(np.float32)
    target = (data[:, 2] + data[:, 5] > 0).astype(int)
    bunch = Bunch(data=data, target=target, feature_names=[f"g{i}" for i in range(N_GENES)])
    monkeypatch.setattr(patients, "_patients", lambda: bunch)


def jobs(method):
    found = load_experiment("metabric").jobs(Options(n_seeds=1, quick=True))
    return [job for job in found if job.method == method]


def test_the_splits_are_ten_random_ones_and_the_papers():
    found = load_experiment("metabric").jobs(Options())
    splits = [(job.task, job.seed) for job in found if job.method == "coterie"]
    assert splits == [*((RANDOM, seed) for seed in range(10)), (OF_PAPER, 42)]


def test_all_patients_are_in_one_part(made):
    split = patients.load_patients(3, 0.8)
    assert len(split.train[1]) == 240
    rows = np.concatenate([split.train[0], split.test[0]])
    assert len(np.unique(rows[:, 0])) == 300


def test_the_logistic_path_gives_an_area_for_each_number_of_genes(made):
    path = fill(jobs("l1_logistic")[0]).results["path"]
    counts = [count for count, _ in path]
    assert counts == sorted(set(counts))
    assert dict(path)[2] > 0.9


def test_a_network_on_all_genes_counts_all_of_them(made):
    results = fill(jobs("mlp")[0]).results
    assert results["genes"] == N_GENES
    assert results["auroc"] > 0.8


@pytest.mark.slow
def test_groups_of_compfs_are_names_of_the_most_probable_gates(made):
    results = fill(jobs("compfs5")[0]).results
    assert all(len(group) == 5 for group in results["groups"])
    assert {gene for group in results["groups"] for gene in group} <= {
        f"g{i}" for i in range(N_GENES)
    }


def cell(method, seed, **results):
    return Cell("metabric", method, RANDOM, seed, {}, results, 1.0, "", {}, {})


def test_the_logistic_model_is_held_to_as_many_genes_as_coterie():
    cells = [
        cell("coterie", 0, auroc=0.9, genes=4, groups=[["mapk1", "mapt"], ["star"]]),
        cell("l1_logistic", 0, path=[[2, 0.7], [4, 0.8], [9, 0.88], [30, 0.95]]),
    ]
    report = load_experiment("metabric").report(cells)
    areas, paired, _, pairs = report.tables
    assert [row[3][:5] for row in areas.rows] == ["0.900", "0.880", "0.800"]
    assert [row[1] for row in paired.rows] == ["+0.020", "+0.100"]
    together = {row[0]: row[3] for row in pairs.rows}
    assert together["mapk1, mapt"] == "1 of 1"
    assert together["bmp6, mapk1"] == "0 of 1"
