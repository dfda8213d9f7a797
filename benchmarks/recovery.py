"""Does Coterie find the true groups? One default setting on all tasks of ``benchmarks.tasks``.

``python -m benchmarks.recovery`` fits each task for several seeds, the paper's for ten, and looks
at 100 data sets without any effect. ``CompFSClassifier`` with the paper's settings, gradient
boosting (accuracy alone) and, with ``--methods authors``, the authors' package stand beside it on
the same rows; the latter in the interpreter that ``COTERIE_REFERENCE_PYTHON`` names, or in one set
up for it. Each finished cell is kept, so that an interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from rich.console import Console

from benchmarks._common import (
    RESULTS,
    machine,
    read_json,
    usable_cores,
    versions,
    write_json,
    write_text,
)
from benchmarks._engine_report import PAPER_EPOCHS
from benchmarks._processes import Processes, reference_python
from benchmarks._recovery_report import Cell, report
from benchmarks.tasks import TASKS

SEEDS = {"paper": 10, "null": 17}
N_SEEDS = 5
REFERENCE_SEEDS = 2
REFERENCE_TASKS = ("paper", "noisy", "many", "chain", "mixed")
AUTHORS_TASKS = ("syn1", "syn2", "syn3", "syn4", "syn2-flip10", "pairs5", "chain3")


def seeds_of(task: str, method: str) -> range:
    """Return the seeds of a cell's row: fewer for methods that only stand beside."""
    if method == "coterie":
        return range(SEEDS.get(TASKS[task].family, N_SEEDS))
    if method == "boosting":
        return range(SEEDS["paper"] if TASKS[task].family == "paper" else 0)
    if method == "authors":
        return range(1 if task in AUTHORS_TASKS else 0)
    return range(REFERENCE_SEEDS if TASKS[task].family in REFERENCE_TASKS else 0)


def fit_coterie(train: Any, test: Any, seed: int) -> Cell:
    """Fit the default setting."""
    from coterie import CoterieClassifier, CoterieRegressor

    is_class = np.issubdtype(train.target.dtype, np.integer)
    model = (CoterieClassifier if is_class else CoterieRegressor)(random_state=seed, n_jobs=1)
    seconds = _fit(model, train)
    return {
        "groups": [list(group) for group in model.groups_],
        "aggregator": model.aggregator_,
        "score": float(model.score(test.data, test.target)),
        "n_trained": model.history_[-1]["n_trained"] if model.history_ else 0,
        "certainty": model.groups_table()["certainty"].round(3).tolist(),
        "seconds": seconds,
    }


def fit_compfs(train: Any, test: Any, seed: int) -> Cell:
    """Fit the paper's method with the settings of its synthetic tasks."""
    from coterie import CompFSClassifier

    model = CompFSClassifier(random_state=seed)
    seconds = _fit(model, train)
    return {
        "groups": [list(group) for group in model.groups_],
        "score": float(model.score(test.data, test.target)),
        "seconds": seconds,
    }


def fit_boosting(train: Any, test: Any, seed: int) -> Cell:
    """Fit scikit-learn's gradient boosting, which gives no groups."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(random_state=seed)
    seconds = _fit(model, train)
    return {"score": float(model.score(test.data, test.target)), "seconds": seconds}


def fit_authors(train: Any, test: Any, seed: int) -> Cell:
    """Fit the authors' package, with its settings of the synthetic tasks, in its own process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npz"
        rows = {"X": train.data, "y": train.target, "X_test": test.data, "y_test": test.target}
        np.savez(path, **rows)
        python = reference_python(Path(REFERENCE_PYTHON) if REFERENCE_PYTHON else None)
        run = Processes(python, usable_cores(), path).authors(PAPER_EPOCHS, threads=1)
    return {"groups": run["groups"], "score": run["accuracy"], "seconds": run["fit_seconds"]}


def _fit(model: Any, train: Any) -> float:
    started = perf_counter()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="No group of features")
        model.fit(train.data, train.target)
    return perf_counter() - started


METHODS: dict[str, Callable[[Any, Any, int], Cell]] = {
    "coterie": fit_coterie,
    "compfs": fit_compfs,
    "boosting": fit_boosting,
    "authors": fit_authors,
}
DEFAULT_METHODS = ("coterie", "compfs", "boosting")
REFERENCE_PYTHON = os.environ.get("COTERIE_REFERENCE_PYTHON")


def run_cell(method: str, task: str, seed: int) -> Cell:
    """Fit one method to one draw of a task, and measure what is found."""
    from coterie.metrics import false_discovery_rate, group_similarity, true_positive_rate

    os.environ.setdefault("OMP_NUM_THREADS", "1")
    train, test = TASKS[task](seed)
    cell = METHODS[method](train, test, seed)
    if "groups" in cell:
        found = cell["groups"]
        cell |= {
            "gsim": group_similarity(train.groups, found),
            "tpr": true_positive_rate(train.groups, found),
            "fdr": false_discovery_rate(train.groups, found),
        }
    truth = [list(group) for group in train.groups]
    return {"method": method, "task": task, "seed": seed, "truth": truth, **cell}


def finish_cells(options: argparse.Namespace, content: dict[str, Any], path: Path) -> None:
    """Run the cells that are missing, and keep each as soon as it is done."""
    done = {(cell["method"], cell["task"], cell["seed"]) for cell in content["cells"]}
    wanted = [
        (method, task, seed)
        for method in options.methods
        for seed in range(max(SEEDS.values()))
        for task in options.tasks
        if seed in seeds_of(task, method) and seed < options.seeds
    ]
    left = [key for key in wanted if key not in done]
    work = Parallel(n_jobs=options.jobs, return_as="generator_unordered")
    finished: Iterator[Cell] = work(delayed(run_cell)(*key) for key in left)
    console = Console(stderr=True)
    for count, cell in enumerate(finished, start=1):
        content["cells"].append(cell)
        content["cells"].sort(key=lambda kept: (kept["method"], kept["task"], kept["seed"]))
        write_json(path, content)
        console.print(
            f"[{count}/{len(left)}] {cell['method']} {cell['task']} seed {cell['seed']}: "
            f"Gsim {cell.get('gsim', float('nan')):.2f}, {cell['seconds']:.1f} s",
            highlight=False,
        )


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), choices=list(TASKS))
    parser.add_argument("--methods", nargs="+", default=DEFAULT_METHODS, choices=list(METHODS))
    parser.add_argument("--seeds", type=int, default=max(SEEDS.values()), help="at most so many")
    parser.add_argument("--jobs", type=int, default=2, help="fits at a time (default: 2)")
    parser.add_argument("--restart", action="store_true", help="discard the cells that are kept")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results")
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    path = options.results / "recovery.json"
    kept = None if options.restart else read_json(path)
    content = {
        "command": "python -m benchmarks.recovery",
        "machine": machine(),
        "versions": versions(),
        "jobs": options.jobs,
        "cells": kept["cells"] if kept else [],
    }
    finish_cells(options, content, path)
    write_json(path, content)
    page = report(content)
    write_text(path.with_suffix(".md"), page)
    print(page)


if __name__ == "__main__":
    main()
