"""Everything that the paper runs: its tables, figures and ablation, with our method beside it.

An experiment says which cells it needs and what it shows of them; cells are kept as files and
shared between experiments. A new one is a file and a line in ``EXPERIMENTS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from coterie.experiments.cells import Cell, CellStore, Job
from coterie.experiments.options import Options
from coterie.experiments.pages import Report, write_report
from coterie.experiments.runner import Failure, run_jobs

EXPERIMENTS = {
    "table1": "coterie.experiments.tables:TABLE1",
    "table2": "coterie.experiments.tables:TABLE2",
    "metabric": "coterie.experiments.metabric:METABRIC",
    "mnist": "coterie.experiments.mnist:MNIST",
    "table-synthetic-all": "coterie.experiments.tables:SYNTHETIC",
    "table-chemistry-all": "coterie.experiments.tables:CHEMISTRY",
    "ablation": "coterie.experiments.ablation:ABLATION",
    "similarity": "coterie.experiments.similarity:SIMILARITY",
}
"""The experiments by name, in the order in which all of them are run."""

__all__ = [
    "EXPERIMENTS",
    "Cell",
    "CellStore",
    "Experiment",
    "Failure",
    "Job",
    "Options",
    "Report",
    "load_experiment",
    "run_jobs",
    "write_report",
]


class Experiment(Protocol):
    """What an experiment needs and shows."""

    name: str
    title: str

    def jobs(self, options: Options) -> list[Job]:
        """Return the cells that it needs, the most telling first."""
        ...

    def report(self, cells: Sequence[Cell]) -> Report:
        """Return what the cells that there are show."""
        ...


def load_experiment(name: str) -> Experiment:
    """Return an experiment.

    Parameters
    ----------
    name : str
        A key of ``EXPERIMENTS``.

    Examples
    --------
    >>> load_experiment("table1").title
    'Syn1 to Syn4, main methods'
    """
    if name not in EXPERIMENTS:
        raise ValueError(f"name must be one of {', '.join(EXPERIMENTS)}; got {name!r}.")
    module, _, attribute = EXPERIMENTS[name].partition(":")
    experiment: Experiment = getattr(import_module(module), attribute)
    return experiment
