"""Pictures of what was found: every function takes an Axes and returns it.

matplotlib is imported when a picture is drawn, so that the numbers behind the pictures
(:mod:`coterie.plots.effects`, :mod:`coterie.plots.layout`) need numpy and pandas alone.
"""

from coterie.plots.comparison import plot_comparison
from coterie.plots.effect import plot_effect
from coterie.plots.importance import plot_importance
from coterie.plots.matrix import plot_matrix
from coterie.plots.network import plot_network
from coterie.plots.pixels import plot_pixels
from coterie.plots.screen import plot_screen
from coterie.plots.training import GatePaths, plot_gate_paths, plot_history

__all__ = [
    "GatePaths",
    "plot_comparison",
    "plot_effect",
    "plot_gate_paths",
    "plot_history",
    "plot_importance",
    "plot_matrix",
    "plot_network",
    "plot_pixels",
    "plot_screen",
]
