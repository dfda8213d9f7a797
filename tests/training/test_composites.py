"""Training the composite models of several structures side by side."""

import jax
import numpy as np
import pytest

from coterie.model.aggregators import TwoClasses, Values
from coterie.training import composites
from coterie.training.composites import Job, Rows, Schedule, train_composites

RNG = np.random.default_rng(0)
COLUMNS = RNG.normal(size=(600, 4)).astype(np.float32)
PRODUCT = (COLUMNS[:, 0] * COLUMNS[:, 1] > 0).astype(np.float32)
WEIGHTS = np.ones(600, np.float32)
LEARN_FROM, JUDGED = np.arange(400), np.arange(600) >= 400
SCHEDULE = Schedule(600, 32)


def job(*groups: tuple[int, ...], seed: int = 0) -> Job:
    mask = np.zeros((2, 4), bool)
    for row, group in zip(mask, groups, strict=False):
        row[list(group)] = True
    return Job(mask, 0, (seed,))


def train(
    jobs, target=PRODUCT, weights=WEIGHTS, judged=None, predictor=None, learn_from=LEARN_FROM
):
    return train_composites(
        jobs,
        Rows(COLUMNS, target, weights),
        learn_from,
        predictor or TwoClasses(),
        SCHEDULE,
        8,
        jax.devices("cpu")[0],
        4,
        judged,
    )


def test_the_right_structure_wins_on_rows_that_were_held_out():
    losses = train([job((0, 1)), job((0,), (1,)), job((2, 3))]).losses[:, JUDGED].mean(axis=1)
    assert losses[0] < 0.5 * losses[1]
    assert losses[1:] == pytest.approx(np.log(2), abs=0.15)


def test_a_job_comes_out_the_same_whatever_is_trained_beside_it():
    alone = train([job((0, 1))])
    beside = train([job((0, 1)), job((2,), (3,), seed=5)])
    assert alone.losses[0] == pytest.approx(beside.losses[0], abs=1e-4)


def test_rows_that_are_not_learnt_from_and_rows_of_weight_zero_teach_nothing():
    turned = np.where(JUDGED, 1 - PRODUCT, PRODUCT)
    first, second = (train([job((0, 1))], target=target) for target in (PRODUCT, turned))
    assert np.array_equal(first.losses[:, ~JUDGED], second.losses[:, ~JUDGED])
    weights = np.where(JUDGED, 0, WEIGHTS).astype(np.float32)
    first, second = (
        train([job((0, 1))], target=target, weights=weights, learn_from=np.arange(600))
        for target in (PRODUCT, turned)
    )
    assert np.array_equal(first.losses[:, ~JUDGED], second.losses[:, ~JUDGED])


def test_judged_rows_say_when_to_stop():
    noise = RNG.normal(size=(600, 1)).astype(np.float32)
    stopped, trained_on = (
        train([job((0, 1, 2, 3))], target=noise, judged=judged, predictor=Values(1))
        for judged in (JUDGED, None)
    )
    assert stopped.losses[0, JUDGED].mean() < trained_on.losses[0, JUDGED].mean()
    assert 0 < stopped.share[0] < 1
    assert trained_on.share[0] == 1


def test_other_structures_of_the_same_shape_compile_nothing(count_compilations):
    train([job((0, 1))])
    with count_compilations() as compiled:
        train([job((0,), (2, 3)), job((1, 2))])
    assert compiled == []


@pytest.mark.parametrize(("n_rows", "steps"), [(20_000, 1562), (100_000, 2500), (100, 800)])
def test_the_schedule_passes_over_many_rows_and_dwells_on_few(n_rows, steps):
    assert Schedule.for_rows(n_rows).steps == steps


def test_few_members_among_many_columns_train_as_all_columns_would(monkeypatch):
    wide = np.hstack([COLUMNS, RNG.normal(size=(600, 28))]).astype(np.float32)
    mask = np.zeros((4, 32), bool)
    mask[0, [0, 1]] = mask[1, [2, 30, 31]] = True

    def outcome():
        rows = Rows(wide, PRODUCT, WEIGHTS)
        device = jax.devices("cpu")[0]
        jobs = [Job(mask, 0, (0,), 0.3)]
        return train_composites(jobs, rows, LEARN_FROM, TwoClasses(), SCHEDULE, 8, device, 1)

    by_members = outcome()
    monkeypatch.setattr(composites, "LEAST_SAVING", 1000)
    by_columns = outcome()
    assert by_members.parameters.first.shape == by_columns.parameters.first.shape == (1, 4, 8, 32)
    assert not by_members.parameters.first[0, :, :, 5].any()
    assert np.mean(by_members.losses) == pytest.approx(np.mean(by_columns.losses), rel=0.05)
    assert np.corrcoef(by_members.losses[0], by_columns.losses[0])[0, 1] > 0.95
