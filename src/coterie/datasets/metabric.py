"""METABRIC: gene expression, mutations and clinical records of breast cancer patients."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import Bunch

from coterie.datasets._files import DataFile, find_data_file
from coterie.datasets._options import SUBSETS, check_choice

PATIENTS = DataFile(
    name="metabric.zip",
    sha256=("a369d5a5db0304fa16c6f72bc227341faddb4238020e3171bea0a4b00613f6a3",),
    source=(
        "Kaggle, data set raghadalharbi/breast-cancer-gene-expression-profiles-metabric "
        "(the whole archive, under this name)"
    ),
)
TABLE = "METABRIC_RNA_Mutation.csv"

BLOCKS = {
    "clinical": slice(0, 31),
    "expression": slice(31, 520),
    "mutation": slice(520, None),
}

# The values of each target that stand for 0 and 1; patients with any other are left out.
TARGETS = {
    "pr_status": ("Negative", "Positive"),
    "er_status": ("Negative", "Positive"),
    "er_status_measured_by_ihc": ("Negative", "Positve"),  # spelt so in the table
    "her2_status": ("Negative", "Positive"),
    "her2_status_measured_by_snp6": ("NEUTRAL", "GAIN"),
}

SPLIT_SEED = 42
TRAIN_SHARE = 0.8


def fetch_metabric(
    target: str = "pr_status",
    *,
    features: str | Sequence[str] = "expression",
    subset: str = "all",
    as_frame: bool = False,
) -> Bunch:
    """Load the METABRIC patients, to tell a receptor's status from their genes.

    Parameters
    ----------
    target : str
        "pr_status" (the paper's), "er_status", "er_status_measured_by_ihc", "her2_status" or
        "her2_status_measured_by_snp6" (gain against neutral).
    features : str or sequence of str
        The blocks of columns, in this order: "expression" (489 genes), "mutation" (173 genes, 1 if
        mutated) and "clinical" (what the clinic recorded, without the patient's number and the
        target; as a data frame only, since much of it is text). Several clinical columns are other
        measurements of a receptor or follow from them.
    subset : {"train", "test", "all"}
        The paper's split, 80% and 20% of a permutation of the patients, or all of them in the
        order of the file.
    as_frame : bool
        Whether ``data`` is a data frame and ``target`` a series, indexed by ``patient_id``.

    Returns
    -------
    Bunch
        ``data``, shape (patients, features), float32; ``target``, shape (patients,), 0 or 1;
        ``target_names`` (what 0 and 1 stand for), ``feature_names``, ``patient_ids`` and
        ``groups``, None, for the true ones are not known.

    Notes
    -----
    The split is made before the patients whose target is missing or undefined are left out, so
    that it is the same for every target. 1,904 patients have the paper's target.

    Examples
    --------
    >>> fetch_metabric(subset="test").data.shape  # doctest: +SKIP
    (381, 489)
    """
    blocks = [features] if isinstance(features, str) else list(features)
    _check_arguments(target, blocks, subset, as_frame)
    with zipfile.ZipFile(find_data_file(PATIENTS)) as archive, archive.open(TABLE) as stream:
        table = pd.read_csv(stream, low_memory=False).set_index("patient_id", drop=False)
    table = table.iloc[_rows(len(table), subset)]
    table = table[table[target].isin(TARGETS[target])]
    data = pd.concat([_block(table, block, target) for block in blocks], axis="columns")
    positive = (table[target] == TARGETS[target][1]).astype(np.int64)
    return Bunch(
        data=data if as_frame else data.to_numpy(np.float32),
        target=positive if as_frame else positive.to_numpy(),
        target_names=list(TARGETS[target]),
        feature_names=list(data.columns),
        groups=None,
        patient_ids=table.index.to_numpy(),
    )


def _check_arguments(target: str, blocks: list[str], subset: str, as_frame: bool) -> None:
    check_choice("target", target, TARGETS)
    check_choice("subset", subset, SUBSETS)
    if not blocks:
        raise ValueError(f"features must name at least one of {list(BLOCKS)}; got none")
    for block in blocks:
        check_choice("features", block, BLOCKS)
    if "clinical" in blocks and not as_frame:
        raise ValueError(
            "features='clinical' holds text, which an array of numbers cannot: set as_frame=True"
        )


def _rows(n_patients: int, subset: str) -> NDArray[np.intp]:
    """Return the positions of a subset's patients."""
    if subset == "all":
        return np.arange(n_patients)
    order = np.random.default_rng(SPLIT_SEED).permutation(n_patients)
    n_train = int(TRAIN_SHARE * n_patients)
    return order[:n_train] if subset == "train" else order[n_train:]


def _block(table: pd.DataFrame, block: str, target: str) -> pd.DataFrame:
    columns = table.iloc[:, BLOCKS[block]]
    if block == "mutation":
        return (columns.astype(str) != "0").astype(np.float32)
    if block == "clinical":
        return columns.drop(columns=["patient_id", target])
    return columns.astype(np.float32)
