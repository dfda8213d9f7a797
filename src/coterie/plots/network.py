"""Groups as a network: features as dots, groups as shapes around their members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from coterie.plots._axes import INK, colour_of, note_nothing, resolve_axes, shortened
from coterie.plots.layout import Cluster, lay_out, pack

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REACH = 0.33
"""How far a group's shape reaches beyond its members."""


def plot_network(model: Any, *, ax: Axes | None = None) -> Axes:
    """Draw each feature of a group as a dot, and around the members of each group its shape.

    Parameters
    ----------
    model : fitted estimator that finds groups
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from coterie.baselines import load_baseline
    >>> X = np.random.default_rng(0).normal(size=(200, 5))
    >>> model = load_baseline("oracle")(groups=[(0, 1), (3,)], max_epochs=1).fit(X, X[:, 0] > 0)
    >>> ax = plot_network(model)
    >>> sorted(text.get_text() for text in ax.texts)
    ['x0', 'x1', 'x3']
    """
    check_is_fitted(model, "groups_")
    ax = resolve_axes(ax)
    if not model.groups_:
        return note_nothing(ax)
    clusters = lay_out(model.groups_)
    for cluster, centre in zip(clusters, pack(clusters), strict=True):
        _draw(ax, model, cluster, cluster.places + centre)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.autoscale_view()
    return ax


def _draw(ax: Axes, model: Any, cluster: Cluster, places: NDArray[np.float64]) -> None:
    """Draw the shapes of the groups, then the features on top."""
    from matplotlib.patches import Polygon

    position = dict(zip(cluster.features, places, strict=True))
    for number in cluster.groups:
        group = model.groups_[number]
        corners = outline(np.array([position[feature] for feature in group]))
        colour = colour_of(number)
        ax.add_patch(Polygon(corners, facecolor=f"{colour}30", edgecolor=colour, linewidth=1.5))
    ax.scatter(places[:, 0], places[:, 1], s=42, color=INK, zorder=3)
    for feature, (x, y) in position.items():
        name = shortened(model.features_.labels[feature], 14)
        ax.annotate(
            name, (x, y), (0, -6), textcoords="offset points", ha="center", va="top", fontsize=8
        )


def outline(places: NDArray[np.float64], reach: float = REACH) -> NDArray[np.float64]:
    """Return the corners of the convex shape that keeps a distance from all places.

    Examples
    --------
    >>> np.abs(outline(np.array([[0.0, 0.0]]), reach=2.0)).max().round(6)
    np.float64(2.0)
    """
    from scipy.spatial import ConvexHull

    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    rounds = reach * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = (places[:, None] + rounds).reshape(-1, 2)
    return np.asarray(points[ConvexHull(points).vertices])
