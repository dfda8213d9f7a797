"""METABRIC: how well few genes predict, which groups they form, and which known pairs are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from coterie.experiments.cells import Cell, Job
from coterie.experiments.configurations import arguments_of, data_of, sections
from coterie.experiments.methods import methods
from coterie.experiments.options import Options
from coterie.experiments.pages import Figure, Report, Table
from coterie.experiments.published import read_published
from coterie.experiments.recovery import interval_text
from coterie.experiments.statistics import Spread
from coterie.plots import plot_comparison

N_SPLITS = 10
PAPER_SPLIT = 42
RANDOM, OF_PAPER = "pr_status", "pr_status-paper-split"
TITLES = {
    "mlp": "MLP (all features)",
    "compfs5": "CompFS(5)",
    "stg": "STG",
    "coterie": "Coterie, at most 25 genes",
    "l1_logistic": "L1-logistic, at most 25 genes",
    "l1_as_coterie": "L1-logistic, as many genes as Coterie",
}
MOST = 25


@dataclass(frozen=True)
class Metabric:
    """The paper's table of AUROCs, over random splits and on its own split."""

    name: str = "metabric"
    title: str = "METABRIC: progesterone receptor status from few genes"

    def methods(self) -> list[str]:
        """Return the methods with a section in the settings, and those that are everywhere."""
        listed = sections("metabric")
        return [*listed, *(name for name, method in methods().items() if method.is_everywhere)]

    def jobs(self, options: Options) -> list[Job]:
        """Return the cells: ten random splits, and the paper's."""
        splits = [(RANDOM, seed) for seed in range(options.runs(N_SPLITS))]
        return [
            Job(
                "metabric",
                method,
                task,
                seed,
                arguments_of("metabric", method, task, quick=options.quick),
                data_of("metabric", method, quick=options.quick),
            )
            for task, seed in [*splits, (OF_PAPER, PAPER_SPLIT)]
            for method in self.methods()
        ]

    def report(self, cells: Sequence[Cell]) -> Report:
        """Lay out AUROCs, groups and known pairs."""
        areas = _areas(cells)
        figures = [Figure("metabric", "AUROC on each split", lambda canvas: _draw(canvas, areas))]
        return Report(
            self.name,
            self.title,
            [_area_table(areas), _paired_table(areas), _groups_table(cells), _pairs_table(cells)],
            figures if any(task == RANDOM for of in areas.values() for task, _ in of) else [],
            remarks=[
                "The paper has one split and no spread; here are ten random splits, the same for "
                "all methods, and the paper's own."
            ],
        )


Areas = dict[str, dict[tuple[str, int], tuple[float, int]]]


def _areas(cells: Sequence[Cell]) -> Areas:
    """Return AUROC and number of genes by method and split."""
    areas: Areas = {}
    for cell in cells:
        split = (cell.task, cell.seed)
        if "auroc" in cell.results:
            found = (cell.results["auroc"], cell.results["genes"])
            areas.setdefault(cell.method, {})[split] = found
    for cell in cells:
        split = (cell.task, cell.seed)
        if "path" in cell.results:
            path = cell.results["path"]
            areas.setdefault("l1_logistic", {})[split] = at_most(path, MOST)
            if split in areas.get("coterie", {}):
                limit = areas["coterie"][split][1]
                areas.setdefault("l1_as_coterie", {})[split] = at_most(path, limit)
    return areas


def at_most(path: Sequence[Sequence[float]], n_genes: int) -> tuple[float, int]:
    """Return AUROC and genes of the largest model with at most so many genes.

    Examples
    --------
    >>> at_most([[2, 0.8], [5, 0.85], [9, 0.9]], 6)
    (0.85, 5)
    """
    fitting = [(area, int(count)) for count, area in path if count <= n_genes]
    return fitting[-1] if fitting else (0.5, 0)


