"""Does CompFSClassifier reproduce the paper? Syn1 to Syn4, drawn anew for each seed.

``python -m benchmarks.fidelity`` fits the paper's settings to 20,000 rows of each task, for ten
seeds, and sets the measures beside the published ones. Each finished cell is kept, so that an
interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from rich.console import Console

from benchmarks._common import (
    RESULTS,
    describe,
    machine,
    markdown_table,
    read_json,
    versions,
    write_json,
    write_text,
)
from coterie.experiments.published import read_published

N_TEST_OF_THE_PAPER = 200
N_TEST = 20_000
N_RUNS_OF_THE_PAPER = 10
ALLOWED_WITHOUT_SPREAD = 0.02

MEASURES = {
    "tpr": "TPR (%)",
    "fdr": "FDR (%)",
    "gsim": "Gsim",
    "n_groups": "groups",
    "accuracy": "accuracy (%), 200 rows",
    "accuracy_more_rows": "accuracy (%), 20,000 rows",
}
PUBLISHED_NAMES = {"accuracy": "accuracy_or_mse", "accuracy_more_rows": "accuracy_or_mse"}

Cell = dict[str, Any]


class Spread(NamedTuple):
    """The mean over ``n`` runs and their standard deviation."""

    mean: float
    sd: float
    n: int

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        return cls(fmean(values), stdev(values) if len(values) > 1 else 0.0, len(values))

    def text(self, digits: int) -> str:
        return f"{self.mean:.{digits}f} ± {self.sd:.{digits}f}"


def allowed_shortfall(ours: Spread, published: Spread) -> float:
    """Return two standard errors of the difference of the means."""
    if ours.sd == published.sd == 0:
        return ALLOWED_WITHOUT_SPREAD
    return 2 * float(np.sqrt(ours.sd**2 / ours.n + published.sd**2 / published.n))


def verdict(ours: Spread, published: Spread) -> str:
    """Say whether a mean is above the published one, or as near as chance allows."""
    shortfall = published.mean - ours.mean
    if shortfall <= 0:
        return "above" if shortfall < 0 else "equal"
    return "within" if shortfall <= allowed_shortfall(ours, published) else "BELOW"


def run_cell(rule: int, seed: int, n_rows: int, n_features: int, max_epochs: int) -> Cell:
    """Fit one draw of a task and measure what is found."""
    from coterie import CompFSClassifier
    from coterie.datasets import make_syn
    from coterie.metrics import false_discovery_rate, group_similarity, true_positive_rate

    task = make_syn(
        rule,
        n_rows + N_TEST_OF_THE_PAPER + N_TEST,
        n_features,
        random_state=np.random.default_rng([seed, rule]),
    )
    few = slice(n_rows, n_rows + N_TEST_OF_THE_PAPER)
    many = slice(n_rows + N_TEST_OF_THE_PAPER, None)
    model = CompFSClassifier(random_state=seed, max_epochs=max_epochs)
    started = perf_counter()
    model.fit(task.data[:n_rows], task.target[:n_rows])
    seconds = perf_counter() - started
    return {
        "task": f"Syn{rule}",
        "seed": seed,
        "groups": [list(group) for group in model.groups_],
        "tpr": 100 * true_positive_rate(task.groups, model.groups_),
        "fdr": 100 * false_discovery_rate(task.groups, model.groups_),
        "gsim": group_similarity(task.groups, model.groups_),
        "n_groups": len(model.groups_),
        "accuracy": 100 * model.score(task.data[few], task.target[few]),
        "accuracy_more_rows": 100 * model.score(task.data[many], task.target[many]),
        "seconds": seconds,
    }


def published() -> dict[str, dict[str, Spread]]:
    """Read the paper's numbers for CompFS(5), by task and measure."""
    rows = [row for row in read_published("recovery") if row["table"] == "main"]
    return {
        row["dataset"]: {
            name: Spread(
                float(row[PUBLISHED_NAMES.get(name, name)]),
                float(row[PUBLISHED_NAMES.get(name, name) + "_sd"]),
                N_RUNS_OF_THE_PAPER,
            )
            for name in MEASURES
        }
        for row in rows
        if row["model"] == "CompFS(5)"
    }


def summarise(cells: list[Cell]) -> dict[str, dict[str, Spread]]:
    """Average the measures of each task over its seeds."""
    tasks = sorted({cell["task"] for cell in cells})
    return {
        task: {
            name: Spread.of([float(cell[name]) for cell in cells if cell["task"] == task])
            for name in MEASURES
        }
        for task in tasks
    }


