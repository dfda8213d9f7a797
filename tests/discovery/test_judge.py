"""Judging structures by held-out losses."""

from __future__ import annotations

from dataclasses import replace

import jax
import numpy as np
import pytest

from coterie.discovery.judge import CLEAR, DOUBTFUL, LIKELY, TOLERANCE, Difference, Judge
from coterie.discovery.problem import Problem, masks_of
from coterie.discovery.structures import Structure
from coterie.model.aggregators import ManyClasses, TwoClasses, Values
from tests.discovery.known_losses import KnownJudge, problem

CONSTANT = Structure(())
A, B, C = (Structure.of([(feature,)]) for feature in range(3))
RNG = np.random.default_rng(0)
N_ROWS = 240
COLUMNS = RNG.normal(size=(N_ROWS, 4)).astype(np.float32)
LABELS = (COLUMNS[:, 0] * COLUMNS[:, 1] > 0).astype(np.float32)
FOLDS = np.arange(N_ROWS) % 2


def judge_of(target=LABELS, predictor=None, **changes) -> Judge:
    rows = Problem(
        COLUMNS,
        np.arange(4),
        target,
        np.ones(N_ROWS, np.float32),
        predictor or TwoClasses(),
        FOLDS,
    )
    return Judge(replace(rows, **changes), 0, jax.devices("cpu")[0], 1, 0.3)


def known(losses: dict[Structure, list[float]], weights=None) -> KnownJudge:
    n_rows = len(next(iter(losses.values())))
    return KnownJudge(lambda s, _: np.array(losses[s]), problem(n_rows, 3, weights))


def test_differences_are_paired_and_weighed():
    losses = {CONSTANT: [1.0, 1, 1, 1], A: [0.1, 0.6, 0.3, 0.4], B: [0.0, 0.2, 0.3, 9.0]}
    judge = known(losses, weights=[1, 2, 1, 0])
    difference = judge.compare(A, B)
    # differences 0.1, 0.4, 0 with weights 1, 2, 1: mean 0.225, deviations -0.125, 0.175, -0.225
    assert difference.mean == pytest.approx(0.225)
    squares = 0.125**2 + (2 * 0.175) ** 2 + 0.225**2
    assert difference.error == pytest.approx(np.sqrt(squares) / 4)
    assert difference.z == pytest.approx(difference.mean / difference.error)
    assert judge.mean(A) == pytest.approx((0.1 + 2 * 0.6 + 0.3) / 4)


def test_no_difference_is_no_standard_error():
    assert Difference(0.0, 0.0).z == 0.0


def test_the_gain_is_what_the_best_so_far_explains():
    judge = known({CONSTANT: [0.7, 0.7], A: [0.5, 0.5], B: [0.2, 0.2]})
    assert judge.null == pytest.approx(0.7)
    judge.judge([A])
    assert judge.gain == pytest.approx(0.2)
    judge.judge([B])
    assert judge.gain == pytest.approx(0.5)


@pytest.mark.parametrize(("lost", "worse"), [(0.9 * TOLERANCE, False), (1.1 * TOLERANCE, True)])
def test_what_is_lost_without_doubt_has_to_exceed_the_noise_of_training(lost, worse):
    judge = known({CONSTANT: [1.0] * 4, A: [lost] * 4, B: [0.0] * 4})
    judge.judge([A, B])
    assert judge.clearly_worse(A, B) is worse
    assert not judge.clearly_worse(B, A)


@pytest.mark.parametrize(("errors", "worse"), [(LIKELY, True), (CLEAR, False)])
def test_what_is_lost_has_to_exceed_the_noise_of_the_rows(errors, worse):
    # differences of 0.5 and -0.1: mean 0.2, standard error 0.3 / sqrt(n), z = 2
    losses = {CONSTANT: [1.0] * 8 + [1.0], A: [0.5, -0.1] * 4 + [0.2], B: [0.0] * 9}
    judge = known(losses)
    assert LIKELY < judge.compare(A, B).z < CLEAR
    assert judge.clearly_worse(A, B, errors) is worse


@pytest.mark.parametrize("spoilt", [[np.inf] * 4, [0.1, np.inf, 0.1, 0.1]])
def test_what_training_lost_sight_of_is_clearly_worse(spoilt):
    judge = known({CONSTANT: [1.0] * 4, A: spoilt, B: [0.5] * 4})
    assert judge.clearly_worse(A, B)
    assert not judge.clearly_worse(B, A)


def test_only_a_small_loss_is_doubtful():
    small, large = 2 * TOLERANCE, 2 * DOUBTFUL * TOLERANCE
    judge = known({CONSTANT: [1.0] * 4, A: [small] * 4, B: [0.0] * 4, C: [large] * 4})
    judge.judge([A, B, C])
    assert judge.is_doubtful(A, B)
    assert not judge.is_doubtful(C, B)
    assert not judge.is_doubtful(B, A)


