"""From objects to JSON and named arrays, and back, without ever running what a file says.

Everything has one form: what JSON knows stands for itself, everything else is an object of one key
that tells its type, such as ``{"tuple": [1, 2]}``. Arrays of numbers stand beside the JSON, under
the name of their place. Classes are named, and found in a :class:`Registry` alone.
"""

from __future__ import annotations

import base64
import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from coterie.io.errors import ModelFileError

Node = Any
"""A value of JSON."""

Arrays = dict[str, NDArray[Any]]

NUMBERS = frozenset(
    ["bool", "float16", "float32", "float64"]
    + [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
)
"""The types of arrays that stand beside the JSON."""


class Registry(Protocol):
    """The classes that may be saved and loaded, by name."""

    def name_of(self, cls: type) -> str | None:
        """Return the name of a class, None for one that may not be saved."""
        ...

    def find(self, name: str) -> type:
        """Return the class of a name; raise a ModelFileError for one that is not known."""
        ...

    def state_of(self, instance: Any) -> dict[str, Any]:
        """Return what makes up an instance that is neither a dataclass nor a named tuple."""
        ...

    def build(self, cls: type, state: dict[str, Any]) -> Any:
        """Return the instance that was made up of a state."""
        ...


class NoClasses:
    """A registry without any class."""

    def name_of(self, cls: type) -> str | None:
        return None

    def find(self, name: str) -> type:
        raise ModelFileError(f"An instance of {name!r} stands where only plain values may.")

    def state_of(self, instance: Any) -> dict[str, Any]:
        raise TypeError(f"{type(instance).__name__} has no state that can be saved.")

    def build(self, cls: type, state: dict[str, Any]) -> Any:
        raise ModelFileError(f"{cls.__name__} can't be loaded here.")


class Writer:
    """Turns objects into JSON, and collects their arrays.

    Parameters
    ----------
    registry : Registry
    arrays : dict of str to ndarray, optional
        Where to collect them.

    Examples
    --------
    >>> writer = Writer(NoClasses())
    >>> writer.encode({"weights": np.ones(2), "sizes": (1, 2)}, "model")
    {'dict': [['weights', {'array': 'model.weights'}], ['sizes', {'tuple': [1, 2]}]]}
    >>> writer.arrays
    {'model.weights': array([1., 1.])}
    """

    def __init__(self, registry: Registry, arrays: Arrays | None = None) -> None:
        self.registry = registry
        self.arrays: Arrays = {} if arrays is None else arrays
        self._named: dict[int, tuple[str, Any]] = {}  # by id; the object itself keeps the id taken

    def encode(self, value: Any, place: str) -> Node:
        """Return the JSON of a value; ``place`` names its arrays and is what errors speak of.

        Raises
        ------
        TypeError
            For a value of a type that has no form.
        """
        if value is None or type(value) in (bool, int, str):
            return value
        encode = _ENCODERS.get(type(value))
        if encode is not None:
            return encode(self, value, place)
        if isinstance(value, np.generic):
            return {"scalar": [_dtype_name(value.dtype, place), self.encode(value.item(), place)]}
        return self._encode_instance(value, place)

    def encode_items(self, values: Any, place: str) -> list[Node]:
        """Return the JSON of the entries of a sequence."""
        return [self.encode(value, f"{place}.{i}") for i, value in enumerate(values)]

    def add_array(self, array: NDArray[Any], place: str) -> str:
        """Keep an array, once, and return its name."""
        if id(array) not in self._named:
            name = place
            while name in self.arrays:
                name += "'"
            native = array.astype(array.dtype.newbyteorder("="), order="C", copy=False)
            self.arrays[name] = native
            self._named[id(array)] = name, array
        return self._named[id(array)][0]

    def _encode_instance(self, value: Any, place: str) -> Node:
        name = self.registry.name_of(type(value))
        if name is None:
            raise TypeError(
                f"{place} holds {_shown(value)} of type {type(value).__name__}, which can't be "
                "saved: a model file holds plain values, arrays, data frames and classes of "
                "Coterie, but no code. Replace it, or keep the model by pickle."
            )
        if dataclasses.is_dataclass(value):
            names = [field.name for field in dataclasses.fields(value) if field.init]
            state = {name: getattr(value, name) for name in names}
        elif _is_named_tuple(type(value)):
            state = value._asdict()
        else:
            state = self.registry.state_of(value)
        entries = {key: self.encode(entry, f"{place}.{key}") for key, entry in state.items()}
        return {"instance": {"class": name, "state": entries}}


class Reader:
    """Turns JSON and arrays back into objects, the inverse of :class:`Writer`.

    Parameters
    ----------
    arrays : dict of str to ndarray
    registry : Registry

    Examples
    --------
    >>> Reader({}, NoClasses()).decode({"tuple": [1, {"float": "nan"}]})
    (1, nan)
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], registry: Registry) -> None:
        self.arrays = arrays
        self.registry = registry

    def decode(self, node: Node) -> Any:
        """Return the object of a JSON value.

        Raises
        ------
        ModelFileError
            If the JSON is not what :class:`Writer` makes.
        """
        if node is None or isinstance(node, bool | int | float | str):
            return node
        if isinstance(node, list):
            return [self.decode(entry) for entry in node]
        if not isinstance(node, dict) or len(node) != 1:
            raise ModelFileError(f"A part of the file has no known form: {_shown(node)}.")
        ((form, content),) = node.items()
        if form not in _DECODERS:
            raise ModelFileError(f"A part of the file has the unknown form {form!r}.")
        return _DECODERS[form](self, content)

    def array(self, name: Any) -> NDArray[Any]:
        """Return an array by its name."""
        if name not in self.arrays:
            raise ModelFileError(f"The array {name!r} is missing.")
        return self.arrays[name]

    def instance(self, content: Any) -> Any:
        """Return an instance of a class of the registry."""
        cls = self.registry.find(content["class"])
        state = {str(key): self.decode(entry) for key, entry in content["state"].items()}
        if not dataclasses.is_dataclass(cls) and not _is_named_tuple(cls):
            return self.registry.build(cls, state)
        try:
            return cls(**state)
        except (TypeError, ValueError) as error:
            raise ModelFileError(
                f"What was saved of {cls.__name__} does not make one ({error})."
            ) from None


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


def _dtype_name(dtype: np.dtype[Any], place: str) -> str:
    name = "str" if dtype.kind == "U" else dtype.name
    if name not in NUMBERS and name != "str":
        raise TypeError(f"{place} is of NumPy's type {dtype}, which can't be saved.")
    return name


def _is_named_tuple(cls: type) -> bool:
    return issubclass(cls, tuple) and hasattr(cls, "_fields")


def _shown(value: Any, longest: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}…"


_ENCODERS: dict[type, Callable[[Writer, Any, str], Node]] = {
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

_DECODERS: dict[str, Callable[[Reader, Any], Any]] = {
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
