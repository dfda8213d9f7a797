"""From the cells of ``benchmarks.recovery`` to a page: means, intervals, aims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy import stats

from benchmarks._common import describe, markdown_table
from benchmarks.fidelity import published
from benchmarks.tasks import TASKS

Cell = dict[str, Any]


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95% interval of a mean by Student's t, within [0, 1]."""
    mean = float(np.mean(values))
    if len(values) < 2:
        return float("nan"), float("nan")
    error = float(stats.sem(values)) * float(stats.t.ppf(0.975, len(values) - 1))
    return max(mean - error, 0.0), min(mean + error, 1.0)


def report(content: dict[str, Any]) -> str:
    """Write the page."""
    cells = content["cells"]
    return "\n".join(
        [
            "# Recovery of the true groups",
            "",
            f"`{content['command']}`",
            "",
            f"{describe(content['machine'])}; {describe(content['versions'])}.",
            f"{content['jobs']} fits at a time, each on one core; means with 95% intervals of",
            "Student's t over the seeds. One default setting for all tasks.",
            "",
            "## Coterie",
            "",
            _recovery(cells),
            "",
            "Exactly right is the share of the runs with Gsim 1. Scores are accuracies on 20,000",
            "test rows (R2 for real outcomes); the molecules' are on the published test set.",
            "",
            "## Nothing there",
            "",
            _null(cells),
            "",
            "## Accuracy on the paper's tasks",
            "",
            _accuracy(cells),
            "",
            "## CompFSClassifier and the authors' package on the same rows",
            "",
            _beside(cells),
            "",
            "## Runs that were not exactly right",
            "",
            _misses(cells),
            "",
        ]
    )


def _of(cells: Iterable[Cell], method: str, task: str) -> list[Cell]:
    return [cell for cell in cells if cell["method"] == method and cell["task"] == task]


def _recovery(cells: list[Cell]) -> str:
    rows = []
    for name, task in TASKS.items():
        own = _of(cells, "coterie", name)
        if task.family == "null" or not own:
            continue
        gsim = [cell["gsim"] for cell in own]
        low, high = interval(gsim)
        chosen = Counter(cell["aggregator"] for cell in own)
        rows.append(
            (
                task.family,
                name,
                len(own),
                f"{np.mean(gsim):.3f}",
                f"{low:.2f} to {high:.2f}",
                task.aim,
                "yes" if np.mean(gsim) >= task.aim else "NO",
                f"{np.mean(np.equal(gsim, 1.0)):.0%}",
                f"{np.mean([cell['fdr'] for cell in own]):.3f}",
                f"{np.mean([cell['score'] for cell in own]):.4f}",
                ", ".join(f"{name} {count}" for name, count in chosen.most_common()),
                f"{np.median([cell['seconds'] for cell in own]):.0f}",
            )
        )
    header = ("set", "task", "seeds", "Gsim", "95%", "aim", "met", "exactly right", "FDR", "score")
    return markdown_table((*header, "aggregator", "median s"), rows)


def _null(cells: list[Cell]) -> str:
    rows, reported, total = [], 0, 0
    for name, task in TASKS.items():
        own = _of(cells, "coterie", name)
        if task.family != "null" or not own:
            continue
        count = sum(bool(cell["groups"]) for cell in own)
        reported, total = reported + count, total + len(own)
        rows.append((name, len(own), count))
    rows.append(("all", total, reported))
    return markdown_table(("task", "data sets", "with groups reported"), rows)


def _accuracy(cells: list[Cell]) -> str:
    paper = published()
    rows = []
    for name, task in TASKS.items():
        if task.family != "paper":
            continue
        ours, boosting = (
            [100 * cell["score"] for cell in _of(cells, method, name)]
            for method in ("coterie", "boosting")
        )
        if not ours:
            continue
        known = paper.get(name.capitalize(), {}).get("accuracy")
        rows.append(
            (
                name,
                f"{np.mean(ours):.2f}",
                f"{np.mean(boosting):.2f}" if boosting else "",
                f"{known.mean:.1f}" if known else "",
            )
        )
    return markdown_table(
        ("task", "Coterie", "HistGradientBoostingClassifier", "the paper's CompFS(5)"), rows
    )


def _beside(cells: list[Cell]) -> str:
    methods = ("coterie", "compfs", "authors")
    rows = []
    for name in TASKS:
        own = [_of(cells, method, name) for method in methods]
        if own[0] and (own[1] or own[2]):
            counts = " / ".join(str(len(runs)) for runs in own)
            gsims = [_mean(runs, "gsim", 2) for runs in own]
            scores = [_mean(runs, "score", 4) for runs in own]
            rows.append((name, counts, *gsims, *scores))
    names = ("Coterie", "CompFS", "authors")
    named = [f"{name} {measure}" for measure in ("Gsim", "score") for name in names]
    return markdown_table(("task", "seeds", *named), rows)


def _mean(cells: list[Cell], measure: str, digits: int) -> str:
    return f"{np.mean([cell[measure] for cell in cells]):.{digits}f}" if cells else ""


def _misses(cells: list[Cell]) -> str:
    rows = [
        (
            cell["task"],
            cell["seed"],
            f"{cell['gsim']:.2f}",
            _text(cell["groups"]),
            _text(cell["truth"]),
        )
        for cell in cells
        if cell["method"] == "coterie" and cell["gsim"] < 1
    ]
    return markdown_table(("task", "seed", "Gsim", "found", "truth"), rows)


def _text(groups: list[list[int]]) -> str:
    return " ".join("{" + ",".join(map(str, group)) + "}" for group in groups) or "none"
