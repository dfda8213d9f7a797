"""From a table of numbers, booleans and categories to columns of numbers, and what was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from coterie.io._refusals import listed, refuse_missing, refuse_unusable, several
from coterie.io.columns import ENCODINGS, Categories, ColumnEncoding, Imputed, Numbers
from coterie.io.errors import TableError
from coterie.io.frames import as_frame
from coterie.io.kinds import MOST_CATEGORIES, Refusal, kind_of, row_numbers

MOST_NOTES = 20
"""Columns of a kind that the notes describe one by one."""

PLURALS = {"number": "numbers", "boolean": "booleans", "category": "categories"}


class TableEncoder(TransformerMixin, BaseEstimator):
    """Find the type of each column, and encode it as one or several columns of numbers.

    Numbers and booleans stay one column; a category becomes a column of 0 and 1 for each of its
    values. All columns of numbers that stem from one column of the table are one feature
    (``owner_``), and so share a gate. Dates, free text, identifiers and numbers that are disguised
    as text are refused by name.

    Parameters
    ----------
    impute : bool, default=False
        Fill missing values with the median or the most frequent value, and add a column that tells
        where they were; it belongs to the same feature. False refuses missing values.
    max_categories : int, default=50
        Text of more different values than this is not a category.

    Attributes
    ----------
    columns_ : list of ColumnEncoding
        How each column of the table is encoded.
    owner_ : ndarray of int, shape (columns of numbers,)
        The column of the table that each column of numbers stems from.
    notes_ : list of str
        What was found and done.
    feature_names_in_ : ndarray of str
    n_features_in_ : int

    Notes
    -----
    A category that turns up after ``fit``, and one that only a single row of training had, is 0 in
    all columns of its feature. Later tables are read by the names of their columns: their order
    does not matter, and columns that were not there in training are left aside. A value that is
    missing later in a column that had none missing is filled, and no column tells.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [71, 64, 58, 66], "site": ["A", "B", "A", "B"]})
    >>> encoder = TableEncoder().fit(table)
    >>> encoder.transform(table.iloc[:2])
        age  site=A  site=B
    0  71.0     1.0     0.0
    1  64.0     0.0     1.0
    >>> encoder.owner_
    array([0, 1, 1])
    >>> encoder.notes_
    ['1 number, 1 category.', "Column 'site' is a category of 'A', 'B'."]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "impute": ["boolean"],
        "max_categories": [Interval(Integral, 1, None, closed="left")],
    }

    columns_: list[ColumnEncoding]

    def __init__(self, impute: bool = False, *, max_categories: int = MOST_CATEGORIES) -> None:
        self.impute = impute
        self.max_categories = max_categories

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the types of the columns.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or array-like
        y : ignored

        Raises
        ------
        TableError
            For columns that can't be encoded and, unless ``impute`` is set, missing values; names
            all of the columns.
        """
        self._validate_params()
        table = as_frame(X)
        if not len(table) or not len(table.columns):
            raise TableError(
                f"The table has {len(table)} rows (0 samples are too few) and "
                f"{len(table.columns)} columns."
                if not len(table)
                else "The table has no columns."
            )
        kinds = self._kinds(table)
        refuse_unusable(table, kinds)
        if not self.impute:
            refuse_missing(table, "Set impute=True to fill them")
        self.columns_ = [
            self._encoding(kind, values)
            for kind, (_, values) in zip(kinds, table.items(), strict=True)
        ]
        self.feature_names_in_ = np.array(list(table.columns), dtype=object)
        self.n_features_in_ = len(table.columns)
        widths = [len(encoding.names) for encoding in self.columns_]
        self.owner_ = np.repeat(np.arange(len(widths)), widths)
        self.notes_ = _notes(self.columns_, table)
        return self

    def transform(self, X: Any) -> pd.DataFrame:
        """Return the columns of numbers.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or array-like
            With all columns of the training, in any order.

        Returns
        -------
        DataFrame, shape (rows, columns of numbers)
        """
        check_is_fitted(self, "columns_")
        table = self.select(X)
        if not self.impute:
            refuse_missing(table, "Fill them, or train with impute=True")
        names = self._names()
        if all(type(encoding) is Numbers for encoding in self.columns_) and all(
            dtype.kind in "iuf" for dtype in table.dtypes
        ):
            return table
        parts = [encoding.encode(table[encoding.name]) for encoding in self.columns_]
        return pd.DataFrame(np.concatenate(parts, axis=1), index=table.index, columns=names)

    def unseen_categories(self, X: Any) -> dict[str, list[str]]:
        """Return the categories of each column that no row of training had.

        Examples
        --------
        >>> encoder = TableEncoder().fit(pd.DataFrame({"site": ["A", "B", "A", "B"]}))
        >>> encoder.unseen_categories(pd.DataFrame({"site": ["A", "C"]}))
        {'site': ['C']}
        """
        check_is_fitted(self, "columns_")
        table = self.select(X)
        found = {}
        for encoding in self.columns_:
            inner = encoding.inner if isinstance(encoding, Imputed) else encoding
            if isinstance(inner, Categories) and (labels := inner.unseen(table[inner.name])):
                found[inner.name] = labels
        return found

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns of numbers."""
        check_is_fitted(self, "columns_")
        return np.array(self._names(), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.impute
        return tags

    def _kinds(self, table: pd.DataFrame) -> list[Any]:
        """Tell what each column holds; plain numbers, which may be many, at one stroke."""
        is_plain = [getattr(dtype, "kind", "O") in "iuf" for dtype in table.dtypes]
        is_filled = table.notna().any()
        return [
            "number" if plain and filled else kind_of(row_numbers(values), self.max_categories)
            for plain, filled, (_, values) in zip(is_plain, is_filled, table.items(), strict=True)
        ]

    def _encoding(self, kind: Any, values: pd.Series) -> ColumnEncoding:
        """Return the encoding of a column of a kind."""
        encoding = ENCODINGS[kind](values)
        return Imputed.of(encoding, values) if self.impute else encoding

    def _names(self) -> list[str]:
        """Return the names of the columns of numbers, each of them once."""
        names = [name for encoding in self.columns_ for name in encoding.names]
        taken = set(self.feature_names_in_)
        seen: Counter[str] = Counter()
        for place, name in enumerate(names):
            of_column = name == self.feature_names_in_[self.owner_[place]]
            while not of_column and (name in taken or seen[name]):
                name += "'"
            seen[name] += 1
            names[place] = name
        return names

    def select(self, X: Any) -> pd.DataFrame:
        """Return the columns of the training in their order, from a table that has them."""
        check_is_fitted(self, "columns_")
        table = as_frame(X)
        missing = [name for name in self.feature_names_in_ if name not in table.columns]
        if missing:
            raise TableError(
                f"The table lacks {several(len(missing), 'column')} that the model was trained "
                f"on: {listed([repr(name) for name in missing])}. Its columns are "
                f"{listed([repr(name) for name in table.columns])}."
            )
        wanted = list(self.feature_names_in_)
        return table if list(table.columns) == wanted else table[wanted]


def unusable_columns(table: pd.DataFrame) -> list[str]:
    """Return the names of the columns that an encoder refuses, whatever is filled.

    Examples
    --------
    >>> unusable_columns(pd.DataFrame({"age": [71, 64], "seen": ["2020-01-31", "2021-02-28"]}))
    ['seen']
    """
    kinds = TableEncoder()._kinds(table)
    return [
        str(name)
        for name, kind in zip(table.columns, kinds, strict=True)
        if isinstance(kind, Refusal)
    ]


def _notes(encodings: Sequence[ColumnEncoding], table: pd.DataFrame) -> list[str]:
    """Say what was found and done."""
    counts = Counter(encoding.kind for encoding in encodings)
    types = ", ".join(
        f"{counts[kind]:,} {kind if counts[kind] == 1 else plural}"
        for kind, plural in PLURALS.items()
        if counts[kind]
    )
    described = [encoding.note for encoding in encodings if encoding.note]
    filled = [e.filling for e in encodings if isinstance(e, Imputed) and e.n_missing]
    notes = [
        f"{types}.",
        *_shortened(described, "{} more columns are categories."),
        *_shortened(filled, "Missing values of {} more columns were filled likewise."),
    ]
    is_constant = ((table == table.iloc[0]) & table.notna()).all() & (len(table) > 1)
    if constant := [repr(name) for name in table.columns[is_constant.to_numpy(dtype=bool)]]:
        verb = "holds" if len(constant) == 1 else "hold"
        notes.append(f"{listed(constant)} {verb} a single value, so no group can contain it.")
    numbering = [name for name, values in table.items() if _counts_rows(values)]
    return notes + [
        f"Column {name!r} numbers the rows: leave it out if it identifies them."
        for name in numbering[:MOST_NOTES]
    ]


def _shortened(notes: list[str], rest: str) -> list[str]:
    """Keep the first notes, and count the others."""
    more = len(notes) - MOST_NOTES
    return [*notes[:MOST_NOTES], rest.format(f"{more:,}")] if more > 0 else notes


def _counts_rows(values: pd.Series) -> bool:
    """Tell whether a column of whole numbers goes up by one from row to row."""
    if getattr(values.dtype, "kind", "O") not in "iu" or len(values) < 3:
        return False
    return bool((np.diff(values.to_numpy()) == 1).all())
