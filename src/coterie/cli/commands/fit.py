"""``coterie fit``: find the groups in a table, and write model, groups and report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coterie.cli import _options as options


def run(
    table: options.Table,
    target: options.Target,
    task: options.Task = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="coterie, compfs, lasso, stg, gbdt, …")
    ] = "coterie",
    ignore: options.Ignore = None,
    identifier: options.Identifier = None,
    weights: options.Weights = None,
    impute: options.Impute = False,
    seed: options.Seed = 0,
    time_limit: options.TimeLimit = None,
    effort: options.Effort = None,
    jobs: options.Jobs = None,
    test_fraction: options.TestFraction = None,
    test: options.TestTable = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the results.", show_default="TABLE-coterie"),
    ] = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the groups of features that act together on a column of a table.

    Writes groups.csv, model.safetensors, report.html and run.json into a folder.
    """
    from coterie.cli._fitting import fit_table
    from coterie.study.columns import Roles
    from coterie.study.fitting import Settings

    fit_table(
        table,
        Roles(target, identifier, weights, tuple(ignore or ())),
        Settings(method, seed, effort, time_limit, jobs, impute),
        task=task,
        test_fraction=test_fraction,
        test=test,
        out=out,
        as_json=as_json,
        is_quiet=quiet,
    )
