"""Where the features of groups stand in a picture: members together, others apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.groups import Group

SPACING = 1.0
"""The distance between neighbouring features of a group, the unit of all lengths here."""
N_STEPS = 300
MOST_ON_CIRCLE, LINE_SPACING = 6, 0.7


@dataclass(frozen=True)
class Cluster:
    """Groups that share features, directly or through others, and where their features stand.

    Attributes
    ----------
    groups : tuple of int
        Positions in the list of groups.
    features : tuple of int
    places : ndarray, shape (features, 2)
        Centred on (0, 0).
    """

    groups: tuple[int, ...]
    features: tuple[int, ...]
    places: NDArray[np.float64]

    @property
    def extent(self) -> NDArray[np.float64]:
        """Half the width and half the height."""
        return np.asarray(np.abs(self.places).max(axis=0))


def lay_out(groups: Sequence[Group]) -> list[Cluster]:
    """Place the features of each cluster of groups, the same way every time.

    Parameters
    ----------
    groups : sequence of tuple of int

    Returns
    -------
    list of Cluster
        That of the first group first.

    Examples
    --------
    >>> for cluster in lay_out([(1, 4), (6,), (4, 7)]):
    ...     print(cluster.groups, cluster.features)
    (0, 2) (1, 4, 7)
    (1,) (6,)
    """
    return [_place(members, groups) for members in _connected(groups)]


def pack(clusters: Sequence[Cluster], aspect: float = 1.6, margin: float = 0.7) -> list[NDArray]:
    """Return the centre of each cluster: line by line, about ``aspect`` times as wide as high.

    Examples
    --------
    >>> [centre.round(1).tolist() for centre in pack(lay_out([(0,), (1,)]), aspect=4)]
    [[-0.7, 0.0], [0.7, 0.0]]
    """
    sizes = [2 * (cluster.extent + margin) for cluster in clusters]
    width = max(
        np.sqrt(aspect * sum(w * h for w, h in sizes)), max((w for w, _ in sizes), default=0)
    )
    lines: list[list[int]] = []
    used = np.inf
    for place, (wide, _) in enumerate(sizes):
        if used + wide > width * 1.05:
            lines.append([])
            used = 0.0
        lines[-1].append(place)
        used += wide
    centres: list[NDArray] = [np.zeros(2)] * len(sizes)
    top = 0.0
    for line in lines:
        height = max(sizes[place][1] for place in line)
        left = -sum(sizes[place][0] for place in line) / 2
        for place in line:
            centres[place] = np.array([left + sizes[place][0] / 2, top - height / 2])
            left += sizes[place][0]
        top -= height
    return [centre - [0.0, top / 2] for centre in centres]


def _connected(groups: Sequence[Group]) -> list[tuple[int, ...]]:
    """Return the positions of groups that hang together."""
    clusters: list[tuple[set[int], set[int]]] = []
    for place, group in enumerate(groups):
        joined = ({place}, set(group))
        apart = []
        for cluster in clusters:
            if cluster[1] & joined[1]:
                joined = (joined[0] | cluster[0], joined[1] | cluster[1])
            else:
                apart.append(cluster)
        clusters = [*apart, joined]
    return sorted(tuple(sorted(places)) for places, _ in clusters)


def _place(members: tuple[int, ...], groups: Sequence[Group]) -> Cluster:
    features = tuple(sorted({feature for place in members for feature in groups[place]}))
    belongs = np.array([[feature in groups[place] for feature in features] for place in members])
    alone = _circle if len(features) <= MOST_ON_CIRCLE else _bricks
    places = alone(len(features)) if len(members) == 1 else _relax(belongs)
    return Cluster(members, features, places - (places.min(axis=0) + places.max(axis=0)) / 2)


def _circle(n_features: int) -> NDArray[np.float64]:
    """Return a regular polygon whose sides have the length of the spacing."""
    if n_features == 1:
        return np.zeros((1, 2))
    radius = SPACING / (2 * np.sin(np.pi / n_features))
    start = np.pi if n_features == 2 else np.pi / 2
    angles = start - 2 * np.pi * np.arange(n_features) / n_features
    return np.asarray(radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))


def _bricks(n_features: int) -> NDArray[np.float64]:
    """Return lines of places, each shifted by half a spacing against the one above it."""
    across = int(np.ceil(np.sqrt(LINE_SPACING * n_features)))
    line, column = np.divmod(np.arange(n_features), across)
    places = np.stack([column + 0.5 * (line % 2), -LINE_SPACING * line], axis=1)
    return np.asarray(SPACING * places)


def _relax(belongs: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Let springs pull features to the centres of their groups, and push others away.

    ``belongs`` has the shape (groups, features).
    """
    n_groups, n_features = belongs.shape
    sizes = belongs.sum(axis=1)
    radii = np.where(sizes == 1, 0, SPACING / (2 * np.sin(np.pi / np.maximum(sizes, 2))))
    centres = _circle(n_groups) * (1 + radii.mean())
    jitter = np.random.default_rng(0).normal(scale=0.1, size=(n_features, 2))
    places = (belongs.T @ centres) / belongs.sum(axis=0)[:, None] + jitter
    for step in range(N_STEPS):
        rate = 0.3 * (1 - step / N_STEPS)
        centres = (belongs @ places) / sizes[:, None]
        pull = _push(places, centres, np.where(belongs, radii[:, None], 0).T, belongs.T)
        outside = _push(places, centres, np.broadcast_to(radii + SPACING, belongs.T.shape))
        crowd = _push(places, places, np.full((n_features, n_features), SPACING))
        places = places + rate * (0.6 * pull + (outside * ~belongs.T[:, :, None]).sum(axis=1))
        places = places + rate * crowd.sum(axis=1)
    return places


def _push(
    places: NDArray[np.float64],
    others: NDArray[np.float64],
    distance: NDArray[np.float64],
    both_ways: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return how far to move each place so that it has the distance from each of the others.

    What is farther away than that is left there, unless it is tied ``both_ways``; then the moves
    of a place are summed up. Shape (places, others, 2), or (places, 2) if they are tied.
    """
    gap = places[:, None] - others[None]
    length = np.linalg.norm(gap, axis=2)
    lack = np.where(length > 1e-9, distance - length, 0.0)
    unit = gap / np.maximum(length, 1e-9)[:, :, None]
    if both_ways is None:
        return np.asarray(unit * np.maximum(lack, 0)[:, :, None])
    return np.asarray((unit * (lack * both_ways)[:, :, None]).sum(axis=1))
