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
from coterie.study.methods import check_method, n_epochs, stoppable
from coterie.study.record import REPORT, check_folder, describe_run, write_results
from coterie.study.rows import Data, prepare

TEST_FRACTION = 0.2


def fit_table(
    table: Path,
    roles: Roles,
    settings: Settings,
    *,
    task: Any = None,
    test_fraction: float | None = None,
    test: Path | None = None,
    out: Path | None = None,
    as_json: bool = False,
    is_quiet: bool = False,
    says_report: bool = True,
) -> dict[str, Any]:
    """Read, fit, measure, write and print; return the run."""
    check_options(settings, task)
    folder = default_folder(table) if out is None else out.expanduser()
    check_folder(folder)
    data = read_data(table, roles, settings, task, test_fraction, test)
    fitted, was_interrupted = fit_with_progress(data, settings, is_quiet)
    score(fitted, simple=not was_interrupted)
    run = describe_run(fitted, command_line()) | {"test": None if test is None else str(test)}
    write_results(folder, fitted, run)
    if as_json:
        print(json.dumps(run, ensure_ascii=False, indent=2))
    elif not is_quiet:
        print_run(output(), run)
        if says_report:
            output().print(f"Report: {folder / REPORT}", markup=False)
    if was_interrupted:
        raise typer.Exit(INTERRUPTED)
    return run


def read_data(
    table: Path,
    roles: Roles,
    settings: Settings,
    task: Any,
    test_fraction: float | None,
    test: Path | None,
) -> Data:
    """Read a table, and hold out the rows that the options speak of."""
    if test is not None and test_fraction is not None:
        raise InputError("--test-fraction and --test both say which rows to hold out: give one.")
    return prepare(
        read(table),
        roles,
        task,
        impute=settings.impute,
        test_fraction=TEST_FRACTION if test_fraction is None else test_fraction,
        test_table=None if test is None else read(test, "--test: "),
        seed=settings.seed,
    )


def fit_with_progress(data: Data, settings: Settings, is_quiet: bool) -> tuple[Fitted, bool]:
    """Fit a method; say how far it is, and whether Ctrl-C ended it."""
    progress = progress_of(data, settings, is_quiet)
    with progress.running():
        fitted = fit(data, settings, progress.callbacks)
    return fitted, progress.is_stopped


def progress_of(data: Data, settings: Settings, is_quiet: bool) -> Progress:
    """Return what watches the fit of a method."""
    rows, columns = data.train.X.shape
    return Progress(
        f"Fitting {settings.method} on {rows:,} rows of {columns:,} features",
        settings.time_limit,
        n_epochs(settings.method, data.task),
        can_stop=settings.method in stoppable(data.task),
        is_quiet=is_quiet,
    )


def default_folder(table: Path) -> Path:
    """Return the folder of the results of a table: beside where one is, not where the table is.

    Examples
    --------
    >>> default_folder(Path("/data/patients.csv.gz")).name
    'patients-coterie'
    """
    return Path(f"{table.name.partition('.')[0] or 'table'}-coterie")


def check_options(settings: Settings, task: Any) -> None:
    """Refuse options that no table can make right."""
    from coterie.discovery.efforts import EFFORTS

    if task not in (None, "classification", "regression"):
        raise InputError(f"--task: {task!r} is not known. Use classification or regression.")
    if settings.effort not in (None, *EFFORTS):
        raise InputError(f"--effort: {settings.effort!r} is not known. Use {', '.join(EFFORTS)}.")
    if settings.time_limit is not None and not settings.time_limit > 0:
        raise InputError(f"--time-limit must be above 0 seconds; got {settings.time_limit:g}.")
    check_method(settings.method, task)
