"""Every kind of table goes through the command line, with every type of column."""

import bz2
import gzip
import json
import lzma
import zipfile

import numpy as np
import pandas as pd
import pytest

ROWS = 60
NO_TEST = ("--test-fraction", "0")


def numbers():
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.integers(0, 3, (ROWS, 3)).astype(float), columns=["a", "b", "c"])
    return table.assign(ill=np.where(table["a"] > 0, 2, 1))


TEXT = numbers().to_csv(index=False).encode()


def npz(path):
    table = numbers()
    np.savez(path, X=table[["a", "b", "c"]].to_numpy(), feature_names=["a", "b", "c"],
             ill=table["ill"].to_numpy())  # fmt: skip


def zipped(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("table.csv", TEXT)


def zst(path):
    path.write_bytes(pytest.importorskip("zstandard").compress(TEXT))


def h5ad(path):
    anndata = pytest.importorskip("anndata")
    table = numbers()
    names = pd.Index([f"c{row}" for row in range(ROWS)], dtype=object)
    data = anndata.AnnData(
        table[["a", "b", "c"]].to_numpy(),
        obs=pd.DataFrame({"ill": table["ill"].to_numpy()}, index=names),
        var=pd.DataFrame(index=pd.Index(["a", "b", "c"], dtype=object)),
    )
    data.write_h5ad(path)


def bed(path):
    table = numbers()
    people = [f"p{row}" for row in range(ROWS)]
    known = {"iid": people, "sid": ["a", "b", "c"], "pheno": table["ill"].astype(str).tolist()}
    counts = table[["a", "b", "c"]].to_numpy().copy()
    pytest.importorskip("bed_reader").to_bed(path, counts, properties=known)


WRITERS = {
    "t.csv": lambda path: path.write_bytes(TEXT),
    "t.tsv": lambda path: numbers().to_csv(path, index=False, sep="\t"),
    "t.txt": lambda path: numbers().to_csv(path, index=False, sep=";", decimal=","),
    "t.csv.gz": lambda path: path.write_bytes(gzip.compress(TEXT)),
    "t.csv.bz2": lambda path: path.write_bytes(bz2.compress(TEXT)),
    "t.csv.xz": lambda path: path.write_bytes(lzma.compress(TEXT)),
    "t.csv.zst": zst,
    "t.csv.zip": zipped,
    "t.parquet": lambda path: numbers().to_parquet(path),
    "t.feather": lambda path: numbers().to_feather(path),
    "t.npz": npz,
    "t.h5ad": h5ad,
    "t.bed": bed,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_of_table(coterie, tmp_path, name):
    WRITERS[name](tmp_path / name)
    target = "phenotype" if name == "t.bed" else "ill"
    done = coterie("fit", name, "--target", target, "--method", "lasso", *NO_TEST, "--json")
    assert done.code == 0, done.err
    run = json.loads(done.out)
    assert (run["features"], run["rows"]) == (3, {"train": 60, "test": 0})
    assert run["task"] == "classification"
    assert run["groups"][0]["members"] == ["a"]


def test_every_type_of_column(coterie, tmp_path):
    random = np.random.default_rng(0)
    table = numbers().assign(
        flag=random.random(ROWS) < 0.5,
        site=random.choice(["A", "B", "C"], ROWS),
        same=1,
        gaps=np.where(np.arange(ROWS) % 5 == 0, np.nan, random.normal(size=ROWS)),
    )
    table.to_csv(tmp_path / "t.csv", index=False)
    options = ("--target", "ill", "--method", "lasso", "--impute", *NO_TEST, "--json")
    run = json.loads(coterie("fit", "t.csv", *options).out)
    notes = " ".join(run["notes"])
    for part in (
        "5 numbers, 1 boolean, 1 category.",
        "Column 'site' is a category of 'A', 'B', 'C'.",
        "missing values of 'gaps' filled",
        "'same' holds a single value",
    ):
        assert part in notes


def test_a_table_that_does_not_fit_into_memory(coterie, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_bytes(TEXT)
    monkeypatch.setattr("coterie.io._memory.available_memory", lambda: 1000)
    done = coterie("fit", "t.csv", "--target", "ill")
    assert done.code == 2
    assert "60 rows of 4 columns take some 5.8 KB of memory, but 1.0 KB are" in done.said


HOSTILE = ["<script>alert(1)</script>", "x" * 300, "=cmd|' /C calc'!A0", "שלום", "[bold]a[/bold]"]


def test_hostile_names_are_printed_as_they_are(coterie, tmp_path):
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(ROWS, len(HOSTILE))), columns=HOSTILE)
    table["ill"] = table.to_numpy().sum(axis=1) > 0
    table.to_csv(tmp_path / "t.csv", index=False)
    done = coterie("fit", "t.csv", "--target", "ill", "--method", "group_lasso", *NO_TEST)
    assert done.code == 0, done.err
    groups = pd.read_csv(tmp_path / "t-coterie" / "groups.csv")
    assert "[bold]a[/bold]" in " ".join(groups["members"])
    assert "[bold]a[/bold]" in done.out
