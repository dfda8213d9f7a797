"""Saving and loading estimators: which classes a file may name, and what makes up an estimator."""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from coterie.io.errors import ModelFileError
from coterie.io.models import read_model, write_model

CLASSES = {
    "CompFSClassifier": "coterie.estimators.compfs",
    "CompFSRegressor": "coterie.estimators.compfs",
    "CoterieClassifier": "coterie.estimators.coterie",
    "CoterieRegressor": "coterie.estimators.coterie",
    "TableModel": "coterie.estimators.table",
    "TableEncoder": "coterie.io.encoding",
    "Numbers": "coterie.io.columns",
    "Booleans": "coterie.io.columns",
    "Categories": "coterie.io.columns",
    "Imputed": "coterie.io.columns",
    "Features": "coterie.estimators._features",
    "Scaling": "coterie.estimators._columns",
    "Classes": "coterie.estimators._targets",
    "RealValues": "coterie.estimators._targets",
    "AtLeast": "coterie.model.thresholds",
    "TopK": "coterie.model.thresholds",
    "AboveMean": "coterie.model.thresholds",
    "TwoClasses": "coterie.model.aggregators",
    "ManyClasses": "coterie.model.aggregators",
    "Values": "coterie.model.aggregators",
    "Composite": "coterie.model.composite",
    "TrainedEnsemble": "coterie.training.trained",
    "CompositeModel": "coterie.discovery.final",
    "NormalScores": "coterie.discovery.scales",
    "Structure": "coterie.discovery.structures",
}
"""Where a class is that a file names. Files keep the names: a class may move, its name stays."""

BASELINES = "coterie.baselines"
_BASELINE = re.compile(r"baselines\.(?P<file>[a-z_][a-z0-9_]*)\.(?P<name>_?[A-Z][A-Za-z0-9]*)")

NOT_SAVED: dict[str, Any] = {"callbacks": None, "device": None, "_metadata_request": None}
"""Attributes that belong to the session in which an estimator was fitted, and what they become."""


class KnownClasses:
    """The classes of :data:`CLASSES`, and all data classes and estimators in ``baselines``."""

    def name_of(self, cls: type) -> str | None:
        """Return the name of a class in files."""
        if CLASSES.get(cls.__name__) == cls.__module__:
            return cls.__name__
        if cls.__module__.startswith(f"{BASELINES}.") and _is_data(cls):
            return f"{cls.__module__.removeprefix('coterie.')}.{cls.__qualname__}"
        return None

    def find(self, name: str) -> type:
        """Return the class that a file names."""
        baseline = _BASELINE.fullmatch(name)
        module = f"{BASELINES}.{baseline['file']}" if baseline else CLASSES.get(name)
        if module is None:
            raise ModelFileError(f"The file names the class {name!r}, which is not known.")
        try:
            cls = getattr(import_module(module), baseline["name"] if baseline else name)
        except (ImportError, AttributeError):
            raise ModelFileError(
                f"This version of Coterie has no {name!r}. Upgrade, or use the version that wrote "
                "the file."
            ) from None
        if not isinstance(cls, type) or cls.__module__ != module or not _is_data(cls):
            raise ModelFileError(f"{name!r} is no class that a model can be made of.")
        return cls

    def state_of(self, instance: Any) -> dict[str, Any]:
        """Return parameters and fitted attributes."""
        state = {name: value for name, value in vars(instance).items() if name not in NOT_SAVED}
        if not isinstance(state.get("random_state", 0), int | np.integer):
            state["random_state"] = None  # a generator has moved on since the fit
        return state

    def build(self, cls: type, state: dict[str, Any]) -> Any:
        """Return an estimator with the state; parameters it lacks have defaults."""
        for name in state:
            if not name.isidentifier() or name.startswith("__") or _is_method(cls, name):
                raise ModelFileError(f"{name!r} is no attribute of {cls.__name__}.")
        instance: Any = object.__new__(cls)
        vars(instance).update(_defaults(cls) | state)
        return instance


