"""A cell is one fit of one method to one task with one seed; its outcome is one JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from coterie.experiments.files import write_text

Settings = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """A cell to be filled.

    Parameters
    ----------
    family : str
        The folder of the cell; tables of one family share cells.
    method, task : str
    seed : int
    arguments : dict
        What is passed to the estimator, over its defaults.
    data : dict
        What the data are drawn by.
    """

    family: str
    method: str
    task: str
    seed: int
    arguments: Settings = field(default_factory=dict)
    data: Settings = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """What a kept cell must agree in to stand for this one."""
        return {"arguments": self.arguments, "data": self.data}

    @property
    def name(self) -> str:
        """The job in words."""
        return f"{self.method} {self.task} seed {self.seed}"


@dataclass(frozen=True)
class Cell:
    """A filled cell: what was run, on what, when, how long it took and what came out."""

    family: str
    method: str
    task: str
    seed: int
    settings: Settings
    results: Settings
    seconds: float
    started: str
    versions: dict[str, str]
    machine: dict[str, Any]


class CellStore:
    """Cells as files below a folder: ``family/method/task-seed.json``.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, job: Job) -> Path:
        """Return where a job's cell is kept."""
        return self.folder / job.family / job.method / f"{job.task}-{job.seed}.json"

    def find(self, job: Job) -> Cell | None:
        """Return the kept cell of a job; None if there is none with the job's settings."""
        path = self.path(job)
        if not path.exists():
            return None
        cell = Cell(**json.loads(path.read_text(encoding="utf-8")))
        # Through JSON, as the kept ones went: tuples are lists there.
        wanted = json.loads(json.dumps(job.settings))
        return cell if cell.settings == wanted else None

    def find_all(self, jobs: Iterable[Job]) -> list[Cell]:
        """Return the cells of those jobs that have one."""
        return [cell for job in jobs if (cell := self.find(job)) is not None]

    def keep(self, cell: Cell) -> None:
        """Write a cell in one go."""
        job = Job(cell.family, cell.method, cell.task, cell.seed)
        text = json.dumps(asdict(cell), indent=1, sort_keys=True) + "\n"
        write_text(self.path(job), text)