def _area_table(areas: Areas) -> Table:
    published = {row["model"]: row["auroc"] for row in read_published("metabric")}
    rows = []
    for name, of_splits in areas.items():
        title = TITLES.get(name, methods()[name].title if name in methods() else name)
        drawn = [found for (task, _), found in of_splits.items() if task == RANDOM]
        own = of_splits.get((OF_PAPER, PAPER_SPLIT))
        spread = Spread.of([area for area, _ in drawn]) if drawn else None
        genes = Spread.of([float(count) for _, count in drawn]) if drawn else None
        rows.append(
            [
                title,
                "" if genes is None else f"{genes.mean:.1f}",
                str(len(drawn)),
                "" if spread is None else spread.text(3),
                "" if spread is None else interval_text(spread, most=1.0),
                "" if own is None else f"{own[0]:.3f} ({own[1]})",
                published.get(title, ""),
            ]
        )
    header = ["model", "genes", "splits", "AUROC", "95% interval", "paper's split (genes)"]
    return Table("metabric", "AUROC", [*header, "published"], rows)


def _draw(canvas: Any, areas: Areas) -> None:
    """Draw the AUROC of each random split, ours first."""
    ordered = sorted(areas.items(), key=lambda item: item[0] != "coterie")
    scores = {
        TITLES.get(name, name): [area for (task, _), (area, _) in found.items() if task == RANDOM]
        for name, found in ordered
    }
    drawn = {title: values for title, values in scores.items() if values}
    plot_comparison(drawn, label="AUROC", ax=canvas.subplots())


def _paired_table(areas: Areas) -> Table:
    """Compare Coterie with each other method split by split."""
    rows = []
    ours = {key: area for key, (area, _) in areas.get("coterie", {}).items() if key[0] == RANDOM}
    for name, of_splits in areas.items():
        gains = [area - of_splits[split][0] for split, area in ours.items() if split in of_splits]
        if name == "coterie" or not gains:
            continue
        spread = Spread.of(gains)
        low, high = spread.interval()
        wins = f"{sum(gain > 0 for gain in gains)} of {len(gains)}"
        between = f"{low:+.3f} to {high:+.3f}"
        rows.append([TITLES.get(name, name), f"{spread.mean:+.3f}", between, wins])
    header = ["Coterie against", "mean difference of AUROC", "95% interval", "splits won"]
    return Table("metabric-paired", "Coterie against the others on the same splits", header, rows)


def _groups_table(cells: Sequence[Cell]) -> Table:
    """List the groups on the paper's split beside the published ones."""
    rows = [
        ["the paper's CompFS(5)", row["group"], ", ".join(row["features"].split())]
        for row in read_published("metabric_groups")
    ]
    for cell in cells:
        if cell.task == OF_PAPER and cell.method in ("compfs5", "coterie"):
            rows += [
                [TITLES[cell.method], str(place), ", ".join(group)]
                for place, group in enumerate(cell.results["groups"], start=1)
            ]
    header = ["model", "group", "genes"]
    return Table("metabric-groups", "Groups on the paper's split", header, rows)


def _pairs_table(cells: Sequence[Cell]) -> Table:
    """Count the splits in which the paper's pairs with evidence fall into one group."""
    chosen = {name: TITLES[name] for name in ("compfs5", "coterie")}
    together: dict[str, Counter[frozenset[str]]] = {name: Counter() for name in chosen}
    alone: dict[str, Counter[str]] = {name: Counter() for name in chosen}
    n_cells = Counter(cell.method for cell in cells)
    for cell in cells:
        if cell.method not in chosen:
            continue
        pairs = {frozenset(p) for group in cell.results["groups"] for p in combinations(group, 2)}
        together[cell.method].update(pairs)
        alone[cell.method].update({gene for group in cell.results["groups"] for gene in group})
    rows = []
    for row in read_published("metabric_pairs"):
        pair = frozenset((row["first"], row["second"]))
        counts = [
            text
            for name in chosen
            for text in (
                f"{together[name][pair]} of {n_cells[name]}",
                " and ".join(str(alone[name][row[place]]) for place in ("first", "second")),
            )
        ]
        rows.append([f"{row['first']}, {row['second']}", *counts])
    header = ["pair"]
    for title in chosen.values():
        header += [f"{title}: together", "each gene selected"]
    return Table(
        "metabric-pairs",
        "The paper's pairs with evidence in the literature, over all splits",
        header,
        rows,
    )


METABRIC = Metabric()
