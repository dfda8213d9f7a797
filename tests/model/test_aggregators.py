"""How groups join: the equations of sum, or and and."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import expit, logit

from coterie.model.aggregators import AGGREGATORS, ManyClasses, TwoClasses, Values

FLOOR, SPAN = 0.1, 0.75
JOINT = SimpleNamespace(
    offset=np.array([[0.3]]),
    floor=np.array([logit(FLOOR)]),
    ceiling=np.array([logit(SPAN / (1 - FLOOR))]),
)
EFFECTS = np.array([0.0, 0.5, 2.0])  # of one group for three rows


def code(name: str) -> np.ndarray:
    return np.array([AGGREGATORS.index(name)])


def effects_of(*groups: np.ndarray) -> np.ndarray:
    """Return effects of one job, shape (jobs, groups, rows, outputs)."""
    return np.stack([np.asarray(g, np.float32) for g in groups])[None, :, :, None]


def positive(name: str, *groups: np.ndarray) -> np.ndarray:
    return np.asarray(TwoClasses().predictions(JOINT, code(name), effects_of(*groups)))[0, :, 1]


def test_sum_adds_log_odds():
    assert positive("sum", EFFECTS, EFFECTS) == pytest.approx(expit(2 * EFFECTS + 0.3), abs=1e-6)


def test_or_is_the_noisy_or_between_floor_and_ceiling():
    expected = FLOOR + SPAN * (1 - np.exp(-EFFECTS))
    assert positive("or", EFFECTS) == pytest.approx(expected, abs=1e-6)


def test_or_is_caused_by_any_group_and_and_by_their_absence():
    none, strong = np.zeros(3), np.full(3, 50.0)
    assert positive("or", none, strong) == pytest.approx(np.full(3, FLOOR + SPAN), abs=1e-5)
    assert positive("or", none, none) == pytest.approx(np.full(3, FLOOR), abs=1e-5)
    assert positive("and", none, strong) == pytest.approx(np.full(3, 1 - FLOOR - SPAN), abs=1e-5)


def test_and_is_or_for_the_other_class():
    assert positive("and", EFFECTS) == pytest.approx(1 - positive("or", EFFECTS), abs=1e-6)


@pytest.mark.parametrize("name", AGGREGATORS)
def test_the_loss_is_minus_the_log_likelihood_of_the_prediction(name):
    target = np.array([0.0, 1.0, 1.0], np.float32)
    losses = TwoClasses().losses(JOINT, code(name), effects_of(EFFECTS), target)
    probability = positive(name, EFFECTS)
    expected = -np.log(np.where(target > 0, probability, 1 - probability))
    assert np.asarray(losses)[0] == pytest.approx(expected, abs=1e-5)


def test_causes_are_never_negative():
    outputs = effects_of(np.array([-30.0, 0.0, 30.0]))
    assert (np.asarray(TwoClasses().effects(code("or"), outputs)) >= 0).all()
    assert np.array_equal(TwoClasses().effects(code("sum"), outputs), outputs)


@pytest.mark.parametrize("predictor", [ManyClasses(3), Values(3)])
def test_the_residual_of_a_constant_has_mean_zero(predictor):
    rng = np.random.default_rng(0)
    is_class = isinstance(predictor, ManyClasses)
    target = rng.integers(3, size=40) if is_class else rng.normal(5.0, 1.0, (40, 3))
    residual = predictor.residual_of_constant(target)
    assert residual.shape == (40, 3)
    assert residual.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-5)


def test_probabilities_of_classes_add_up_to_one():
    rng = np.random.default_rng(0)
    joint = SimpleNamespace(offset=rng.normal(size=(1, 4)))
    effects = rng.normal(size=(1, 2, 5, 4)).astype(np.float32)
    predicted = np.asarray(ManyClasses(4).predictions(joint, code("sum"), effects))
    assert predicted.sum(axis=-1) == pytest.approx(np.ones((1, 5)), abs=1e-6)


def test_the_squared_error_is_averaged_over_outputs():
    joint = SimpleNamespace(offset=np.zeros((1, 2)))
    effects = np.array([[[[1.0, 3.0]]]], np.float32)
    losses = Values(2).losses(joint, code("sum"), effects, np.array([[0.0, 0.0]], np.float32))
    assert np.asarray(losses) == pytest.approx(np.array([[5.0]]))
