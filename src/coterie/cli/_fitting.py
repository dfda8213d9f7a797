"""From a table to a folder of results, as ``fit`` and ``demo`` do it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from coterie.cli._progress import Progress
from coterie.cli._summary import print_run
from coterie.cli._terminal import INTERRUPTED, command_line, output, read
from coterie.io.errors import InputError
from coterie.study.columns import Roles
from coterie.study.fitting import Fitted, Settings, fit, score
from coterie.study.methods import check_method, stoppable
from coterie.study.record import REPORT, check_folder, describe_run, write_results
from coterie.study.rows import Data, prepare


def fit_table(
    table: Path,
    roles: Roles,
    settings: Settings,
    *,
    task: Any = None,
    test_fraction: float = 0.2,
    test: Path | None = None,
    out: Path | None = None,
    as_json: bool = False,
    is_quiet: bool = False,
) -> dict[str, Any]:
    """Read, fit, measure, write and print; return the run."""
    _check_options(settings, task)
    folder = default_folder(table) if out is None else out.expanduser()
    check_folder(folder)
    data = prepare(
        read(table),
        roles,
        task,
        impute=settings.impute,
        test_fraction=test_fraction,
        test_table=None if test is None else read(test, "--test: "),
        seed=settings.seed,
    )
    fitted, was_interrupted = fit_with_progress(data, settings, is_quiet)
    score(fitted, simple=not was_interrupted)
    run = describe_run(fitted, command_line()) | {"test": None if test is None else str(test)}
    write_results(folder, fitted, run)
    if as_json:
        print(json.dumps(run, ensure_ascii=False, indent=2))
    elif not is_quiet:
        print_run(output(), run)
        output().print(f"Report: {folder / REPORT}", markup=False)
    if was_interrupted:
        raise typer.Exit(INTERRUPTED)
    return run


def fit_with_progress(data: Data, settings: Settings, is_quiet: bool) -> tuple[Fitted, bool]:
    """Fit a method; say how far it is, and whether Ctrl-C ended it."""
    check_method(settings.method, data.task)
    rows, columns = data.train.X.shape
    progress = Progress(
        f"Fitting {settings.method} on {rows:,} rows of {columns:,} features",
        settings.time_limit,
        _epochs(settings, data),
        is_quiet,
    )
    can_stop = settings.method in stoppable(data.task)
    with progress.running(can_stop):
        fitted = fit(data, settings, [progress] if can_stop else [])
    return fitted, progress.is_stopped


def default_folder(table: Path) -> Path:
    """Return the folder of the results of a table: beside where one is, not where the table is.

    Examples
    --------
    >>> default_folder(Path("/data/patients.csv.gz")).name
    'patients-coterie'
    """
    return Path(f"{table.name.partition('.')[0] or 'table'}-coterie")


def _check_options(settings: Settings, task: Any) -> None:
    """Refuse options that no table can make right."""
    from coterie.discovery.efforts import EFFORTS

    if task not in (None, "classification", "regression"):
        raise InputError(f"--task: {task!r} is not known. Use classification or regression.")
    if settings.effort not in (None, *EFFORTS):
        raise InputError(f"--effort: {settings.effort!r} is not known. Use {', '.join(EFFORTS)}.")
    if settings.time_limit is not None and not settings.time_limit > 0:
        raise InputError(f"--time-limit must be above 0 seconds; got {settings.time_limit:g}.")
    check_method(settings.method, task)


def _epochs(settings: Settings, data: Data) -> int | None:
    """Return how many epochs a method trains for, None if it has none."""
    from coterie.study.methods import make_estimator

    estimator = make_estimator(settings.method, data.task)
    return getattr(estimator, "max_epochs", None)
