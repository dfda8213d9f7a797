"""Every estimator that finds groups, with settings that are quick on the tests' small tables.

A new estimator is added here, in one place, and gets all tests of the contract.
"""

from __future__ import annotations

from typing import Any

from coterie.baselines import BASELINES, load_baseline
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

FEW_STEPS = {"batch_size": 32, "max_epochs": 30, "learning_rate": 0.01, "random_state": 0}

QUICK_BASELINES: dict[str, dict[str, Any]] = {
    "lasso": {"reg": 0.1},
    "group_lasso": {"reg": 0.05},
    "stg": {**FEW_STEPS, "reg": 0.0, "threshold": 0.3},
    "ensemble_stg": {**FEW_STEPS, "n_groups": 2, "hidden_dim": 10, "reg": 0.0, "threshold": 0.3},
    "wide_gate_stg": {**FEW_STEPS, "n_groups": 2, "hidden_dim": 10, "reg": 0.0},
    "supervised_cae": {**FEW_STEPS, "n_select": 2, "hidden_dim": 20},
    "unsupervised_cae": {**FEW_STEPS, "n_select": 2, "hidden_dim": 20},
    "random_forest": {"n_trees": 10, "max_features": None, "random_state": 0},
    "gbdt": {"n_trees": 20, "random_state": 0},
    "oracle": {**FEW_STEPS, "groups": [(0,), (1,)], "hidden_dim": 20},
    "oracle_cluster": {**FEW_STEPS, "groups": [(0,), (1,)], "hidden_dim": 20},
}

ESTIMATORS: list[Any] = [
    CompFSClassifier(**QUICK),
    CompFSRegressor(**QUICK),
    CoterieClassifier(**FAST),
    CoterieRegressor(**FAST),
    *(load_baseline(name)(**QUICK_BASELINES[name]) for name in BASELINES),
]
