from __future__ import annotations

import numpy as np
import pytest

from coterie.experiments import Options, digits, load_experiment
from coterie.experiments.runner import fill
from coterie.experiments.tasks import Split

N_PIXELS = 784


@pytest.fixture
def made(monkeypatch):
    """Images whose digit is the place of one bright pixel among ten in the middle."""
    rng = np.random.default_rng(0)
    target = rng.integers(10, size=600)
    data = (0.05 * rng.random((600, N_PIXELS))).astype(np.float32)
    data[np.arange(600), 400 + target] = 1.0
    split = Split((data[:400], target[:400]), (data[400:], target[400:]), None)
    monkeypatch.setattr(digits, "load_digits", lambda n_train: split)


def cell(method):
    jobs = load_experiment("mnist").jobs(Options(n_seeds=1, quick=True))
    [job] = [job for job in jobs if job.method == method]
    settings = {**job.data, "batch_size": 50, "learning_rate": 0.01, "max_epochs": 10}
    return fill(type(job)(job.family, method, job.task, 0, job.arguments, settings))


@pytest.mark.slow
def test_groups_union_and_composite_of_compfs_are_judged(made):
    filled = cell("compfs4")
    models = filled.results["models"]
    n_groups = len(filled.results["groups"])
    assert set(models) == {
        "own",
        "Union",
        "CompFS",
        *(f"Group {place}" for place in range(1, n_groups + 1)),
    }
    assert all(models[f"Group {place}"]["pixels"] == 15 for place in range(1, n_groups + 1))
    assert all(len(model["per_class"]) == 10 for model in models.values())


def test_networks_on_telling_pixels_are_right_and_on_others_are_not(made):
    jobs = load_experiment("mnist").jobs(Options(n_seeds=1, quick=True))
    settings = {**jobs[0].data, "batch_size": 50, "learning_rate": 0.01, "max_epochs": 10}
    job = type(jobs[0])("mnist", "stg", "digits", 0, {}, settings)
    split = digits.load_digits(400)
    telling, others = range(400, 410), range(10)
    assert digits._judge(telling, job, split)["accuracy"] > 95
    assert digits._judge(others, job, split)["accuracy"] < 50
    both = digits._judge_together([tuple(range(400, 405)), tuple(range(405, 410))], job, split)
    assert both["accuracy"] > 95


def test_accuracies_by_hand():
    predicted, true = np.array([0, 1, *range(10)]), np.array([1, 1, *range(10)])
    counted = digits._accuracies(predicted, true)
    assert counted["accuracy"] == 91.67
    assert counted["per_class"] == [100.0, 66.67, *[100.0] * 8]
