"""The forms of values that JSON does not know, by their types."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from coterie.io.errors import ModelFileError

if TYPE_CHECKING:
    from coterie.io.codec import Reader, Writer

Node = Any
"""A value of JSON."""

NUMBERS = frozenset(
    ["bool", "float16", "float32", "float64"]
    + [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
)
"""The types of arrays that stand beside the JSON."""


def _encode_float(writer: Writer, value: float, place: str) -> Node:
    return value if math.isfinite(value) else {"float": repr(value)}


def _encode_dict(writer: Writer, value: dict[Any, Any], place: str) -> Node:
    entries = [
        [writer.encode(key, place), writer.encode(entry, f"{place}.{key}")]
        for key, entry in value.items()
    ]
    return {"dict": entries}


def _encode_array(writer: Writer, value: NDArray[Any], place: str) -> Node:
    if value.dtype.name in NUMBERS:
        return {"array": writer.add_array(value, place)}
    kind = {"U": "str", "O": "object"}.get(value.dtype.kind)
    if kind is None:
        raise TypeError(
            f"{place} is an array of {value.dtype}, which can't be saved: numbers, booleans, text "
            "and objects can."
        )
    items = writer.encode_items(value.ravel().tolist(), place)
    return {"objects": {"dtype": kind, "shape": list(value.shape), "items": items}}


def _encode_frame(writer: Writer, value: pd.DataFrame, place: str) -> Node:
    columns = [
        [
            writer.encode(name, place),
            _column_dtype(value.iloc[:, i], f"{place}.{name}"),
            writer.encode(_column_array(value.iloc[:, i]), f"{place}.{name}"),
        ]
        for i, name in enumerate(value.columns)
    ]
    is_plain = value.index.equals(pd.RangeIndex(len(value)))
    index = None if is_plain else writer.encode(value.index.to_numpy(), f"{place}.index")
    return {"frame": {"columns": columns, "rows": len(value), "index": index}}


def _column_dtype(values: pd.Series, place: str) -> str:
    if values.dtype.name in NUMBERS or values.dtype == object:
        return str(values.dtype)
    if pd.api.types.is_string_dtype(values.dtype):
        return "str"
    raise TypeError(f"{place} is a column of {values.dtype}, which can't be saved.")


def _column_array(values: pd.Series) -> NDArray[Any]:
    return values.to_numpy() if values.dtype.name in NUMBERS else values.to_numpy(dtype=object)


def _decode_frame(reader: Reader, content: Any) -> pd.DataFrame:
    names = [reader.decode(name) for name, _, _ in content["columns"]]
    index = content["index"]
    index = pd.RangeIndex(content["rows"]) if index is None else pd.Index(reader.decode(index))
    columns = [
        _decode_column(dtype, reader.decode(values), index)
        for _, dtype, values in content["columns"]
    ]
    frame = pd.DataFrame(dict(enumerate(columns)), index=index)
    frame.columns = pd.Index(names, tupleize_cols=False) if names else pd.Index([], dtype=object)
    return frame


def _decode_column(dtype: str, values: NDArray[Any], index: pd.Index) -> pd.Series:
    if dtype == "str":  # an own type since pandas 3
        return pd.Series(values, index=index, dtype=pd.Series(["text"]).dtype)
    return pd.Series(values, index=index, dtype=values.dtype)


def _decode_objects(reader: Reader, content: Any) -> NDArray[Any]:
    items, shape = [reader.decode(item) for item in content["items"]], tuple(content["shape"])
    if math.prod(shape) != len(items) or content["dtype"] not in ("str", "object"):
        raise ModelFileError(f"An array of shape {shape} holds {len(items)} entries.")
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return (array.astype(str) if content["dtype"] == "str" else array).reshape(shape)


def _decode_scalar(reader: Reader, content: Any) -> Any:
    dtype, value = content
    return _dtype(dtype).type(reader.decode(value))


def _dtype(name: Any) -> np.dtype[Any]:
    if name not in NUMBERS and name != "str":
        raise ModelFileError(f"{name!r} is no type of numbers.")
    return np.dtype(name)


def dtype_name(dtype: np.dtype[Any], place: str) -> str:
    name = "str" if dtype.kind == "U" else dtype.name
    if name not in NUMBERS and name != "str":
        raise TypeError(f"{place} is of NumPy's type {dtype}, which can't be saved.")
    return name


ENCODERS: dict[type, Callable[[Writer, Any, str], Node]] = {
    float: _encode_float,
    list: lambda writer, value, place: writer.encode_items(value, place),
    tuple: lambda writer, value, place: {"tuple": writer.encode_items(value, place)},
    set: lambda writer, value, place: {"set": writer.encode_items(value, place)},
    frozenset: lambda writer, value, place: {"frozenset": writer.encode_items(value, place)},
    bytes: lambda writer, value, place: {"bytes": base64.b64encode(value).decode("ascii")},
    dict: _encode_dict,
    np.ndarray: _encode_array,
    pd.DataFrame: _encode_frame,
}

DECODERS: dict[str, Callable[[Reader, Any], Any]] = {
    "float": lambda reader, content: float({"nan": "nan", "inf": "inf", "-inf": "-inf"}[content]),
    "tuple": lambda reader, content: tuple(reader.decode(entry) for entry in content),
    "set": lambda reader, content: {reader.decode(entry) for entry in content},
    "frozenset": lambda reader, content: frozenset(reader.decode(entry) for entry in content),
    "bytes": lambda reader, content: base64.b64decode(content, validate=True),
    "dict": lambda reader, content: {reader.decode(k): reader.decode(v) for k, v in content},
    "array": lambda reader, content: reader.array(content),
    "objects": _decode_objects,
    "scalar": _decode_scalar,
    "frame": _decode_frame,
    "instance": lambda reader, content: reader.instance(content),
}
