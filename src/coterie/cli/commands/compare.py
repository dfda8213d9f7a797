"""``coterie compare``: several methods on the same rows of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coterie.cli import _options as options


def run(
    table: options.Table,
    target: options.Target,
    methods: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Separated by commas: coterie, compfs, lasso, stg, …"),
    ] = "coterie,compfs",
    task: options.Task = None,
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
        typer.Option(metavar="FILE", help="Also write the table: CSV, TSV, Parquet or Feather."),
    ] = None,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Compare methods: what each finds, and how well it predicts the same held-out rows.

    --time-limit, --effort and --jobs are for coterie. Simple models on all columns come last.
    """
    from coterie.cli._comparing import compare_table
    from coterie.study.columns import Roles
    from coterie.study.fitting import Settings

    compare_table(
        table,
        Roles(target, identifier, weights, tuple(ignore or ())),
        [name.strip() for name in methods.split(",") if name.strip()],
        Settings("coterie", seed, effort, time_limit, jobs, impute),
        task=task,
        test_fraction=test_fraction,
        test=test,
        out=out,
        as_json=as_json,
        is_quiet=quiet,
    )
