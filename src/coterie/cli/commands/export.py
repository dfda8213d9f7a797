"""``coterie export``: what a model holds, as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coterie.cli import _options as options


def run(
    model: options.Model,
    weights: Annotated[
        bool, typer.Option("--weights", help="Add everything that is fitted, all arrays included.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File.", show_default="standard output")
    ] = None,
) -> None:
    """Print what a model found, its settings and its run as JSON."""
    import json

    from coterie.io.export import describe_model, write_description
    from coterie.io.writing import check_writable
    from coterie.study.prediction import load_model

    if out is not None:
        check_writable(out, any_ending=True)
    loaded = load_model(model)
    description = describe_model(loaded.model, loaded.notes, weights=weights)
    if out is None:
        print(json.dumps(description, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        write_description(out, description)
