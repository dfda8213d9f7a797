"""Estimators that find groups of features, with scikit-learn's interface."""

from coterie.estimators.compfs import CompFSClassifier, CompFSRegressor
from coterie.estimators.coterie import CoterieClassifier, CoterieRegressor
from coterie.estimators.seeds import fit_seeds

__all__ = [
    "CompFSClassifier",
    "CompFSRegressor",
    "CoterieClassifier",
    "CoterieRegressor",
    "fit_seeds",
]
