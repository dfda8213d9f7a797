"""What a column holds: numbers, booleans, categories, or what no model can be fitted on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Usable = Literal["number", "boolean", "category"]

MOST_CATEGORIES = 50
MOST_CODES = 20
"""Numbers that may be codes of categories where a column holds text, too."""
WORDS_OF_FREE_TEXT = 5.0

_DATES = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[-+]\d{2}:?\d{2})?)?"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})( \d{1,2}:\d{2}(:\d{2})?)?"
    r"|\d{1,2}[- ](Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*[- ]\d{2,4}"
)
_TIMES = re.compile(r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?")
_PLAIN = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}([,' ]\d{3})+(\.\d+)?")
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")
_WITH_UNIT = re.compile(r"[-+]?\d+([.,]\d+)?(?P<unit>\s*[^\d\s.,;:/+-][^\d]*)")
_BEHIND_SIGN = re.compile(r"(?P<unit>[<>=~$€£]+)\s*[-+]?\d+([.,]\d+)?")


@dataclass(frozen=True)
class Refusal:
    """Why a column can't be used.

    Attributes
    ----------
    what : str
        What it holds.
    remedy : str
        What to do about it, other than to leave the column out.
    example : str
        A value, and where it is.
    """

    what: str
    remedy: str = ""
    example: str = ""

    @property
    def reason(self) -> str:
        """What it holds, with an example."""
        return f"{self.what}, such as {self.example}" if self.example else self.what


def kind_of(values: pd.Series, most_categories: int = MOST_CATEGORIES) -> Usable | Refusal:
    """Tell what a column holds, by its type and, where that is text, by its values.

    Missing values do not count. Text is a category if it takes at most ``most_categories`` values
    and some of them more than once.

    Examples
    --------
    >>> kind_of(pd.Series(["red", "blue", "red"]))
    'category'
    >>> kind_of(pd.Series(["2020-01-31", "2021-02-28"])).reason
    "dates or times, such as '2020-01-31' in row 0"
    """
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _kind_of_categories(values, most_categories)
    if pd.api.types.is_bool_dtype(dtype):
        return "boolean"
    if pd.api.types.is_complex_dtype(dtype):
        return _COMPLEX
    if values.isna().all():
        return _NOTHING
    if pd.api.types.is_numeric_dtype(dtype):
        return "number"
    present = values.dropna()
    if getattr(dtype, "kind", "O") in "mM" or isinstance(dtype, pd.PeriodDtype):
        return _dates(present)
    return _kind_of_objects(values, present, most_categories)


_NOTHING = Refusal("no value at all")
_COMPLEX = Refusal(
    "complex numbers", "Complex data not supported: make columns of the real and imaginary parts"
)


def _dates(present: pd.Series) -> Refusal:
    remedy = "turn dates into numbers, such as days since the first of them"
    return Refusal("dates or times", remedy, _example(present, 0))


def plain_label(value: Any) -> str:
    """Return a category as text; a whole number has one text, whatever its type.

    A column that is text in one file may be whole numbers, or with gaps floating-point numbers, in
    another.
    """
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _kind_of_categories(values: pd.Series, most_categories: int) -> Usable | Refusal:
    """Trust the owner's word that these are categories, if they are not too many."""
    n_used = values.nunique()
    if n_used == 0:
        return _NOTHING
    if n_used > most_categories:
        return _too_many(values.dropna(), n_used, most_categories)
    return "category"


def _kind_of_objects(
    values: pd.Series, present: pd.Series, most_categories: int
) -> Usable | Refusal:
    """Tell what Python objects are."""
    contents = pd.api.types.infer_dtype(present, skipna=True)
    if contents == "boolean":
        return "boolean"
    if contents in ("integer", "floating", "mixed-integer-float", "decimal"):
        return "number"
    if contents == "complex":
        return _COMPLEX
    if contents in ("date", "datetime", "datetime64", "timedelta", "timedelta64", "time", "period"):
        return _dates(present)
    if contents != "string":
        return _refuse_mixture(values, present)
    return _kind_of_text(present, most_categories)


def _refuse_mixture(values: pd.Series, present: pd.Series) -> Refusal:
    """Name the first value that is neither text nor a number, or else the first text."""
    for wanted, what in (
        ((str, int, float, np.number), "objects"),
        ((int, float, np.number), "text"),
    ):
        for value in present:
            if not isinstance(value, wanted):
                return Refusal(
                    f"{what} (of type {type(value).__name__}) among other values",
                    "turn all of its values into numbers, or all of them into text",
                    f"{_shortened(value)} in row {_row_of(values, value)}",
                )
    return Refusal("numbers and booleans in one column", "turn all of its values into numbers")


