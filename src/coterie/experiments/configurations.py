"""The named configurations: plain TOML files in ``settings``, one for each family of tables.

A file has a section for each method, with the arguments of its estimator, and sections below it
(``[compfs5.Chem2]``) with those that one task has of its own. The section ``[tasks]`` holds what
the family's data are drawn by, ``[data.method]`` what a method sees of them in another way, and
``[quick]`` what a quick run replaces.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

Settings = dict[str, Any]


@cache
def read_family(family: str) -> Settings:
    """Return the contents of a family's file.

    Examples
    --------
    >>> read_family("synthetic")["compfs5"]["beta"]
    4.5
    """
    place = resources.files("coterie.experiments") / "settings" / f"{family}.toml"
    return tomllib.loads(place.read_text(encoding="utf-8"))


def arguments_of(family: str, method: str, task: str, *, quick: bool = False) -> Settings:
    """Return the arguments of a method's estimator for a task, over all defaults.

    Examples
    --------
    >>> arguments_of("chemistry", "compfs5", "Chem2")["beta"]
    3.4
    """
    contents = read_family(family)
    arguments = _for_task(contents.get(method, {}), task)
    if quick:
        hurried = _for_task(contents.get("quick", {}).get(method, {}), task)
        arguments |= hurried
    return arguments


def data_of(family: str, method: str, *, quick: bool = False) -> Settings:
    """Return what a method's data are drawn by.

    Examples
    --------
    >>> data_of("synthetic", "group_lasso")["n_features"]
    60
    """
    contents = read_family(family)
    sizes = {**contents.get("tasks", {}), **contents.get("data", {}).get(method, {})}
    return sizes | (contents.get("quick", {}).get("tasks", {}) if quick else {})


def sections(family: str) -> list[str]:
    """Return the methods that have a section of their own, in the order of the file."""
    return [name for name in read_family(family) if name not in ("tasks", "data", "grid", "quick")]


def _for_task(section: Settings, task: str) -> Settings:
    """Return the plain entries of a section, those of the task's own section over them."""
    plain = {key: value for key, value in section.items() if not isinstance(value, dict)}
    return {**plain, **section.get(task, {})}
