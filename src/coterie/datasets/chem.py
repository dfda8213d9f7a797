"""The paper's chemistry tasks: the functional groups that make a molecule bind.

The molecules are ZINC's, chosen by McCloskey et al. (2019) so that sixteen binding logics can be
told apart. A logic labels its set of molecules from the functional groups that they contain, so
the truth is known.
"""

from __future__ import annotations

import hashlib
import logging
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import Bunch

from coterie.datasets._files import DataFile, find_data_file
from coterie.datasets._functional_groups import (
    contains_functional_groups,
    functional_group_patterns,
)
from coterie.datasets._options import SUBSETS, check_choice
from coterie.io.files import cache_folder, write_atomically

logger = logging.getLogger(__name__)

MOLECULES = DataFile(
    name="all_16_logics_train_and_test.zip",
    sha256=("5f286ee32f802c1f2bfc8e68883f944832bee0520e5283b9cf120667fe22fd83",),
    source="the folder data of the GitHub project google-research/graph-attribution",
    url=(
        "https://github.com/google-research/graph-attribution/raw/main/data/"
        "all_16_logics_train_and_test.zip"
    ),
)
N_MOLECULE_SETS = 16

Columns = Mapping[str, NDArray[np.bool_]]
Rule = Callable[[Columns], NDArray[np.bool_]]


@dataclass(frozen=True)
class BindingLogic:
    """A set of molecules and the rule that says which of them bind.

    Parameters
    ----------
    molecules : int
        Which of the sixteen sets of molecules, 0 to 15.
    rule : callable
        Given ``{functional group: boolean array}``, an entry a molecule, it returns the boolean
        array of those that bind.
    groups : sequence of sequences of str, or None
        The true groups, by the names of their functional groups; None if they are not known.

    Examples
    --------
    >>> import numpy as np
    >>> logic = BindingLogic(4, lambda has: has["phenol"] & ~has["nitro"], [("phenol", "nitro")])
    >>> logic.rule({"phenol": np.array([True, True]), "nitro": np.array([False, True])})
    array([ True, False])
    """

    molecules: int
    rule: Rule
    groups: Sequence[Sequence[str]] | None = None


def ether_or_no_alkyne(has: Columns) -> NDArray[np.bool_]:
    """Ether OR NOT alkyne, the rule of Chem1."""
    return has["ether"] | ~has["acetylenic carbon"]


def amine_or_no_benzene_and_no_ether(has: Columns) -> NDArray[np.bool_]:
    """(Primary amine OR NOT benzene) AND NOT ether, the rule of Chem2."""
    return (has["primary amine"] | ~has["benzene"]) & ~has["ether"]


def benzene_no_carbonyl_or_alkyne_no_ether(has: Columns) -> NDArray[np.bool_]:
    """(Benzene AND NOT carbonyl) OR (alkyne AND NOT ether), the rule of Chem3."""
    return (has["benzene"] & ~has["carbonyl group"]) | (has["acetylenic carbon"] & ~has["ether"])


PAPER_LOGICS = {
    1: BindingLogic(4, ether_or_no_alkyne, (("ether",), ("acetylenic carbon",))),
    2: BindingLogic(
        10, amine_or_no_benzene_and_no_ether, (("primary amine", "benzene"), ("ether",))
    ),
    3: BindingLogic(
        13,
        benzene_no_carbonyl_or_alkyne_no_ether,
        (("benzene", "carbonyl group"), ("acetylenic carbon", "ether")),
    ),
}


