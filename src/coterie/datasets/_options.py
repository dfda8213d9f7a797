"""Checks of the arguments that the data sets share."""

from __future__ import annotations

from collections.abc import Collection

SUBSETS = ("train", "test", "all")


def check_choice(name: str, value: object, allowed: Collection[object]) -> None:
    """Raise a ValueError that names the parameter, its value and what is allowed.

    Examples
    --------
    >>> check_choice("subset", "validation", SUBSETS)
    Traceback (most recent call last):
        ...
    ValueError: subset must be one of 'train', 'test', 'all'; got 'validation'
    """
    if value not in allowed:
        choices = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name} must be one of {choices}; got {value!r}")