def report(content: dict[str, Any]) -> str:
    """Write the page: measures beside the published ones, and the groups of each seed."""
    cells = content["cells"]
    ours, paper = summarise(cells), published()
    measures = [
        [task, title, ours[task][name].text(digits), paper[task][name].text(digits)]
        for task in ours
        for name, title in MEASURES.items()
        for digits in [2 if name == "gsim" else 1]
    ]
    verdicts = [
        [
            task,
            f"{ours[task]['gsim'].mean:.3f}",
            f"{paper[task]['gsim'].mean:.3f}",
            f"{allowed_shortfall(ours[task]['gsim'], paper[task]['gsim']):.3f}",
            verdict(ours[task]["gsim"], paper[task]["gsim"]),
        ]
        for task in ours
    ]
    groups = [
        [cell["task"], cell["seed"], f"{cell['gsim']:.2f}", _groups_text(cell["groups"])]
        for cell in cells
    ]
    seconds = fmean(cell["seconds"] for cell in cells)
    return "\n".join(
        [
            "# CompFSClassifier beside the paper's CompFS(5)",
            "",
            f"`{content['command']}`",
            "",
            f"{describe(content['machine'])}; {describe(content['versions'])}. Mean ± standard",
            f"deviation over the seeds {content['seeds']}; data drawn anew for each seed.",
            f"A fit took {seconds:.1f} s on average, {content['jobs']} at a time.",
            "",
            markdown_table(["task", "measure", "ours", "published"], measures),
            "",
            "Mean Gsim may fall short of the published one by two standard errors of the",
            f"difference, or by {ALLOWED_WITHOUT_SPREAD} where neither spreads:",
            "",
            markdown_table(["task", "ours", "published", "allowed shortfall", "verdict"], verdicts),
            "",
            "Groups found (columns count from 0):",
            "",
            markdown_table(["task", "seed", "Gsim", "groups"], groups),
            "",
        ]
    )


def _groups_text(groups: list[list[int]]) -> str:
    return ", ".join("{" + ", ".join(map(str, group)) + "}" for group in groups) or "none"


def finish_cells(options: argparse.Namespace, content: dict[str, Any], path: Path) -> None:
    """Run the cells that are missing, and keep each as soon as it is done."""
    done = {(cell["task"], cell["seed"]) for cell in content["cells"]}
    left = [
        (rule, seed)
        for seed in range(options.seeds)
        for rule in options.rules
        if (f"Syn{rule}", seed) not in done
    ]
    run = partial(run_cell, **content["settings"])
    work = Parallel(n_jobs=options.jobs, return_as="generator_unordered")
    console = Console(stderr=True)
    finished: Iterator[Cell] = work(delayed(run)(rule, seed) for rule, seed in left)
    for count, cell in enumerate(finished, start=1):
        content["cells"].append(cell)
        content["cells"].sort(key=lambda kept: (kept["task"], kept["seed"]))
        write_json(path, content)
        console.print(
            f"[{count}/{len(left)}] {cell['task']} seed {cell['seed']}: Gsim {cell['gsim']:.2f}, "
            f"groups {_groups_text(cell['groups'])}, {cell['seconds']:.1f} s",
            highlight=False,
        )


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", type=int, nargs="+", default=[1, 2, 3, 4], metavar="RULE")
    parser.add_argument("--seeds", type=int, default=10, help="seeds 0, 1, ... (default: 10)")
    parser.add_argument("--jobs", type=int, default=2, help="fits at a time (default: 2)")
    parser.add_argument("--rows", type=int, default=20_000, help="training rows (default: 20000)")
    parser.add_argument("--features", type=int, default=500, help="columns (default: 500)")
    parser.add_argument("--epochs", type=int, default=35, help="(default: 35)")
    parser.add_argument("--restart", action="store_true", help="discard the cells that are kept")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results")
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    path = options.results / "fidelity.json"
    settings = {
        "n_rows": options.rows,
        "n_features": options.features,
        "max_epochs": options.epochs,
    }
    kept = None if options.restart else read_json(path)
    if kept and kept["settings"] != settings:
        raise SystemExit(
            f"{path} holds cells with {kept['settings']}; to replace them by cells with "
            f"{settings}, give --restart."
        )
    content = {
        "command": f"python -m benchmarks.fidelity --seeds {options.seeds} --jobs {options.jobs} "
        f"--rows {options.rows} --features {options.features} --epochs {options.epochs}",
        "machine": machine(),
        "versions": versions(),
        "jobs": options.jobs,
        "settings": settings,
        "cells": kept["cells"] if kept else [],
    }
    finish_cells(options, content, path)
    content["seeds"] = sorted({cell["seed"] for cell in content["cells"]})
    write_json(path, content)
    page = report(content)
    write_text(path.with_suffix(".md"), page)
    print(page)


if __name__ == "__main__":
    main()
