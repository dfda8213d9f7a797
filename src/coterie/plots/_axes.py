"""What all pictures share: an Axes to draw on, colours, short names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6F6F6F", "#8C6D31")
"""Told apart by the colour-blind too (after Okabe and Ito), and dark enough to read in print."""
INK, FAINT = "#222222", "#B8B8B8"
DIVERGING = "RdBu_r"
LONGEST_NAME = 24


def colour_of(group: int) -> str:
    """Return the colour of the group at a position of ``groups_``."""
    return COLOURS[group % len(COLOURS)]


def shortened(name: object, longest: int = LONGEST_NAME) -> str:
    r"""Return a name that fits a picture; matplotlib's mathematics in it is taken literally.

    Examples
    --------
    >>> shortened("er_status_measured_by_ihc", 12)
    'er_status_m…'
    >>> shortened("$x$")
    '\\$x\\$'
    """
    text = " ".join(str(name).split())
    text = text if len(text) <= longest else text[: longest - 1] + "…"
    return text.replace("$", r"\$")


def resolve_axes(ax: Axes | None, **size: Any) -> Axes:
    """Return the Axes to draw on, a new figure's if there is none."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError(
            "Pictures need matplotlib, which is not installed: pip install 'coterie[plots]'."
        ) from None
    if ax is None:
        _, ax = pyplot.subplots(layout="constrained", **size)
    return ax


def tidy(ax: Axes, keep: tuple[str, ...] = ("left", "bottom")) -> Axes:
    """Take away the lines around the picture that carry nothing."""
    for side, line in ax.spines.items():
        line.set_visible(side in keep)
    return ax


def note_nothing(ax: Axes, text: str = "No group was found.") -> Axes:
    """Say in the picture that there is nothing to draw."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, text, ha="center", va="center", transform=ax.transAxes, color=INK)
    return ax
