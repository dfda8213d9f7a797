"""Measurements in processes of their own: this package's, and the authors' in its environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks._common import ROOT, Disturbance

Run = dict[str, Any]

REFERENCE_PACKAGES = (["torch==2.13.0", "scikit-learn", "pandas"], ["compfs==0.0.2", "--no-deps"])


class Processes:
    """Starts each measurement in a process of its own, on the same cores.

    Parameters
    ----------
    reference : Path
        The interpreter that has the authors' package.
    threads : int
        Cores that a process may use.
    data : Path
        File of the task, made by the first measurement.
    """

    def __init__(self, reference: Path, threads: int, data: Path) -> None:
        self.reference, self.threads, self.data = reference, threads, data

    def ours(self, job: str, cache: Path | None = None, **options: Any) -> Run:
        """Run a job of ``benchmarks._ours``."""
        named = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        command = [sys.executable, "-m", "benchmarks._ours", job, f"--data={self.data}", *named]
        return self._run(command, cache)

    def authors(self, epochs: int, threads: int) -> Run:
        """Run the authors' package with so many of the threads."""
        script = str(ROOT / "_reference.py")
        options = [f"--epochs={epochs}", f"--threads={threads}"]
        command = [str(self.reference), script, str(self.data), *options]
        return {"threads": threads, **self._run(command, None, threads)}

    def _run(self, command: list[str], cache: Path | None, threads: int | None = None) -> Run:
        with Disturbance() as disturbance:
            done = subprocess.run(
                command,
                env=self._environment(cache, threads or self.threads),
                preexec_fn=self._keep_to_cores,
                capture_output=True,
                text=True,
                cwd=ROOT.parent,
            )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
        result: Run = json.loads(done.stdout.splitlines()[-1])
        return {**result, "others_share": disturbance.share}

    def _environment(self, cache: Path | None, threads: int) -> dict[str, str]:
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        counts = dict.fromkeys(names, str(threads))
        return {**os.environ, **counts, "COTERIE_COMPILATION_CACHE": str(cache or "off")}

    def _keep_to_cores(self) -> None:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: self.threads])


def reference_python(chosen: Path | None) -> Path:
    """Return the interpreter that has the authors' package, setting it up if need be."""
    if chosen is not None:
        return chosen
    folder = ROOT.parent / ".venv-reference"
    python, ready = folder / "bin" / "python", folder / ".installed"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        for packages in REFERENCE_PACKAGES:
            install = [str(python), "-m", "pip", "install", "--quiet", *packages]
            subprocess.run(install, check=True)
        ready.touch()
    return python
