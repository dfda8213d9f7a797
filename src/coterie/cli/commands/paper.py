"""``coterie paper``: the paper's tables and figures, measured anew, beside the published ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.cli._terminal import messages

if TYPE_CHECKING:
    from rich.console import Console

    from coterie.experiments import CellStore, Experiment, Job, Options

ALL, RESULTS = "all", "results"


def run(
    table: Annotated[
        str,
        typer.Argument(
            help="table1, table2, table-synthetic-all, table-chemistry-all, mnist, metabric, "
            "ablation or similarity; 'all' for all of them; 'results' writes the page of results "
            "from the cells that there are."
        ),
    ],
    seeds: Annotated[
        int | None, typer.Option(min=1, help="At most so many seeds; by default the paper's.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer rows and epochs: to see that all works.")
    ] = False,
    jobs: Annotated[int, typer.Option(help="Fits at a time; -1 for as many as cores.")] = 1,
    only: Annotated[
        list[str] | None, typer.Option(help="Run this method's cells alone; may be repeated.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of cells, tables and figures; paper, or paper-quick if quick."),
    ] = None,
) -> None:
    """Run a table of the paper, or go on with it, and set it beside the published one."""
    from coterie.experiments import EXPERIMENTS, Options, load_experiment

    folder = out or Path("paper-quick" if quick else "paper")
    console = messages()
    choices = [*EXPERIMENTS, ALL, RESULTS]
    if table not in choices:
        raise typer.BadParameter(f"{table!r} is not one of {', '.join(choices)}")
    chosen = list(EXPERIMENTS) if table == ALL else [name for name in EXPERIMENTS if name == table]
    options = Options(seeds, quick)
    experiments = [load_experiment(name) for name in chosen]
    _refuse_unknown(only, experiments, options)
    complete = [_run_table(of, options, folder, jobs, only, console) for of in experiments]
    if table == RESULTS or (table == ALL and not quick):
        _write_results(folder, console)
    if not all(complete):
        raise typer.Exit(1)


def _refuse_unknown(
    only: list[str] | None, experiments: list[Experiment], options: Options
) -> None:
    known = dict.fromkeys(job.method for of in experiments for job in of.jobs(options))
    for name in only or ():
        if name not in known:
            raise typer.BadParameter(f"--only {name}: the methods are {', '.join(known)}")


def _run_table(
    experiment: Experiment,
    options: Options,
    folder: Path,
    jobs: int,
    only: list[str] | None,
    console: Console,
) -> bool:
    """Fill the cells that are missing and write the tables; return whether none failed."""
    from coterie.experiments import CellStore, write_report

    store = CellStore(folder / "cells")
    wanted = experiment.jobs(options)
    left = [job for job in wanted if store.find(job) is None and (not only or job.method in only)]
    console.print(f"{experiment.name}: {len(left)} of {len(wanted)} cells to run")
    failed = _fill(left, store, jobs, console)
    report = experiment.report(store.find_all(wanted))
    for path in write_report(report, folder):
        console.print(f"wrote {path}")
    print(report.markdown())
    return failed == 0


def _fill(left: list[Job], store: CellStore, jobs: int, console: Console) -> int:
    """Run the cells, say what is done, and return how many failed."""
    from coterie.experiments import Failure, run_jobs

    failed = 0
    for count, outcome in enumerate(run_jobs(left, store, jobs), start=1):
        if isinstance(outcome, Failure):
            failed += 1
            console.print(
                f"[{count}/{len(left)}] FAILED {outcome.job.name}: {outcome.error}", markup=False
            )
        else:
            told = f"{outcome.method} {outcome.task} seed {outcome.seed}: {outcome.seconds:.1f} s"
            console.print(f"[{count}/{len(left)}] {told}", markup=False)
    return failed


def _write_results(folder: Path, console: Console) -> None:
    from coterie.experiments.results import write_results

    console.print(f"wrote {write_results(folder)}")
