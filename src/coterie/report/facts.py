"""What a page tells, gathered from the model, the rows and the record of the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from coterie.groups import Group
from coterie.plots.effects import Effect, effect_of_group
from coterie.report.markup import clean
from coterie.report.scores import Scores, scores_on_rows


@dataclass(frozen=True)
class Facts:
    """All that the sections of a page need.

    Attributes
    ----------
    model : fitted estimator
    inner : fitted estimator
        The one that learns: that of a table model, or the model itself.
    X, y : rows, or None
    run : mapping
        The record of the run; empty without any.
    names : list of str
        Of all features.
    table : DataFrame
        ``groups_table()``.
    target : str or None
    classes : list of str or None
        None for real outcomes.
    aggregator : str or None
        Of Coterie's models.
    effects : list of Effect or None
        For each group.
    measured : dict
        Scores on the rows, each beside that of a constant; empty without outcomes.
    """

    model: Any
    inner: Any
    X: Any
    y: Any
    run: Mapping[str, Any]
    names: list[str]
    table: pd.DataFrame
    target: str | None
    classes: list[str] | None
    aggregator: str | None
    effects: list[Effect | None]
    measured: Scores

    @property
    def groups(self) -> list[Group]:
        """The groups, the most important first."""
        groups: list[Group] = self.model.groups_
        return groups

    @property
    def method(self) -> str:
        """The name of the method."""
        name = type(self.inner).__name__
        return name.removesuffix("Classifier").removesuffix("Regressor") or name

    @property
    def members(self) -> list[int]:
        """The features of all groups, in the order in which the groups show them."""
        return list(dict.fromkeys(feature for group in self.groups for feature in group))

    def named(self, group: Group) -> list[str]:
        """Return the names of a group's members."""
        return [self.names[feature] for feature in group]

    def kept(self, attribute: str) -> Any:
        """Return what the fit has left under a name, None where it has not."""
        return getattr(self.inner, attribute, None)


def gather(model: Any, X: Any, y: Any, run: Mapping[str, Any] | None) -> Facts:
    """Gather the facts.

    Raises
    ------
    ValueError
        If there are outcomes without rows, or not one for each row.
    """
    check_is_fitted(model, "groups_")
    if y is not None:
        if X is None:
            raise ValueError("y needs X: give the rows that the outcomes belong to.")
        if len(y) != X.shape[0]:
            raise ValueError(f"y has {len(y)} outcomes, but X has {X.shape[0]} rows.")
    inner = getattr(model, "estimator_", model)
    classes = getattr(inner, "classes_", None)
    record = dict(run or {})
    target = record.get("target") or getattr(y, "name", None)
    return Facts(
        model,
        inner,
        X,
        y,
        record,
        [clean(label) for label in model.features_.labels],
        model.groups_table(),
        None if target is None else clean(target),
        None if classes is None else [clean(label) for label in classes],
        getattr(inner, "aggregator_", None),
        [effect_of_group(model, i, X) for i in range(len(model.groups_))],
        scores_on_rows(model, X, y, classes),
    )


def take(X: Any, places: np.ndarray) -> Any:
    """Return some rows in the form they came in."""
    return X.iloc[places] if hasattr(X, "iloc") else X[places]
