"""The gated ensemble as a source of candidates."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from coterie.discovery.ensemble import gated_groups
from coterie.discovery.problem import Problem
from coterie.model.aggregators import TwoClasses, Values

RNG = np.random.default_rng(0)
N_ROWS = 2400
SCORES = RNG.normal(size=(N_ROWS, 10)).astype(np.float32)
FOLDS = (np.arange(N_ROWS) % 4 == 0) - 1
COLOUR = np.repeat([0, 1, 2, 3, 4], 2)


def candidates(target, owner=None, scores=SCORES):
    rows = Problem(
        scores,
        np.arange(10) if owner is None else owner,
        target,
        np.ones(N_ROWS, np.float32),
        TwoClasses() if target.ndim == 1 else Values(1),
        FOLDS,
    )
    return gated_groups(rows, [0, 1], jax.devices("cpu")[0])


@pytest.mark.slow
def test_gates_open_for_a_parity_that_no_pair_shows():
    parity = np.sign(SCORES[:, [2, 5, 7]]).prod(axis=1)
    spoilt = np.where(FOLDS[:, None] == 0, np.float32(np.nan), SCORES)
    found = candidates((parity > 0).astype(np.float32))
    assert (2, 5, 7) in found
    again = candidates((parity > 0).astype(np.float32), scores=spoilt)
    assert again == found  # the rows that candidates are judged on teach nothing


@pytest.mark.slow
def test_the_columns_of_a_feature_share_a_gate():
    target = SCORES[:, [0]] * SCORES[:, [5]]
    found = candidates(target, owner=COLOUR)
    assert (0, 2) in found
    assert max(feature for group in found for feature in group) < 5
