"""Where the values of features come from, and what a group makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr

from coterie.io.columns import Booleans, Categories, Imputed
from coterie.plots.ladders import (
    Ladder,
    ladder_of_levels,
    ladder_of_numbers,
    ladder_of_rows,
    rows_of,
)

Score = Callable[[list[int], NDArray[Any]], NDArray[np.float64]]
"""From columns of X and values for them, shape (points, columns), to (points, outputs)."""


def inner_of(model: Any) -> Any:
    """Return the estimator that learns: that of a table model, or the model itself."""
    return getattr(model, "estimator_", model)


def known_rows(model: Any, X: Any) -> pd.DataFrame:
    """Return rows with the columns of the training in their order; none if X is None."""
    if X is None:
        return pd.DataFrame()
    return rows_of(model.encoder_.select(X) if hasattr(model, "encoder_") else X)


def ladder_of(model: Any, feature: int, rows: pd.DataFrame) -> Ladder | None:
    """Return the steps of a feature, from the rows if there are any; None if nobody knows."""
    name = model.features_.labels[feature]
    columns = [int(column) for column in np.flatnonzero(model.features_.columns_of([feature]))]
    if len(rows):
        return ladder_of_rows(name, columns, rows.iloc[:, columns])
    if len(columns) == 1 and hasattr(model, "encoder_"):
        return _ladder_of_encoding(model, name, columns[0])
    if getattr(model, "model_", None) is None:
        return None
    if len(columns) == 1:
        return ladder_of_numbers(name, columns[0], _known_values(model, columns[0]))
    one_hot = [tuple(float(place == other) for other in columns) for place in columns]
    named = getattr(model, "feature_names_in_", [f"x{n}" for n in range(model.n_features_in_)])
    return ladder_of_levels(name, columns, one_hot, [str(named[column]) for column in columns])


def score_of(model: Any, group: int, rows: pd.DataFrame) -> Score | None:
    """Return what gives the effect of a group; None where there is no way to tell."""
    if hasattr(model, "group_effect"):
        return lambda columns, values: _outputs(_group_effect(model, group, columns, values))
    has_contributions = hasattr(model, "contributions")
    if not len(rows) and not (has_contributions and hasattr(model, "encoder_")):
        return None
    base = _usual_row(rows) if len(rows) else _any_row(model)
    if has_contributions:
        return lambda columns, values: _outputs(
            model.contributions(_filled(model, base, columns, values))[:, group]
        )
    if hasattr(model, "predict_proba"):
        return lambda columns, values: _probabilities(
            model.predict_proba(_filled(model, base, columns, values))
        )
    return lambda columns, values: _outputs(model.predict(_filled(model, base, columns, values)))


def _ladder_of_encoding(model: Any, name: str, column: int) -> Ladder | None:
    encoding = model.encoder_.columns_[column]
    encoding = encoding.inner if isinstance(encoding, Imputed) else encoding
    if isinstance(encoding, Categories):
        settings = [(level,) for level in encoding.levels]
        return ladder_of_levels(name, [column], settings, encoding.levels)
    if isinstance(encoding, Booleans):
        return ladder_of_levels(name, [column], [(False,), (True,)], ["False", "True"])
    inner = inner_of(model)
    if getattr(inner, "model_", None) is None:
        return None
    encoded = int(np.flatnonzero(model.encoder_.owner_ == column)[0])
    return ladder_of_numbers(name, column, _known_values(inner, encoded))


def _known_values(model: Any, column: int) -> NDArray[np.float64]:
    """Return values that spread like those of a column in training, in the units of X."""
    final = model.model_
    place = int(np.flatnonzero(final.columns == column)[0])
    shares = ndtr(final.scales.scores[place])
    knots = np.interp(np.linspace(0.005, 0.995, 199), shares, final.scales.knots[place])
    return np.asarray(knots * model._scaling.scale[column] + model._scaling.offset[column])


def _group_effect(model: Any, group: int, columns: list[int], values: NDArray[Any]) -> Any:
    """Ask for the effect, with the columns in the order of X."""
    return model.group_effect(group, values[:, np.argsort(columns)].astype(np.float64))


def _filled(model: Any, base: list[Any], columns: list[int], values: NDArray[Any]) -> Any:
    """Return rows of X that are all as ``base`` but for the columns given."""
    points = dict(enumerate(base)) | {
        column: pd.Series(values[:, place]).infer_objects() for place, column in enumerate(columns)
    }
    frame = pd.DataFrame(points, index=range(len(values)))
    named = getattr(model, "feature_names_in_", None)
    return frame.to_numpy(np.float64) if named is None else frame.set_axis(list(named), axis=1)


def _usual_row(rows: pd.DataFrame) -> list[Any]:
    """Return the median of numbers, the commonest of other values."""
    is_number = np.array([getattr(dtype, "kind", "O") in "iuf" for dtype in rows.dtypes])
    medians = iter(rows.loc[:, is_number].median().to_numpy(dtype=np.float64).tolist())
    return [
        next(medians) if number else _commonest(rows.iloc[:, place])
        for place, number in enumerate(is_number)
    ]


def _commonest(values: pd.Series) -> Any:
    return next(iter(values.mode()), None)


def _any_row(model: Any) -> list[Any]:
    """Return a row that the encoder takes."""
    inner = [e.inner if isinstance(e, Imputed) else e for e in model.encoder_.columns_]
    return [
        e.levels[0] if isinstance(e, Categories) else False if isinstance(e, Booleans) else 0.0
        for e in inner
    ]


def _outputs(effects: NDArray[Any]) -> NDArray[np.float64]:
    values = np.asarray(effects, dtype=np.float64)
    return values[:, None] if values.ndim == 1 else values


def _probabilities(predicted: NDArray[Any]) -> NDArray[np.float64]:
    """Return the probability of each class; of two classes that of the second."""
    outputs = _outputs(predicted)
    return outputs[:, 1:] if outputs.shape[1] == 2 else outputs
