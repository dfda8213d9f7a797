"""What is wrong with a user's file or table, in words for the user."""

from __future__ import annotations


class TableError(ValueError):
    """A table can't be used as it is; the message names the place and the remedy."""


class ModelFileError(ValueError):
    """A file holds no model that can be used; the message says why, and what to do."""
