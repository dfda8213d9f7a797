"""What the screen saw before any model was trained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from coterie.plots._axes import COLOURS, FAINT, INK, note_nothing, resolve_axes, shortened, tidy
from coterie.plots._sources import inner_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_screen(model: Any, *, top: int = 15, ax: Axes | None = None) -> Axes:
    """Draw the highest scores of single features and of pairs.

    Scores are in standard errors. What lies inside a group that was found in the end is dark.

    Parameters
    ----------
    model : fitted CoterieClassifier or CoterieRegressor
    top : int, default=15
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import numpy as np
    >>> from coterie import CoterieRegressor
    >>> X = np.random.default_rng(0).normal(size=(300, 4))
    >>> model = CoterieRegressor(effort="fast", random_state=0).fit(X, X[:, 2])
    >>> plot_screen(model, top=3).get_yticklabels()[0].get_text()
    'x2'
    """
    check_is_fitted(model, "groups_")
    screen = getattr(inner_of(model), "screen_", None)
    if screen is None:
        raise TypeError(
            f"plot_screen draws what CoterieClassifier and CoterieRegressor keep as screen_; got "
            f"{type(model).__name__}, which has no screen."
        )
    table = screen.dropna(subset=["z"]).head(top)
    ax = resolve_axes(ax, figsize=(6.4, 1.0 + 0.26 * len(table)))
    if not len(table):
        return note_nothing(ax, "The screen has no scores.")
    groups = [set(group) for group in model.get_groups(names=True)]
    is_found = [any(set(features) <= group for group in groups) for features in table["features"]]
    colours = [COLOURS[0] if found else FAINT for found in is_found]
    ax.hlines(range(len(table)), 0, table["z"], color=colours, linewidth=1.5)
    ax.scatter(table["z"], range(len(table)), color=colours, s=36, zorder=3)
    names = [shortened(" × ".join(map(str, features)), 36) for features in table["features"]]
    ax.set_yticks(range(len(table)), names)
    for label, found in zip(ax.get_yticklabels(), is_found, strict=True):
        label.set_color(INK)
        label.set_fontweight("bold" if found else "normal")
    ax.set_ylim(len(table) - 0.5, -0.5)
    ax.set_xlim(left=0)
    ax.set_xlabel("score of the screen (standard errors); dark: in a group")
    ax.tick_params(axis="y", length=0)
    return tidy(ax, keep=("bottom",))
