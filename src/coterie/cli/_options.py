"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Table = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE",
        show_default=False,
        help="CSV or TSV (compressed too), Parquet, Feather, NPZ, AnnData .h5ad or PLINK .bed.",
    ),
]
Model = Annotated[
    Path,
    typer.Argument(metavar="MODEL", show_default=False, help="A model.safetensors of coterie fit."),
]
Target = Annotated[
    str, typer.Option(metavar="COLUMN", show_default=False, help="The column to predict.")
]
Task = Annotated[
    str | None,
    typer.Option(
        metavar="classification|regression", help="By default found from the target, and said."
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns to leave out, separated by commas; * and ? stand for any letters.",
    ),
]
Identifier = Annotated[
    str | None,
    typer.Option("--id", metavar="COLUMN", help="The column that names the rows; no feature."),
]
Weights = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="The column of the rows' weights; no feature.")
]
Impute = Annotated[
    bool,
    typer.Option(
        "--impute", help="Fill missing values (median, commonest) and let the model see where."
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Of the split and the fit: repeats a run exactly.")]
Effort = Annotated[
    str | None,
    typer.Option(
        metavar="fast|standard|thorough", help="How long to look.", show_default="standard"
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Stop searching then, with the best found so far."),
]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Trainings side by side.", show_default="one a core")
]
TestFraction = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Rows held out to measure the prediction; 0 for none.",
        show_default="0.2",
    ),
]
TestTable = Annotated[
    Path | None,
    typer.Option("--test", metavar="TABLE", help="Rows to measure the prediction on instead."),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print the result as JSON, and nothing else, to stdout.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
