"""The effect of a group as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.plots._axes import (
    DIVERGING,
    FAINT,
    colour_of,
    note_nothing,
    resolve_axes,
    shortened,
    tidy,
)
from coterie.plots.effects import Effect, effect_of_group
from coterie.plots.ladders import Ladder

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEQUENTIAL = "cividis"


def plot_effect(
    model: Any,
    i: int = 0,
    X: Any = None,
    *,
    output: int | None = None,
    third: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw what a group does: a curve for one feature, a surface for two, a slice of it for more.

    Parameters
    ----------
    model : fitted estimator that finds groups
    i : int, default=0
        Position in ``groups_``.
    X : DataFrame or array-like, shape (rows, columns), optional
        Rows that tell which values features take. Methods other than Coterie need them.
    output : int, optional
        The class or outcome to draw, where there are several; by default the one that the group
        moves most.
    third : int, optional
        Which of the slices to draw for a group of three and more; by default the middle one.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from coterie import CoterieRegressor
    >>> X = np.random.default_rng(0).normal(size=(300, 4))
    >>> model = CoterieRegressor(effort="fast", random_state=0).fit(X, X[:, 2])
    >>> ax = plot_effect(model)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('x2', 'adds to the outcome')
    """
    effect = effect_of_group(model, i, X)
    ax = resolve_axes(ax)
    if effect is None:
        return note_nothing(ax, "Rows are needed to draw the effect: give X.")
    output = effect.widest if output is None else output
    shown, label = effect.values[..., output], _described(effect, output)
    if len(effect.axes) == 1:
        return _draw_curve(ax, effect, shown, label, colour_of(i))
    if len(effect.axes) == 3:
        step = len(effect.axes[2]) // 2 if third is None else third
        shown = shown[:, :, step]
        ax.set_title(f"{shortened(effect.axes[2].name)} = {effect.axes[2].label(step)}")
    return _draw_surface(ax, effect, shown, label)


def _draw_curve(
    ax: Axes, effect: Effect, values: NDArray[np.float64], label: str, colour: str
) -> Axes:
    (axis,) = effect.axes
    if effect.zero is not None:
        ax.axhline(effect.zero, color=FAINT, linewidth=1)
    ax.plot(axis.positions, values, "o-" if axis.is_discrete else "-", color=colour, linewidth=2)
    _name_ticks(ax.xaxis, axis)
    ax.set_xlabel(shortened(axis.name))
    ax.set_ylabel(label)
    return tidy(ax)


def _draw_surface(ax: Axes, effect: Effect, values: NDArray[np.float64], label: str) -> Axes:
    across, up = effect.axes[:2]
    scale: dict[str, Any] = {"cmap": SEQUENTIAL}
    if effect.zero is not None:
        largest = float(np.abs(effect.values - effect.zero).max()) or 1.0
        scale = {"cmap": DIVERGING, "vmin": effect.zero - largest, "vmax": effect.zero + largest}
    mesh = ax.pcolormesh(across.positions, up.positions, values.T, shading="nearest", **scale)
    mesh.set_rasterized(True)
    bar = ax.figure.colorbar(mesh, ax=ax)
    bar.set_label(label)
    bar.outline.set_visible(False)
    _name_ticks(ax.xaxis, across)
    _name_ticks(ax.yaxis, up)
    ax.set_xlabel(shortened(across.name))
    ax.set_ylabel(shortened(up.name))
    return ax


def _described(effect: Effect, output: int) -> str:
    several = f": {effect.outputs[output]}" if len(effect.outputs) > 1 else ""
    return shortened(effect.scale + several, 60)


def _name_ticks(axis: Any, ladder: Ladder) -> None:
    """Write the values at the axis where they are not numbers."""
    if ladder.labels is not None:
        axis.set_ticks(ladder.positions, [shortened(label, 14) for label in ladder.labels])
