"""From objects to JSON and named arrays, and back, without ever running what a file says.

Everything has one form: what JSON knows stands for itself, everything else is an object of one key
that tells its type, such as ``{"tuple": [1, 2]}``. Arrays of numbers stand beside the JSON, under
the name of their place. Classes are named, and found in a :class:`Registry` alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from coterie.io._forms import DECODERS, ENCODERS, Node, dtype_name
from coterie.io.errors import ModelFileError

Arrays = dict[str, NDArray[Any]]


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
        encode = ENCODERS.get(type(value))
        if encode is not None:
            return encode(self, value, place)
        if isinstance(value, np.generic):
            return {"scalar": [dtype_name(value.dtype, place), self.encode(value.item(), place)]}
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
        if form not in DECODERS:
            raise ModelFileError(f"A part of the file has the unknown form {form!r}.")
        return DECODERS[form](self, content)

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


def _is_named_tuple(cls: type) -> bool:
    return issubclass(cls, tuple) and hasattr(cls, "_fields")


def _shown(value: Any, longest: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}…"
