"""The tables of Syn1 to Syn4 and Chem1 to Chem3: how well the true groups are found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

from coterie.experiments.cells import Cell, Job
from coterie.experiments.configurations import arguments_of, data_of
from coterie.experiments.methods import Method, methods
from coterie.experiments.options import Options
from coterie.experiments.pages import Figure, Report, Table
from coterie.experiments.published import published_recovery
from coterie.experiments.statistics import Spread, verdict
from coterie.experiments.tasks import FAMILIES
from coterie.plots import plot_comparison


class Measure(NamedTuple):
    """A column: the key of a cell's result, its heading, and how it is read."""

    key: str
    heading: str
    published: str
    digits: int
    scale: float
    more_is_better: bool = True


MEASURES = (
    Measure("tpr", "TPR", "tpr", 1, 100),
    Measure("fdr", "FDR", "fdr", 1, 100, more_is_better=False),
    Measure("gsim", "Gsim", "gsim", 2, 1),
    Measure("n_groups", "groups", "n_groups", 1, 1),
    Measure("accuracy", "accuracy", "accuracy_or_mse", 1, 100),
    Measure("mse", "MSE", "accuracy_or_mse", 3, 1, more_is_better=False),
)
GSIM = MEASURES[2]
EXCLUDED = {"chemistry": ("group_lasso_all",), "synthetic": ("stg_stronger",)}
"""Variants that a family has no use for: Chem's Group LASSO has all features anyway."""


@dataclass(frozen=True)
class Recovery:
    """A table of recovery.

    Parameters
    ----------
    name, title : str
    family : {"synthetic", "chemistry"}
    all_methods : bool
        Whether the additional baselines are in it, or the main methods alone.
    """

    name: str
    title: str
    family: str
    all_methods: bool

    def methods(self) -> dict[str, Method]:
        """Return the methods of the table."""
        left_out = EXCLUDED.get(self.family, ())
        return {
            name: method
            for name, method in methods().items()
            if (method.is_main or self.all_methods) and name not in left_out
        }

    def jobs(self, options: Options) -> list[Job]:
        """Return the cells that the table needs, those of the first seed first."""
        chosen = self.methods()
        return [
            Job(
                self.family,
                name,
                task,
                seed,
                arguments_of(self.family, name, task, quick=options.quick),
                data_of(self.family, name, quick=options.quick),
            )
            for seed in range(max(options.runs(method.n_runs) for method in chosen.values()))
            for name, method in chosen.items()
            if seed < options.runs(method.n_runs)
            for task in FAMILIES[self.family]
        ]

    def report(self, cells: Sequence[Cell]) -> Report:
        """Set the means beside the published ones."""
        caption = f"{self.title}: group similarity of each run"
        figures = [Figure(f"{self.name}-gsim", caption, self._drawing(cells), (11.0, 6.0))]
        return Report(
            self.name,
            self.title,
            [self._measures(cells), self._similarities(cells)],
            figures if cells else [],
            remarks=[
                "Mean ± standard deviation over the seeds; TPR, FDR and accuracy in percent. "
                "A mean *agrees* with the published one if they differ by at most two standard "
                "errors of the difference (0.02 of the range where neither spreads)."
            ],
        )

    def _drawing(self, cells: Sequence[Cell]) -> Callable[[Any], None]:
        """Return what draws the group similarity of each run, a panel for each task."""

        def draw(canvas: Any) -> None:
            tasks = FAMILIES[self.family]
            panels = canvas.subplots(2, -(-len(tasks) // 2)).flat
            for axes, task in zip_longest(panels, tasks):
                scores = {
                    method.title: [cell.results["gsim"] for cell in _runs(cells, name, task)]
                    for name, method in self._ours_first()
                }
                if task is None or not any(scores.values()):
                    axes.set_axis_off()
                    continue
                plot_comparison({k: v for k, v in scores.items() if v}, label="Gsim", ax=axes)
                axes.set_xlim(-0.03, 1.03)
                axes.set_title(task)

        return draw

    def _ours_first(self) -> list[tuple[str, Method]]:
        return sorted(self.methods().items(), key=lambda item: item[0] != "coterie")

    def _measures(self, cells: Sequence[Cell]) -> Table:
        """Lay out all measures, the published ones in brackets."""
        rows = []
        for task in FAMILIES[self.family]:
            for name, method in self.methods().items():
                runs = _runs(cells, name, task)
                if runs:
                    row = [_beside(runs, method, task, measure) for measure in MEASURES]
                    rows.append([task, method.title, str(len(runs)), *row])
        header = ["task", "method", "runs", *(measure.heading for measure in MEASURES)]
        note = "In brackets: the published value. A star marks a difference beyond chance."
        return Table(self.name, f"{self.title}: all measures", header, rows, [note])

    def _similarities(self, cells: Sequence[Cell]) -> Table:
        """Lay out the group similarities with intervals and verdicts."""
        rows = []
        for task in FAMILIES[self.family]:
            for name, method in self.methods().items():
                found = spread_of(cells, name, task, "gsim")
                if found is None:
                    continue
                published = published_recovery(task, method.title, "gsim")
                rows.append(
                    [
                        task,
                        method.title,
                        found.text(3),
                        interval_text(found, most=1.0),
                        "" if published is None else published.text(2),
                        "" if published is None else verdict(found, published),
                    ]
                )
        header = ["task", "method", "Gsim", "95% interval", "published", "verdict"]
        return Table(f"{self.name}-gsim", f"{self.title}: group similarity", header, rows)


def _runs(cells: Sequence[Cell], method: str, task: str) -> list[Cell]:
    """Return the cells of a method and a task."""
    return [cell for cell in cells if (cell.method, cell.task) == (method, task)]


def spread_of(cells: Sequence[Cell], method: str, task: str, key: str) -> Spread | None:
    """Summarise a result over the seeds; None where no cell has it."""
    runs = _runs(cells, method, task)
    values = [float(cell.results[key]) for cell in runs if key in cell.results]
    return Spread.of(values) if values else None


def interval_text(spread: Spread, digits: int = 3, most: float | None = None) -> str:
    """Write the 95% interval of a mean, within the range of the measure."""
    low, high = spread.interval()
    if low != low:
        return "one run"
    bounded = (max(low, 0.0), high if most is None else min(high, most))
    return f"{bounded[0]:.{digits}f} to {bounded[1]:.{digits}f}"


def _beside(runs: Sequence[Cell], method: Method, task: str, measure: Measure) -> str:
    """Write one measure, the published one in brackets, with a star if they differ."""
    values = [float(cell.results[measure.key]) for cell in runs if measure.key in cell.results]
    if not values:
        return ""
    ours = Spread.of(values)
    has_mse = "mse" in runs[0].results
    is_same = measure.published != "accuracy_or_mse" or (measure.key == "mse") == has_mse
    published = published_recovery(task, method.title, measure.published) if is_same else None
    if published is None:
        return ours.text(measure.digits)
    told = verdict(ours, published, scale=measure.scale, more_is_better=measure.more_is_better)
    star = "" if told == "agrees" else "*"
    return f"{ours.text(measure.digits)} ({published.text(measure.digits)}){star}"
