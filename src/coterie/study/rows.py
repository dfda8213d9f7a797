"""The rows that are learnt from and those that are held out, checked as one table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from coterie.estimators._validation import check_weights
from coterie.io._refusals import listed
from coterie.io.encoding import TableEncoder
from coterie.io.errors import TableError
from coterie.io.kinds import plain_label
from coterie.io.target import Task, check_target
from coterie.study.columns import Roles, features_of
from coterie.study.hints import with_hint
from coterie.study.holdout import Rows, split

LEAST_ROWS = 10
"""With fewer nothing can be learnt and checked."""
LEAST_LETTERS = 4
"""Of a target's name that other names are compared with."""


@dataclass(frozen=True)
class Data:
    """What a study is about.

    Attributes
    ----------
    target : str
    task : "classification" or "regression"
    reason : str
        Why this task.
    train : Rows
    test : Rows, optional
        Held out: they decide nothing.
    roles : Roles
    notes : tuple of str
    """

    target: str
    task: Task
    reason: str
    train: Rows
    test: Rows | None
    roles: Roles
    notes: tuple[str, ...] = ()


def prepare(
    table: pd.DataFrame,
    roles: Roles,
    task: Task | None = None,
    *,
    impute: bool = False,
    test_fraction: float = 0.2,
    test_table: pd.DataFrame | None = None,
    seed: int = 0,
) -> Data:
    """Check a table, find the task, and hold rows out.

    Parameters
    ----------
    table : DataFrame
    roles : Roles
    task : "classification" or "regression", optional
        By default found from the target.
    impute : bool, default=False
        Whether missing values are going to be filled; else they are refused.
    test_fraction : float, default=0.2
        Share of the rows to hold out: of each class, or of the rows' names if they repeat. 0 for
        none.
    test_table : DataFrame, optional
        Rows to hold out instead.
    seed : int, default=0

    Raises
    ------
    TableError
        If the table can't be used as it is.

    Examples
    --------
    >>> table = pd.DataFrame({"age": range(40, 60), "relapse": [0, 1] * 10})
    >>> data = prepare(table, Roles("relapse"), test_fraction=0.2)
    >>> data.task, len(data.train), len(data.test)
    ('classification', 16, 4)
    """
    features = features_of(table, roles)
    target = check_target(table.reset_index(drop=True), roles.target, task, drop_missing=True)
    rows = _rows(table, features, roles, target.values, target.task)
    _check_features(rows.X, impute)
    notes = (*target.notes, *_doubts(rows.X, roles.target))
    data = Data(roles.target, target.task, target.reason, rows, None, roles, notes)
    if test_table is not None:
        return replace(data, test=_test_rows(test_table, data))
    train, test, more = split(rows, target.task, test_fraction, seed)
    return replace(data, train=train, test=test, notes=(*notes, *more))


def _rows(
    table: pd.DataFrame, features: Sequence[str], roles: Roles, target: pd.Series, task: Task
) -> Rows:
    """Return the rows whose target is known."""
    known = target.index.to_numpy()
    if len(known) < LEAST_ROWS:
        raise TableError(
            f"The table has {len(known)} rows with a target: too few to learn from and to check "
            f"what was learnt. At least {LEAST_ROWS} are needed, and hundreds are better."
        )
    X = _named(table, features, roles, known)
    return Rows(X, _outcomes(target, task), _weights(table, roles.weights, known))


def _named(
    table: pd.DataFrame, features: Sequence[str], roles: Roles, rows: NDArray[Any]
) -> pd.DataFrame:
    """Return rows of features, named by the column that names them."""
    X = table[list(features)].iloc[rows]
    if roles.id is None:
        return X
    return X.set_axis(pd.Index(table[roles.id].iloc[rows], name=roles.id), axis=0)


def _outcomes(target: pd.Series, task: Task) -> NDArray[Any]:
    """Return numbers for a regression; classes as they are, whole numbers without decimals."""
    if task == "regression":
        return target.to_numpy(dtype=np.float64)
    values = target.astype(object).infer_objects()
    numbers = values.to_numpy()
    if numbers.dtype.kind == "f" and (numbers == np.round(numbers)).all():
        return numbers.astype(np.int64)
    return numbers.astype(str) if numbers.dtype.kind not in "biuf" else numbers


