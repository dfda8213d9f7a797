"""The registry of recovery tasks: every entry draws what it promises."""

import numpy as np
import pytest

from benchmarks.tasks import CHEM, N_TEST, TASKS

MADE = [task for task in TASKS.values() if task not in CHEM]
SMALL_TASKS = [task for task in MADE if task.n_train <= 1000 or task.name == "quadruple"]


def test_every_family_of_the_recovery_table_is_there():
    assert {task.family for task in TASKS.values()} == {
        "paper",
        "noisy",
        "small",
        "many",
        "deep",
        "mixed",
        "chain",
        "and-joined, parity",
        "penetrance",
        "correlated",
        "tails, scales",
        "logistic",
        "regression",
        "classes",
        "null",
    }


@pytest.mark.parametrize("task", SMALL_TASKS, ids=lambda task: task.name)
def test_train_and_test_rows_share_groups_and_scales(task):
    train, test = task(seed=0)
    assert len(train.data) == len(train.target) == task.n_train
    assert len(test.data) == len(test.target) == N_TEST
    assert train.groups == test.groups
    assert np.isfinite(train.data).all()
    assert (task.family == "null") == (train.groups == [])


@pytest.mark.slow
@pytest.mark.parametrize("task", MADE, ids=lambda task: task.name)
def test_the_true_groups_tell_more_of_the_target_than_chance(task):
    train, _ = task(seed=1)
    if task.family == "null":
        assert np.ptp(train.signal) == 0
    else:
        assert np.corrcoef(train.signal, train.target)[0, 1] > 0.4


def test_seeds_differ_and_repeat():
    task = TASKS["quadruple"]
    (first, _), (again, _), (other, _) = task(0), task(0), task(1)
    np.testing.assert_array_equal(first.data, again.data)
    assert first.groups != other.groups
