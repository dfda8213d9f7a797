"""What can be wrong with a table or an option, and what the command line says of each."""

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

ROWS = 40
RANDOM = np.random.default_rng(0)
GOOD = pd.DataFrame(
    {
        "age": RANDOM.normal(60, 9, ROWS).round(1),
        "dose": RANDOM.normal(size=ROWS).round(2),
        "site": ["A", "B"] * (ROWS // 2),
        "relapse": ["no", "no", "yes", "yes"] * (ROWS // 4),
    }
)
"""A table that nothing is wrong with; each case spoils one thing."""


def csv(table: pd.DataFrame) -> bytes:
    return table.to_csv(index=False).encode()


def with_column(**columns: Any) -> bytes:
    return csv(GOOD.assign(**columns))


def with_value(column: str, row: int, value: Any) -> bytes:
    values = GOOD[column].astype(object).copy()
    values.iloc[row] = value
    return csv(GOOD.assign(**{column: values}))


def lines(*extra: str) -> bytes:
    return csv(GOOD) + "".join(f"{line}\n" for line in extra).encode()


def different(prefix: str, count: int = ROWS) -> list[str]:
    return [f"{prefix}{place % count}" for place in range(ROWS)]


DATES = [f"2021-03-{1 + row % 28:02d}" for row in range(ROWS)]
REMARKS = [f"patient number {row} felt somewhat better after some weeks" for row in range(ROWS)]


@dataclass(frozen=True)
class Case:
    """A file or options, and what is said of it."""

    name: str
    says: tuple[str, ...]
    content: bytes | Callable[[Path], None] | None = None
    options: tuple[str, ...] = ()
    file: str = "patients.csv"
    target: str = "relapse"


def says(*texts: str) -> tuple[str, ...]:
    return texts


def a_folder(path: Path) -> None:
    path.mkdir()
    (path / "table.csv").write_bytes(csv(GOOD))


CASES = [
    # files
    Case(
        "no file",
        says("patients.csv", "no such file", "Did you mean 'patient.csv'?"),
        lambda path: path.with_name("patient.csv").write_bytes(csv(GOOD)) and None,
    ),
    Case("a folder", says("this is a folder", "'table.csv'"), a_folder),
    Case("empty file", says("the file is empty"), b""),
    Case("names only", says("a line of names, but no rows"), b"age,dose,relapse\n"),
    Case("unknown ending", says("'.docx' can't be read", ".csv"), b"x", file="patients.docx"),
    Case(
        "a workbook",
        says("zip archive or an Excel workbook", "export the table as CSV"),
        b"PK\x03\x04" + b"x" * 50,
    ),
    Case(
        "a web page",
        says("this is a web page", "download the table itself"),
        b"<!DOCTYPE html><p>Sign in",
    ),
    Case("binary data", says("not text", "zero byte"), b"age,dose\n1,\x00\x01\n"),
    Case(
        "hidden gzip", says("compressed by gzip", "add .gz to its name"), gzip.compress(csv(GOOD))
    ),
    Case("broken gzip", says("patients.csv.gz"), b"\x1f\x8b\x08 broken", file="patients.csv.gz"),
    Case("utf-16", says("text in UTF-16", "save it as UTF-8"), csv(GOOD).decode().encode("utf-16")),
    Case(
        "latin-1",
        says("patients.csv", "UTF-8"),
        csv(GOOD.rename(columns={"site": "Größe"})).decode().encode("latin-1"),
    ),
    Case(
        "broken parquet",
        says("patients.parquet", "damaged"),
        b"PAR1 broken",
        file="patients.parquet",
    ),
    Case(
        "broken feather",
        says("patients.feather", "damaged"),
        b"ARROW1 broken",
        file="patients.feather",
    ),
    Case("broken npz", says("patients.npz"), b"PK\x03\x04 broken", file="patients.npz"),
    Case("a long row", says("line 42 has 5 values", "names 4 columns"), lines("1,2,A,no,extra")),
    Case("a short row", says("line 42 has 2 values", "a missing value its place"), lines("1,2")),
    Case("duplicate names", says("'age'"), b"age,age,relapse\n" + b"1,2,no\n3,4,yes\n" * 20),
    Case("a column without a name", says("name"), b"age,,relapse\n" + b"1,2,no\n3,4,yes\n" * 20),
    # the target
    Case(
        "unknown target",
        says("--target", "no column 'relapsed'", "Did you mean 'relapse'?"),
        csv(GOOD),
        target="relapsed",
    ),
    Case("constant target", says("'relapse' has one value only, 'no'"), with_column(relapse="no")),
    Case("empty target", says("'relapse' is missing in all 40 rows"), with_column(relapse="")),
    Case(
        "date as target",
        says("'relapse' holds dates or times", "days since the first"),
        with_column(relapse=DATES),
    ),
    Case("free text as target", says("'relapse' holds free text"), with_column(relapse=REMARKS)),
    Case(
        "too many classes",
        says("40 different values in 40 rows, too many"),
        with_column(relapse=different("c")),
    ),
    Case(
        "class of one row",
        says("Class 'perhaps' of target 'relapse' has a single row"),
        with_value("relapse", 3, "perhaps"),
    ),
    Case(
        "text as number",
        says("'relapse' holds text", "use --task classification"),
        csv(GOOD),
        options=("--task", "regression"),
    ),
    Case(
        "infinite target",
        says("Target 'relapse' holds inf in row 2"),
        with_column(relapse=[*range(2), "inf", *range(3, 39), 1.5]),
        options=("--task", "regression"),
    ),
    Case(
        "number with unit as target",
        says("'relapse' holds numbers with the unit 'mm'"),
        with_column(relapse=[f"{row} mm" for row in range(ROWS)]),
    ),
    # features
    Case(
        "missing values",
        says("Column 'age' has 1 missing value", "in row 3", "Add --impute"),
        with_value("age", 3, ""),
    ),
    Case(
        "missing values in many columns",
        says("2 of 3 columns have missing values", "'age' (20)", "'dose' (1)", "Add --impute"),
        with_column(age=[1, None] * (ROWS // 2), dose=[None, *range(ROWS - 1)]),
    ),
    Case(
        "empty column",
        says("Column 'dose' holds no value at all", "--ignore dose"),
        with_column(dose=""),
    ),
    Case(
        "dates",
        says("Column 'site' holds dates or times", "row 0", "--ignore site"),
        with_column(site=DATES),
    ),
    Case(
        "free text",
        says("Column 'site' holds free text", "--ignore site"),
        with_column(site=REMARKS),
    ),
    Case(
        "identifiers",
        says("Column 'site' holds names or identifiers", "--ignore site"),
        with_column(site=different("patient")),
    ),
    Case(
        "decimal commas",
        says("Column 'site' holds numbers with a decimal comma"),
        with_column(site=[f"{row},5" for row in range(ROWS)]),
    ),
    Case(
        "a word among numbers",
        says("Column 'age' holds numbers and text", "'unknown' in row 7", "leave the value empty"),
        with_value("age", 7, "unknown"),
    ),
    Case(
        "infinity",
        says("Column 'age' holds inf in row 5", "must be finite"),
        with_value("age", 5, "inf"),
    ),
    Case(
        "too large a number",
        says("Column 'age' holds 1e+300 in row 5", "below 3.4e38"),
        with_value("age", 5, "1e300"),
    ),
    Case(
        "no feature", says("No feature is left"), csv(GOOD), options=("--ignore", "age,dose,site")
    ),
    Case("few rows", says("4 rows with a target: too few"), csv(GOOD.iloc[:4])),
    # options
    Case(
        "unknown column to ignore",
        says("--ignore", "no column 'agee'", "Did you mean 'age'?"),
        csv(GOOD),
        options=("--ignore", "agee"),
    ),
    Case(
        "pattern without a match",
        says("--ignore: no column of the table matches", "'*_mut'"),
        csv(GOOD),
        options=("--ignore", "*_mut"),
    ),
    Case(
        "target as id",
        says("'relapse' is named both by --target and by --id"),
        csv(GOOD),
        options=("--id", "relapse"),
    ),
    Case(
        "id ignored",
        says("'site' is named both by --id and by --ignore"),
        csv(GOOD),
        options=("--id", "site", "--ignore", "site"),
    ),
    Case("unknown id", says("--id", "no column 'patient'"), csv(GOOD), options=("--id", "patient")),
    Case(
        "text as weights",
        says("--weights: column 'site' holds 'A' in row 0"),
        csv(GOOD),
        options=("--weights", "site"),
    ),
    Case(
        "negative weight",
        says("--weights: column 'dose'", "not negative"),
        csv(GOOD),
        options=("--weights", "dose"),
    ),
    Case(
        "missing weight",
        says("--weights: column 'dose'", "nan in row 4"),
        with_column(dose=[1.0] * 4 + [None] + [1.0] * (ROWS - 5)),
        options=("--weights", "dose"),
    ),
    Case(
        "unknown task",
        says("--task: 'ranking' is not known", "classification or regression"),
        csv(GOOD),
        options=("--task", "ranking"),
    ),
    Case(
        "unknown method",
        says("--method: there is no 'coteri'", "Did you mean 'coterie'?"),
        csv(GOOD),
        options=("--method", "coteri"),
    ),
    Case(
        "method for classes only",
        says("--method: 'lasso' tells classes apart"),
        csv(GOOD),
        target="age",
        options=("--method", "lasso"),
    ),
    Case(
        "unknown effort",
        says("--effort: 'hard' is not known", "thorough"),
        csv(GOOD),
        options=("--effort", "hard"),
    ),
    Case(
        "effort of another method",
        says("--effort: the method 'lasso' has no such setting"),
        csv(GOOD),
        options=("--method", "lasso", "--effort", "fast"),
    ),
    Case("no time", says("--time-limit must be above 0"), csv(GOOD), options=("--time-limit", "0")),
    Case(
        "time limit of another method",
        says("'lasso' can't be stopped on the way", "coterie"),
        csv(GOOD),
        options=("--method", "lasso", "--time-limit", "9"),
    ),
    Case(
        "test fraction of all",
        says("--test-fraction must be", "below 1"),
        csv(GOOD),
        options=("--test-fraction", "1"),
    ),
    Case(
        "a fraction and a table",
        says("--test-fraction", "--test", "give one"),
        csv(GOOD),
        options=("--test-fraction", "0.5", "--test", "patients.csv"),
    ),
    Case(
        "no test table",
        says("--test", "other.csv", "no such file"),
        csv(GOOD),
        options=("--test", "other.csv"),
    ),
    Case(
        "out is a file",
        says("--out", "patients.csv is a file"),
        csv(GOOD),
        options=("--out", "patients.csv"),
    ),
    Case(
        "negative seed",
        says("--seed", "greater than or equal to 0"),
        csv(GOOD),
        options=("--seed", "-1"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_wrong_is_said_in_words(coterie, case, tmp_path):
    path = tmp_path / case.file
    if callable(case.content):
        case.content(path)
    else:
        path.write_bytes(case.content)
    before = sorted(tmp_path.iterdir())
    done = coterie("fit", case.file, "--target", case.target, *case.options)
    assert done.code == 2, done
    for text in case.says:
        assert text in done.said
    assert "Traceback" not in done.err
    assert done.out == ""
    assert sorted(tmp_path.iterdir()) == before


def test_there_are_many_cases():
    assert len(CASES) >= 30
    assert len({case.name for case in CASES}) == len(CASES)
