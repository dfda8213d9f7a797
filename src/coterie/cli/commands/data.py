"""``coterie data``: the data sets of the paper, and made ones, as tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HELP = "List, fetch or make data sets with known groups."

Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="CSV, TSV, Parquet or Feather.", show_default="NAME.csv, here"
    ),
]


def list_names() -> None:
    """List the data sets, and whether their files are there."""
    from rich import box
    from rich.table import Table

    from coterie.cli._terminal import output
    from coterie.datasets.catalogue import CATALOGUE, MADE

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("name", "what it holds", "how to get it"):
        table.add_column(name)
    for name, entry in CATALOGUE.items():
        table.add_row(name, entry.title, f"coterie data fetch {name} ({entry.availability()})")
    for name, title in MADE.items():
        table.add_row(name, title, f"coterie data make {name}")
    output().print(table)


def fetch(
    name: Annotated[str, typer.Argument(help="One of coterie data list.", show_default=False)],
    out: Out = None,
) -> None:
    """Write a published data set as a table, downloading it where that is possible."""
    from coterie.cli._terminal import output
    from coterie.datasets.catalogue import fetch_table
    from coterie.io.writing import check_writable, write_table

    path = Path(f"{name}.csv") if out is None else out
    check_writable(path)
    fetched = fetch_table(name)
    write_table(path, fetched.table)
    rows, columns = fetched.table.shape
    output().print(f"{path}: {rows:,} rows, {columns:,} columns. {fetched.said}", markup=False)


def make(
    name: Annotated[
        str, typer.Argument(metavar="syn1|syn2|syn3|syn4|composite", show_default=False)
    ],
    rows: Annotated[int, typer.Option(min=1, help="Rows.")] = 20000,
    features: Annotated[int, typer.Option(min=1, help="Columns beside the target.")] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Seed.")] = 0,
    groups: Annotated[
        str | None,
        typer.Option(help="Of composite: columns of each group, such as '0,1 2,3'."),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            help="Of composite: product, threshold, parity, radial, linear or sine.",
            show_default="product",
        ),
    ] = None,
    join: Annotated[
        str | None,
        typer.Option(help="Of composite: or, and, sum or largest.", show_default="or"),
    ] = None,
    outcome: Annotated[
        str | None,
        typer.Option(
            help="Of composite: labels, penetrance, logistic or real.", show_default="labels"
        ),
    ] = None,
    out: Out = None,
) -> None:
    """Make a data set whose groups are known, and write it as a table."""
    from coterie.cli._terminal import output
    from coterie.datasets.catalogue import make_table
    from coterie.io.writing import check_writable, write_table

    path = Path(f"{name}.csv") if out is None else out
    check_writable(path)
    options = {"groups": groups, "rules": rule, "join": join, "outcome": outcome}
    given = {option: value for option, value in options.items() if value is not None}
    made = make_table(name, rows, features, seed, **given)
    write_table(path, made.table)
    output().print(
        f"{path}: {rows:,} rows, {features:,} features and {made.table.columns[-1]!r}. {made.said}",
        markup=False,
    )


COMMANDS = {"list": list_names, "fetch": fetch, "make": make}
