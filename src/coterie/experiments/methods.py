"""The methods of the tables: one line each, the paper's in its order.

A method is an estimator under a configuration; what a configuration sets is in the files of
``coterie/experiments/settings``. A baseline that has a line in ``coterie.baselines.BASELINES`` and
none here is in every table all the same, with its default arguments.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from coterie.baselines import BASELINES

COMPFS = "coterie.estimators.compfs:CompFSClassifier"
COTERIE = "coterie.estimators.coterie:CoterieClassifier"


@dataclass(frozen=True)
class Method:
    """What a table calls a method, and where its estimator is.

    Parameters
    ----------
    title : str
        Its row's name; the published one where there is one.
    place : str
        ``module:Class`` of the estimator.
    n_runs : int
        Seeds of a full run: as many as the paper's.
    is_main : bool
        Whether it is in the two tables of the paper's main part too.
    is_everywhere : bool
        Whether it is in the tables of the digits and the patients without a section in their
        settings.
    """

    title: str
    place: str
    n_runs: int = 10
    is_main: bool = True
    is_everywhere: bool = False

    def estimator(self, **arguments: Any) -> Any:
        """Return an estimator with these arguments."""
        module, _, attribute = self.place.partition(":")
        return getattr(import_module(module), attribute)(**arguments)


def _additional(title: str, place: str, n_runs: int = 5) -> Method:
    """Describe one of the paper's additional baselines, or a variant of ours."""
    return Method(title, place, n_runs, is_main=False)


LISTED = {
    "compfs5": Method("CompFS(5)", COMPFS),
    "oracle": Method("Oracle", BASELINES["oracle"]),
    "compfs1": _additional("CompFS(1)", COMPFS, n_runs=10),
    "lasso": Method("LASSO", BASELINES["lasso"]),
    "group_lasso": Method("Group LASSO", BASELINES["group_lasso"]),
    "stg": Method("STG", BASELINES["stg"]),
    "supervised_cae": Method("Sup-CAE", BASELINES["supervised_cae"]),
    "unsupervised_cae": _additional("Unsup-CAE", BASELINES["unsupervised_cae"]),
    "random_forest": _additional("Random Forests", BASELINES["random_forest"]),
    "gbdt": _additional("GBDT", BASELINES["gbdt"]),
    "oracle_cluster": _additional("Oracle+Cluster", BASELINES["oracle_cluster"]),
    "wide_gate_stg": _additional("Ensemble STG", BASELINES["wide_gate_stg"]),
    "ensemble_stg": _additional("Ensemble STG, STG's gates", BASELINES["ensemble_stg"]),
    "compfs5_printed": _additional("CompFS(5), loss as printed", COMPFS, n_runs=3),
    "stg_code": _additional("STG, penalty of the code", BASELINES["stg"]),
    "stg_stronger": _additional("STG, penalty 1", BASELINES["stg"]),
    "group_lasso_all": _additional("Group LASSO, all features", BASELINES["group_lasso"]),
    "coterie": Method("Coterie", COTERIE),
}


def methods() -> dict[str, Method]:
    """Return all methods by their names, those without a line of their own at the end.

    Examples
    --------
    >>> methods()["compfs5"].title
    'CompFS(5)'
    """
    known = {method.place for method in LISTED.values()}
    others = {
        name: Method(name, place, is_everywhere=True)
        for name, place in BASELINES.items()
        if place not in known
    }
    return {**LISTED, **others}
