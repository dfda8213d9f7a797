"""How one column of a table becomes columns of numbers, learnt from the rows of training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from coterie.io.errors import TableError
from coterie.io.kinds import distinct_labels, plain_label

LEAST_ROWS = 2
"""Rows in which a category must occur to get a column of its own."""

SHOWN = 5


class ColumnEncoding(Protocol):
    """The way from the values of a column to numbers. Missing values stay missing: NaN."""

    @property
    def name(self) -> str:
        """The column of the table."""
        ...

    @property
    def kind(self) -> str:
        """What the column holds, in one word."""
        ...

    @property
    def names(self) -> list[str]:
        """The names of the columns of numbers."""
        ...

    @property
    def note(self) -> str | None:
        """What the user should know about the encoding."""
        ...

    def encode(self, values: pd.Series) -> NDArray[np.float64]:
        """Return the numbers, shape (rows, columns of numbers)."""
        ...

    def fill(self, values: pd.Series) -> Any:
        """Return the value that stands in for missing ones."""
        ...


@dataclass(frozen=True)
class Numbers:
    """Numbers as they are."""

    name: str
    kind: str = "number"
    note: str | None = None

    @property
    def names(self) -> list[str]:
        return [self.name]

    def encode(self, values: pd.Series) -> NDArray[np.float64]:
        try:
            if getattr(values.dtype, "kind", "O") in "mMc":
                raise TypeError("neither times nor complex numbers have one value")
            return _floats(values)[:, None]
        except (TypeError, ValueError):
            raise _unexpected(self, values, _numbers_among(values)) from None

    def fill(self, values: pd.Series) -> float:
        """Return the median."""
        return float(np.nanmedian(self.encode(values)))


@dataclass(frozen=True)
class Booleans:
    """False and True as 0 and 1."""

    name: str
    kind: str = "boolean"
    note: str | None = None

    @property
    def names(self) -> list[str]:
        return [self.name]

    def encode(self, values: pd.Series) -> NDArray[np.float64]:
        numbers = values.map(_NUMBER_OF_BOOLEAN, na_action="ignore")
        if (numbers.isna() & values.notna()).any():
            raise _unexpected(self, values, numbers)
        return _floats(numbers)[:, None]

    def fill(self, values: pd.Series) -> bool:
        """Return the more frequent one."""
        return bool(np.nanmean(self.encode(values)) > 0.5)


@dataclass(frozen=True)
class Categories:
    """A column of 0 and 1 for each category that occurs in at least two rows.

    Those that occur in one row, and those that turn up later, are 0 in all of them.
    """

    name: str
    levels: tuple[str, ...]
    rare: tuple[str, ...] = ()
    kind: str = "category"

    @classmethod
    def of(cls, values: pd.Series) -> Categories:
        """Take the categories from the rows of training."""
        counts = values.dropna().map(plain_label).value_counts()
        labels = distinct_labels(values)
        if len(labels) == 1 or counts.max() < LEAST_ROWS:
            return cls(str(values.name), tuple(labels))
        rare = tuple(label for label in labels if counts[label] < LEAST_ROWS)
        return cls(str(values.name), tuple(x for x in labels if x not in rare), rare)

    @property
    def names(self) -> list[str]:
        return [f"{self.name}={level}" for level in self.levels]

    @property
    def note(self) -> str | None:
        shown = ", ".join(repr(level) for level in self.levels[:SHOWN])
        more = f" and {len(self.levels) - SHOWN} more" if len(self.levels) > SHOWN else ""
        rare = (
            f"; what occurs in a single row ({_few(self.rare)}) is treated like unseen values"
            if self.rare
            else ""
        )
        return f"Column {self.name!r} is a category of {shown}{more}{rare}."

    def encode(self, values: pd.Series) -> NDArray[np.float64]:
        places = {level: place for place, level in enumerate(self.levels)}
        labels = values.map(plain_label, na_action="ignore").astype(object)
        positions = labels.map(places).fillna(-1).to_numpy(dtype=np.int64)
        numbers = (positions[:, None] == np.arange(len(self.levels))).astype(np.float64)
        numbers[values.isna().to_numpy()] = np.nan
        return numbers

    def fill(self, values: pd.Series) -> str:
        """Return the most frequent one; of equals the first by name."""
        return str(values.dropna().map(plain_label).astype(object).mode().iloc[0])

    def unseen(self, values: pd.Series) -> list[str]:
        """Return the values that no row of training has."""
        known = {*self.levels, *self.rare}
        return [label for label in distinct_labels(values) if label not in known]


@dataclass(frozen=True)
class Imputed:
    """Fills what is missing, and says in one more column where, if the rows of training had gaps.

    Attributes
    ----------
    inner : ColumnEncoding
        Of the values that are there.
    value : float, bool or str
        What stands in for the others.
    has_indicator : bool
    n_missing : int
        Gaps in the rows of training.
    """

    inner: ColumnEncoding
    value: Any
    has_indicator: bool
    n_missing: int

    @classmethod
    def of(cls, inner: ColumnEncoding, values: pd.Series) -> Imputed:
        """Take the value from the rows of training."""
        n_missing = int(values.isna().sum())
        return cls(inner, inner.fill(values), n_missing > 0, n_missing)

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def kind(self) -> str:
        return self.inner.kind

    @property
    def names(self) -> list[str]:
        return [*self.inner.names, *([f"{self.name} is missing"] if self.has_indicator else [])]

    @property
    def note(self) -> str | None:
        return self.inner.note

    @property
    def filling(self) -> str:
        """What was filled in, as a sentence."""
        values = "value" if self.n_missing == 1 else "values"
        filled = f"{self.value:g}" if isinstance(self.value, float) else repr(self.value)
        return f"{self.n_missing:,} missing {values} of {self.name!r} filled with {filled}."

    def encode(self, values: pd.Series) -> NDArray[np.float64]:
        is_missing = values.isna()
        numbers = self.inner.encode(values)
        numbers[is_missing.to_numpy()] = self.inner.encode(
            pd.Series([self.value], name=values.name, dtype=object)
        )
        if not self.has_indicator:
            return numbers
        return np.column_stack([numbers, is_missing.to_numpy(dtype=np.float64)])

    def fill(self, values: pd.Series) -> Any:
        return self.value


ENCODINGS: Mapping[str, Any] = {
    "number": lambda values: Numbers(str(values.name)),
    "boolean": lambda values: Booleans(str(values.name)),
    "category": Categories.of,
}
"""What encodes a column of each kind."""

_NUMBER_OF_BOOLEAN: dict[Any, float] = {False: 0.0, True: 1.0} | {
    spelling: number
    for number, word in enumerate(["false", "true"])
    for spelling in (word, word.upper(), word.capitalize())
}


def _floats(values: pd.Series) -> NDArray[np.float64]:
    """Return numbers, a copy; what is missing is NaN."""
    return np.array(values.to_numpy(dtype=np.float64, na_value=np.nan))


def _numbers_among(values: pd.Series) -> pd.Series:
    """Return the numbers in a column of anything, NaN for the rest."""
    if getattr(values.dtype, "kind", "O") in "mMc":
        return pd.Series(np.nan, index=values.index)
    return pd.to_numeric(values, errors="coerce")


def _unexpected(encoding: Any, values: pd.Series, numbers: pd.Series) -> TableError:
    """Name the first value that is not of the kind that the column had in training."""
    wrong = np.flatnonzero(numbers.isna().to_numpy() & values.notna().to_numpy())
    row = int(wrong[0]) if len(wrong) else 0
    return TableError(
        f"Column {encoding.name!r} holds {values.iloc[row]!r} in row {row}, but in training it "
        f"held {encoding.kind}s. Correct the value, or leave it empty if it is missing."
    )


def _few(labels: tuple[str, ...]) -> str:
    shown = ", ".join(repr(label) for label in labels[:SHOWN])
    return f"{shown} and {len(labels) - SHOWN} more" if len(labels) > SHOWN else shown
