"""How well found groups match the true ones.

Groups go through :func:`coterie.groups.canonical_groups` first: the paper disregards empty and
repeated groups. What the measures return where a side is missing:

====================  ================  ==================  ====================
true, found           group similarity  true positive rate  false discovery rate
====================  ================  ==================  ====================
unknown (None), any   NaN               NaN                 NaN
no groups, none       1                 1                   0
no groups, some       0                 1                   1
some groups, none     0                 0                   0
====================  ================  ==================  ====================
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from coterie.groups import canonical_groups

Groups = Iterable[Iterable[Any]]


def jaccard(first: Collection[Any], second: Collection[Any]) -> float:
    r"""Return the Jaccard index ``|A & B| / |A | B|`` of two sets.

    Two empty sets are equal, so their index is 1.

    Examples
    --------
    >>> jaccard({1, 2}, {2, 3, 4})
    0.25
    """
    union = set(first) | set(second)
    return len(set(first) & set(second)) / len(union) if union else 1.0


def group_similarity(true: Groups | None, found: Groups) -> float:
    r"""Return the paper's group similarity, :math:`G_\mathrm{sim}`.

    .. math::
        G_\mathrm{sim} = \frac{1}{\max(N, K)} \sum_{i=1}^{N} \max_{j \in [K]}
        J(\mathcal{G}_i, \hat{\mathcal{G}}_j)

    for N true groups, K found ones and the Jaccard index J. It is 1 for exactly the true groups and
    for nothing else. It is not symmetric: each *true* group looks for its best match.

    Parameters
    ----------
    true : iterable of groups, or None
        The true groups; None where they are unknown.
    found : iterable of groups

    Returns
    -------
    float
        Between 0 and 1; NaN for an unknown truth, 1 where both are empty, 0 where one is.

    Examples
    --------
    >>> group_similarity([(1, 2), (3, 4)], [(1, 2, 3), (1, 4)])
    0.5
    """
    if true is None:
        return float("nan")
    true, found = canonical_groups(true), canonical_groups(found)
    if not true and not found:
        return 1.0
    best = (max((jaccard(group, other) for other in found), default=0.0) for group in true)
    return sum(best) / max(len(true), len(found))


def true_positive_rate(true: Groups | None, found: Groups) -> float:
    """Return the share of the true features that are in any found group.

    Returns
    -------
    float
        Between 0 and 1; NaN for an unknown truth, 1 for a truth without features.

    Examples
    --------
    >>> true_positive_rate([(0, 1), (2, 3)], [(0, 1, 9)])
    0.5
    """
    if true is None:
        return float("nan")
    relevant, selected = _features(true), _features(found)
    return len(relevant & selected) / len(relevant) if relevant else 1.0


def false_discovery_rate(true: Groups | None, found: Groups) -> float:
    """Return the share of the found features that are in no true group.

    Returns
    -------
    float
        Between 0 and 1; NaN for an unknown truth, 0 where nothing is found.

    Examples
    --------
    >>> false_discovery_rate([(0, 1), (2, 3)], [(0, 1), (1, 8, 9)])
    0.5
    """
    if true is None:
        return float("nan")
    relevant, selected = _features(true), _features(found)
    return len(selected - relevant) / len(selected) if selected else 0.0


def _features(groups: Groups) -> set[int]:
    """Return the features that are in any of the groups."""
    return {member for group in canonical_groups(groups) for member in group}
