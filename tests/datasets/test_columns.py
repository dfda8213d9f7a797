"""The kinds of columns have the margins and correlations that they name."""

import numpy as np
import pytest

from coterie.datasets.columns import (
    COLUMNS,
    Autoregressive,
    Binary,
    Blocks,
    Genotype,
    HeavyTails,
)


def draw(kind, n_samples=20000, n_features=4):
    return kind.draw(np.random.default_rng(0), n_samples, n_features)


@pytest.mark.parametrize("kind", [make() for make in COLUMNS.values()], ids=COLUMNS)
def test_every_kind_draws_float32_in_rows_for_any_shape(kind):
    for shape in ((1, 1), (7, 3), (2, 8)):
        columns = draw(kind, *shape)
        assert columns.shape == shape
        assert columns.dtype == np.float32
        assert columns.flags.c_contiguous


@pytest.mark.parametrize("kind", [make() for make in COLUMNS.values()], ids=COLUMNS)
def test_a_correlated_column_has_the_same_margin(kind):
    column = draw(kind)[:, 0]
    other = kind.correlate(np.random.default_rng(1), column, 0.7)
    assert other.dtype == np.float32
    levels = [0.1, 0.5, 0.9]
    np.testing.assert_allclose(np.quantile(other, levels), np.quantile(column, levels), atol=0.06)


def test_autoregressive_correlation_falls_with_the_distance():
    correlation = np.corrcoef(draw(Autoregressive(0.9)).T)
    np.testing.assert_allclose(correlation[0], [1.0, 0.9, 0.81, 0.729], atol=0.02)


def test_blocks_leave_the_columns_behind_them_independent():
    correlation = np.corrcoef(draw(Blocks(size=2, correlation=0.6, n_blocks=1)).T)
    np.testing.assert_allclose(correlation[0], [1.0, 0.6, 0.0, 0.0], atol=0.03)


def test_binary_and_genotype_frequencies():
    np.testing.assert_allclose(draw(Binary(0.3)).mean(axis=0), 0.3, atol=0.02)
    shares = [np.mean(draw(Genotype(0.4)) == count) for count in (0, 1, 2)]
    np.testing.assert_allclose(shares, [0.36, 0.48, 0.16], atol=0.01)


def test_heavy_tails_are_heavier_than_normal():
    assert np.mean(np.abs(draw(HeavyTails(3.0))) > 5) > 0.005
