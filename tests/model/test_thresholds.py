"""Thresholds on cases worked by hand."""

import pickle

import numpy as np
import pytest

from coterie.model.thresholds import AboveMean, AtLeast, TopK

PROBABILITIES = np.array([[0.1, 0.7, 0.9, 0.3], [0.2, 0.2, 0.2, 0.2]])

CASES = [
    (AtLeast(), [[0, 1, 1, 0], [0, 0, 0, 0]]),
    (AtLeast(0.2), [[0, 1, 1, 1], [1, 1, 1, 1]]),
    (TopK(1), [[0, 0, 1, 0], [1, 0, 0, 0]]),
    (TopK(3), [[0, 1, 1, 1], [1, 1, 1, 0]]),
    (TopK(9), [[1, 1, 1, 1], [1, 1, 1, 1]]),
    # Row one: mean 0.5, standard deviation sqrt(0.4 / 3) = 0.365, so from 0.865 on.
    (AboveMean(1.0), [[0, 0, 1, 0], [1, 1, 1, 1]]),
    (AboveMean(2.0), [[0, 0, 0, 0], [1, 1, 1, 1]]),
]


@pytest.mark.parametrize(("threshold", "expected"), CASES, ids=lambda case: repr(case)[:20])
def test_masks_are_those_worked_by_hand(threshold, expected):
    mask = threshold(PROBABILITIES)
    assert mask.dtype == bool
    assert mask.tolist() == np.array(expected, dtype=bool).tolist()


@pytest.mark.parametrize("threshold", [AtLeast(0.4), TopK(2), AboveMean(1.5)], ids=repr)
def test_thresholds_survive_pickling_and_compare_by_value(threshold):
    again = pickle.loads(pickle.dumps(threshold))
    assert again == threshold
    assert hash(again) == hash(threshold)
    assert (again(PROBABILITIES) == threshold(PROBABILITIES)).all()


def test_a_single_feature_is_not_above_the_mean_of_itself():
    assert AboveMean()(np.array([[0.9], [0.1]])).tolist() == [[False], [False]]


@pytest.mark.parametrize("level", [-0.1, 1.1, float("nan")])
def test_a_level_outside_zero_to_one_is_refused(level):
    with pytest.raises(ValueError, match=f"level must be between 0 and 1, got {level}"):
        AtLeast(level)


def test_an_empty_selection_is_refused():
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        TopK(0)
