"""Groups of pixels on their image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from coterie.plots._axes import colour_of, resolve_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_pixels(
    model: Any,
    shape: tuple[int, int] | None = None,
    background: ArrayLike | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the pixels of each group in its colour; pixels of several groups are divided.

    Parameters
    ----------
    model : fitted estimator that finds groups
        Whose features are the pixels of an image, one row of it after the other.
    shape : (int, int), optional
        Height and width; by default the image is square.
    background : array-like, shape (pixels,) or ``shape``, optional
        Such as the mean image.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from coterie.baselines import load_baseline
    >>> X = np.random.default_rng(0).normal(size=(200, 9))
    >>> model = load_baseline("oracle")(groups=[(0, 4), (8,)], max_epochs=1).fit(X, X[:, 0] > 0)
    >>> len(plot_pixels(model).patches)
    3
    """
    check_is_fitted(model, "groups_")
    height, width = _shape(shape, len(model.features_))
    ax = resolve_axes(ax, figsize=(4.2, 4.2 * height / width))
    _draw_background(ax, background, height, width)
    for feature in sorted({feature for group in model.groups_ for feature in group}):
        owners = [n for n, group in enumerate(model.groups_) if feature in group]
        _fill(ax, feature // width, feature % width, owners)
    ax.set_xlim(-0.5, width - 0.5)
    ax.set_ylim(height - 0.5, -0.5)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def _shape(shape: tuple[int, int] | None, n_pixels: int) -> tuple[int, int]:
    side = int(np.sqrt(n_pixels))
    height, width = (side, side) if shape is None else shape
    if height * width != n_pixels:
        raise ValueError(
            f"shape={shape} does not hold the {n_pixels} features of the model as pixels: "
            "give the height and the width of the image."
        )
    return height, width


def _draw_background(ax: Axes, background: ArrayLike | None, height: int, width: int) -> None:
    """Draw an image in light grey."""
    if background is not None:
        image = np.asarray(background, dtype=float).reshape(height, width)
        largest = float(np.abs(image).max()) or 1.0
        ax.imshow(image, cmap="Greys", vmin=0, vmax=2.5 * largest, interpolation="nearest")


def _fill(ax: Axes, row: int, column: int, owners: list[int]) -> None:
    """Share the square of a pixel among its groups, in upright stripes."""
    from matplotlib.patches import Rectangle

    stripe = 1 / len(owners)
    for place, number in enumerate(owners):
        corner = (column - 0.5 + place * stripe, row - 0.5)
        ax.add_patch(Rectangle(corner, stripe, 1, facecolor=colour_of(number), linewidth=0))
