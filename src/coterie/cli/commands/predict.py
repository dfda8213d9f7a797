"""``coterie predict``: the predictions of a model for the rows of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coterie.cli import _options as options


def run(
    model: options.Model,
    table: options.Table,
    identifier: options.Identifier = None,
    contributions: Annotated[
        bool, typer.Option("--contributions", help="Add what each group contributes.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="CSV, TSV, Parquet or Feather.", show_default="standard output"
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Predict the outcome of each row of a table.

    Writes a table: the rows' names, the prediction and, for classes, the probability of each.
    """
    from coterie.cli._terminal import note, print_frame, read
    from coterie.io.writing import check_writable, write_table
    from coterie.study.prediction import load_model, predict_rows

    if out is not None:
        check_writable(out)
    loaded = load_model(model)
    predictions, notes = predict_rows(loaded, read(table), identifier, contributions=contributions)
    for text in notes:
        note(text)
    if out is not None:
        write_table(out, predictions)
    if out is None or as_json:
        print_frame(predictions, as_json)
