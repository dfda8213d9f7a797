"""The numbers of the paper, as plain CSV files in ``published``."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

from coterie.experiments.statistics import Spread

N_RUNS, N_RUNS_ADDITIONAL = 10, 5
ADDITIONAL = {"Unsup-CAE", "Random Forests", "GBDT", "Oracle+Cluster", "Ensemble STG"}

Row = dict[str, str]


@cache
def read_published(name: str) -> tuple[Row, ...]:
    """Return the rows of one of the paper's tables.

    Examples
    --------
    >>> read_published("metabric")[0]["model"]
    'MLP (all features)'
    """
    place = resources.files("coterie.experiments") / "published" / f"{name}.csv"
    with place.open(encoding="utf-8") as stream:
        return tuple(csv.DictReader(stream))


def published_recovery(task: str, title: str, measure: str) -> Spread | None:
    """Return what the extended table gives for a method; None if it has no such row.

    Examples
    --------
    >>> published_recovery("Syn1", "CompFS(5)", "gsim")
    Spread(mean=0.91, sd=0.14, n=10)
    """
    for row in read_published("recovery"):
        if (row["table"], row["dataset"], row["model"]) == ("extended", task, title):
            n_runs = N_RUNS_ADDITIONAL if title in ADDITIONAL else N_RUNS
            return Spread(float(row[measure]), float(row[f"{measure}_sd"]), n_runs)
    return None
