"""scikit-learn's own checks, on every estimator."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.estimators.estimators_under_test import ESTIMATORS

MINI_BATCHES = "a row of weight two is met once in an epoch, a row given twice is met twice"
DRAWN_ROWS = "rows are drawn and held out one by one, whatever their weight"
REASONS = {
    "LassoClassifier": None,
    "GroupLassoClassifier": None,
    "ForestGroupsClassifier": DRAWN_ROWS,
    "BoostingGroupsClassifier": DRAWN_ROWS,
}


def expected_failures(estimator: Any) -> dict[str, str]:
    """Return the checks that an estimator cannot pass, each with its reason."""
    reason = REASONS.get(type(estimator).__name__, MINI_BATCHES)
    checks = ("dense", "sparse") if reason else ()
    return {f"check_sample_weight_equivalence_on_{kind}_data": str(reason) for kind in checks}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_conformance(estimator: Any, check: Any) -> None:
    check(estimator)
