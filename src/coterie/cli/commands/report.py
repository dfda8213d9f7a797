"""``coterie report``: the page about a model, again or with other rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coterie.cli import _options as options


def run(
    model: options.Model,
    table: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TABLE]",
            show_default=False,
            help="Rows to explain and, if they have the target, to measure the prediction on.",
        ),
    ] = None,
    identifier: options.Identifier = None,
    title: Annotated[str | None, typer.Option(help="Heading of the page.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The page.", show_default="report.html beside MODEL"),
    ] = None,
) -> None:
    """Write one HTML page about a model that opens offline."""
    from coterie.cli._terminal import note, output, read
    from coterie.study.prediction import load_model, write_report

    path = model.with_name("report.html") if out is None else out
    loaded = load_model(model)
    notes = write_report(path, loaded, None if table is None else read(table), identifier, title)
    for text in notes:
        note(text)
    output().print(f"Report: {path}", markup=False)
