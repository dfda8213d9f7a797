"""How fast is the recommended method? Syn2 end to end, beside the authors' package and boosting.

``python -m benchmarks.speed`` fits Syn2 (20,000 rows of 500 columns) with ``CoterieClassifier`` in
a warm process, in turn with ``HistGradientBoostingClassifier``, and runs the authors' 35 epochs
in the same round on the same cores. Ratios are between the medians of the rounds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._common import (
    RESULTS,
    describe,
    machine,
    markdown_table,
    usable_cores,
    versions,
    write_json,
    write_text,
)
from benchmarks._engine_report import PAPER_EPOCHS, whole_fit_seconds
from benchmarks._processes import Processes, Run, reference_python

AIM_AUTHORS, AIM_MEMORY = 40, 3


def measure(options: argparse.Namespace, folder: Path) -> list[Run]:
    """Run every round; a round is one process of each package."""
    processes = Processes(
        reference_python(options.reference_python), options.threads, folder / "syn2.npz"
    )
    processes.ours("data", rows=options.rows, features=options.features)
    rounds = []
    for number in range(options.rounds):
        ours = processes.ours("search", folder / "cache", repeats=options.fits)
        authors = [processes.authors(options.epochs, n) for n in sorted({1, options.threads})]
        rounds.append(
            {
                **ours,
                "authors_seconds": min(whole_fit_seconds(run) for run in authors),
                "others_share": max(run["others_share"] or 0.0 for run in [ours, *authors]),
            }
        )
        print(f"round {number + 1} of {options.rounds} done", file=sys.stderr, flush=True)
    return rounds


def summarise(rounds: list[Run]) -> dict[str, float]:
    """Take medians over all fits of all rounds."""
    fits = [fit for run in rounds for fit in run["fits"]]

    def median(name: str) -> float:
        return statistics.median(fit[name] for fit in fits)

    authors = statistics.median(run["authors_seconds"] for run in rounds)
    return {
        "seconds": median("seconds"),
        "boosting_seconds": median("boosting_seconds"),
        "authors_seconds": authors,
        "times_faster_than_authors": authors / median("seconds"),
        "times_faster_than_boosting": median("boosting_seconds") / median("seconds"),
        "memory_in_x": max(fit["memory_mb"] for fit in fits) / rounds[0]["x_mb"],
        "accuracy": median("accuracy"),
        "boosting_accuracy": median("boosting_accuracy"),
        "others_share": max(run["others_share"] for run in rounds),
    }


def report(content: dict[str, Any]) -> str:
    """Write the page."""
    summary = content["summary"]
    rows = [
        ("Coterie, warm process, s", f"{summary['seconds']:.2f}", ""),
        ("HistGradientBoostingClassifier, s", f"{summary['boosting_seconds']:.2f}", ""),
        ("authors' package, 35 epochs, s", f"{summary['authors_seconds']:.1f}", ""),
        ("faster than the authors' package", f"{summary['times_faster_than_authors']:.1f}", "40"),
        ("faster than boosting", f"{summary['times_faster_than_boosting']:.1f}", "1"),
        ("memory over idle, in sizes of X as float32", f"{summary['memory_in_x']:.2f}", "below 3"),
        ("accuracy on 200 fresh rows", f"{summary['accuracy']:.3f}", ""),
        ("accuracy of boosting", f"{summary['boosting_accuracy']:.3f}", ""),
    ]
    groups = {str(fit["groups"]) for run in content["rounds"] for fit in run["fits"]}
    return "\n".join(
        [
            "# Syn2 end to end",
            "",
            f"`{content['command']}`",
            "",
            f"{describe(content['machine'])}; {describe(content['versions'])}.",
            "",
            f"Other processes used up to {summary['others_share']:.0%} of the cores meanwhile.",
            "",
            markdown_table(("measure", "median", "aim"), rows),
            "",
            f"Groups found: {'; '.join(sorted(groups))}.",
            "",
        ]
    )


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2, help="(default: 2)")
    parser.add_argument("--fits", type=int, default=3, help="fits a round (default: 3)")
    parser.add_argument("--epochs", type=int, default=PAPER_EPOCHS, help="of the authors' package")
    parser.add_argument("--threads", type=int, default=usable_cores(), help="(default: all cores)")
    parser.add_argument("--rows", type=int, default=20_000, help="(default: 20000)")
    parser.add_argument("--features", type=int, default=500, help="(default: 500)")
    parser.add_argument("--reference-python", type=Path, help="interpreter with torch and compfs")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results")
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        rounds = measure(options, Path(folder))
    recorded = ("rounds", "fits", "epochs", "threads", "rows", "features")
    named = (f"--{name} {getattr(options, name)}" for name in recorded)
    content = {
        "command": " ".join(["python -m benchmarks.speed", *named]),
        "machine": machine(),
        "versions": versions(),
        "rounds": rounds,
        "summary": summarise(rounds),
    }
    path = options.results / "speed.json"
    write_json(path, content)
    page = report(content)
    write_text(path.with_suffix(".md"), page)
    print(page)


if __name__ == "__main__":
    main()
