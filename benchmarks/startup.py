"""How long does the command line take to start? Beside bare Python, and Python with numpy.

``python -m benchmarks.startup`` starts each program in turn, round after round. The fastest start
is what the machine can do, the median what one feels while other processes run, and the seconds of
the processor are what others disturb least.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks._common import (
    RESULTS,
    Disturbance,
    describe,
    machine,
    markdown_table,
    seconds_of_children,
    versions,
    write_json,
    write_text,
)

AIM_SECONDS = 0.5
PACKAGES = ("coterie", "typer", "rich", "numpy")

COMMAND = "import sys; sys.argv = {arguments!r}; from coterie.cli.main import main; main()"
PROGRAMS = {
    "python -c pass": "pass",
    'python -c "import numpy"': "import numpy",
    'python -c "import coterie"': "import coterie",
    "coterie --version": COMMAND.format(arguments=["coterie", "--version"]),
    "coterie --help": COMMAND.format(arguments=["coterie", "--help"]),
    "coterie fit --help": COMMAND.format(arguments=["coterie", "fit", "--help"]),
}


def measure(rounds: int) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Start every program once a round; the first round fills the caches and does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    processor: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for number in range(rounds + 1):
        for name, program in PROGRAMS.items():
            start, start_of_children = perf_counter(), seconds_of_children()
            subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
            if number:
                seconds[name].append(perf_counter() - start)
                processor[name].append(seconds_of_children() - start_of_children)
    return seconds, processor


def rounded(runs: list[float]) -> list[float]:
    return [round(run, 4) for run in runs]


def report(content: dict[str, Any]) -> str:
    """Write the page."""
    rows = [
        (
            f"`{name}`",
            f"{min(runs):.2f}",
            f"{statistics.median(runs):.2f}",
            f"{statistics.median(content['processor_seconds'][name]):.2f}",
        )
        for name, runs in content["seconds"].items()
    ]
    disturbed = content["others_share"]
    return "\n".join(
        [
            "# Start of the command line",
            "",
            f"`{content['command']}`",
            "",
            f"{describe(content['machine'])}; {describe(content['versions'])}.",
            "",
            "Other processes used "
            + ("an unknown share" if disturbed is None else f"{disturbed:.0%}")
            + f" of the cores meanwhile. The aim for `coterie --help` is {AIM_SECONDS} s.",
            "",
            markdown_table(("program", "fastest, s", "median, s", "processor, median, s"), rows),
            "",
        ]
    )


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20, help="(default: 20)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results")
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    with Disturbance() as disturbance:
        seconds, processor = measure(options.rounds)
    content = {
        "command": f"python -m benchmarks.startup --rounds {options.rounds}",
        "machine": machine(),
        "versions": versions(PACKAGES),
        "others_share": disturbance.share,
        "seconds": {name: rounded(runs) for name, runs in seconds.items()},
        "processor_seconds": {name: rounded(runs) for name, runs in processor.items()},
    }
    path = options.results / "startup.json"
    write_json(path, content)
    page = report(content)
    write_text(path.with_suffix(".md"), page)
    print(page)


if __name__ == "__main__":
    main()
