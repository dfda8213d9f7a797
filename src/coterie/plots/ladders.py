"""The values that a feature is moved through, to see what they do to a prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

FEW_VALUES = 12
N_STEPS = 61
SHARES = (0.01, 0.99)
"""The quantiles between which a feature of many values is moved."""
MOST_ROWS = 5000


@dataclass(frozen=True)
class Ladder:
    """The values that a feature takes one after the other.

    Attributes
    ----------
    name : str
    positions : ndarray, shape (steps,)
        Where the steps stand on an axis: the values themselves, or numbers from 0.
    labels : tuple of str or None
        What stands at the steps, if they are not numbers.
    is_discrete : bool
        Whether there is nothing between the steps.
    columns : tuple of int
        The positions in X of the columns that make up the feature.
    settings : tuple of tuple
        For each step, the values of those columns.
    typical : int
        The step that is most usual.
    quartiles : tuple of int
        Steps that a tenth, a half and nine tenths of the rows do not exceed; for labels the first
        few.
    """

    name: str
    positions: NDArray[np.float64]
    labels: tuple[str, ...] | None
    is_discrete: bool
    columns: tuple[int, ...]
    settings: tuple[tuple[Any, ...], ...]
    typical: int
    quartiles: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.positions)

    def thinned(self, n_steps: int) -> Ladder:
        """Keep so many steps, evenly spread; all where nothing lies between them.

        Examples
        --------
        >>> numbers = ladder_of_numbers("x", 0, np.linspace(0, 1, 500))
        >>> len(numbers), len(numbers.thinned(5))
        (61, 5)
        """
        if self.is_discrete or len(self) <= n_steps:
            return self
        return self.at(np.linspace(0, len(self) - 1, n_steps).round().astype(int))

    def at(self, steps: Sequence[int] | NDArray[np.intp]) -> Ladder:
        """Keep some of the steps."""
        kept = np.asarray(steps)
        return replace(
            self,
            positions=self.positions[kept],
            labels=self.labels and tuple(self.labels[step] for step in kept),
            settings=tuple(self.settings[step] for step in kept),
            typical=int(np.abs(kept - self.typical).argmin()),
            quartiles=tuple(int(np.abs(kept - step).argmin()) for step in self.quartiles),
        )

    def label(self, step: int) -> str:
        """Return what stands at a step, in words."""
        return self.labels[step] if self.labels else f"{self.positions[step]:.3g}"


def ladder_of_numbers(name: str, column: int, values: Any) -> Ladder:
    """Return steps through numbers: each of a few values, else even steps between quantiles.

    Examples
    --------
    >>> ladder_of_numbers("genotype", 3, [0, 1, 2, 1, 0, 1]).settings
    ((0.0,), (1.0,), (2.0,))
    """
    numbers = pd.Series(values).to_numpy(dtype=float, na_value=np.nan)
    numbers = numbers[np.isfinite(numbers)]
    positions = np.unique(numbers)
    is_discrete = len(positions) <= FEW_VALUES
    if not is_discrete:
        least, largest = np.quantile(numbers, SHARES)
        positions = np.linspace(least, largest, N_STEPS)
    at = np.quantile(numbers, (0.1, 0.5, 0.9)) if len(numbers) else np.zeros(3)
    steps = [int(np.abs(positions - value).argmin()) for value in at]
    settings = tuple((float(value),) for value in positions)
    quartiles = tuple(dict.fromkeys(steps))
    return Ladder(name, positions, None, is_discrete, (column,), settings, steps[1], quartiles)


def ladder_of_levels(
    name: str,
    columns: Sequence[int],
    settings: Sequence[tuple[Any, ...]],
    labels: Sequence[str],
    typical: int = 0,
) -> Ladder:
    """Return steps through values that have no order.

    Examples
    --------
    >>> ladder_of_levels("smoker", [2], [(False,), (True,)], ["False", "True"]).labels
    ('False', 'True')
    """
    first = tuple(range(min(3, len(settings))))
    places = np.arange(len(settings), dtype=float)
    return Ladder(
        name, places, tuple(labels), True, tuple(columns), tuple(settings), typical, first
    )


def rows_of(X: Any) -> pd.DataFrame:
    """Return rows as a data frame whose columns keep their order; of many rows evenly some.

    Examples
    --------
    >>> rows_of(np.zeros((20000, 2))).shape
    (5000, 2)
    """
    stride = max(1, -(-X.shape[0] // MOST_ROWS))
    if hasattr(X, "to_pandas") and not isinstance(X, pd.DataFrame):
        X = X.to_pandas()
    if isinstance(X, pd.DataFrame):
        return X.iloc[::stride]
    rows = X[::stride]
    return pd.DataFrame(rows.toarray() if sparse.issparse(rows) else np.asarray(rows))


def ladder_of_rows(name: str, columns: Sequence[int], values: pd.DataFrame) -> Ladder:
    """Return steps through the values that the columns of a feature have in rows.

    Parameters
    ----------
    name : str
    columns : sequence of int
        The positions of the columns in X.
    values : DataFrame, shape (rows, columns of the feature)

    Examples
    --------
    >>> ladder_of_rows("site", [3], pd.DataFrame({"site": ["A", "B", "A"]})).labels
    ('A', 'B')
    """
    if len(columns) == 1 and getattr(values.dtypes.iloc[0], "kind", "O") in "iuf":
        return ladder_of_numbers(name, columns[0], values.iloc[:, 0])
    counts = values.dropna().astype(object).value_counts().head(FEW_VALUES)
    settings = [setting if isinstance(setting, tuple) else (setting,) for setting in counts.index]
    order = sorted(range(len(settings)), key=lambda place: [str(v) for v in settings[place]])
    settings = [settings[place] for place in order]
    labels = [_label(list(values.columns), setting) for setting in settings]
    return ladder_of_levels(name, columns, settings, labels, order.index(0) if order else 0)


def _label(names: Sequence[Any], setting: tuple[Any, ...]) -> str:
    """Return the values in words; of columns of 0 and 1 the names of those that are 1."""
    if len(setting) == 1:
        return str(setting[0])
    if set(setting) <= {0, 1}:
        return ", ".join(str(n) for n, value in zip(names, setting, strict=True) if value) or "none"
    return ", ".join(
        f"{value:.3g}" if isinstance(value, float) else str(value) for value in setting
    )
