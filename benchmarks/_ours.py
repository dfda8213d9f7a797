"""Fits by this package in a process of its own; prints their timings as JSON.

Run by ``benchmarks.engine``, as ``python -m benchmarks._ours``.
"""

from __future__ import annotations

import argparse
import json
from time import perf_counter
from typing import Any

STARTED = perf_counter()


class EpochEnds:
    """A callback that notes when each epoch of the first seed ends."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def on_epoch_end(self, record: dict[str, Any], state: Any) -> None:
        self.times.append(perf_counter())


def make_data(path: str, rows: int, features: int) -> dict[str, Any]:
    """Draw Syn2 with the paper's 200 test rows into an npz file."""
    import numpy as np

    from coterie.datasets import make_syn

    task = make_syn(2, rows + 200, features, random_state=0)
    X, y = task.data.astype(np.float32), task.target.astype(np.int64)
    np.savez(path, X=X[:rows], y=y[:rows], X_test=X[rows:], y_test=y[rows:])
    return {"groups": [list(group) for group in task.groups]}


def peak_gflops(size: int = 2048, repeats: int = 8) -> dict[str, Any]:
    """Time products of float32 matrices by numpy; the best repeat is the machine's peak."""
    import numpy as np

    rng = np.random.default_rng(0)
    first, second = (rng.normal(size=(size, size)).astype(np.float32) for _ in range(2))
    seconds = []
    for _ in range(repeats):
        started = perf_counter()
        first @ second
        seconds.append(perf_counter() - started)
    return {"peak_gflops": 2 * size**3 / min(seconds) / 1e9}


def fit_once(path: str, epochs: int, gate_noise: str) -> dict[str, Any]:
    """Fit one seed, with what a fresh process has to import and compile."""
    import numpy as np

    from benchmarks._reference import peak_memory_mb
    from coterie import CompFSClassifier

    import_seconds = perf_counter() - STARTED
    with np.load(path) as data:
        X, y = data["X"], data["y"]
    ends = EpochEnds()
    model = CompFSClassifier(
        max_epochs=epochs, gate_noise=gate_noise, random_state=0, callbacks=[ends]
    )
    started = perf_counter()
    model.fit(X, y)
    return {
        "import_seconds": import_seconds,
        "fit_seconds": perf_counter() - started,
        "epoch_ends": [end - started for end in ends.times],
        "peak_memory_mb": peak_memory_mb(),
        "groups": [list(group) for group in model.groups_],
    }


def fit_many(path: str, epochs: int, gate_noise: str, seeds: int) -> dict[str, Any]:
    """Fit seeds one after another and all at once, both with everything compiled."""
    import numpy as np

    from benchmarks._reference import peak_memory_mb
    from coterie import CompFSClassifier, fit_seeds

    with np.load(path) as data:
        X, y = data["X"], data["y"]
    model = CompFSClassifier(max_epochs=epochs, gate_noise=gate_noise)
    fit_seeds(CompFSClassifier(max_epochs=1, gate_noise=gate_noise), X, y, [0])
    started = perf_counter()
    alone = [model.set_params(random_state=seed).fit(X, y).groups_ for seed in range(seeds)]
    middle = perf_counter()
    memory_alone = peak_memory_mb()
    together = [fitted.groups_ for fitted in fit_seeds(model, X, y, range(seeds))]
    return {
        "single_seconds": middle - started,
        "together_seconds": perf_counter() - middle,
        "same_groups": alone == together,
        "single_memory_mb": memory_alone,
        "together_memory_mb": peak_memory_mb(),
    }


def search(path: str, repeats: int) -> dict[str, Any]:
    """Fit the recommended method again and again in a warm process; boosting in turn."""
    import numpy as np
    from sklearn.ensemble import HistGradientBoostingClassifier

    from benchmarks._reference import forget_peak_memory, memory_mb, peak_memory_mb
    from coterie import CoterieClassifier

    with np.load(path) as data:
        X, y, X_test, y_test = (data[name] for name in ("X", "y", "X_test", "y_test"))
    CoterieClassifier(random_state=repeats).fit(X, y)
    runs = []
    for seed in range(repeats):
        idle = memory_mb()
        forget_peak_memory()
        started = perf_counter()
        model = CoterieClassifier(random_state=seed).fit(X, y)
        seconds, peak = perf_counter() - started, peak_memory_mb()
        started = perf_counter()
        boosting = HistGradientBoostingClassifier(random_state=seed).fit(X, y)
        runs.append(
            {
                "seconds": seconds,
                "memory_mb": peak - idle,
                "groups": [list(group) for group in model.groups_],
                "accuracy": float(model.score(X_test, y_test)),
                "boosting_seconds": perf_counter() - started,
                "boosting_accuracy": float(boosting.score(X_test, y_test)),
            }
        )
    return {"fits": runs, "x_mb": X.astype(np.float32).nbytes / 2**20}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("job", choices=["data", "peak", "once", "many", "search"])
    parser.add_argument("--data", default="")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--features", type=int, default=500)
    parser.add_argument("--epochs", type=int, default=35)
    parser.add_argument("--gate-noise", default="sample")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    jobs = {
        "data": lambda: make_data(options.data, options.rows, options.features),
        "peak": peak_gflops,
        "once": lambda: fit_once(options.data, options.epochs, options.gate_noise),
        "many": lambda: fit_many(options.data, options.epochs, options.gate_noise, options.seeds),
        "search": lambda: search(options.data, options.repeats),
    }
    print(json.dumps(jobs[options.job]()))


if __name__ == "__main__":
    main()
