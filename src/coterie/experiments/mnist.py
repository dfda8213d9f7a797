"""MNIST: how well the pixels of each group, and of all groups, tell the digits apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from coterie.estimators._selector import GroupSelectorMixin
from coterie.experiments.cells import Cell, Job
from coterie.experiments.configurations import arguments_of, data_of, sections
from coterie.experiments.digits import COMPFS, N_DIGITS
from coterie.experiments.methods import methods
from coterie.experiments.options import Options
from coterie.experiments.pages import Figure, Report, Table
from coterie.experiments.published import read_published
from coterie.experiments.recovery import interval_text
from coterie.experiments.statistics import Spread
from coterie.plots import plot_pixels

N_RUNS = 3
TASK = "digits"
SIDE = 28

Rows = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Mnist:
    """The paper's table of accuracies, its figure of pixels and its bar chart."""

    name: str = "mnist"
    title: str = "MNIST: digits by few pixels"

    def methods(self) -> list[str]:
        """Return the methods with a section in the settings, and those that are everywhere."""
        listed = sections("mnist")
        return [*listed, *(name for name, method in methods().items() if method.is_everywhere)]

    def jobs(self, options: Options) -> list[Job]:
        """Return the cells; the paper has one run, ours has some more."""
        return [
            Job(
                "mnist",
                method,
                TASK,
                seed,
                arguments_of("mnist", method, TASK, quick=options.quick),
                data_of("mnist", method, quick=options.quick),
            )
            for seed in range(options.runs(N_RUNS))
            for method in self.methods()
        ]

    def report(self, cells: Sequence[Cell]) -> Report:
        """Lay out the accuracies; draw the pixels and the classes."""
        rows = _rows(cells)
        figures = [
            Figure("mnist-pixels", "Pixels selected", lambda on: _draw_pixels(on, cells), (12, 3)),
            Figure(
                "mnist-classes", "Accuracy by digit", lambda on: _draw_classes(on, rows), (12, 4)
            ),
        ]
        return Report(
            self.name,
            self.title,
            [_table(rows), _class_table(rows)],
            figures if cells else [],
            remarks=[
                "Networks are trained anew on the selected pixels, with the paper's settings; "
                "*own* is the prediction of the selecting method itself. The paper has one run, "
                "in whole percent, and numbers its groups as they came: here they are ordered "
                "by strength."
            ],
        )


def _rows(cells: Sequence[Cell]) -> Rows:
    """Return the runs of each row of the table, in its order."""
    rows: Rows = {}
    listed = sections("mnist")
    for cell in sorted(cells, key=lambda cell: _place(cell.method, listed)):
        for name, result in cell.results["models"].items():
            rows.setdefault(_title(cell.method, name), []).append(result)
    order = [row["model"] for row in read_published("mnist")]
    return dict(sorted(rows.items(), key=lambda row: _place(row[0], order)))


def _place(title: str, order: list[str]) -> int:
    return order.index(title) if title in order else len(order)


def _title(method: str, model: str) -> str:
    """Name a row as the paper does."""
    if method == COMPFS:
        return "CompFS, own" if model == "own" else model
    title = methods()[method].title
    return title if model == "Union" else f"{title}, own"


def _table(rows: Rows) -> Table:
    published = {row["model"]: row for row in read_published("mnist")}
    laid = []
    for title, runs in rows.items():
        spread = Spread.of([run["accuracy"] for run in runs])
        pixels = Spread.of([float(run["pixels"]) for run in runs])
        known = published.get(title)
        laid.append(
            [
                title,
                f"{pixels.mean:.1f}",
                str(spread.n),
                spread.text(2),
                interval_text(spread, 2, most=100.0),
                "" if known is None else f"{known['accuracy']} ({known['pixels']} pixels)",
            ]
        )
    header = ["model", "pixels", "runs", "accuracy (%)", "95% interval", "published"]
    return Table("mnist", "Accuracy", header, laid)


def _class_table(rows: Rows) -> Table:
    laid = []
    for title, runs in rows.items():
        means = np.mean([run["per_class"] for run in runs], axis=0)
        laid.append([title, *(f"{value:.1f}" for value in means), f"{means.std(ddof=1):.1f}"])
    header = ["model", *(str(digit) for digit in range(N_DIGITS)), "spread over digits"]
    return Table("mnist-classes", "Accuracy of each digit (%)", header, laid)


class KnownGroups(GroupSelectorMixin, BaseEstimator):
    """A selection that a cell tells of, in the form that pictures are drawn from."""

    def __init__(self, groups: Sequence[Sequence[int]], n_features: int) -> None:
        self.groups = groups
        self.n_features = n_features

    def fit(self, X: Any = None, y: Any = None) -> KnownGroups:
        """Take the groups over."""
        self.n_features_in_ = self.n_features
        self._set_groups(self.groups)
        return self


def _draw_pixels(canvas: Any, cells: Sequence[Cell]) -> None:
    """Draw the first run's pixels of each method, each group in a colour."""
    first = {cell.method: cell for cell in cells if cell.seed == 0}
    all_axes = np.atleast_1d(canvas.subplots(1, len(first)))
    for axes, (method, cell) in zip(all_axes, first.items(), strict=True):
        model = KnownGroups(cell.results["groups"], SIDE * SIDE).fit()
        plot_pixels(model, (SIDE, SIDE), ax=axes)
        axes.set_title("CompFS" if method == COMPFS else methods()[method].title)


def _draw_classes(canvas: Any, rows: Rows) -> None:
    """Draw the accuracy of each digit, and of all, as bars."""
    axes = canvas.subplots()
    shown = {title: runs for title, runs in rows.items() if not title.endswith(", own")}
    width = 0.8 / max(len(shown), 1)
    for place, (title, runs) in enumerate(shown.items()):
        heights = np.mean([[run["accuracy"], *run["per_class"]] for run in runs], axis=0)
        axes.bar(np.arange(N_DIGITS + 1) + place * width, heights, width, label=title)
    axes.set_xticks(np.arange(N_DIGITS + 1) + 0.4, ["all", *map(str, range(N_DIGITS))])
    axes.set_ylim(45, 100)
    axes.set_ylabel("accuracy (%)")
    axes.legend(ncols=2, loc="lower right", fontsize="small")


MNIST = Mnist()
