"""scikit-learn's own checks, on every estimator."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.estimators.estimators_under_test import ESTIMATORS

MINI_BATCHES = "a row of weight two is met once in an epoch, a row given twice is met twice"
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": MINI_BATCHES,
    "check_sample_weight_equivalence_on_sparse_data": MINI_BATCHES,
}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda estimator: EXPECTED_FAILURES)
def test_scikit_learn_conformance(estimator: Any, check: Any) -> None:
    check(estimator)
