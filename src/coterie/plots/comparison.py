"""Methods beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from coterie.plots._axes import COLOURS, FAINT, resolve_axes, shortened, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_comparison(
    scores: Mapping[str, ArrayLike],
    *,
    label: str = "score on held-out rows",
    ax: Axes | None = None,
) -> Axes:
    """Draw the score of each method, from one run or several; the first one is dark.

    Parameters
    ----------
    scores : mapping of str to float or array-like of float
        The runs of each method: each is a dot, their mean is a bar. NaN stands for a run without a
        score.
    label : str
        What the scores are.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> ax = plot_comparison({"Coterie": [0.97, 0.99], "LASSO": 0.71})
    >>> [text.get_text() for text in ax.texts]
    ['0.98', '0.71']
    """
    if not scores:
        raise ValueError("scores is empty: give at least one method and its score.")
    ax = resolve_axes(ax, figsize=(6.4, 0.9 + 0.36 * len(scores)))
    for place, (name, values) in enumerate(scores.items()):
        runs = np.atleast_1d(np.asarray(values, dtype=float))
        runs = runs[np.isfinite(runs)]
        colour = COLOURS[0] if place == 0 else COLOURS[6]
        if not len(runs):
            ax.annotate(f"{shortened(name)} has no score", (0.01, place), ("axes fraction", "data"))
            continue
        mean = runs.mean()
        ax.plot(runs, np.full(len(runs), place), "o", color=colour, markersize=5, alpha=0.45)
        ax.plot(mean, place, "|", color=colour, markersize=18, markeredgewidth=3)
        ax.annotate(f"{mean:.3g}", (1.01, place), xycoords=("axes fraction", "data"), va="center")
    ax.set_yticks(range(len(scores)), [shortened(name) for name in scores])
    ax.set_ylim(len(scores) - 0.5, -0.5)
    ax.grid(axis="x", color=FAINT, alpha=0.4)
    ax.set_axisbelow(True)
    ax.set_xlabel(label)
    ax.tick_params(axis="y", length=0)
    return tidy(ax, keep=("bottom",))
