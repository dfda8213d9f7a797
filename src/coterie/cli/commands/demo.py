"""``coterie demo``: the whole way from a table to a report, with groups that are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table


def run(
    rule: Annotated[int, typer.Option(min=1, max=4, help="Which of the paper's Syn1 to Syn4.")] = 2,
    rows: Annotated[int, typer.Option(min=100, help="Rows.")] = 5000,
    features: Annotated[int, typer.Option(min=12, help="Columns, most of them noise.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Of the data and the fit.")] = 0,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the table and the results.")
    ] = Path("coterie-demo"),
) -> None:
    """Make a table whose groups are known, fit it as coterie fit does, and compare."""
    from coterie.cli._fitting import fit_table
    from coterie.cli._terminal import output
    from coterie.datasets.catalogue import TARGET, make_table
    from coterie.datasets.syn import make_syn
    from coterie.io.writing import write_table
    from coterie.study.columns import Roles
    from coterie.study.fitting import Settings
    from coterie.study.record import REPORT, check_folder

    out = out.expanduser()
    check_folder(out)
    made = make_table(f"syn{rule}", rows, features, seed)
    path = write_table(out / f"syn{rule}.csv", made.table)
    console = output()
    console.print(f"Made {path}: {rows:,} rows, {features:,} features. {made.said}", markup=False)
    console.print(
        f"Now the same as: coterie fit {path} --target {TARGET} --out {out}\n", markup=False
    )
    done = fit_table(path, Roles(TARGET), Settings(seed=seed), out=out, says_report=False)
    truth = make_syn(rule, 1, features).groups
    names = [str(name) for name in made.table.columns]
    console.print(beside_truth(truth, done["groups"], names))
    console.print(f"Report: {out / REPORT}", markup=False)


def beside_truth(truth: Any, found: Any, names: list[str]) -> Table:
    """Return the true groups beside those of a run, as a table."""
    from rich.table import Table

    from coterie.metrics import false_discovery_rate, group_similarity, true_positive_rate
    from coterie.study.record import groups_in_words

    counted = [tuple(names.index(member) for member in group["members"]) for group in found]
    table = Table(title="What is true, and what was found", show_header=False, title_justify="left")
    table.add_row("true groups", groups_in_words([[names[m] for m in group] for group in truth]))
    table.add_row("found groups", groups_in_words([group["members"] for group in found]) or "none")
    table.add_row("group similarity", f"{group_similarity(truth, counted):.2f}")
    table.add_row("true positive rate", f"{true_positive_rate(truth, counted):.0%}")
    table.add_row("false discovery rate", f"{false_discovery_rate(truth, counted):.0%}")
    return table
