"""Tables come in as they are, and files that can't be used are refused in words."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from coterie.io.tables import TableError, read_table

TEXT = "age,dose,site\n71,0.5,A\n64,1.25,B\n"
TABLE = pd.DataFrame({"age": [71, 64], "dose": [0.5, 1.25], "site": ["A", "B"]})


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def assert_is_the_table(table: pd.DataFrame) -> None:
    assert_frame_equal(table, TABLE, check_dtype=False, check_column_type=False)


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        TEXT.rstrip("\n"),
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\n\n"),
        "\ufeff" + TEXT,
        TEXT.replace(",", "\t"),
        TEXT.replace(",", ";"),
        TEXT.replace(",", ";").replace("0.5", "0,5").replace("1.25", "1,25"),
        TEXT.replace(",", "|"),
        TEXT.replace(",", ", "),
        '"age","dose","site"\n71,"0.5","A"\n64,1.25,"B"\n',
    ],
)
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".txt"])
def test_delimiters_and_encodings_are_found(tmp_path, content, ending):
    assert_is_the_table(read_table(write(tmp_path, f"t{ending}", content)))


@pytest.mark.parametrize(
    ("ending", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_compressed_text_is_unpacked(tmp_path, ending, pack):
    assert_is_the_table(read_table(write(tmp_path, f"t.csv{ending}", pack(TEXT.encode()))))


def test_zstandard_is_unpacked(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.ZstdCompressor().compress(TEXT.encode())
    assert_is_the_table(read_table(write(tmp_path, "t.csv.zst", packed)))


def test_a_zip_archive_of_one_table_is_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("deep/inside.csv", TEXT)
        archive.writestr("__MACOSX/deep/._inside.csv", b"\0")
    assert_is_the_table(read_table(tmp_path / "t.zip"))


@pytest.mark.parametrize("ending", [".parquet", ".feather"])
def test_columnar_files_are_read(tmp_path, ending):
    pytest.importorskip("pyarrow")
    path = tmp_path / f"t{ending}"
    getattr(TABLE, f"to_{ending[1:]}")(path)
    assert_is_the_table(read_table(path))


def test_numpy_matrices_get_their_names_and_vectors_are_columns(tmp_path):
    names = np.array(["g", "h"])
    np.savez(tmp_path / "t.npz", X=np.eye(2), feature_names=names, target=np.array(["a", "b"]))
    table = read_table(tmp_path / "t.npz")
    assert table.columns.tolist() == ["g", "h", "target"]
    assert table["h"].tolist() == [0.0, 1.0]
    np.savez(tmp_path / "t.npz", np.eye(2))
    assert read_table(tmp_path / "t.npz").columns.tolist() == ["x0", "x1"]
    np.savez(tmp_path / "t.npz", a=np.arange(3), b=np.ones(3))
    assert read_table(tmp_path / "t.npz").shape == (3, 2)


@pytest.mark.parametrize(
    "content",
    [
        "age\tdose\npatient1\t71\t0.5\npatient2\t64\t1.25\n",  # as R's write.table
        '"","age","dose"\n"patient1",71,0.5\n"patient2",64,1.25\n',  # as R's write.csv and pandas
    ],
)
def test_row_names_are_no_column(tmp_path, content):
    table = read_table(write(tmp_path, "t.csv", content))
    assert table.columns.tolist() == ["age", "dose"]
    assert table.index.tolist() == ["patient1", "patient2"]
    assert table["dose"].tolist() == [0.5, 1.25]


def test_missing_values_are_found_and_words_are_not(tmp_path):
    content = 'a,b,c\n1,,None\n?,NA,.\n"",NaN,x\n'
    table = read_table(write(tmp_path, "t.csv", content), missing=["?"])
    assert table.isna().sum().tolist() == [2, 3, 0]
    assert table["a"].dtype.kind == "f"


def test_values_may_hold_delimiters_quotes_and_line_ends(tmp_path):
    content = 'a,b\n"1,5","two\nlines"\n"say ""yes""",x\n'
    table = read_table(write(tmp_path, "t.csv", content))
    assert table["a"].tolist() == ["1,5", 'say "yes"']
    assert table["b"].tolist() == ["two\nlines", "x"]


