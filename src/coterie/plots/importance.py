"""How much each group matters, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from coterie.plots._axes import FAINT, colour_of, note_nothing, resolve_axes, shortened, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_importance(model: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the strength of each group with its interval: the loss without it, less that with it.

    Where the certainty is known it stands on the right.

    Parameters
    ----------
    model : fitted estimator that finds groups
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from coterie import CompFSClassifier
    >>> X = np.random.default_rng(0).normal(size=(200, 5))
    >>> model = CompFSClassifier(n_groups=1, beta=0.0, threshold=0.2, max_epochs=1, random_state=0)
    >>> plot_importance(model.fit(X, X[:, 0] > 0)).get_xlabel()
    'strength (loss without the group − loss with it)'
    """
    check_is_fitted(model, "groups_")
    table = model.groups_table()
    ax = resolve_axes(ax, figsize=(6.4, 1.2 + 0.42 * len(table)))
    if not len(table):
        return note_nothing(ax)
    if table["strength"].isna().all():
        return note_nothing(ax, f"{type(model).__name__} does not measure strengths.")
    for place, row in enumerate(table.itertuples()):
        colour = colour_of(place)
        ax.plot([row.strength_low, row.strength_high], [place, place], color=colour, linewidth=2)
        ax.plot(row.strength, place, "o", color=colour, markersize=7)
        if np.isfinite(row.certainty):
            ax.annotate(
                f"{row.certainty:.0%}",
                (1.01, place),
                xycoords=("axes fraction", "data"),
                va="center",
            )
    if table["certainty"].notna().any():
        ax.annotate("certainty", (1.01, 1.01), xycoords="axes fraction", va="bottom", fontsize=8)
    names = [shortened(" × ".join(map(str, members)), 40) for members in table["members"]]
    ax.set_yticks(range(len(table)), names)
    ax.set_ylim(len(table) - 0.5, -0.5)
    ax.axvline(0, color=FAINT, linewidth=1, zorder=0)
    ax.set_xlabel("strength (loss without the group − loss with it)")
    ax.tick_params(axis="y", length=0)
    return tidy(ax, keep=("bottom",))