def _weights(
    table: pd.DataFrame, name: str | None, known: NDArray[Any]
) -> NDArray[np.float64] | None:
    if name is None:
        return None
    if not pd.api.types.is_numeric_dtype(table[name]):
        raise TableError(
            f"--weights: column {name!r} holds {table[name].iloc[0]!r} in row 0. Weights are "
            "numbers, 0 or more."
        )
    weights = table[name].to_numpy(dtype=np.float64, na_value=np.nan)
    try:
        check_weights(weights, len(weights), f"--weights: column {name!r}")
        return check_weights(weights[known], len(known), f"--weights: column {name!r}")
    except ValueError as error:
        raise TableError(f"{error} Correct the value, or leave out the row.") from None


def _check_features(X: pd.DataFrame, impute: bool) -> None:
    """Refuse columns that can't be used, while rows can still be named as the file counts them."""
    try:
        TableEncoder(impute=impute).fit(X)
    except TableError as error:
        raise TableError(with_hint(str(error), X, impute)) from None
    for name, values in X.select_dtypes("number").items():
        numbers = values.to_numpy(dtype=np.float64, na_value=np.nan)
        too_large = np.flatnonzero(np.abs(numbers) > np.finfo(np.float32).max)
        if len(too_large):
            raise TableError(
                f"Column {name!r} holds {numbers[too_large[0]]:g} in row {too_large[0]}: numbers "
                "must be finite, and below 3.4e38. Correct the value, leave it empty if it is "
                "missing, or leave out the column."
            )


def _doubts(X: pd.DataFrame, target: str) -> list[str]:
    """Return notes on features that, by their names, may be none."""
    whole = X.select_dtypes("integer")
    notes = [
        f"Column {name!r} seems to name the rows. If so, leave it out by --id {name}."
        for name, values in whole.items()
        if re.search(r"(^|[_\W])id$|identifier|^id[_\W]", str(name).lower()) and values.is_unique
    ]
    alike = [repr(name) for name in X.columns if target.lower() in name.lower()]
    if alike and len(target) >= LEAST_LETTERS:
        notes.append(
            f"Named like the target: {listed(alike)}. What measures {target!r} once more, or "
            "follows from it, should be left out by --ignore."
        )
    return notes


def _test_rows(table: pd.DataFrame, data: Data) -> Rows:
    """Return the rows of a table of its own whose target is known."""
    features = list(data.train.X.columns)
    try:
        features_of(table, replace(data.roles, ignore=()))
        known, y = known_outcomes(table, data.target, data.task, data.train.y)
        missing = [name for name in features if name not in table.columns]
        if missing:
            raise TableError(f"The table lacks the column {missing[0]!r} of the other one.")
        X = _named(table, features, data.roles, known)
        return Rows(X, y, _weights(table, data.roles.weights, known))
    except TableError as error:
        raise TableError(f"--test: {error}") from None


def known_outcomes(
    table: pd.DataFrame, target: str, task: str, in_training: NDArray[Any]
) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """Return the rows whose target is known, and the target by the values that training had.

    Parameters
    ----------
    table : DataFrame
    target : str
    task : "classification" or "regression"
    in_training : ndarray
        Outcomes, or the classes.
    """
    values = table[target]
    known = np.flatnonzero(values.notna())
    if not len(known):
        raise TableError(f"Target {target!r} is missing in all {len(table):,} rows.")
    if task == "classification":
        return known, _as_in_training(values.to_numpy()[known], in_training, target)
    try:
        numbers = values.iloc[known].to_numpy(dtype=np.float64)
    except (TypeError, ValueError):
        raise TableError(
            f"Target {target!r} holds {values.iloc[known[0]]!r}, but in training it held numbers. "
            "Correct the values."
        ) from None
    return known, numbers


def _as_in_training(labels: NDArray[Any], known: NDArray[Any], target: str) -> NDArray[Any]:
    """Return labels by the values that they have in the training."""
    places = {plain_label(label): label for label in np.unique(known)}
    wanted = [plain_label(label) for label in labels]
    unknown = sorted(set(wanted) - set(places))
    if unknown:
        raise TableError(
            f"Target {target!r} holds {unknown[0]!r}, which no row of training has: its classes "
            f"are {', '.join(places)}. Leave out such rows."
        )
    return np.array([places[label] for label in wanted], dtype=known.dtype)
