"""How a fit went: gates and losses, epoch by epoch."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from coterie.plots._axes import FAINT, INK, colour_of, note_nothing, resolve_axes, tidy
from coterie.plots._sources import inner_of
from coterie.training.callbacks import Record, StateReader
from coterie.training.trained import sigmoid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOSSES = {"loss": "training", "validation_loss": "held out"}


@dataclass
class GatePaths:
    """A callback that keeps the gates' probabilities after each epoch.

    Attributes
    ----------
    paths : dict of int to list of ndarray
        For each seed, an array for each epoch, of shape (learners, features) and padded.

    Examples
    --------
    >>> from coterie import CompFSClassifier
    >>> X = np.random.default_rng(0).normal(size=(200, 5))
    >>> gates = GatePaths()
    >>> settings = dict(beta=0.0, threshold=0.2, random_state=0, callbacks=[gates])
    >>> model = CompFSClassifier(n_groups=2, max_epochs=3, **settings).fit(X, X[:, 0] > 0)
    >>> gates.of(model).shape
    (3, 2, 5)
    """

    paths: dict[int, list[NDArray[np.float64]]] = field(default_factory=lambda: defaultdict(list))

    def on_epoch_end(self, record: Record, state: StateReader) -> None:
        """Keep the probabilities of the epoch."""
        arrays = state().arrays
        logits = next(arrays[name] for name in arrays if name.endswith("parameters.logits"))
        self.paths[record["seed"]].append(sigmoid(np.asarray(logits)))

    def of(self, model: Any) -> NDArray[np.float64]:
        """Return the paths of a model that was fitted, shape (epochs, learners, features)."""
        n_features = model.gate_probabilities_.shape[1]
        return np.stack(self.paths[model.history_[0]["seed"]])[:, :, :n_features]


def plot_gate_paths(
    paths: ArrayLike, *, threshold: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the probability of each gate through training; those that open have a colour.

    Parameters
    ----------
    paths : array-like, shape (epochs, learners, features)
        What :meth:`GatePaths.of` gives.
    threshold : float, optional
        A line at the probability from which a feature is in the group.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> ax = plot_gate_paths([[[0.5, 0.5]], [[0.9, 0.1]]], threshold=0.7)
    >>> ax.get_xlabel()
    'epoch'
    """
    gates = np.asarray(paths, dtype=float)
    if gates.ndim != 3:
        raise ValueError(
            f"paths must have the shape (epochs, learners, features); got {gates.shape}."
        )
    ax = resolve_axes(ax)
    epochs = np.arange(1, len(gates) + 1)
    opens = gates[-1] >= (0.5 if threshold is None else threshold)
    for learner in range(gates.shape[1]):
        shut, opened = gates[:, learner, ~opens[learner]], gates[:, learner, opens[learner]]
        ax.plot(epochs, shut, color=FAINT, linewidth=0.6, alpha=0.5, zorder=1)
        ax.plot(epochs, opened, color=colour_of(learner), linewidth=1.8, zorder=2)
    if threshold is not None:
        ax.axhline(threshold, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlabel("epoch")
    ax.set_ylabel("probability of the gate")
    return tidy(ax)


def plot_history(model: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the loss through training, or through the stages of a search.

    Parameters
    ----------
    model : fitted estimator with ``history_``
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from coterie import CompFSClassifier
    >>> X = np.random.default_rng(0).normal(size=(200, 5))
    >>> settings = dict(beta=0.0, threshold=0.2, random_state=0)
    >>> model = CompFSClassifier(n_groups=2, max_epochs=3, **settings).fit(X, X[:, 0] > 0)
    >>> plot_history(model).get_xlabel()
    'epoch'
    """
    check_is_fitted(model, "groups_")
    history = getattr(inner_of(model), "history_", None)
    if history is None:
        raise TypeError(f"{type(model).__name__} keeps no history of its fit: nothing to draw.")
    ax = resolve_axes(ax)
    if not history:
        return note_nothing(ax, "The fit ended before its first record.")
    if "stage" in history[0]:
        _draw_stages(ax, history)
    else:
        epochs = [record["epoch"] for record in history]
        known = [name for name in LOSSES if name in history[0]]
        for place, name in enumerate(known):
            losses = [record[name] for record in history]
            ax.plot(epochs, losses, color=colour_of(place), label=LOSSES[name])
        ax.set_xlabel("epoch")
        if len(known) > 1:
            ax.legend(frameon=False)
    ax.set_ylabel("loss")
    return tidy(ax)


def _draw_stages(ax: Axes, history: list[Record]) -> None:
    """Draw the held-out loss at the end of each stage, and how many groups there were."""
    losses = [record["loss"] for record in history]
    ax.plot(range(len(losses)), losses, "o-", color=colour_of(0))
    for place, record in enumerate(history):
        n_groups = record["n_groups"]
        text = f"{n_groups} group" if n_groups == 1 else f"{n_groups} groups"
        ax.annotate(
            text,
            (place, losses[place]),
            (0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    ax.set_xticks(range(len(losses)), [record["stage"] for record in history])
    ax.margins(y=0.2)
    ax.set_xlabel("stage")