def _kind_of_text(present: pd.Series, most_categories: int) -> Usable | Refusal:
    """Tell categories from dates, disguised numbers, identifiers and free text."""
    texts = present.astype(str)
    distinct = texts.drop_duplicates().str.strip()
    if refusal := _disguised(present, distinct):
        return refusal
    n_distinct = len(distinct)
    if n_distinct == len(texts) and n_distinct > 1:
        return _identifiers_or_prose(present, distinct)
    if n_distinct > most_categories:
        return _too_many(present, n_distinct, most_categories)
    return "category"


def _disguised(present: pd.Series, distinct: pd.Series) -> Refusal | None:
    """Return why text that is really dates or numbers is refused."""
    if _all_match(distinct, _DATES) or _all_match(distinct, _TIMES):
        return _dates(present)
    first = _example(present, 0)
    is_plain = distinct.str.fullmatch(_PLAIN.pattern)
    if is_plain.all():
        return Refusal("numbers kept as text", "use pandas.to_numeric", first)
    for pattern, what, remedy in _DISGUISES:
        matches = distinct.str.fullmatch(pattern.pattern)
        if matches.any() and (matches | is_plain).all():
            place = int(np.flatnonzero(present.isin(present[distinct[matches].index]))[0])
            return Refusal(what, remedy, _example(present, place))
    if unit := _common_unit(distinct):
        return Refusal(
            f"numbers with the unit {unit!r}",
            "keep the numbers alone and put the unit into the name of the column",
            first,
        )
    return _mostly_numbers(present, distinct, is_plain.to_numpy(dtype=bool))


_DISGUISES = (
    (
        _THOUSANDS,
        "numbers with separators of thousands",
        "remove the separators: 1,234 is written 1234",
    ),
    (
        _DECIMAL_COMMA,
        "numbers with a decimal comma",
        "write a decimal point, or separate the columns by semicolons",
    ),
)


def _mostly_numbers(
    present: pd.Series, distinct: pd.Series, is_plain: NDArray[np.bool_]
) -> Refusal | None:
    """Return why a column of numbers with a few words in it is refused."""
    if is_plain.sum() <= MOST_CODES or is_plain.sum() <= 2 * (~is_plain).sum():
        return None
    strange = present.astype(str).str.strip().isin(set(distinct[~is_plain])).to_numpy()
    row = int(np.flatnonzero(strange)[0])
    return Refusal(
        "numbers and text",
        "if the text means that a value is missing, leave the value empty (in text files, "
        f"read_table(path, missing=[{str(present.iloc[row])!r}]))",
        _example(present, row),
    )


def _common_unit(distinct: pd.Series) -> str | None:
    """Return the unit that all values share."""
    if len(distinct) < 2:
        return None
    for pattern in (_WITH_UNIT, _BEHIND_SIGN):
        units = distinct.str.extract(f"^(?:{pattern.pattern})$")["unit"]
        if units.notna().all() and units.str.strip().nunique() == 1:
            return str(units.iloc[0]).strip()
    return None


def _identifiers_or_prose(present: pd.Series, distinct: pd.Series) -> Refusal:
    is_prose = distinct.str.split().str.len().mean() >= WORDS_OF_FREE_TEXT
    what = "free text" if is_prose else "names or identifiers"
    return Refusal(f"{what}, a different one in every row", example=_example(present, 0))


def _too_many(present: pd.Series, n_distinct: int, most: int) -> Refusal:
    """Refuse more categories than can be learnt about."""
    distinct = present.drop_duplicates().astype(str)
    is_prose = distinct.str.split().str.len().mean() >= WORDS_OF_FREE_TEXT
    what = "free text" if is_prose else "text"
    return Refusal(
        f"{what} of {n_distinct:,} different values, more than the {most} of a category",
        "merge its values into fewer",
        _example(present, 0),
    )


def _all_match(texts: pd.Series, pattern: re.Pattern[str]) -> bool:
    return bool(texts.str.fullmatch(pattern.pattern).all())


def _example(present: pd.Series, place: int) -> str:
    """Show one of the values that are there, with its row if the index tells."""
    row = present.index[place]
    return f"{_shortened(present.iloc[place])} in row {row}"


def _row_of(values: pd.Series, wanted: Any) -> int:
    return next(row for row, value in enumerate(values) if value is wanted)


def _shortened(value: Any, longest: int = 40) -> str:
    text = value if isinstance(value, str) else str(value)
    return repr(text if len(text) <= longest else f"{text[:longest]}…")


def row_numbers(values: pd.Series) -> pd.Series:
    """Return a column whose index counts the rows, as messages do."""
    return values.reset_index(drop=True)


def distinct_labels(values: pd.Series) -> list[str]:
    """Return the categories of a column as sorted text."""
    return sorted({plain_label(value) for value in values.dropna().unique()})
