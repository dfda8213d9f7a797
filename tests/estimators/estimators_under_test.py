"""Every estimator that finds groups, with settings that are quick on the tests' small tables.

A new estimator is added here, in one place, and gets all tests of the contract.
"""

from __future__ import annotations

from typing import Any

from coterie.estimators import (
    CompFSClassifier,
    CompFSRegressor,
    CoterieClassifier,
    CoterieRegressor,
)

QUICK = {
    "n_groups": 2,
    "beta": 0.0,
    "beta_overlap": 0.0,
    "threshold": 0.2,
    "max_epochs": 20,
    "batch_size": 20,
    "learning_rate": 0.02,
    "gate_noise": "batch",
    "random_state": 0,
}

FAST = {"effort": "fast", "random_state": 0}

ESTIMATORS: list[Any] = [
    CompFSClassifier(**QUICK),
    CompFSRegressor(**QUICK),
    CoterieClassifier(**FAST),
    CoterieRegressor(**FAST),
]
