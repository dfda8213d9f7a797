from __future__ import annotations

import numpy as np

from coterie.estimators._strength import strengths_of_groups

WORTH = np.array([4.0, 2.0, 1.0])


def loss_of(mask: np.ndarray) -> float:
    """Return what is lost of the worth of the features that no learner sees."""
    return float(WORTH[~mask.any(axis=0)].sum())


def test_a_group_is_worth_what_only_it_brings():
    mask = np.array([[True, True, False], [False, True, True]])
    assert strengths_of_groups(mask, loss_of).tolist() == [4.0, 1.0]


def test_learners_of_the_same_group_leave_together():
    mask = np.array([[True, False, False], [True, False, False], [False, False, False]])
    assert strengths_of_groups(mask, loss_of).tolist() == [4.0, 4.0, 0.0]
