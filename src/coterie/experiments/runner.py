"""Fills the cells that are missing, several at a time, each kept as soon as it is done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from time import perf_counter
from typing import Any

from joblib import Parallel, delayed

from coterie.experiments.cells import Cell, CellStore, Job
from coterie.experiments.facts import machine, versions

Measure = Callable[[Job], dict[str, Any]]

MEASURES = {
    "synthetic": "coterie.experiments.fits:measure_recovery",
    "chemistry": "coterie.experiments.fits:measure_recovery",
    "ablation": "coterie.experiments.ablation:measure_ablation",
    "mnist": "coterie.experiments.digits:measure_digits",
    "metabric": "coterie.experiments.patients:measure_patients",
}
"""What fills the cells of a family, as ``module:function``."""

ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "NPROC": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""Environment of workers side by side: their networks are small, and threads would only wait."""


@dataclass(frozen=True)
class Failure:
    """A job that raised an error: its cell stays empty, and the next run tries it again."""

    job: Job
    error: str


def run_jobs(jobs: Sequence[Job], store: CellStore, n_jobs: int = 1) -> Iterator[Cell | Failure]:
    """Fill the cells of jobs and keep them; yield each when it is done, in any order.

    A job that fails does not stop the others.

    Parameters
    ----------
    jobs : sequence of Job
        Started in this order.
    store : CellStore
    n_jobs : int
        Processes, as joblib counts them. The backend is joblib's own or the one that
        ``joblib.parallel_config`` names.
    """
    if n_jobs == 1:
        for job in jobs:
            yield _kept(fill_or_fail(job), store)
        return
    with _environment(ONE_THREAD):
        work = Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered")
        for outcome in work(delayed(fill_or_fail)(job) for job in jobs):
            yield _kept(outcome, store)


def fill_or_fail(job: Job) -> Cell | Failure:
    """Measure one cell; an error becomes a value, for it must not end the run of the others."""
    try:
        return fill(job)
    except Exception as error:
        return Failure(job, f"{type(error).__name__}: {error}")


def _kept(outcome: Cell | Failure, store: CellStore) -> Cell | Failure:
    if isinstance(outcome, Cell):
        store.keep(outcome)
    return outcome


def fill(job: Job) -> Cell:
    """Measure one cell."""
    module, _, function = MEASURES[job.family].partition(":")
    measure: Measure = getattr(import_module(module), function)
    started, clock = datetime.now(UTC), perf_counter()
    results = measure(job)
    return Cell(
        job.family,
        job.method,
        job.task,
        job.seed,
        job.settings,
        results,
        round(perf_counter() - clock, 3),
        started.isoformat(timespec="seconds"),
        versions(),
        machine(),
    )


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Set environment variables that the user has not set, for the processes started within."""
    mine = {name: value for name, value in values.items() if name not in os.environ}
    os.environ.update(mine)
    try:
        yield
    finally:
        for name in mine:
            del os.environ[name]