def test_a_given_delimiter_and_encoding_count(tmp_path):
    path = write(tmp_path, "t.csv", "größe wert\n1 2\n3 4\n".encode("cp1252"))
    table = read_table(path, delimiter=" ", encoding="cp1252")
    assert table.columns.tolist() == ["größe", "wert"]
    path = write(tmp_path, "t.csv", TEXT.encode("utf-16"))
    assert_is_the_table(read_table(path, encoding="utf-16"))


def test_columns_of_changing_type_bring_no_warnings(tmp_path):
    lines = [*(f"{i},1" for i in range(300_000)), "x,2"]
    path = write(tmp_path, "t.csv", "a,b\n" + "\n".join(lines) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert set(map(type, read_table(path)["a"])) == {str}


def test_ten_thousand_columns_are_read(tmp_path):
    header = ",".join(f"gene{i}" for i in range(10_000))
    row = ",".join("1.5" for _ in range(10_000))
    path = write(tmp_path, "t.csv", f"{header}\n{row}\n{row}\n")
    assert read_table(path).shape == (2, 10_000)


def archive_of(names: list[str]) -> bytes:
    from io import BytesIO

    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(name, TEXT)
    return content.getvalue()


MALFORMED: list[tuple[str, str | bytes, str]] = [
    ("t.csv", "", "the file is empty"),
    ("t.csv", "\n  \n\n", "the file is empty"),
    ("t.csv.gz", gzip.compress(b"", mtime=0), "the file is empty"),
    ("t.csv", "a,b\n", "no rows below it"),
    ("t.csv", "a,b,c\n1,2,3\n4,5\n", "line 3 has 2 values, but the header names 3 columns"),
    ("t.csv", "a,b\n1,2\n3,4,5\n", "line 3 has 3 values.*quotation marks"),
    ("t.csv", "a,b\n1,2,3\n4,5\n", "line 2 has 3 values, but the header names 2 columns"),
    ("t.csv", 'a,b\n"1\n1",2\n\n3\n', "line 5 has 1 value"),
    ("t.csv", 'a,b\n1,"2\n3,4\n', r"begins on line 2 can't be read.*never closed"),
    ("t.csv", "a,b,a\n1,2,3\n", r"1 name .* such as 'a' \(columns 1, 3\)"),
    ("t.csv", "a, a\n1,2\n", r"more than once"),
    ("t.csv", "a,b,\n1,2,\n", "column 3 of 3 have no name"),
    ("t.csv", "5.1,3.5\n4.9,3.0\n", "numbers.*in place of names"),
    ("t.csv", "a b c\n1 2 3\n", "single column, 'a b c'.*delimiter"),
    ("t.csv", b"a,b\n1,caf\xe9\n", "line 2 is not text in utf-8.*CSV UTF-8"),
    ("t.csv", b"a,b\n" + b"1,2\n" * 50_000 + b"caf\xe9,2\n", "line 50002 is not text in utf-8"),
    ("t.csv", TEXT.encode("utf-16"), "UTF-16"),
    ("t.csv", b"\x00\x01\x02\x03", "not text.*position 0"),
    ("t.csv", b"a,b\n" + b"1,2\n" * 50_000 + b"1,\0\n", "line 50002 holds binary data"),
    ("t.csv", b"PK\x03\x04rest", "zip archive or an Excel workbook"),
    ("t.csv", gzip.compress(TEXT.encode(), mtime=0), "compressed by gzip.*add .gz"),
    ("t.csv", b"\x89HDF\r\n\x1a\n", "HDF5"),
    ("t.csv", "<html><body>Log in</body></html>", "web page"),
    ("t.csv.gz", TEXT, "can't be unpacked"),
    ("t.csv.gz", gzip.compress(TEXT.encode() * 999, mtime=0)[:-20], "can't be unpacked"),
    ("t.csv.bz2", bz2.compress(TEXT.encode())[:-5], "can't be unpacked"),
    ("t.csv.bz2", TEXT, "can't be unpacked"),
    ("t.csv.xz", lzma.compress(TEXT.encode())[:-5], "can't be unpacked"),
    ("t.zip", b"PK\x03\x04rest", "can't be unpacked"),
    ("t.zip", archive_of(["a.csv", "b.csv"]), "2 files.*'a.csv', 'b.csv'"),
    ("t.zip", archive_of([]), "0 files"),
    ("t.zip", archive_of(["a.docx"]), "'.docx' can't be read"),
    ("t.zip", archive_of(["a.parquet"]), "only delimited text is read compressed"),
    ("t.xlsx", b"PK\x03\x04", "'.xlsx' can't be read.*Export the table as CSV"),
    ("t", TEXT, "'nothing' can't be read"),
    ("t.npz", "junk", "no NPZ file"),
    ("t.npz", archive_of(["a.npy"]), "no NPZ file"),
    ("t.parquet", "junk", "no Parquet file"),
    ("t.feather", "junk", "no Feather file"),
]


@pytest.mark.parametrize(
    ("name", "content", "message"), MALFORMED, ids=lambda value: repr(value)[:30]
)
def test_what_cannot_be_used_is_refused_in_words(tmp_path, name, content, message):
    if name.endswith((".parquet", ".feather")):
        pytest.importorskip("pyarrow")
    path = write(tmp_path, name, content)
    with pytest.raises(TableError, match=f"(?s){message}") as caught:
        read_table(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": np.eye(2), "Z": np.eye(2)}, r"one matrix.*X \(2, 2\)"),
        ({"X": np.ones((2, 2, 2))}, "one matrix"),
        ({"a": np.ones(3), "b": np.ones(2)}, "lengths are a 3, b 2"),
        ({"X": np.eye(2), "names": np.array(["a"])}, "1 names are given for the 2 columns"),
        ({"X": np.zeros((0, 3))}, "0 rows and 3 columns"),
        ({"X": np.eye(2), "names": np.array(["a", "a"])}, "'a'"),
        ({"a": np.array([{}, {}])}, "no NPZ file"),
        ({}, "none"),
    ],
)
def test_arrays_that_make_no_table_are_refused(tmp_path, arrays, message):
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(TableError, match=message):
        read_table(tmp_path / "t.npz")


