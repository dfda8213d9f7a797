"""Which of 84 functional groups a molecule contains.

``functional_groups.csv`` has one SMARTS pattern for each group, in the order of the paper's
features. The names are the paper's; some patterns are wider than the name says ("primary alcohol"
is any hydroxyl group, "alkane" any saturated carbon, "unbranched alkene" any open chain), because
that is what the shares of molecules published with the features show.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from types import ModuleType

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray

MOLECULES_PER_JOB = 1000


def functional_group_patterns() -> dict[str, str]:
    """Return the SMARTS pattern of each functional group, in the order of the features.

    Examples
    --------
    >>> functional_group_patterns()["ketone"]
    '[#6][CX3](=O)[#6]'
    """
    with (resources.files("coterie.datasets") / "functional_groups.csv").open() as stream:
        table = pd.read_csv(stream, dtype=str)
    return dict(zip(table["name"], table["smarts"], strict=True))


def contains_functional_groups(
    smiles: Sequence[str], *, n_jobs: int | None = -1
) -> NDArray[np.uint8]:
    """Return 1 where a molecule contains a functional group, shape (molecules, groups).

    Parameters
    ----------
    smiles : sequence of str
        The molecules.
    n_jobs : int or None
        How many processes share the work, as joblib counts them.
    """
    _import_rdkit()
    patterns = list(functional_group_patterns().values())
    starts = range(0, len(smiles), MOLECULES_PER_JOB)
    parts = Parallel(n_jobs=n_jobs if len(starts) > 1 else 1)(
        delayed(_match)(smiles[start : start + MOLECULES_PER_JOB], patterns) for start in starts
    )
    empty = np.empty((0, len(patterns)), np.uint8)
    return np.concatenate([empty, *parts])


def _match(smiles: Sequence[str], patterns: Sequence[str]) -> NDArray[np.uint8]:
    chem = _import_rdkit()
    queries = [chem.MolFromSmarts(pattern) for pattern in patterns]
    found = np.empty((len(smiles), len(queries)), np.uint8)
    for row, text in zip(found, smiles, strict=True):
        molecule = chem.MolFromSmiles(text)
        if molecule is None:
            raise ValueError(f"smiles must hold valid SMILES; RDKit cannot read {text!r}")
        row[:] = [molecule.HasSubstructMatch(query) for query in queries]
    return found


def _import_rdkit() -> ModuleType:
    try:
        from rdkit import Chem
    except ImportError as error:
        raise ImportError(
            "Finding functional groups in molecules needs RDKit, which is not installed: "
            "pip install 'coterie[chem]'"
        ) from error
    return Chem
