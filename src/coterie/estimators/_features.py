"""Which columns make up a feature: the columns of one feature share one gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Features:
    """The features of a table, counted from 0 in the order of their first columns.

    Attributes
    ----------
    labels : tuple of str
        A name for each feature.
    owner : ndarray of int, shape (columns,)
        The feature that each column belongs to.

    Examples
    --------
    >>> import numpy as np
    >>> features = Features(("age", "colour"), np.array([1, 0, 1]))
    >>> features.columns_of([1])
    array([ True, False,  True])
    """

    labels: tuple[str, ...]
    owner: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.labels)

    def columns_of(self, features: Iterable[int]) -> NDArray[np.bool_]:
        """Return which columns belong to any of the features, shape (columns,)."""
        return np.isin(self.owner, np.fromiter(features, dtype=np.intp))


def names_of_columns(estimator: Any) -> list[str]:
    """Return the names of the columns that an estimator was fitted on, "x0" and so on without any.

    These are the names that scikit-learn gives to selected columns too.
    """
    numbered = [f"x{column}" for column in range(estimator.n_features_in_)]
    return [str(name) for name in getattr(estimator, "feature_names_in_", numbered)]


def resolve_features(feature_groups: Any, column_names: Sequence[str]) -> Features:
    """Return the features that ``feature_groups`` makes of the columns.

    Parameters
    ----------
    feature_groups : None, dict, list of lists, or array-like with a label for each column
        A dict maps a feature's name to its columns, a list of lists gives the columns alone (their
        names, joined by "+", then name the feature). Columns are given by name or by position; a
        column that is not mentioned is a feature by itself. None: every column is.
    column_names : sequence of str

    Returns
    -------
    Features

    Examples
    --------
    >>> resolve_features({"colour": ["red", "blue"]}, ["red", "age", "blue"]).labels
    ('colour', 'age')
    """
    names = [str(name) for name in column_names]
    if feature_groups is None:
        return Features(tuple(names), np.arange(len(names)))
    if isinstance(feature_groups, Mapping):
        labels = _labels_from_lists(feature_groups, names)
    elif _holds_lists(feature_groups):
        labels = _labels_from_lists(_name_by_members(feature_groups, names), names)
    else:
        labels = [str(label) for label in feature_groups]
    if len(labels) != len(names):
        raise ValueError(
            f"feature_groups holds {len(labels)} labels, but X has {len(names)} columns: "
            "give one label for each column, a dict, or a list of lists of columns."
        )
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return Features(tuple(numbers), np.array([numbers[label] for label in labels], dtype=np.intp))


def _holds_lists(feature_groups: Any) -> bool:
    """Tell a list of lists from a list of labels; a mixture is neither."""
    are_lists = [
        isinstance(entry, (list, tuple, set, frozenset, np.ndarray)) for entry in feature_groups
    ]
    if any(are_lists) and not all(are_lists):
        entry = feature_groups[are_lists.index(False)]
        raise TypeError(
            f"feature_groups mixes lists of columns with other entries, such as {entry!r}: "
            "put each feature's columns in a list; columns not mentioned stand for themselves."
        )
    return any(are_lists)


def _name_by_members(lists: Iterable[Iterable[Any]], names: list[str]) -> dict[str, list[int]]:
    """Return the columns of each list under their joined names."""
    columns = [[_find_column(column, names) for column in members] for members in lists]
    return {"+".join(names[column] for column in members): members for members in columns}


def _labels_from_lists(groups: Mapping[Any, Iterable[Any]], names: list[str]) -> list[str]:
    """Return a label for each column: its group's name, or its own where it has no group."""
    group_of: dict[int, str] = {}
    for label, members in groups.items():
        for column in _columns_of_entry(label, members, names):
            if group_of.get(column, str(label)) != str(label):
                raise ValueError(
                    f"feature_groups puts column {names[column]!r} into both "
                    f"{group_of[column]!r} and {str(label)!r}: a column belongs to one feature."
                )
            group_of[column] = str(label)
    alone = [name for column, name in enumerate(names) if column not in group_of]
    for label in (*group_of.values(), *_duplicates(alone)):
        if label in alone:
            raise ValueError(
                f"feature_groups would leave two features with the name {label!r}, which a column "
                "outside the groups has: choose another name, or add the column to a group."
            )
    return [group_of.get(column, name) for column, name in enumerate(names)]


def _duplicates(names: list[str]) -> list[str]:
    """Return the names that occur more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def _columns_of_entry(label: Any, members: Any, names: list[str]) -> list[int]:
    """Return the positions of the columns that one entry of a dict lists."""
    if isinstance(members, str) or not isinstance(members, Iterable):
        raise TypeError(
            f"feature_groups[{label!r}] must be a list of columns; got {members!r}. "
            f"For a single column write [{members!r}]."
        )
    return [_find_column(column, names) for column in members]


def _find_column(column: Any, names: list[str]) -> int:
    """Return the position of a column that is given by its name or its position."""
    if isinstance(column, (int, np.integer)) and not isinstance(column, bool):
        if 0 <= column < len(names):
            return int(column)
        raise ValueError(
            f"feature_groups names column {column}, but X has {len(names)} columns: "
            f"positions go from 0 to {len(names) - 1}."
        )
    positions = [position for position, name in enumerate(names) if name == column]
    if len(positions) == 1:
        return positions[0]
    problem = "no column of X has" if not positions else f"{len(positions)} columns of X have"
    raise ValueError(
        f"feature_groups names column {column!r}, but {problem} that name: "
        "give the column's position, or a name that is in X once."
    )
