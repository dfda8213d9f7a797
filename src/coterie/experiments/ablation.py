"""The ablation: how many learners find a group, by the number of learners and the penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from coterie.experiments.cells import Cell, Job
from coterie.experiments.configurations import arguments_of, data_of, read_family
from coterie.experiments.fits import as_lists, timed_fit
from coterie.experiments.methods import methods
from coterie.experiments.options import Options
from coterie.experiments.pages import Figure, Report, Table
from coterie.experiments.statistics import Spread
from coterie.experiments.tasks import load_task
from coterie.metrics import group_similarity

SYMBOLS = {"beta_overlap": "β_R", "beta": "β"}
TASK = "Syn2"


def measure_ablation(job: Job) -> dict[str, Any]:
    """Count the learners that find a group.

    Returns
    -------
    dict
        ``n_used`` learners with a group that is not empty; ``n_groups`` distinct ones; ``groups``
        if they are few features; ``gsim``; ``fit_seconds``.
    """
    split = load_task(TASK, job.seed, job.data)
    model = methods()["compfs5"].estimator(**job.arguments, random_state=job.seed)
    seconds = timed_fit(model, *split.train)
    is_open = model.threshold_(model.gate_probabilities_)
    features = sum(len(group) for group in model.groups_)
    return {
        "n_used": int(is_open.any(axis=1).sum()),
        "n_groups": len(model.groups_),
        "n_members": features,
        "gsim": group_similarity(split.groups, model.groups_),
        **({"groups": as_lists(model.groups_)} if features <= 40 else {}),
        "fit_seconds": round(seconds, 3),
    }


@dataclass(frozen=True)
class Ablation:
    """Groups used against the number of learners, for each of the two penalties."""

    name: str = "ablation"
    title: str = "Ablation: groups used, by the number of learners"

    def jobs(self, options: Options) -> list[Job]:
        """Return the cells of the grid, run by run."""
        grid = read_family("ablation")["grid"]
        return [
            self._job(penalty, value, n_groups, seed, options)
            for seed in range(options.runs(grid["n_runs"]))
            for penalty in SYMBOLS
            for value, n_groups in product(grid[penalty]["values"], grid["n_groups"])
        ]

    def report(self, cells: Sequence[Cell]) -> Report:
        """Lay out and draw the means over the runs."""
        caption = "Groups used by the number of learners"
        figures = [Figure("ablation", caption, lambda canvas: _draw(canvas, cells))]
        return Report(
            self.name,
            self.title,
            [_table(cells, penalty) for penalty in SYMBOLS],
            figures if cells else [],
            remarks=[
                "Learners that find a group that is not empty, on Syn2; mean ± standard deviation "
                "over three runs. The paper shows this as a figure without numbers: with larger "
                "penalties the number of groups stays low, however many learners there are."
            ],
        )

    def _job(self, penalty: str, value: float, n_groups: int, seed: int, options: Options) -> Job:
        fixed = read_family("ablation")["grid"][penalty]["fixed"]
        arguments = arguments_of("ablation", "compfs", TASK, quick=options.quick)
        return Job(
            "ablation",
            penalty,
            f"{TASK}-{n_groups}-learners-{value}",
            seed,
            {**arguments, **fixed, penalty: value, "n_groups": n_groups},
            data_of("ablation", "compfs", quick=options.quick),
        )


def _used(cells: Sequence[Cell], penalty: str) -> dict[tuple[float, int], Spread]:
    """Summarise the groups used, by the penalty's value and the number of learners."""
    found: dict[tuple[float, int], list[float]] = {}
    for cell in cells:
        if cell.method == penalty:
            arguments = cell.settings["arguments"]
            place = (arguments[penalty], arguments["n_groups"])
            found.setdefault(place, []).append(cell.results["n_used"])
    return {place: Spread.of(found[place]) for place in sorted(found)}


def _table(cells: Sequence[Cell], penalty: str) -> Table:
    used = _used(cells, penalty)
    counts = sorted({n_groups for _, n_groups in used})
    rows = [
        [
            f"{SYMBOLS[penalty]} = {value}",
            *(used[value, n].text(1) if (value, n) in used else "" for n in counts),
        ]
        for value in sorted({value for value, _ in used})
    ]
    fixed = read_family("ablation")["grid"][penalty]["fixed"]
    held = ", ".join(f"{SYMBOLS[name]} = {value}" for name, value in fixed.items())
    header = ["penalty", *(f"{count} learners" for count in counts)]
    return Table(f"ablation-{penalty}", f"Groups used, {held}", header, rows)


def _draw(canvas: Any, cells: Sequence[Cell]) -> None:
    for axes, penalty in zip(canvas.subplots(1, 2, sharey=True), SYMBOLS, strict=True):
        used = _used(cells, penalty)
        for value in sorted({value for value, _ in used}):
            line = {n: spread for (of, n), spread in used.items() if of == value}
            axes.errorbar(
                list(line),
                [spread.mean for spread in line.values()],
                yerr=[spread.sd / np.sqrt(spread.n) for spread in line.values()],
                marker="o",
                capsize=3,
                label=f"{SYMBOLS[penalty]} = {value}",
            )
        axes.set_xlabel("learners")
        axes.set_ylabel("groups used")
        axes.legend()


ABLATION = Ablation()
