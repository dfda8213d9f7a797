"""Members of groups that tell the target on their own, as what follows from the target does."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score, r2_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from coterie.study.rows import Data

TELLS_ALL = 0.97
"""Balanced accuracy or R² from which on one column leaves nothing to the others."""
DEPTH = 3


def telling_members(model: Any, data: Data) -> list[str]:
    """Return a note for each member of a group that alone tells the target.

    A shallow tree on the column decides, on the rows of training.

    Parameters
    ----------
    model : TableModel
    data : Data

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import pandas as pd
    >>> from coterie.io.encoding import TableEncoder
    >>> from coterie.study.columns import Roles
    >>> from coterie.study.rows import prepare
    >>> table = pd.DataFrame({"size": [1, 5] * 20, "code": [7, 9] * 20, "ill": [0, 1] * 20})
    >>> data = prepare(table, Roles("ill"), test_fraction=0)
    >>> model = SimpleNamespace(groups_=[(1,)], encoder_=TableEncoder().fit(data.train.X))
    >>> telling_members(model, data)[0][:50]
    "Column 'code' alone tells 'ill' (100% of the rows "
    """
    members = sorted({member for group in model.groups_ for member in group})
    encoder = model.encoder_
    numbers = encoder.transform(data.train.X).to_numpy(dtype=np.float64)
    notes = []
    for member in members:
        share = _told_by(numbers[:, encoder.owner_ == member], data)
        if share < TELLS_ALL:
            continue
        notes.append(
            f"Column {str(encoder.feature_names_in_[member])!r} alone tells {data.target!r} "
            f"({_in_words(share, data.task)}). If it is known only once {data.target!r} is, leave "
            "it out and fit again."
        )
    return notes


def _told_by(columns: Any, data: Data) -> float:
    """Return how much a shallow tree on some columns tells of the target."""
    rows = data.train
    if data.task == "regression":
        tree = DecisionTreeRegressor(max_depth=2 * DEPTH, random_state=0).fit(columns, rows.y)
        return float(r2_score(rows.y, tree.predict(columns)))
    tree = DecisionTreeClassifier(max_depth=DEPTH, class_weight="balanced", random_state=0)
    return float(balanced_accuracy_score(rows.y, tree.fit(columns, rows.y).predict(columns)))


def _in_words(share: float, task: str) -> str:
    return f"R² {share:.2f}" if task == "regression" else f"{share:.0%} of the rows of each class"
