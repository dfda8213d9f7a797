"""Whole fits find the groups of two of the paper's tasks, alone and with other seeds."""

import pytest

from coterie.datasets import make_syn
from coterie.groups import groups_from_masks
from coterie.model.losses import CrossEntropy
from coterie.training import TrainingData, TrainingSettings, train_ensembles

SEEDS = [0, 1, 2]
SETTINGS = TrainingSettings()


@pytest.fixture(scope="module", params=[1, 2], ids=["Syn1", "Syn2"])
def task(request):
    return make_syn(request.param, n_samples=20_000, n_features=100, random_state=0)


def found_by(task, seeds: list[int]) -> list[set[tuple[int, ...]]]:
    data = TrainingData(task.data.astype("float32"), task.target.astype("int32"))
    runs = train_ensembles(SETTINGS, CrossEntropy(2), data, seeds)
    return [set(groups_from_masks(SETTINGS.threshold(run.probabilities))) for run in runs]


@pytest.mark.slow
def test_seeds_together_find_what_each_finds_alone_and_most_find_the_truth(task):
    together = found_by(task, SEEDS)
    assert together == [found_by(task, [seed])[0] for seed in SEEDS]
    truth = {feature for group in task.groups for feature in group}
    for groups in together:
        assert {feature for group in groups for feature in group} <= truth
    assert sum(groups == set(task.groups) for groups in together) >= 2
