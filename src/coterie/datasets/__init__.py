"""Data sets with known groups: a Bunch with ``data, target, feature_names, groups``."""

from coterie.datasets.chem import BindingLogic, fetch_chem
from coterie.datasets.composite import make_composite
from coterie.datasets.metabric import fetch_metabric
from coterie.datasets.mnist import fetch_mnist
from coterie.datasets.syn import make_syn

__all__ = [
    "BindingLogic",
    "fetch_chem",
    "fetch_metabric",
    "fetch_mnist",
    "make_composite",
    "make_syn",
]
