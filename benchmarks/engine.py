"""How fast is the engine? One Syn2 fit by the authors' package and by this one, in turn.

``python -m benchmarks.engine`` gives each fit a process of its own and both packages the same
cores, and goes round several times. It needs a quiet machine: on cores that others use, PyTorch's
threads slow down many times over, which would flatter this package. So the authors' package runs
with one thread too, ratios are to the faster of its thread counts and between the best rounds, and
the page says how busy others kept the cores. The first run sets up
``.venv-reference`` with PyTorch and the authors' package; ``--reference-python`` names another
interpreter that has both.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks._common import (
    RESULTS,
    describe,
    machine,
    usable_cores,
    versions,
    write_json,
    write_text,
)
from benchmarks._engine_report import (
    NOISES,
    PAPER_EPOCHS,
    STARTS,
    Run,
    epoch_seconds,
    report,
    summarise,
)
from benchmarks._processes import Processes, reference_python


def rounds(options: argparse.Namespace, processes: Processes) -> Iterator[Run]:
    """Give the measurements one by one: every fit once a round, so that noise meets them all."""
    for repeat in range(options.repeats):
        yield {"name": "peak", "repeat": repeat, **processes.ours("peak")}
        for threads in sorted({1, options.threads}):
            run = processes.authors(options.epochs, threads)
            yield {"name": "authors", "repeat": repeat, **run}
        for noise in NOISES:
            with tempfile.TemporaryDirectory() as folder:
                for start in STARTS:
                    run = processes.ours(
                        "once", Path(folder), epochs=options.epochs, gate_noise=noise
                    )
                    yield {"name": noise, "cache": start, "repeat": repeat, **run}
    for repeat in range(options.seeds_repeats):
        for noise in NOISES:
            run = processes.ours(
                "many", epochs=options.epochs, gate_noise=noise, seeds=options.seeds
            )
            yield {"name": f"seeds-{noise}", "repeat": repeat, **run}


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=PAPER_EPOCHS, help="at least 2 (default: 35)")
    parser.add_argument("--repeats", type=int, default=3, help="rounds (default: 3)")
    parser.add_argument("--seeds", type=int, default=10, help="for fit_seeds (default: 10)")
    parser.add_argument("--seeds-repeats", type=int, default=3, help="its rounds (default: 3)")
    parser.add_argument("--threads", type=int, default=usable_cores(), help="(default: all cores)")
    parser.add_argument("--rows", type=int, default=20_000, help="(default: 20000)")
    parser.add_argument("--features", type=int, default=500, help="(default: 500)")
    parser.add_argument("--reference-python", type=Path, help="interpreter with torch and compfs")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results")
    options = parser.parse_args()
    if options.epochs < 2:
        parser.error(f"--epochs must be at least 2 to time one, got {options.epochs}")
    return options


def main() -> None:
    options = parse_options()
    recorded = ("epochs", "repeats", "seeds", "seeds_repeats", "threads", "rows", "features")
    settings = {name: getattr(options, name) for name in recorded}
    named = (f"--{name.replace('_', '-')} {value}" for name, value in settings.items())
    content: dict[str, Any] = {
        "command": " ".join(["python -m benchmarks.engine", *named]),
        "machine": machine(),
        "versions": versions(),
        "settings": settings,
        "runs": [],
    }
    path = options.results / "engine.json"
    with tempfile.TemporaryDirectory() as folder:
        python = reference_python(options.reference_python)
        processes = Processes(python, options.threads, Path(folder) / "syn2.npz")
        processes.ours("data", rows=options.rows, features=options.features)
        for run in rounds(options, processes):
            content["versions"] |= run.pop("versions", {})
            content["runs"].append(run)
            write_json(path, content)
            print(progress_line(run), file=sys.stderr, flush=True)
    content["summary"] = summarise(content["runs"], options.rows, options.features)
    write_json(path, content)
    page = report(content)
    write_text(path.with_suffix(".md"), page)
    print(page)


def progress_line(run: Run) -> str:
    """Say in a line what was measured."""
    facts = {name: round(value, 2) for name, value in run.items() if isinstance(value, float)}
    if "epoch_ends" in run:
        facts["epoch_seconds"] = round(epoch_seconds(run), 4)
    label = " ".join(str(run[key]) for key in ("name", "threads", "cache") if key in run)
    return f"round {run['repeat']}, {label}: {describe(facts)}"


if __name__ == "__main__":
    main()
