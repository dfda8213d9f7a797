"""The composite model of Definition 2.1."""

import jax
import numpy as np
import pytest

from coterie.model.aggregators import AGGREGATORS, TwoClasses
from coterie.model.composite import (
    Composite,
    Masks,
    composite_losses,
    group_effects,
    guided_losses,
    init_composite,
)

RNG = np.random.default_rng(0)
N_HIDDEN, PREDICTOR = 5, TwoClasses()
MASK = np.array([[True, True, False], [False, False, True], [False, False, False]])
ROWS = RNG.normal(size=(7, 3)).astype(np.float32)
TARGET = (RNG.random(7) > 0.5).astype(np.float32)


def jobs(*aggregators: str) -> tuple[Composite, Masks]:
    """Return one set of parameters under several aggregators."""
    one = init_composite(np.random.default_rng(1), MASK, N_HIDDEN, 1)
    parameters = jax.tree.map(lambda leaf: np.stack([leaf] * len(aggregators)), one)
    codes = np.array([AGGREGATORS.index(name) for name in aggregators])
    return parameters, Masks(np.stack([MASK] * len(aggregators)).astype(np.float32), codes)


def by_hand(parameters: Composite, group: int, row: np.ndarray) -> float:
    """Return the output of a group's network for one row."""
    weights = parameters.first[0, group] * MASK[group]
    first = np.maximum(weights @ row + parameters.first_bias[0, group], 0)
    second = np.maximum(parameters.second[0, group] @ first + parameters.second_bias[0, group], 0)
    return (parameters.head[0, group] @ second + parameters.head_bias[0, group])[0]


def test_a_group_is_a_small_network_of_its_columns():
    parameters, masks = jobs("sum")
    effects = np.asarray(group_effects(parameters, masks, ROWS, PREDICTOR))
    expected = [[by_hand(parameters, group, row) for row in ROWS] for group in (0, 1)]
    assert effects[0, :2, :, 0] == pytest.approx(np.array(expected), abs=1e-5)


@pytest.mark.parametrize("aggregator", AGGREGATORS)
def test_columns_outside_a_group_have_no_effect_on_it(aggregator):
    parameters, masks = jobs(aggregator)
    moved = ROWS + np.array([0.0, 0.0, 5.0], np.float32)
    before, after = (
        np.asarray(group_effects(parameters, masks, rows, PREDICTOR)) for rows in (ROWS, moved)
    )
    assert np.array_equal(before[:, 0], after[:, 0])
    assert not np.array_equal(before[:, 1], after[:, 1])


@pytest.mark.parametrize("aggregator", AGGREGATORS)
def test_padding_adds_nothing(aggregator):
    effects = group_effects(*jobs(aggregator), ROWS, PREDICTOR)
    assert not np.asarray(effects)[:, 2].any()


def test_jobs_do_not_see_one_another():
    together = composite_losses(*jobs("sum", "or", "and"), ROWS, TARGET, PREDICTOR)
    alone = [composite_losses(*jobs(name), ROWS, TARGET, PREDICTOR)[0] for name in AGGREGATORS]
    assert np.asarray(together) == pytest.approx(np.stack(alone), abs=1e-6)


def test_guidance_fades_from_the_sum_to_the_aggregator():
    arguments = (*jobs("or"), ROWS, TARGET, PREDICTOR)
    ends = [np.asarray(guided_losses(*arguments, share)) for share in (0.0, 1.0)]
    half = np.asarray(guided_losses(*arguments, 0.5))
    assert ends[0] == pytest.approx(np.asarray(composite_losses(*arguments)), abs=1e-6)
    assert half == pytest.approx((ends[0] + ends[1]) / 2, abs=1e-5)


@pytest.mark.parametrize("aggregator", AGGREGATORS)
def test_gradients_are_finite_far_out(aggregator):
    parameters, masks = jobs(aggregator)

    def loss(parameters: Composite) -> jax.Array:
        return composite_losses(parameters, masks, 1e4 * ROWS, TARGET, PREDICTOR).sum()

    leaves = jax.tree.leaves(jax.grad(loss)(parameters))
    assert all(np.isfinite(leaf).all() for leaf in leaves)
