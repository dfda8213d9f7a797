from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from coterie.experiments.statistics import Spread, allowed_difference, verdict


def test_the_interval_is_students():
    values = [0.2, 0.5, 0.9, 0.4]
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert Spread.of(values).interval() == pytest.approx(tuple(expected))


def test_one_run_has_no_interval():
    assert np.isnan(Spread.of([0.5]).interval()).all()


def test_two_standard_errors_by_hand():
    ours, published = Spread(0.5, 0.3, 9), Spread(0.5, 0.4, 16)
    assert allowed_difference(ours, published) == pytest.approx(2 * np.sqrt(0.01 + 0.01))


@pytest.mark.parametrize(
    ("mean", "told"), [(0.52, "agrees"), (0.53, "better"), (0.48, "agrees"), (0.47, "WORSE")]
)
def test_without_spread_two_hundredths_are_allowed(mean, told):
    assert verdict(Spread(mean, 0.0, 10), Spread(0.5, 0.0, 10)) == told


def test_a_rate_of_errors_is_better_if_it_is_less():
    low, high = Spread(10.0, 1.0, 10), Spread(50.0, 1.0, 10)
    assert verdict(low, high, scale=100, more_is_better=False) == "better"
    assert verdict(high, low, scale=100, more_is_better=False) == "WORSE"


def test_a_single_run_is_taken_to_spread_as_the_published_ones():
    assert verdict(Spread.of([0.6]), Spread(0.9, 0.2, 10)) == "agrees"
    assert verdict(Spread.of([0.3]), Spread(0.9, 0.2, 10)) == "WORSE"
