"""Normal scores of columns."""

import numpy as np
import pytest
from scipy import stats

from coterie.discovery.scales import NormalScores

RNG = np.random.default_rng(0)


def scores_of(column: np.ndarray) -> np.ndarray:
    columns = np.asarray(column, np.float32)[:, None]
    return NormalScores.of(columns)(columns)[:, 0]


@pytest.mark.parametrize("draw", ["normal", "standard_cauchy", "exponential", "uniform"])
def test_columns_of_any_shape_become_nearly_normal(draw):
    scores = scores_of(getattr(RNG, draw)(size=3000))
    assert stats.kstest(scores, "norm").statistic < 0.03


def test_units_do_not_matter():
    column = RNG.normal(size=500)
    assert scores_of(column) == pytest.approx(scores_of(1000 * column + 7), abs=1e-2)


def test_the_order_of_values_is_kept():
    column = RNG.standard_t(2, size=1000)
    assert (np.diff(scores_of(np.sort(column))) >= 0).all()


def test_a_column_of_few_values_keeps_their_distances():
    column = RNG.choice([0.0, 1.0, 2.0], size=600, p=[0.6, 0.3, 0.1])
    scores = scores_of(column)
    assert scores.mean() == pytest.approx(0, abs=1e-5)
    assert scores.std() == pytest.approx(1, abs=1e-5)
    assert np.corrcoef(scores, column)[0, 1] == pytest.approx(1)


def test_values_beyond_those_of_training_are_brought_to_its_ends():
    scales = NormalScores.of(RNG.normal(size=(200, 1)).astype(np.float32))
    low, high = scales(np.array([[-1e6], [1e6]], np.float32))[:, 0]
    assert [low, high] == pytest.approx([scales.scores[0, 0], scales.scores[0, -1]], abs=1e-6)


def test_a_constant_column_stays_finite():
    assert np.isfinite(scores_of(np.full(50, 3.0))).all()


def test_chosen_columns_are_mapped_as_among_all():
    columns = RNG.normal(size=(300, 4)).astype(np.float32)
    scales, chosen = NormalScores.of(columns), np.array([3, 1])
    assert np.array_equal(scales.of_columns(chosen)(columns[:, chosen]), scales(columns)[:, chosen])


def test_scores_can_be_written_in_place():
    columns = RNG.normal(size=(300, 3)).astype(np.float32)
    scales = NormalScores.of(columns)
    expected = scales(columns)
    assert np.array_equal(scales.write(columns, columns), expected)
