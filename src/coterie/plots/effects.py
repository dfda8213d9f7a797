"""What a group of features does: the numbers behind a curve, a surface, or slices of one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from coterie.plots._sources import Score, inner_of, known_rows, ladder_of, score_of
from coterie.plots.ladders import Ladder

STEPS_OF_SURFACE = 31
N_SETTINGS, STEPS_TRIED = 24, 7


@dataclass(frozen=True)
class Effect:
    """What a group does where its features have given values.

    Attributes
    ----------
    axes : tuple of Ladder
        Up to three of the group's features, the one that matters most first: a curve moves along
        the first, a surface along the first two, and the third tells the slices of a surface apart.
    values : ndarray, shape (steps of the axes..., outputs)
    held : dict of str to str
        The group's other features, and where they are kept.
    scale : str
        What the values are.
    outputs : tuple of str
        What they speak of: classes or outcomes.
    zero : float or None
        The value that stands for no effect.
    """

    axes: tuple[Ladder, ...]
    values: NDArray[np.float64]
    held: dict[str, str]
    scale: str
    outputs: tuple[str, ...]
    zero: float | None

    @property
    def widest(self) -> int:
        """The output that the group moves most."""
        flat = self.values.reshape(-1, self.values.shape[-1])
        return int(np.ptp(flat, axis=0).argmax())


def effect_of_group(model: Any, i: int, X: Any = None) -> Effect | None:
    """Compute what a group does as its features move through their values.

    Coterie tells the contribution of the group alone; for "or" and "and" it is given as the chance
    that the group alone brings its outcome about. Of other methods, the prediction is followed for
    a row whose other features are as usual; that takes rows.

    Parameters
    ----------
    model : fitted estimator that finds groups
    i : int
        Position in ``groups_``.
    X : DataFrame or array-like, shape (rows, columns), optional
        Rows that tell which values features take; by default what the model knows of them.

    Returns
    -------
    Effect or None
        None where neither the model nor any rows tell.

    Examples
    --------
    >>> from coterie import CoterieRegressor
    >>> X = np.random.default_rng(0).normal(size=(300, 4))
    >>> model = CoterieRegressor(effort="fast", random_state=0).fit(X, X[:, 2])
    >>> effect = effect_of_group(model, 0)
    >>> effect.values.shape, effect.scale
    ((61, 1), 'adds to the outcome')
    """
    check_is_fitted(model, "groups_")
    if not 0 <= i < len(model.groups_):
        raise IndexError(
            f"i={i} is not the position of a group: groups_ holds {len(model.groups_)}."
        )
    rows = known_rows(model, X)
    score = score_of(model, i, rows)
    known = [ladder_of(model, feature, rows) for feature in model.groups_[i]]
    ladders = [ladder for ladder in known if ladder is not None and len(ladder)]
    if score is None or len(ladders) < len(known):
        return None
    ladders = _by_weight(ladders, score)
    axes, held = _axes_of(ladders[:3]), ladders[3:]
    values = _on_grid(axes, held, score)
    scale, outputs, zero = _meaning(model, values.shape[-1])
    return Effect(
        axes,
        -np.expm1(-values) if zero is None and hasattr(model, "contributions") else values,
        {ladder.name: ladder.label(ladder.typical) for ladder in held},
        scale,
        outputs,
        zero,
    )


def _by_weight(ladders: list[Ladder], score: Score) -> list[Ladder]:
    """Put the features first that move the effect most, wherever the others stand."""
    if len(ladders) == 1:
        return ladders
    rng = np.random.default_rng(0)
    settings = [[int(rng.integers(len(ladder))) for ladder in ladders] for _ in range(N_SETTINGS)]
    tried = [
        np.unique(np.linspace(0, len(ladder) - 1, STEPS_TRIED).round().astype(int))
        for ladder in ladders
    ]
    moved = [
        [*setting[:place], int(step), *setting[place + 1 :]]
        for place, steps in enumerate(tried)
        for setting in settings
        for step in steps
    ]
    ends = np.cumsum([N_SETTINGS * len(steps) for steps in tried])[:-1]
    weights = [
        values.reshape(N_SETTINGS, len(steps), -1).var(axis=1).mean()
        for values, steps in zip(np.split(_at(ladders, moved, score), ends), tried, strict=True)
    ]
    order = np.argsort(-np.array(weights), kind="stable")
    return [ladders[place] for place in order]


def _axes_of(ladders: list[Ladder]) -> tuple[Ladder, ...]:
    """Choose the steps of each axis; of a third feature a few values are enough."""
    if len(ladders) == 1:
        return tuple(ladders)
    flat = [ladder.thinned(STEPS_OF_SURFACE) for ladder in ladders[:2]]
    return (*flat, *(ladder.at(ladder.quartiles) for ladder in ladders[2:]))


def _on_grid(axes: tuple[Ladder, ...], held: list[Ladder], score: Score) -> NDArray[np.float64]:
    usual = [ladder.typical for ladder in held]
    steps = [[*point, *usual] for point in product(*(range(len(axis)) for axis in axes))]
    values = _at([*axes, *held], steps, score)
    return values.reshape(*(len(axis) for axis in axes), -1)


def _at(ladders: list[Ladder], steps: list[list[int]], score: Score) -> NDArray[np.float64]:
    """Return the effect where each ladder stands at a step, shape (points, outputs)."""
    columns = [column for ladder in ladders for column in ladder.columns]
    points = pd.DataFrame(
        [
            [
                value
                for ladder, step in zip(ladders, point, strict=True)
                for value in ladder.settings[step]
            ]
            for point in steps
        ],
        dtype=object,
    )
    return score(columns, points.to_numpy())


def _meaning(model: Any, n_outputs: int) -> tuple[str, tuple[str, ...], float | None]:
    """Return what the values are, what they speak of, and which value is no effect."""
    classes: Any = getattr(inner_of(model), "classes_", None)
    if classes is not None:
        labels = tuple(str(label) for label in classes[1 if n_outputs == 1 else 0 :])
    elif n_outputs > 1:
        labels = tuple(f"outcome {place + 1}" for place in range(n_outputs))
    else:
        labels = ("the outcome",)
    spoken = labels[0] if len(labels) == 1 else "the outcome"
    if not hasattr(model, "contributions"):
        what = "value" if classes is None else "probability"
        return f"predicted {what} of {spoken}, all else as usual", labels, None
    if classes is None:
        return "adds to the outcome", labels, 0.0
    aggregator = inner_of(model).aggregator_
    if aggregator != "sum":
        labels = (str(classes[0 if aggregator == "and" else 1]),)
        return f"chance of {labels[0]} by this group alone", labels, None
    score = f"log-odds of {spoken}" if n_outputs == 1 else "log-probability"
    return f"adds to the {score}", labels, 0.0
