"""Leaves the searches that take long to the full run."""

from __future__ import annotations

import pytest

from coterie.estimators import CoterieClassifier, CoterieRegressor


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark scikit-learn's checks of the recommended method: each fit of theirs is a search."""
    for item in items:
        if item.path.name != "test_conformance.py" or not isinstance(item, pytest.Function):
            continue
        if isinstance(item.callspec.params["estimator"], (CoterieClassifier, CoterieRegressor)):
            item.add_marker(pytest.mark.slow)