def test_each_attempt_insists_once():
    judge = known({CONSTANT: [1.0], A: [0.5], B: [0.5]})
    judge.insist([A, A])
    judge.insist([A, B])
    assert judge.asked == [A, B]
    judge.insist([A, B], attempt=1)
    assert judge.asked == [A, B, A, B]


def test_masks_worked_by_hand():
    structures = [Structure.of([(0, 2), (1,)]), Structure.of([(2,)])]
    owner = np.array([0, 1, 1, 2, 3])
    masks = masks_of(structures, np.array([0, 1, 2, 3]), owner)
    assert masks.shape == (2, 4, 8)
    first = [[1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert masks[0, :, :4].astype(int).tolist() == first
    assert masks[1, 0, :4].astype(int).tolist() == [0, 0, 0, 1]
    assert not masks[1, 1:].any()
    assert not masks[:, :, 4:].any()


def test_shapes_of_masks_are_few():
    five = [Structure.of([(feature,) for feature in range(5)])]
    assert masks_of(five, np.arange(5), np.arange(5)).shape == (1, 8, 8)
    nine = [Structure.of([range(9)])]
    assert masks_of(nine, np.arange(9), np.arange(9)).shape == (1, 4, 16)


def test_the_constant_is_judged_by_the_shares_among_the_rows_learnt_from():
    judge = judge_of()
    expected = np.zeros(N_ROWS)
    for fold in range(2):
        share = LABELS[fold != FOLDS].mean()
        right = np.where(LABELS == 1, share, 1 - share)
        expected[fold == FOLDS] = -np.log(right[fold == FOLDS])
    judge.judge([CONSTANT])
    assert judge.losses_of[CONSTANT] == pytest.approx(expected, rel=1e-4)
    assert judge.null == pytest.approx(expected.mean(), rel=1e-4)
    assert judge.n_trained == 0


@pytest.mark.parametrize(
    ("target", "predictor", "n_outputs"),
    [
        (LABELS, TwoClasses(), 1),
        ((COLUMNS[:, 0] > 0).astype(np.int32) + (COLUMNS[:, 1] > 1), ManyClasses(3), 3),
        (COLUMNS[:, :2] + 5, Values(2), 2),
    ],
    ids=["two classes", "three classes", "values"],
)
def test_the_constant_leaves_each_row_what_the_others_did_not_foretell(
    target, predictor, n_outputs
):
    residual = judge_of(target, predictor).residual(CONSTANT)
    values = {
        "TwoClasses": lambda: LABELS[:, None],
        "ManyClasses": lambda: np.eye(3)[target],
        "Values": lambda: target,
    }[type(predictor).__name__]()
    expected = np.zeros((N_ROWS, n_outputs))
    for fold in range(2):
        expected[fold == FOLDS] = values[fold == FOLDS] - values[fold != FOLDS].mean(axis=0)
    assert residual == pytest.approx(expected - expected.mean(axis=0), abs=1e-4)


@pytest.fixture(scope="module")
def judged() -> Judge:
    judge = judge_of()
    judge.judge([CONSTANT, Structure.of([(0, 1)]), Structure.of([(0,), (1,)]), C])
    return judge


def test_the_right_structure_has_the_lowest_loss(judged):
    losses = {structure: judged.mean(structure) for structure in judged.losses_of}
    assert min(losses, key=losses.get) == Structure.of([(0, 1)])
    assert judged.clearly_worse(Structure.of([(0,), (1,)]), Structure.of([(0, 1)]))


def test_a_structure_is_trained_once_a_fold_and_remembered(judged):
    assert judged.n_trained == 3 * 2
    assert len(judged.fitted_of[C]) == 2
    judged.judge([C, Structure.of([(0, 1)])])
    assert judged.n_trained == 3 * 2


def test_a_good_structure_leaves_less_than_a_constant(judged):
    left = judged.residual(Structure.of([(0, 1)]))
    assert left.shape == (N_ROWS, 1)
    assert left.mean() == pytest.approx(0, abs=1e-5)
    assert left.std() < 0.6 * judged.residual(CONSTANT).std()


def test_insisting_never_raises_a_loss(judged):
    before = {structure: judged.losses_of[structure].copy() for structure in judged.losses_of}
    judged.insist([C, Structure.of([(0,), (1,)])])
    for structure, losses in before.items():
        for fold in range(2):
            now = judged.losses_of[structure][fold == FOLDS].mean()
            assert now <= losses[fold == FOLDS].mean()


def test_a_search_that_is_stopped_trains_nothing():
    judge = judge_of()
    judge.check = lambda: (_ for _ in ()).throw(TimeoutError)
    with pytest.raises(TimeoutError):
        judge.judge([A])
    assert judge.losses_of == {}


def test_a_thrifty_judge_trains_each_structure_once():
    judge = judge_of()
    judge.n_restarts = 3
    judge.economise()
    judge.judge([A])
    judge.insist([A])
    assert judge.n_trained == judge.problem.n_folds
    assert judge.effort <= 0.3