def fetch_chem(
    task: int | BindingLogic, *, subset: str = "train", n_jobs: int | None = -1
) -> Bunch:
    """Load molecules as 84 binary features, labelled by a binding logic.

    Parameters
    ----------
    task : int or BindingLogic
        1, 2 or 3 for the paper's Chem1, Chem2 and Chem3, or a logic of your own on any of the
        sixteen sets of molecules.
    subset : {"train", "test", "all"}
        The part of the published split; "all" is the training molecules, then the test molecules.
    n_jobs : int or None
        How many processes find the functional groups, as joblib counts them.

    Returns
    -------
    Bunch
        ``data``, shape (molecules, 84), float32: 1 if the molecule contains the functional group,
        else 0. ``target``, shape (molecules,): 1 if it binds, else 0. ``feature_names``,
        ``groups`` (the true ones, tuples of column indices, or None), ``smiles`` and
        ``molecule_ids``.

    Notes
    -----
    Finding the groups takes RDKit (``pip install 'coterie[chem]'``). What it finds is kept in the
    cache folder for each set of molecules and patterns, and is then read without RDKit.

    Examples
    --------
    >>> chem2 = fetch_chem(2)  # doctest: +SKIP
    >>> chem2.groups  # doctest: +SKIP
    [(18, 56), (40,)]
    """
    logic = _resolve(task)
    check_choice("subset", subset, SUBSETS)
    check_choice("molecules", logic.molecules, range(N_MOLECULE_SETS))
    table = _read_molecules(logic.molecules, subset)
    present = _features(table["smiles"].tolist(), n_jobs)
    names = list(functional_group_patterns())
    return Bunch(
        data=present.astype(np.float32),
        target=_labels(logic.rule, present.astype(bool), names),
        feature_names=names,
        groups=_indices(logic.groups, names),
        smiles=table["smiles"].to_numpy(dtype=object),
        molecule_ids=table["mol_id"].to_numpy(dtype=object),
    )


def _resolve(task: int | BindingLogic) -> BindingLogic:
    if isinstance(task, BindingLogic):
        return task
    if task not in PAPER_LOGICS:
        raise ValueError(f"task must be 1, 2, 3 or a BindingLogic; got {task!r}")
    return PAPER_LOGICS[task]


def _read_molecules(molecules: int, subset: str) -> pd.DataFrame:
    parts = ("train", "test") if subset == "all" else (subset,)
    with zipfile.ZipFile(find_data_file(MOLECULES)) as archive:
        tables = []
        for part in parts:
            with archive.open(f"logic_{molecules}_{part}.csv") as stream:
                tables.append(pd.read_csv(stream, dtype=str))
    return pd.concat(tables, ignore_index=True)


def _features(smiles: list[str], n_jobs: int | None) -> NDArray[np.uint8]:
    """Return the functional groups of the molecules, from the cache if they are in it."""
    path = _cache_path(smiles)
    present = _read_cache(path)
    if present is None:
        present = contains_functional_groups(smiles, n_jobs=n_jobs)
        _write_cache(path, present)
    return present


def _cache_path(smiles: list[str]) -> Path:
    contents = "\n".join([*functional_group_patterns().values(), "", *smiles])
    key = hashlib.sha256(contents.encode()).hexdigest()
    return cache_folder() / "chem" / f"{key[:32]}.npz"


def _read_cache(path: Path) -> NDArray[np.uint8] | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            present: NDArray[np.uint8] = stored["present"]
            return present
    except FileNotFoundError:
        return None
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        logger.warning("Ignoring the unreadable cache file %s: %s", path, error)
        return None


def _write_cache(path: Path, present: NDArray[np.uint8]) -> None:
    try:
        write_atomically(path, lambda stream: np.savez_compressed(stream, present=present))
    except OSError as error:
        logger.warning("The features of the molecules could not be kept in %s: %s", path, error)


class _NamedColumns(dict[str, NDArray[np.bool_]]):
    """Columns by name; an unknown name is answered with the likeliest ones."""

    def __missing__(self, name: str) -> NDArray[np.bool_]:
        likely = get_close_matches(str(name), self, n=3) or list(self)
        raise KeyError(f"unknown functional group {name!r}; did you mean one of {likely}?")


def _labels(rule: Rule, present: NDArray[np.bool_], names: list[str]) -> NDArray[np.int64]:
    binds = np.asarray(rule(_NamedColumns(zip(names, present.T, strict=True))))
    if binds.shape != present.shape[:1] or binds.dtype != np.bool_:
        raise ValueError(
            f"rule must return a boolean for each of the {len(present)} molecules; "
            f"got an array of shape {binds.shape} and type {binds.dtype}"
        )
    return binds.astype(np.int64)


def _indices(
    groups: Sequence[Sequence[str]] | None, names: list[str]
) -> list[tuple[int, ...]] | None:
    if groups is None:
        return None
    unknown = sorted({member for group in groups for member in group} - set(names))
    if unknown:
        raise ValueError(f"groups must hold names of functional groups; got {unknown}")
    return [tuple(sorted(names.index(member) for member in group)) for group in groups]
