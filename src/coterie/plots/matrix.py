"""Groups as a matrix of dots: a row for each feature, a column for each group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from coterie.plots._axes import FAINT, colour_of, note_nothing, resolve_axes, shortened, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_matrix(model: Any, *, ax: Axes | None = None) -> Axes:
    """Draw which feature is in which group, the strongest group on the left.

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
    >>> [label.get_text() for label in plot_matrix(model).get_yticklabels()]
    ['x0', 'x1', 'x3']
    """
    check_is_fitted(model, "groups_")
    groups = model.groups_
    features = list(dict.fromkeys(feature for group in groups for feature in group))
    ax = resolve_axes(ax, figsize=(1.8 + 0.5 * len(groups), 1.0 + 0.3 * len(features)))
    if not groups:
        return note_nothing(ax)
    row = {feature: place for place, feature in enumerate(features)}
    across, down = np.indices((len(groups), len(features))).reshape(2, -1)
    ax.scatter(across, down, s=30, color=FAINT, alpha=0.5, linewidths=0)
    for number, group in enumerate(groups):
        rows = sorted(row[feature] for feature in group)
        colour = colour_of(number)
        ax.plot([number, number], [rows[0], rows[-1]], color=colour, linewidth=2.5)
        ax.scatter([number] * len(rows), rows, s=70, color=colour, zorder=3)
    ax.set_yticks(range(len(features)), [shortened(model.features_.labels[f]) for f in features])
    ax.set_xticks(range(len(groups)), [str(number + 1) for number in range(len(groups))])
    ax.set_xlim(-0.6, len(groups) - 0.4)
    ax.set_ylim(len(features) - 0.4, -0.6)
    ax.set_xlabel("group")
    ax.tick_params(length=0)
    return tidy(ax, keep=())
