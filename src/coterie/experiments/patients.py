"""Fills a cell of the METABRIC table: few genes that tell the progesterone receptor's status."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from coterie.baselines._l1_logistic import solve_l1_logistic
from coterie.datasets import fetch_metabric
from coterie.experiments.cells import Job
from coterie.experiments.fits import make_estimator, noted, timed_fit
from coterie.experiments.methods import methods
from coterie.experiments.tasks import Split
from coterie.groups import Group
from coterie.model.thresholds import TopK

Results = dict[str, Any]


@cache
def _patients() -> Any:
    return fetch_metabric()


def load_patients(seed: int, train_share: float) -> Split:
    """Split the patients at random."""
    bunch = _patients()
    order = np.random.default_rng(seed).permutation(len(bunch.target))
    train, test = np.split(order, [int(train_share * len(order))])
    return Split(
        (bunch.data[train], bunch.target[train]),
        (bunch.data[test], bunch.target[test]),
        None,
        feature_names=bunch.feature_names,
    )


def measure_patients(job: Job) -> Results:
    """Fit one method to one split.

    Returns
    -------
    dict
        ``auroc`` on the test patients, ``genes`` (how many), ``groups`` (their names); of
        l1_logistic, ``path``: genes and AUROC for each of its models.
    """
    split = load_patients(job.seed, **job.data)
    started = perf_counter()
    results = FITS.get(job.method, _fit_plainly)(job, split)
    return {**results, "fit_seconds": round(perf_counter() - started, 3)}


def _fit_plainly(job: Job, split: Split) -> Results:
    estimator = make_estimator(job)
    timed_fit(estimator, *split.train)
    return _measured(estimator, split)


def _fit_all_genes(job: Job, split: Split) -> Results:
    n_genes = split.train[0].shape[1]
    estimator = methods()["oracle"].estimator(
        groups=[tuple(range(n_genes))], **job.arguments, random_state=job.seed
    )
    timed_fit(estimator, *split.train)
    return {"auroc": _auroc(estimator, split), "genes": n_genes}


def _fit_compfs(job: Job, split: Split) -> Results:
    arguments = dict(job.arguments)
    top = arguments.pop("top")
    estimator = make_estimator(replace(job, arguments={**arguments, "threshold": TopK(top)}))
    timed_fit(estimator, *split.train)
    return _measured(estimator, split)


def _fit_stg(job: Job, split: Split) -> Results:
    """Raise the penalty until few enough genes remain."""
    arguments = dict(job.arguments)
    regs, most = arguments.pop("regs"), arguments.pop("most")
    for reg in regs:
        estimator = make_estimator(replace(job, arguments={**arguments, "reg": reg}))
        timed_fit(estimator, *split.train)
        if estimator.support_.sum() <= most:
            break
    return {**_measured(estimator, split), "reg": reg}


def _fit_l1_logistic(job: Job, split: Split) -> Results:
    """Fit standardised genes under a path of penalties."""
    settings = job.arguments
    X, y = (array.astype(np.float64) for array in split.train)
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    test = (split.test[0] - mean) / deviation
    shares = np.full(len(y), 1 / len(y))
    path: dict[int, float] = {}
    for penalty in np.geomspace(
        settings["strongest"], settings["weakest"], settings["n_penalties"]
    ):
        solution = solve_l1_logistic(
            (X - mean) / deviation, y == 1, shares, float(penalty), max_iter=100, tol=1e-4
        )
        n_genes = int(np.count_nonzero(solution.weights))
        if n_genes > settings["most"]:
            break
        path[n_genes] = float(roc_auc_score(split.test[1], test @ solution.weights))
    return {"path": [[n_genes, round(area, 5)] for n_genes, area in sorted(path.items())]}


def _measured(estimator: Any, split: Split) -> Results:
    names = split.feature_names or []
    return {
        "auroc": _auroc(estimator, split),
        "genes": int(estimator.support_.sum()),
        "groups": [[names[gene] for gene in group] for group in _groups(estimator)],
        **noted(estimator),
    }


def _groups(estimator: Any) -> Iterable[Group]:
    found: Iterable[Group] = estimator.groups_
    return found


def _auroc(estimator: Any, split: Split) -> float:
    X, y = split.test
    probabilities: NDArray[Any] = estimator.predict_proba(X)
    return round(float(roc_auc_score(y, probabilities[:, 1])), 5)


FITS: dict[str, Callable[[Job, Split], Results]] = {
    "mlp": _fit_all_genes,
    "compfs5": _fit_compfs,
    "stg": _fit_stg,
    "l1_logistic": _fit_l1_logistic,
}
"""Methods that need more than their estimator's ``fit``."""
