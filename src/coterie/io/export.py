"""What a fitted model holds, as plain JSON for people and other programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from coterie import __version__
from coterie.io.files import write_text

FOUND = ("aggregator_", "base_value_", "interactions_", "alternatives_", "screen_", "trace_")
"""What estimators tell of what they found, as far as they have it."""

NOT_SETTINGS = ("callbacks", "device")


def describe_model(
    model: Any, notes: Mapping[str, Any] | None = None, *, weights: bool = False
) -> dict[str, Any]:
    """Return what a fitted estimator found, as values that JSON knows.

    Parameters
    ----------
    model : fitted estimator
        A TableModel or any other estimator that finds groups.
    notes : mapping, optional
        As saved with the model.
    weights : bool, default=False
        Add everything that is fitted, the arrays of all parameters included.

    Returns
    -------
    dict
        ``method``, ``columns``, ``classes``, ``groups`` (a dict for each), ``found`` (evidence),
        ``settings``, ``data_notes``, ``notes`` and, if asked for, ``weights``. What is not a finite
        number is None.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(
    ...     get_params=lambda deep: {"max_groups": 2},
    ...     groups_table=lambda: pd.DataFrame({"members": [("age", "dose")], "strength": [np.nan]}),
    ...     feature_names_in_=np.array(["age", "dose"]),
    ... )
    >>> description = describe_model(model)
    >>> description["groups"], description["settings"]
    ([{'members': ['age', 'dose'], 'strength': None}], {'max_groups': 2})
    """
    inner = getattr(model, "estimator_", model)
    settings = {
        name: value
        for name, value in inner.get_params(deep=False).items()
        if name not in NOT_SETTINGS
    }
    description = {
        "coterie": __version__,
        "method": type(inner).__name__,
        "columns": getattr(model, "feature_names_in_", None),
        "classes": getattr(model, "classes_", None),
        "groups": model.groups_table(),
        "found": {name.rstrip("_"): getattr(inner, name) for name in FOUND if hasattr(inner, name)},
        "settings": settings,
        "data_notes": getattr(model, "data_notes_", []),
        "notes": notes or {},
    }
    if weights:
        state = {name: value for name, value in vars(inner).items() if name not in settings}
        description["weights"] = {k: v for k, v in state.items() if k not in NOT_SETTINGS}
    return {name: as_json_value(value) for name, value in description.items()}


def write_description(path: Path, description: Mapping[str, Any]) -> Path:
    """Write a description as JSON; the file is replaced as a whole or not at all."""
    text = json.dumps(description, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    write_text(path, text)
    return path


def as_json_value(value: Any) -> Any:
    """Return a value as numbers, text, lists and dicts.

    Frames become a dict for each row, named tuples and instances a dict of their fields; what is
    not finite becomes None, and what has no such form its ``repr``.

    Examples
    --------
    >>> as_json_value({"loss": np.float32("inf"), "groups": [(0, 1)], "names": np.array(["a"])})
    {'loss': None, 'groups': [[0, 1]], 'names': ['a']}
    """
    if isinstance(value, pd.DataFrame):
        return [as_json_value(row) for row in value.to_dict(orient="records")]
    if isinstance(value, np.ndarray | np.generic):
        return as_json_value(value.tolist())
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): as_json_value(entry) for key, entry in value.items()}
    if hasattr(value, "_asdict"):
        return as_json_value(value._asdict())
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json_value(entry) for entry in value]
    return as_json_value(vars(value)) if _is_of_coterie(value) else repr(value)


def _is_of_coterie(value: Any) -> bool:
    return type(value).__module__.startswith("coterie.") and hasattr(value, "__dict__")
