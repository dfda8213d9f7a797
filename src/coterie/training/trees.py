"""Trees of arrays by name, the form in which they are kept and saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import numpy as np


def flatten(tree: Any) -> dict[str, np.ndarray]:
    """Name the leaves of a tree by their paths: ``first.weight`` and so on."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {_name(path): np.asarray(leaf) for path, leaf in leaves}


def unflatten(like: Any, arrays: Mapping[str, Any]) -> Any:
    """Put named arrays back into the shape of a tree."""
    return jax.tree_util.tree_map_with_path(lambda path, _: arrays[_name(path)], like)


def _name(path: tuple[Any, ...]) -> str:
    return jax.tree_util.keystr(path, simple=True, separator=".")
