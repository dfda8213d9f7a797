"""Expression matrices and genotypes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from coterie.io.tables import TableError, read_table


@pytest.fixture
def cells(tmp_path):
    anndata = pytest.importorskip("anndata")

    def make(matrix):
        # anndata 0.12 writes text of pandas 3 only if it is held as objects.
        types = pd.Categorical(pd.Series(["T", "B", "T"], dtype=object))
        obs = pd.DataFrame({"type": types}, index=pd.Index(["c1", "c2", "c3"], dtype=object))
        var = pd.DataFrame(index=pd.Index(["CD3", "CD19"], dtype=object))
        data = anndata.AnnData(matrix, obs=obs, var=var)
        data.write_h5ad(tmp_path / "cells.h5ad")
        return tmp_path / "cells.h5ad"

    return make


EXPRESSION = np.array([[5.0, 0.0], [0.0, 7.0], [4.0, 1.0]], dtype=np.float32)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix])
def test_cells_are_rows_with_their_annotation_and_genes(cells, container):
    table = read_table(cells(container(EXPRESSION)))
    assert table.columns.tolist() == ["type", "CD3", "CD19"]
    assert table.index.tolist() == ["c1", "c2", "c3"]
    assert table["CD19"].tolist() == [0.0, 7.0, 1.0]


def test_too_many_cells_are_not_read(cells):
    with pytest.raises(TableError, match="3 rows of 3 columns"):
        read_table(cells(EXPRESSION), memory_limit=10)


def test_a_damaged_h5ad_is_refused(tmp_path):
    pytest.importorskip("anndata")
    (tmp_path / "t.h5ad").write_bytes(b"junk")
    with pytest.raises(TableError, match="no AnnData file"):
        read_table(tmp_path / "t.h5ad")


@pytest.fixture
def genotypes(tmp_path):
    bed_reader = pytest.importorskip("bed_reader")

    def make(**properties):
        counts = np.array([[0, 1, 2], [2, np.nan, 0]])
        known = {"iid": ["p1", "p2"], "sid": ["rs1", "rs2", "rs3"], **properties}
        bed_reader.to_bed(tmp_path / "study.bed", counts, properties=known)
        return tmp_path / "study.bed"

    return make


def test_genotypes_are_counts_with_gaps(genotypes):
    table = read_table(genotypes())
    assert table.columns.tolist() == ["rs1", "rs2", "rs3"]
    assert table.index.tolist() == ["p1", "p2"]
    assert table["rs3"].tolist() == [2.0, 0.0]
    assert table["rs2"].isna().tolist() == [False, True]


def test_what_is_known_of_the_people_comes_first(genotypes):
    table = read_table(genotypes(pheno=["2", "-9"], sex=[1, 2]))
    assert table.columns.tolist() == ["phenotype", "sex", "rs1", "rs2", "rs3"]
    assert table["phenotype"].isna().tolist() == [False, True]
    assert table["sex"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize("ending", [".bim", ".fam"])
def test_all_three_files_are_needed(genotypes, ending):
    path = genotypes()
    path.with_suffix(ending).unlink()
    with pytest.raises(TableError, match=rf"study\{ending} is missing.*three files"):
        read_table(path)


def test_a_damaged_bed_is_refused(genotypes):
    path = genotypes()
    path.write_bytes(b"junk")
    with pytest.raises(TableError, match="no PLINK"):
        read_table(path)
