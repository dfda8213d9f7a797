"""The methods that the paper compares with: one file each, and one line each here.

A line gives the name by which a table asks for a method, and where its class is; the module is
imported when it is first asked for. The paper's CompFS(1) is ``CompFSClassifier(n_groups=1)``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

BASELINES = {
    "lasso": "coterie.baselines.lasso:LassoClassifier",
    "group_lasso": "coterie.baselines.group_lasso:GroupLassoClassifier",
    "stg": "coterie.baselines.stg:STGClassifier",
    "ensemble_stg": "coterie.baselines.ensemble_stg:EnsembleSTGClassifier",
    "wide_gate_stg": "coterie.baselines.wide_gate_stg:WideGateSTGClassifier",
    "supervised_cae": "coterie.baselines.supervised_cae:SupervisedCAEClassifier",
    "unsupervised_cae": "coterie.baselines.unsupervised_cae:UnsupervisedCAEClassifier",
    "random_forest": "coterie.baselines.random_forest:ForestGroupsClassifier",
    "gbdt": "coterie.baselines.gbdt:BoostingGroupsClassifier",
    "oracle": "coterie.baselines.oracle:OracleClassifier",
    "oracle_cluster": "coterie.baselines.oracle_cluster:OracleClusterClassifier",
}

_PLACES = {place.partition(":")[2]: place.partition(":")[0] for place in BASELINES.values()}

__all__ = ["BASELINES", "load_baseline"]


def load_baseline(name: str) -> type[Any]:
    """Return the class of a method.

    Parameters
    ----------
    name : str
        A key of ``BASELINES``.

    Returns
    -------
    type
        An estimator's class; every argument has a default, the paper's.

    Examples
    --------
    >>> load_baseline("lasso")().reg
    0.4
    """
    if name not in BASELINES:
        raise ValueError(f"name must be one of {sorted(BASELINES)}; got {name!r}.")
    module, _, attribute = BASELINES[name].partition(":")
    found: type[Any] = getattr(import_module(module), attribute)
    return found


def __getattr__(name: str) -> Any:
    """Import a class where it is first used (PEP 562)."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    """Return the names of the module and the classes, imported or not."""
    return sorted({*globals(), *_PLACES})
