"""Tables of genetics: AnnData's expression matrices and PLINK's genotypes."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from coterie.io._columnar import damaged, optional_module
from coterie.io._memory import check_memory
from coterie.io.errors import TableError

UNKNOWN_PHENOTYPES = ("0", "-9", "NA", "nan", "")
UNKNOWN_SEX = 0


def read_h5ad(path: Path, memory_limit: int | None) -> pd.DataFrame:
    """Read cells: a column for each annotation of the cells (``obs``), then one for each gene."""
    anndata = optional_module(path, "anndata", "genes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            data = anndata.read_h5ad(path, backed="r")
            check_memory(path, data.n_obs, data.n_vars + data.obs.shape[1], memory_limit)
            data.file.close()
            data = anndata.read_h5ad(path)
        except TableError:
            raise
        except Exception as error:  # of h5py and anndata, for which they share no class
            raise damaged(path, "AnnData", error) from error
    if data.X is None:
        raise TableError(f"{path}: the file has no matrix X. Store the expression values in X.")
    values = data.X.toarray() if sparse.issparse(data.X) else np.asarray(data.X)
    genes = pd.DataFrame(values, index=data.obs_names, columns=data.var_names.astype(str))
    return pd.concat([data.obs, genes], axis=1)


def read_bed(path: Path, memory_limit: int | None) -> pd.DataFrame:
    """Read genotypes: a column for each variant, counts of its first allele, missing ones as NaN.

    ``phenotype`` and ``sex`` from the .fam file come first, if they are known for anybody.
    """
    reader = optional_module(path, "bed_reader", "genes")
    for ending in (".bim", ".fam"):
        if not path.with_suffix(ending).is_file():
            raise TableError(
                f"{path}: {path.with_suffix(ending).name} is missing. A PLINK data set is three "
                "files of one name, .bed, .bim and .fam: put them into one folder."
            )
    try:
        with reader.open_bed(path) as bed:
            check_memory(path, bed.iid_count, bed.sid_count, memory_limit)
            counts = bed.read(dtype="float32")
            people = _people(bed.pheno, bed.sex, bed.iid)
            genotypes = pd.DataFrame(counts, index=people.index, columns=bed.sid.astype(str))
    except (ValueError, OSError) as error:
        raise damaged(path, "PLINK .bed", error) from error
    return pd.concat([people, genotypes], axis=1)


def _people(phenotype: np.ndarray, sex: np.ndarray, names: np.ndarray) -> pd.DataFrame:
    """Return what is known of the people."""
    known = {}
    texts = pd.Series(np.asarray(phenotype).astype(str))
    values = pd.to_numeric(texts.where(~texts.isin(UNKNOWN_PHENOTYPES)), errors="coerce")
    if values.notna().any():
        known["phenotype"] = values.to_numpy()
    sexes = np.asarray(sex, dtype=np.float64)
    sexes[sexes == UNKNOWN_SEX] = np.nan
    if np.isfinite(sexes).any():
        known["sex"] = sexes
    return pd.DataFrame(known, index=pd.Index(names.astype(str)))
