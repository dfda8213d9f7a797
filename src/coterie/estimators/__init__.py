"""Estimators that find groups of features, with scikit-learn's interface."""

from coterie.estimators._saving import load
from coterie.estimators._selector import GroupSelectorMixin
from coterie.estimators.compfs import CompFSClassifier, CompFSRegressor
from coterie.estimators.coterie import CoterieClassifier, CoterieRegressor
from coterie.estimators.seeds import fit_seeds
from coterie.estimators.table import TableModel

__all__ = [
    "CompFSClassifier",
    "CompFSRegressor",
    "CoterieClassifier",
    "CoterieRegressor",
    "GroupSelectorMixin",
    "TableModel",
    "fit_seeds",
    "load",
]
