"""The page of results: all reports, how many means agree, and why the others do not."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from coterie.experiments import EXPERIMENTS, load_experiment
from coterie.experiments.cells import Cell, CellStore
from coterie.experiments.files import write_text
from coterie.experiments.options import Options
from coterie.experiments.pages import Report, markdown_rows, write_report
from coterie.experiments.published import published_recovery
from coterie.experiments.recovery import Recovery, spread_of
from coterie.experiments.statistics import verdict
from coterie.experiments.tables import CHEMISTRY, SYNTHETIC
from coterie.experiments.tasks import FAMILIES

SHOWN_IN_OTHERS = ("table1", "table2")
"""Tables whose rows are all in a larger one."""

HEAD = """# Results

The paper's tables and figures, measured anew by `coterie paper`, beside the published numbers. This
page is made from the cells in `{folder}/cells` by `coterie paper results`; the tables are in
`{folder}/tables` as CSV and LaTeX too.
"""


class Difference(NamedTuple):
    """A method on a task, and how its group similarity relates to the published one."""

    method: str
    task: str
    told: str


def write_results(folder: Path) -> Path:
    """Write the tables and figures of all cells below a folder, and the page; return its path.

    The page is ``docs/results.md`` beside a folder named "paper", else in the folder.
    """
    store = CellStore(folder / "cells")
    reports, cells, missing = [], {}, {}
    for name in EXPERIMENTS:
        experiment = load_experiment(name)
        jobs = experiment.jobs(Options())
        found = store.find_all(jobs)
        report = experiment.report(found)
        write_report(report, folder)
        if found or not jobs:
            reports.append(report)
        cells[name], missing[name] = found, len(jobs) - len(found)
    page = _page(folder)
    above = "../" * len(page.parent.relative_to(folder.parent).parts)
    return write_text(page, results_page(reports, cells, missing, folder.name, above))


def _page(folder: Path) -> Path:
    if folder.name == "paper":
        return folder.parent / "docs" / "results.md"
    return folder / "results.md"


def results_page(
    reports: Sequence[Report],
    cells: dict[str, list[Cell]],
    missing: dict[str, int],
    folder: str,
    above: str,
) -> str:
    """Put the page together."""
    differences = [
        difference
        for table in (SYNTHETIC, CHEMISTRY)
        for difference in compare(table, cells.get(table.name, []))
    ]
    return "\n".join(
        [
            HEAD.format(folder=folder),
            _measured_on(cells),
            _left_to_run(cells, missing),
            _agreement(differences),
            _explained(differences),
            *(
                report.markdown(f"{above}{folder}/figures")
                for report in reports
                if report.name not in SHOWN_IN_OTHERS
            ),
        ]
    )


def compare(table: Recovery, cells: Sequence[Cell]) -> list[Difference]:
    """Give the verdict on each method and task that both have run."""
    found = []
    for name, method in table.methods().items():
        for task in FAMILIES[table.family]:
            ours = spread_of(cells, name, task, "gsim")
            published = published_recovery(task, method.title, "gsim")
            if ours is not None and published is not None:
                found.append(Difference(method.title, task, verdict(ours, published)))
    return found


def _agreement(differences: Sequence[Difference]) -> str:
    """Lay out the verdicts, a row for each method."""
    tasks = [task for tasks in FAMILIES.values() for task in tasks]
    told = {(of.method, of.task): of.told for of in differences}
    titles = list(dict.fromkeys(of.method for of in differences))
    rows = [[title, *(told.get((title, task), "") for task in tasks)] for title in titles]
    counts = Counter(of.told for of in differences)
    return "\n".join(
        [
            "## Agreement of the group similarities",
            "",
            f"Of {len(differences)} means {counts['agrees']} agree with the published ones within "
            f"two standard errors of the difference, {counts['better']} are better and "
            f"{counts['WORSE']} worse.",
            "",
            markdown_rows(["method", *tasks], rows),
            "",
        ]
    )


def _explained(differences: Sequence[Difference]) -> str:
    """Say why means differ."""
    place = resources.files("coterie.experiments") / "remarks.toml"
    remarks = tomllib.loads(place.read_text(encoding="utf-8"))
    lines = ["## What differs from the paper, and why", ""]
    lines += [f"- **{title}.** {text}" for title, text in remarks["always"].items()]
    beyond = [of for of in differences if of.told != "agrees"]
    for title in dict.fromkeys(of.method for of in beyond):
        tasks = ", ".join(f"{of.task} ({of.told})" for of in beyond if of.method == title)
        why = remarks["methods"].get(title, "No reason has been found yet.")
        lines.append(f"- **{title} on {tasks}.** {why}")
    return "\n".join([*lines, ""])


def _measured_on(cells: dict[str, list[Cell]]) -> str:
    """Say how much was run, on what, and with which versions."""
    kept = {
        (cell.family, cell.method, cell.task, cell.seed): cell
        for found in cells.values()
        for cell in found
    }
    hours = sum(cell.seconds for cell in kept.values()) / 3600
    machines = Counter(_facts(cell.machine) for cell in kept.values())
    versions = Counter(_facts(cell.versions) for cell in kept.values())
    lines = [f"{len(kept)} cells, {hours:.1f} hours of fits one after the other, measured on", ""]
    lines += [f"- {facts}: {count} cells" for facts, count in machines.most_common()]
    lines += ["", "with", ""]
    lines += [f"- {facts}: {count} cells" for facts, count in versions.most_common()]
    return "\n".join([*lines, ""])


def _left_to_run(cells: dict[str, list[Cell]], missing: dict[str, int]) -> str:
    """Say which experiments are not complete."""
    left = [
        f"- `coterie paper {name}`: {len(cells[name])} of {len(cells[name]) + count} cells"
        for name, count in missing.items()
        if count
    ]
    if not left:
        return "All cells have been run.\n"
    return "\n".join(["Not complete, so that means are over fewer runs:", "", *left, ""])


def _facts(facts: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in sorted(facts.items()))
