"""Coterie finds the groups of features that act together.

The public names are imported when they are first used, so that ``import coterie`` stays cheap.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

PUBLIC = {
    "CompFSClassifier": "coterie.estimators",
    "CompFSRegressor": "coterie.estimators",
    "CoterieClassifier": "coterie.estimators",
    "CoterieRegressor": "coterie.estimators",
    "TableModel": "coterie.estimators",
    "fit_seeds": "coterie.estimators",
    "load": "coterie.estimators",
}

__all__ = [*PUBLIC, "__version__"]


def __getattr__(name: str) -> Any:
    """Import a public name where it is first used (PEP 562)."""
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(PUBLIC[name]), name)


def __dir__() -> list[str]:
    """Return the names of the module and the public names, imported or not."""
    return sorted({*globals(), *PUBLIC})
