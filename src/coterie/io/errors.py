"""What is wrong with what a user gave, in words for the user."""

from __future__ import annotations


class InputError(ValueError):
    """What was given can't be used as it is; the message names the place and the remedy."""


class TableError(InputError):
    """A table can't be used as it is; the message names the place and the remedy."""


class ModelFileError(InputError):
    """A file holds no model that can be used; the message says why, and what to do."""
