"""A saved model on other rows: predictions, and the page about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from coterie.estimators._saving import load
from coterie.estimators.table import TableModel
from coterie.io.errors import InputError
from coterie.io.files import write_text
from coterie.io.models import read_notes
from coterie.io.target import find_column
from coterie.io.writing import check_writable
from coterie.study.holdout import Rows
from coterie.study.rows import known_outcomes
from coterie.study.scores import MAIN, measure


@dataclass(frozen=True)
class Loaded:
    """A model, and what was saved with it.

    Attributes
    ----------
    path : Path
    model : TableModel
    notes : dict
        ``run`` is the run of :func:`coterie.study.record.describe_run`, if the model has one.
    """

    path: Path
    model: TableModel
    notes: dict[str, Any]

    @property
    def run(self) -> dict[str, Any]:
        """The run that made the model, empty if that is not known."""
        return dict(self.notes.get("run") or {})


def load_model(path: Path) -> Loaded:
    """Load a model and its notes.

    Raises
    ------
    ModelFileError
        If there is no model.
    """
    return Loaded(path, load(path), read_notes(path))


def predict_rows(
    loaded: Loaded, table: pd.DataFrame, identifier: str | None = None, *, contributions: bool
) -> tuple[pd.DataFrame, list[str]]:
    """Return the prediction for each row, and what should be known of it.

    Parameters
    ----------
    loaded : Loaded
    table : DataFrame
    identifier : str, optional
        The column that names the rows; by default that of the training, if the table has it.
    contributions : bool
        Whether to add what each group contributes.

    Returns
    -------
    table : DataFrame
    notes : list of str
    """
    model = loaded.model
    names = _row_names(loaded, table, identifier)
    rows, notes = _features(loaded, table)
    predicted = pd.DataFrame({names.name or "row": names.to_numpy()})
    predicted["prediction"] = model.predict(rows)
    if hasattr(model, "predict_proba"):
        for label, column in zip(model.classes_, model.predict_proba(rows).T, strict=True):
            predicted[f"probability of {label}"] = column
    if contributions:
        predicted = pd.concat([predicted, _contributions(model, rows)], axis=1)
    return predicted, notes


def write_report(
    path: Path,
    loaded: Loaded,
    table: pd.DataFrame | None = None,
    identifier: str | None = None,
    title: str | None = None,
) -> list[str]:
    """Write the page about a model; return what should be known of the rows.

    Parameters
    ----------
    path : Path
    loaded : Loaded
    table : DataFrame, optional
        Rows to explain; if they have the target, the prediction is measured on them.
    identifier : str, optional
    title : str, optional
    """
    from coterie.report import render_report

    check_writable(path, any_ending=True)
    rows, outcomes = None, None
    notes: list[str] = []
    if table is not None:
        names = _row_names(loaded, table, identifier)
        rows, notes = _features(loaded, table)
        rows = rows.set_axis(pd.Index(names), axis=0)
        known, outcomes = _outcomes(loaded, table)
        rows = rows.iloc[known]
        notes += _measured_again(loaded, rows, outcomes)
    page = render_report(loaded.model, rows, outcomes, run=loaded.run or None, title=title)
    write_text(Path(path).expanduser(), page)
    return notes


def _row_names(loaded: Loaded, table: pd.DataFrame, identifier: str | None) -> pd.Series:
    """Return what the rows are called."""
    if identifier is not None:
        return find_column(table, identifier)
    of_training = loaded.run.get("id")
    if of_training in table.columns:
        return table[of_training]
    return pd.Series(table.index, name=table.index.name)


def _features(loaded: Loaded, table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns that the model was trained on."""
    model = loaded.model
    if not isinstance(model, TableModel):
        raise InputError(
            f"{loaded.path}: this model takes arrays rather than tables. Use coterie.load in "
            "Python."
        )
    rows = model.encoder_.select(table)
    notes = [
        f"Column {name!r} holds values that no row of training has ({', '.join(labels[:5])}): they "
        "are treated as none of the known ones."
        for name, labels in model.encoder_.unseen_categories(rows).items()
    ]
    return rows, notes


def _outcomes(loaded: Loaded, table: pd.DataFrame) -> tuple[NDArray[np.intp], NDArray[Any] | None]:
    """Return which rows to show, and their target where the table has it."""
    target, task = str(loaded.run.get("target")), str(loaded.run.get("task"))
    if target not in table.columns or table[target].isna().all():
        return np.arange(len(table)), None
    classes = loaded.model.classes_ if task == "classification" else np.empty(0)
    return known_outcomes(table, target, task, classes)


def _measured_again(loaded: Loaded, rows: pd.DataFrame, outcomes: NDArray[Any] | None) -> list[str]:
    """Say how well the model predicts these rows, which may be some that it was fitted on."""
    if outcomes is None:
        return []
    task = loaded.run["task"]
    score = measure(loaded.model, Rows(rows, outcomes), task)[MAIN[task]]
    return [
        f"{MAIN[task]} on the {len(rows):,} rows of this table: {score:.3f}. It flatters if the "
        "model was fitted on some of them."
    ]


def _contributions(model: TableModel, rows: pd.DataFrame) -> pd.DataFrame:
    """Return a column for each group."""
    if not hasattr(model, "contributions"):
        raise InputError("--contributions: the method of this model has none.")
    effects = model.contributions(rows)
    names = [" & ".join(members) for members in model.get_groups(names=True)]
    if effects.ndim == 2:
        return pd.DataFrame(effects, columns=[f"contribution of {name}" for name in names])
    return pd.DataFrame(
        {
            f"contribution of {name} to {label}": effects[:, place, output]
            for place, name in enumerate(names)
            for output, label in enumerate(model.classes_)
        }
    )
