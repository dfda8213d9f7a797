"""The version of the model file, and the way from each older one to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coterie.io.codec import Arrays

FORMAT = 1
"""The version that is written. Raise it when the forms of :mod:`coterie.io.codec` or the names of
fitted state change, and add the step from the version before to ``MIGRATIONS``."""

Document = dict[str, Any]

MIGRATIONS: dict[int, Callable[[Document, Arrays], tuple[Document, Arrays]]] = {}
"""For each older version, what turns its JSON and arrays into those of the next."""


def migrate(document: Document, arrays: Arrays, version: int) -> tuple[Document, Arrays]:
    """Take a file of an older version step by step to the current one."""
    for step in range(version, FORMAT):
        document, arrays = MIGRATIONS[step](document, arrays)
    return document, arrays
