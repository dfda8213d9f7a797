"""All data sets by name, as tables: features, then the target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from sklearn.utils import Bunch

from coterie.datasets import _files, chem, metabric, mnist
from coterie.datasets.composite import make_composite
from coterie.datasets.syn import SYN_RULES, make_syn
from coterie.groups import name_groups
from coterie.io.errors import InputError

TARGET = "target"

MADE = {
    "syn1": "made: x0 > 0.55 or x1 > 0.55",
    "syn2": "made: x0 x1 > 0.3 or x2 x3 > 0.3",
    "syn3": "made: x0 x1 > 0.3 or x0 x2 > 0.3",
    "syn4": "made: x0 x3 > 0.3 or x6 x9 > 0.3, correlated blocks",
    "composite": "made: groups, rules, joins and outcomes of your own",
}


@dataclass(frozen=True)
class Entry:
    """A published data set.

    Attributes
    ----------
    title : str
    load : callable
        Gives the Bunch.
    files : tuple of DataFile
        What it is made from.
    target : str
        The name of the target's column.
    """

    title: str
    load: Callable[[], Bunch]
    files: tuple[_files.DataFile, ...]
    target: str = TARGET

    def availability(self) -> str:
        """Say whether the files are on this machine, or can be downloaded."""
        if all(any(path.is_file() for path in _files.places(file)) for file in self.files):
            return "on this machine"
        by_hand = [file for file in self.files if file.url is None]
        return f"by hand from {by_hand[0].source}" if by_hand else "will be downloaded"


@dataclass(frozen=True)
class DataTable:
    """A data set as a table, and what is known of its groups as a sentence."""

    table: pd.DataFrame
    said: str


_MNIST = tuple(file for files in mnist.FILES.values() for file in files)

CATALOGUE = {
    **{
        f"chem{task}": Entry(
            f"molecules as 84 functional groups, binding logic Chem{task}",
            partial(chem.fetch_chem, task, subset="all"),
            (chem.MOLECULES,),
        )
        for task in (1, 2, 3)
    },
    "metabric": Entry(
        "breast cancer: the expression of 489 genes, progesterone receptor status",
        partial(metabric.fetch_metabric, as_frame=True),
        (metabric.PATIENTS,),
        "pr_status",
    ),
    "mnist": Entry(
        "70,000 handwritten digits of 784 pixels", partial(mnist.fetch_mnist, subset="all"), _MNIST
    ),
}


def fetch_table(name: str) -> DataTable:
    """Return a published data set as a table.

    Raises
    ------
    InputError
        If there is no such data set, or its files are not to be had; says where to get them.

    Examples
    --------
    >>> fetch_table("metabric").table.shape  # doctest: +SKIP
    (1904, 490)
    """
    if name in MADE:
        raise InputError(f"{name!r} is made, not fetched: coterie data make {name}.")
    if name not in CATALOGUE:
        raise InputError(f"There is no data set {name!r}. Known ones: {', '.join(CATALOGUE)}.")
    entry = CATALOGUE[name]
    try:
        return _as_table(entry.load(), entry.target)
    except (FileNotFoundError, _files.ChecksumError, ImportError) as error:
        raise InputError(str(error)) from None


def make_table(
    name: str, n_samples: int, n_features: int, random_state: int, **options: Any
) -> DataTable:
    """Return a made data set as a table.

    Parameters
    ----------
    name : str
        A key of ``MADE``.
    n_samples, n_features, random_state : int
    **options
        Of "composite" alone: ``groups`` as text, such as "0,1 2,3", and ``rules``, ``join`` and
        ``outcome`` of :func:`make_composite`.

    Examples
    --------
    >>> made = make_table("composite", 5, 3, 0, groups="0,2")
    >>> list(made.table), made.said
    (['x0', 'x1', 'x2', 'target'], 'The true groups: {x0, x2}.')
    """
    if name in CATALOGUE:
        raise InputError(f"{name!r} is published, not made: coterie data fetch {name}.")
    if name not in MADE:
        raise InputError(f"{name!r} can't be made. Known ones: {', '.join(MADE)}.")
    if options and name != "composite":
        raise InputError(
            f"{name!r} has groups of its own: --{next(iter(options))} is for composite."
        )
    shape: dict[str, Any] = {
        "n_samples": n_samples,
        "n_features": n_features,
        "random_state": random_state,
    }
    try:
        if name != "composite":
            return _as_table(make_syn(_rule_of(name), **shape), TARGET)
        groups = _parsed(options.pop("groups", None))
        return _as_table(make_composite(groups, **options, **shape), TARGET)
    except ValueError as error:
        raise InputError(str(error)) from None


def _rule_of(name: str) -> int:
    return next(rule for rule in SYN_RULES if name == f"syn{rule}")


def _parsed(groups: str | None) -> list[tuple[int, ...]]:
    """Return the groups that text such as "0,1 2,3" speaks of."""
    if groups is None:
        raise InputError("composite needs --groups, such as --groups '0,1 2,3'.")
    try:
        return [tuple(int(member) for member in group.split(",")) for group in groups.split()]
    except ValueError:
        raise InputError(
            f"--groups {groups!r} is not understood: separate columns by commas and groups by "
            "blanks, such as '0,1 2,3'."
        ) from None


def _as_table(bunch: Bunch, target: str) -> DataTable:
    """Put the target behind the features."""
    names = list(bunch.feature_names)
    if isinstance(bunch.data, pd.DataFrame):
        table = bunch.data.reset_index()
        classes = dict(enumerate(bunch.target_names))
        outcome = bunch.target.map(classes).to_numpy()
    else:
        table, outcome = pd.DataFrame(bunch.data, columns=names), bunch.target
    table = pd.concat([table, pd.Series(outcome, name=target)], axis=1)
    if bunch.groups is None:
        return DataTable(table, "The true groups are not known.")
    groups = ", ".join(f"{{{', '.join(g)}}}" for g in name_groups(bunch.groups, names))
    return DataTable(table, f"The true groups: {groups}.")
