"""Groups of features: one canonical form, and the ways in and out of it."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Group = tuple[int, ...]


def canonical_groups(groups: Iterable[Iterable[Any]]) -> list[Group]:
    """Bring groups into the one form that Coterie uses.

    Members are sorted and unique, empty and repeated groups are dropped, and the groups keep the
    order in which they first appear.

    Parameters
    ----------
    groups : iterable of iterables of int
        Column indices of each group, counted from 0.

    Returns
    -------
    list of tuple of int

    Examples
    --------
    >>> canonical_groups([[3, 1], [], {2}, (1, 3, 3)])
    [(1, 3), (2,)]
    """
    members = (_canonical_group(group) for group in groups)
    return list(dict.fromkeys(group for group in members if group))


def _canonical_group(group: Iterable[Any]) -> Group:
    """Return the members sorted and unique, as Python integers."""
    try:
        indices = sorted({operator.index(member) for member in group})
    except TypeError:
        raise TypeError(
            f"groups must hold groups of column indices, such as [(0, 1), (2,)]; got {group!r} "
            "as a group. Look names up among the feature names first."
        ) from None
    if indices and indices[0] < 0:
        raise ValueError(f"groups must hold column indices >= 0; got {indices[0]} in {group!r}.")
    return tuple(indices)


def groups_from_masks(masks: ArrayLike) -> list[Group]:
    """Return the groups that the rows of a boolean array select.

    Parameters
    ----------
    masks : array-like of bool, shape (groups, features)

    Returns
    -------
    list of tuple of int
        In canonical form, so empty and repeated rows leave no trace.

    Examples
    --------
    >>> groups_from_masks([[True, False, True], [False, False, False]])
    [(0, 2)]
    """
    array = np.asarray(masks)
    if array.ndim != 2 or array.dtype != np.bool_:
        raise ValueError(
            "masks must be a boolean array of shape (groups, features); "
            f"got dtype {array.dtype} and shape {array.shape}."
        )
    return canonical_groups(np.flatnonzero(row) for row in array)


def masks_from_groups(groups: Iterable[Iterable[Any]], n_features: int) -> NDArray[np.bool_]:
    """Return a boolean row for each group, the inverse of :func:`groups_from_masks`.

    Parameters
    ----------
    groups : iterable of iterables of int
    n_features : int
        Number of columns that the indices count.

    Returns
    -------
    ndarray of bool, shape (groups, features)
        One row for each of the canonical groups.

    Examples
    --------
    >>> masks_from_groups([(0, 2), (1,)], n_features=3)
    array([[ True, False,  True],
           [False,  True, False]])
    """
    canonical = canonical_groups(groups)
    masks = np.zeros((len(canonical), n_features), dtype=bool)
    for mask, group in zip(masks, canonical, strict=True):
        if group[-1] >= n_features:
            raise ValueError(
                f"groups name column {group[-1]}, but n_features={n_features}: "
                f"the last column is {n_features - 1}."
            )
        mask[list(group)] = True
    return masks


def name_groups(groups: Iterable[Iterable[int]], names: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Replace column indices by names; order of groups and members stays.

    Examples
    --------
    >>> name_groups([(0, 2), (1,)], ["age", "dose", "sex"])
    [('age', 'sex'), ('dose',)]
    """
    return [tuple(names[member] for member in group) for group in groups]
