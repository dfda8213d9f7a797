"""Data sets with known groups: a Bunch with ``data, target, feature_names, groups``."""

from coterie.datasets.composite import make_composite
from coterie.datasets.syn import make_syn

__all__ = ["make_composite", "make_syn"]