class SavingMixin:
    """Estimators that can be saved."""

    def save(self, path: str | os.PathLike[str], notes: dict[str, Any] | None = None) -> Path:
        """Save the fitted estimator; :func:`coterie.load` gives it back.

        The file is of the safetensors format, holds arrays and JSON, no code, and is replaced as a
        whole or not at all. ``callbacks``, ``device`` and a ``random_state`` that is a generator
        belong to this session and are saved as None.

        Parameters
        ----------
        path : str or path
            By convention with the ending .safetensors.
        notes : dict, optional
            What else to keep, such as where the data come from; plain values, lists and dicts.
            :func:`coterie.io.models.read_notes` gives it back.

        Returns
        -------
        Path

        Raises
        ------
        TypeError
            If a part can't be saved, such as a threshold that is a function of your own.
        """
        check_is_fitted(self, "groups_")
        return write_model(path, self, KnownClasses(), notes)


def load(path: str | os.PathLike[str]) -> Any:
    """Load an estimator that ``save`` wrote; its predictions are the same.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    estimator

    Raises
    ------
    ModelFileError
        If there is no such file, or it is damaged, no model, or of a newer version of Coterie.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from coterie import CompFSRegressor, load
    >>> X = np.random.default_rng(0).normal(size=(100, 4))
    >>> model = CompFSRegressor(n_groups=1, beta=0.1, max_epochs=2, random_state=0)
    >>> model = model.fit(X, X[:, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     again = load(model.save(Path(folder, "model.safetensors")))
    >>> bool((again.predict(X) == model.predict(X)).all())
    True
    """
    model = read_model(path, KnownClasses())
    try:
        _check_loaded(model)
    except (AttributeError, TypeError, ValueError, IndexError, KeyError) as error:
        raise ModelFileError(f"{path}: the model is not complete ({error}).") from error
    return model


def _check_loaded(model: Any) -> None:
    """Refuse an estimator whose groups, features and columns don't agree."""
    if not isinstance(model, SavingMixin):
        raise TypeError(f"{type(model).__name__} is no estimator that finds groups")
    features, n_columns = model.features_, model.n_features_in_  # type: ignore[attr-defined]
    if features.owner.shape != (n_columns,):
        raise ValueError(f"features of shape {features.owner.shape} for {n_columns} columns")
    n_features = len(features)
    if n_columns and not 0 <= features.owner.min() <= features.owner.max() < n_features:
        raise ValueError(f"a column belongs to none of the {n_features} features")
    groups = model.groups_  # type: ignore[attr-defined]
    for group in groups:
        if not group or not all(type(m) is int and 0 <= m < n_features for m in group):
            raise ValueError(f"{group!r} is no group of the {n_features} features")
    if len(model.groups_table()) != len(groups):  # type: ignore[attr-defined]
        raise ValueError(f"measures of another number of groups than {len(groups)}")
    inner = getattr(model, "estimator_", None)
    if inner is not None:
        _check_loaded(inner)


def _is_data(cls: type) -> bool:
    """Tell whether instances of a class are made of data alone."""
    is_named_tuple = issubclass(cls, tuple) and hasattr(cls, "_fields")
    return dataclasses.is_dataclass(cls) or is_named_tuple or issubclass(cls, BaseEstimator)


def _is_method(cls: type, name: str) -> bool:
    """Tell whether a class has behaviour under a name, which no file may replace."""
    found = inspect.getattr_static(cls, name, None)
    return callable(found) or isinstance(found, property | classmethod | staticmethod)


def _defaults(cls: type) -> dict[str, Any]:
    """Return the parameters of a class that have default values."""
    parameters = inspect.signature(cls).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty} | {
        p.name: NOT_SAVED[p.name] for p in parameters if p.name in NOT_SAVED
    }
