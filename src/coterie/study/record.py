"""What a fit leaves behind: the run in plain values, and the four files of its folder."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

from coterie import __version__
from coterie.io.errors import InputError
from coterie.io.export import as_json_value, write_description
from coterie.io.files import write_text
from coterie.study.fitting import Fitted
from coterie.study.scores import MAIN, main_scores

GROUPS, MODEL, REPORT, RUN = "groups.csv", "model.safetensors", "report.html", "run.json"

PACKAGES = ("jax", "jaxlib", "numpy", "pandas", "scikit-learn", "scipy")


def describe_run(fitted: Fitted, command: str) -> dict[str, Any]:
    """Return what it takes to understand and repeat a fit, as values that JSON knows.

    Parameters
    ----------
    fitted : Fitted
    command : str
        What was typed.
    """
    data, settings = fitted.data, fitted.settings
    described = {
        "command": command,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "coterie": __version__,
        "versions": _versions(),
        "machine": _machine(),
        "settings": {**settings.as_dict(), "ignore": list(data.roles.ignore)},
        "seed": settings.seed,
        "task": data.task,
        "task_reason": data.reason,
        "target": data.target,
        "id": data.roles.id,
        "weights": data.roles.weights,
        "rows": {"train": len(data.train), "test": 0 if data.test is None else len(data.test)},
        "features": data.train.X.shape[1],
        "notes": fitted.notes,
        "metric": MAIN[data.task],
        "scores": main_scores(fitted.scores, data.task),
        "measures": fitted.scores,
        "seconds": round(fitted.seconds, 2),
        "partial": fitted.is_partial,
        "groups": counted_from_one(fitted.model.groups_table()),
    }
    return as_json_value(described)


def write_results(folder: Path, fitted: Fitted, run: dict[str, Any]) -> None:
    """Write groups, model and run, complete before the first is put in place, then the report.

    Parameters
    ----------
    folder : Path
        Made if it is not there. Files of earlier results are replaced, others stay.
    fitted : Fitted
    run : dict
        From :func:`describe_run`.
    """
    from coterie.report import render_report

    data = fitted.data
    rows = data.train if data.test is None else data.test
    groups = groups_for_files(counted_from_one(fitted.model.groups_table()))

    def write(staging: Path) -> None:
        groups.to_csv(staging / GROUPS, index=False)
        fitted.model.save(staging / MODEL, notes={"run": run})
        write_description(staging / RUN, run)

    place_together(folder, write)
    page = render_report(fitted.model, rows.X, rows.y, run=run)
    write_text(folder / REPORT, page)


def counted_from_one(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of groups numbered as the page numbers them."""
    return table.assign(group=table["group"] + 1)


def groups_for_files(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of groups with the members as text.

    Examples
    --------
    >>> table = pd.DataFrame({"group": [0], "members": [("age", "dose")]})
    >>> groups_for_files(table)
       group    members
    0      0  age; dose
    """
    return table.assign(members=["; ".join(map(str, members)) for members in table["members"]])


def groups_in_words(groups: Sequence[Sequence[Any]]) -> str:
    """Return groups as text.

    Examples
    --------
    >>> groups_in_words([("age", "dose"), ("site",)])
    '{age, dose} {site}'
    """
    return " ".join(f"{{{', '.join(map(str, group))}}}" for group in groups)


def place_together(folder: Path, write: Callable[[Path], None]) -> None:
    """Let ``write`` fill a folder of its own, then move its files into ``folder``.

    If ``write`` fails, ``folder`` stays as it was.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    home = folder if folder.is_dir() else folder.parent
    staging = Path(tempfile.mkdtemp(dir=home, prefix=".coterie-"))
    try:
        write(staging)
        folder.mkdir(exist_ok=True)
        for path in sorted(staging.iterdir()):
            os.replace(path, folder / path.name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def check_folder(folder: Path) -> None:
    """Refuse a folder that can't be written to, before the work begins."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out: {folder} is a file. Name a folder, which may be a new one.")
    existing = next(path for path in [folder, *folder.absolute().parents] if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise InputError(f"--out: {existing} can't be written to. Name another folder.")


def _versions() -> dict[str, str]:
    found = {"coterie": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _machine() -> dict[str, Any]:
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
    }
