"""The overall loss: its parts, where gradients flow, weights, owners and padding."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from coterie.model import gates as gates_module
from coterie.model.encoders import encode
from coterie.model.gates import sample_gates
from coterie.model.losses import CrossEntropy
from coterie.model.objective import (
    CLOSED,
    Architecture,
    Batch,
    Coefficients,
    Ensemble,
    LossParts,
    ensemble_outputs,
    individual_outputs,
    init_ensemble,
    loss_parts,
    total_loss,
)
from coterie.model.penalties import overlap_penalty, size_penalty

N_LEARNERS, N_FEATURES, N_HIDDEN, N_ROWS = 3, 6, 4, 8
SEED = jnp.uint32(11)
ONE_MASK = Architecture(CrossEntropy(2), rows_per_mask=N_ROWS, temperature=0.5, stop_gradient=True)
MASK_A_ROW = replace(ONE_MASK, rows_per_mask=1)
COEFFICIENTS = Coefficients(jnp.float32(4.5), jnp.float32(1.3), jnp.float32(1.2))


def draw_ensemble(n_features: int = N_FEATURES, n_columns: int = N_FEATURES) -> Ensemble:
    rng = np.random.default_rng(5)
    return init_ensemble(rng, N_LEARNERS, n_features, n_columns, N_HIDDEN, 2)


@pytest.fixture(scope="module")
def parameters() -> Ensemble:
    return draw_ensemble()


@pytest.fixture(scope="module")
def batch() -> Batch:
    rng = np.random.default_rng(6)
    rows = jnp.float32(rng.normal(size=(N_ROWS, N_FEATURES)))
    return Batch(rows, jnp.asarray(rng.integers(2, size=N_ROWS)), jnp.ones(N_ROWS))


@partial(jax.jit, static_argnums=(2, 3))
def value_and_gradient(
    parameters: Ensemble, batch: Batch, architecture: Architecture, n_features: int = N_FEATURES
) -> tuple[jax.Array, Ensemble]:
    def total(moved):
        parts = loss_parts(moved, batch, SEED, jnp.float32(n_features), architecture)
        return total_loss(parts, COEFFICIENTS)

    return jax.value_and_grad(total)(parameters)


def assert_trees_close(first, second, **tolerance) -> None:
    jax.tree.map(partial(np.testing.assert_allclose, **tolerance), first, second)


def test_the_parts_are_those_of_the_paper(parameters, batch):
    gates = sample_gates(parameters.logits, SEED, N_ROWS, 1, ONE_MASK.temperature)
    codes = encode(parameters.first, parameters.second, gates, batch.rows)
    own = individual_outputs(parameters, codes)
    pi = jax.nn.sigmoid(parameters.logits)
    parts = loss_parts(parameters, batch, SEED, jnp.float32(N_FEATURES), MASK_A_ROW)
    loss = MASK_A_ROW.loss
    expected = LossParts(
        individual=sum(loss(own[i], batch.target).mean() for i in range(N_LEARNERS)),
        ensemble=loss(ensemble_outputs(parameters, codes), batch.target).mean(),
        size=size_penalty(pi, N_FEATURES),
        overlap=overlap_penalty(pi, N_FEATURES),
    )
    assert_trees_close(parts, expected, rtol=1e-5)


def test_the_ensembles_output_is_the_sum_of_the_parts_of_the_learners(parameters):
    codes = jnp.float32(np.random.default_rng(1).uniform(size=(N_LEARNERS, N_ROWS, N_HIDDEN)))
    weight, bias = parameters.ensemble
    expected = sum(codes[i] @ weight[i].T + bias[i] for i in range(N_LEARNERS))
    np.testing.assert_allclose(ensemble_outputs(parameters, codes), expected, atol=1e-5)


def test_the_total_is_the_sum_of_the_parts_with_their_coefficients():
    parts = LossParts(individual=1.0, ensemble=10.0, size=100.0, overlap=1000.0)
    coefficients = Coefficients(size=2.0, ensemble=3.0, overlap=4.0)
    assert total_loss(parts, coefficients) == 1 + 3 * 10 + 2 * 100 + 4 * 1000


def individual_gradient(parameters: Ensemble, batch: Batch, stop_gradient: bool) -> Ensemble:
    architecture = replace(MASK_A_ROW, stop_gradient=stop_gradient)
    return jax.grad(
        lambda moved: (
            loss_parts(moved, batch, SEED, jnp.float32(N_FEATURES), architecture).individual
        )
    )(parameters)


def test_stopped_the_learners_own_losses_train_their_heads_alone(parameters, batch):
    gradient = individual_gradient(parameters, batch, stop_gradient=True)
    for name in ("logits", "first", "second", "ensemble"):
        assert all((leaf == 0).all() for leaf in jax.tree.leaves(getattr(gradient, name)))
    assert (jnp.abs(gradient.individual.weight).max(axis=(1, 2)) > 0).all()


def test_let_through_the_learners_own_losses_train_encoders_and_gates(parameters, batch):
    gradient = individual_gradient(parameters, batch, stop_gradient=False)
    for name in ("logits", "first", "second", "individual"):
        for leaf in jax.tree.leaves(getattr(gradient, name)):
            assert jnp.abs(leaf).max() > 0
    assert (gradient.ensemble.weight == 0).all()


def test_the_switch_changes_no_value(parameters, batch):
    parts = [
        loss_parts(parameters, batch, SEED, jnp.float32(N_FEATURES), architecture)
        for architecture in (MASK_A_ROW, replace(MASK_A_ROW, stop_gradient=False))
    ]
    assert_trees_close(*parts, rtol=1e-6)


def test_the_order_of_rows_that_share_a_mask_does_not_matter(parameters, batch):
    order = jnp.array([3, 1, 4, 0, 5, 2, 7, 6])
    shuffled = jax.tree.map(lambda leaf: leaf[order], batch)
    assert_trees_close(
        value_and_gradient(parameters, batch, ONE_MASK),
        value_and_gradient(parameters, shuffled, ONE_MASK),
        rtol=1e-4,
        atol=1e-6,
    )


@pytest.mark.parametrize("architecture", [ONE_MASK, MASK_A_ROW], ids=["one mask", "mask a row"])
def test_rows_of_weight_zero_have_no_influence(parameters, batch, architecture):
    weights = batch.weights.at[jnp.array([2, 5])].set(0.0)
    rows = batch.rows.at[jnp.array([2, 5])].set(1e3)
    target = batch.target.at[jnp.array([2, 5])].add(1) % 2
    assert_trees_close(
        value_and_gradient(parameters, batch._replace(weights=weights), architecture),
        value_and_gradient(parameters, Batch(rows, target, weights), architecture),
        rtol=1e-5,
        atol=1e-6,
    )


def test_padding_rows_do_not_dilute_the_loss(parameters, batch):
    first = jax.tree.map(lambda leaf: leaf[:5], batch)
    weights = batch.weights.at[5:].set(0.0)
    assert_trees_close(
        value_and_gradient(parameters, first, ONE_MASK),
        value_and_gradient(parameters, batch._replace(weights=weights), ONE_MASK),
        rtol=1e-4,
        atol=1e-6,
    )


def test_a_batch_of_padding_alone_has_no_loss_but_the_penalties(parameters, batch):
    parts = loss_parts(
        parameters, batch._replace(weights=jnp.zeros(N_ROWS)), SEED, jnp.float32(6), ONE_MASK
    )
    assert parts.individual == parts.ensemble == 0
    assert parts.size > 0


def test_a_weight_of_two_is_the_row_twice(parameters, batch):
    """Weights have a mean of one over the rows: (2, 1, ..., 1) of four rows against five rows."""
    four = jax.tree.map(lambda leaf: leaf[:4], batch)
    weighted = four._replace(weights=jnp.array([2.0, 1.0, 1.0, 1.0]) / 1.25)
    twice = jax.tree.map(lambda leaf: leaf[jnp.array([0, 0, 1, 2, 3])], batch)
    assert_trees_close(
        value_and_gradient(parameters, weighted, ONE_MASK),
        value_and_gradient(parameters, twice, ONE_MASK),
        rtol=1e-4,
        atol=1e-6,
    )


def test_a_feature_opens_all_of_its_columns_with_one_gate(batch):
    """Features 0, 1, 2 own columns (0, 4), (1), (2, 3, 5)."""
    owner = (0, 1, 2, 2, 0, 2)
    shared = draw_ensemble(n_features=3)
    architecture = replace(ONE_MASK, owner=owner)
    drawn = sample_gates(shared.logits, SEED, N_ROWS, N_ROWS, architecture.temperature)
    spread = architecture.columns_of(drawn)
    assert spread.shape == (N_LEARNERS, 1, N_FEATURES)
    for column, feature in enumerate(owner):
        assert (spread[..., column] == drawn[..., feature]).all()
    gradient = value_and_gradient(shared, batch, architecture, 3)[1]
    assert gradient.logits.shape == (N_LEARNERS, 3)
    assert gradient.first.weight.shape == (N_LEARNERS, N_HIDDEN, N_FEATURES)


def test_the_penalties_count_features_and_not_their_columns(batch):
    shared = draw_ensemble(n_features=3)
    architecture = replace(ONE_MASK, owner=(0, 1, 2, 2, 0, 2))
    parts = loss_parts(shared, batch, SEED, jnp.float32(3), architecture)
    assert parts.size == size_penalty(jax.nn.sigmoid(shared.logits), jnp.float32(3))


def pad_columns(parameters: Ensemble, batch: Batch, n_more: int) -> tuple[Ensemble, Batch]:
    """Add closed gates, weights that nothing reaches and columns of zeros."""
    last = ((0, 0), (0, n_more))
    first = parameters.first
    wider = parameters._replace(
        logits=jnp.pad(parameters.logits, last, constant_values=CLOSED),
        first=first._replace(weight=jnp.pad(first.weight, ((0, 0), *last))),
    )
    return wider, batch._replace(rows=jnp.pad(batch.rows, last))


@pytest.mark.parametrize("architecture", [ONE_MASK, MASK_A_ROW], ids=["one mask", "mask a row"])
@pytest.mark.parametrize("n_more", [2, 10])
def test_padding_columns_changes_neither_losses_nor_gradients(
    parameters, batch, architecture, n_more, monkeypatch
):
    """With the draws of the real gates held fixed: the counter also runs over padding."""
    table = np.random.default_rng(0).uniform(0.1, 10, (N_LEARNERS, N_ROWS, N_FEATURES + n_more))
    monkeypatch.setattr(
        gates_module, "random_odds", lambda _, shape: jnp.float32(table[:, : shape[1], : shape[2]])
    )

    def evaluate(parameters, batch):
        return value_and_gradient.__wrapped__(parameters, batch, architecture, N_FEATURES)

    loss, gradient = evaluate(parameters, batch)
    padded_loss, padded = evaluate(*pad_columns(parameters, batch, n_more))
    np.testing.assert_allclose(padded_loss, loss, rtol=1e-5)
    assert jnp.abs(padded.logits[:, N_FEATURES:]).max() < 1e-30
    assert (padded.first.weight[..., N_FEATURES:] == 0).all()
    cut = padded._replace(
        logits=padded.logits[:, :N_FEATURES],
        first=padded.first._replace(weight=padded.first.weight[..., :N_FEATURES]),
    )
    assert_trees_close(cut, gradient, rtol=1e-4, atol=1e-6)


def test_everything_is_finite_for_logits_of_any_size(parameters, batch):
    logits = jnp.array([[-1e4, -100.0, -18.0, 18.0, 100.0, 1e4]] * N_LEARNERS)
    for tree in value_and_gradient(parameters._replace(logits=logits), batch, MASK_A_ROW):
        assert all(jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(tree))


def test_the_initial_logits_are_standard_normal():
    logits = init_ensemble(np.random.default_rng(0), 10, 1000, 1, 1, 2).logits
    assert logits.shape == (10, 1000)
    assert abs(logits.mean()) < 0.05
    assert abs(logits.std() - 1) < 0.05