def test_a_missing_file_brings_similar_names(tmp_path):
    write(tmp_path, "patients.csv", TEXT)
    with pytest.raises(TableError, match=r"no such file. Did you mean 'patients.csv'\?"):
        read_table(tmp_path / "patient.csv")
    with pytest.raises(TableError, match="does not exist either"):
        read_table(tmp_path / "nowhere" / "patient.csv")


def test_a_folder_is_no_table(tmp_path):
    write(tmp_path, "patients.csv", TEXT)
    with pytest.raises(TableError, match=r"folder.*such as 'patients.csv'"):
        read_table(tmp_path)


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.feather", "t.npz"])
def test_tables_that_do_not_fit_into_memory_are_not_read(tmp_path, name):
    numbers = pd.DataFrame(np.zeros((500, 20))).rename(columns=str)
    path = tmp_path / name
    if name.endswith(".npz"):
        np.savez(path, numbers.to_numpy())
    elif name.endswith(".csv"):
        numbers.to_csv(path, index=False)
    else:
        pytest.importorskip("pyarrow")
        getattr(numbers, f"to_{name[2:]}")(path)
    assert read_table(path).shape == (500, 20)
    with pytest.raises(TableError, match=r"memory, but .* are available. Use fewer rows"):
        read_table(path, memory_limit=1000)


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [
        ("t.parquet", "pyarrow", "io"),
        ("t.feather", "pyarrow", "io"),
        ("t.csv.zst", "zstandard", "io"),
        ("t.h5ad", "anndata", "genes"),
        ("t.bed", "bed_reader", "genes"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch, name, package, extra):
    for module in [m for m in sys.modules if m.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(TableError, match=rf"install the extra '{extra}' \(pip install"):
        read_table(write(tmp_path, name, "junk"))


def test_an_unknown_encoding_is_refused(tmp_path):
    with pytest.raises(TableError, match="encoding='klingon' is not known"):
        read_table(write(tmp_path, "t.csv", TEXT), encoding="klingon")


def test_a_wrong_encoding_is_refused(tmp_path):
    with pytest.raises(TableError, match="not text in"):
        read_table(write(tmp_path, "t.csv", b"a\xff,b\n1,2\n"), encoding="ascii")


def test_names_that_are_no_text_become_text(tmp_path):
    pytest.importorskip("pyarrow")
    pd.DataFrame({"1": [1], "2": [2]}).to_parquet(tmp_path / "t.parquet")
    columns: Any = read_table(tmp_path / "t.parquet").columns
    assert all(isinstance(name, str) for name in columns)
