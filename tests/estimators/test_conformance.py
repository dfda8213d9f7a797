"""scikit-learn's own checks, on every estimator."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.estimators.estimators_under_test import ESTIMATORS

EQUIVALENCE = tuple(
    f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")
)
MINI_BATCHES = "a row of weight two is met once in an epoch, a row given twice is met twice"
DRAWN_ROWS = "rows are drawn and held out one by one, whatever their weight"
EITHER_WAY = f"{DRAWN_ROWS}; the outcome is noise, so both fits may find nothing and then agree"
REASONS = {
    "LassoClassifier": None,
    "GroupLassoClassifier": None,
    "ForestGroupsClassifier": DRAWN_ROWS,
    "BoostingGroupsClassifier": DRAWN_ROWS,
    "CoterieClassifier": None,
    "CoterieRegressor": None,
}
MAY_FAIL = {
    (name, check): EITHER_WAY
    for name in ("CoterieClassifier", "CoterieRegressor")
    for check in EQUIVALENCE
}


def expected_failures(estimator: Any) -> dict[str, str]:
    """Return the checks that an estimator cannot pass, each with its reason."""
    reason = REASONS.get(type(estimator).__name__, MINI_BATCHES)
    return dict.fromkeys(EQUIVALENCE, reason) if reason else {}


@pytest.mark.filterwarnings("ignore:No group of features", "ignore:No features were selected")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_conformance(estimator: Any, check: Any) -> None:
    try:
        check(estimator)
    except AssertionError:
        reason = MAY_FAIL.get((type(estimator).__name__, check.func.__name__))
        if reason is None:
            raise
        pytest.xfail(reason)
