"""Several methods on one table, as ``compare`` does it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from coterie.cli._fitting import check_options, progress_of, read_data
from coterie.cli._summary import number, print_notes
from coterie.cli._terminal import INTERRUPTED, output
from coterie.io.errors import InputError
from coterie.io.export import as_json_value
from coterie.io.writing import check_writable, write_table
from coterie.study.columns import Roles
from coterie.study.comparison import Comparison, compare
from coterie.study.fitting import Settings
from coterie.study.methods import check_method
from coterie.study.record import groups_in_words
from coterie.study.rows import Data

MOST_SHOWN = 10


def compare_table(
    table: Path,
    roles: Roles,
    methods: list[str],
    settings: Settings,
    *,
    task: Any = None,
    test_fraction: float | None = None,
    test: Path | None = None,
    out: Path | None = None,
    as_json: bool = False,
    is_quiet: bool = False,
) -> None:
    """Read, fit every method, measure, and print."""
    check_options(settings, task)
    _check_methods(methods, task)
    if test is None and test_fraction == 0:
        raise InputError("--test-fraction 0 leaves nothing to compare the methods on.")
    if out is not None:
        check_writable(out)
    data = read_data(table, roles, settings, task, test_fraction, test)
    _check_methods(methods, data.task)
    if data.test is None:
        raise InputError(
            f"None of the {len(data.train)} rows is held out, so there is nothing to compare the "
            "methods on. Use a larger --test-fraction."
        )
    compared = compare(data, methods, settings, lambda own: progress_of(data, own, is_quiet))
    if out is not None:
        found = [groups_in_words(groups) for groups in compared.table["found"]]
        write_table(out, compared.table.assign(found=found))
    _print(compared, data, as_json, is_quiet)
    if compared.was_interrupted:
        raise typer.Exit(INTERRUPTED)


def _check_methods(methods: list[str], task: Any) -> None:
    if not methods:
        raise InputError("--methods names none. Use --methods coterie,compfs or others.")
    repeated = [name for name in methods if methods.count(name) > 1]
    if repeated:
        raise InputError(f"--methods names {repeated[0]!r} more than once.")
    for name in methods:
        check_method(name, task, "--methods")


def _print(compared: Comparison, data: Data, as_json: bool, is_quiet: bool) -> None:
    """Print the comparison as JSON or as a table."""
    if as_json:
        content = {
            "target": data.target,
            "task": data.task,
            "rows": {"train": len(data.train), "test": len(data.test or ())},
            "methods": compared.table,
            "notes": compared.notes,
        }
        print(json.dumps(as_json_value(content), ensure_ascii=False, indent=2))
    elif not is_quiet:
        console = output()
        console.print(Text(f"{data.task.capitalize()}: {data.reason}."))
        console.print(_as_table(compared, len(data.test or ())))
        for row in as_json_value(compared.table):
            if row["found"]:
                console.print(Text(f"{row['method']}: {_shown(row['found'])}"))
        print_notes(console, compared.notes)


def _shown(groups: list[Any]) -> str:
    """Return the first groups as text."""
    more = len(groups) - MOST_SHOWN
    return groups_in_words(groups[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _as_table(compared: Comparison, n_test: int) -> Table:
    """Return a row for each method and simple model."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(f"on {n_test:,} held-out rows", no_wrap=True)
    names = [*compared.measures, "groups", "features", "seconds"]
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for row in as_json_value(compared.table):
        cells = [number(row[name]) for name in compared.measures]
        cells += ["" if row[name] is None else f"{row[name]:,.0f}" for name in names[-3:-1]]
        cells += ["" if row["seconds"] is None else f"{row['seconds']:.1f}"]
        partial = " (partial)" if row["partial"] else ""
        table.add_row(Text(f"{row['method']}{partial}"), *cells)
    return table
