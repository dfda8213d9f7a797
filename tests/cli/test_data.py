"""``coterie data``: what there is, and made data with known groups."""

import pandas as pd
import pytest

from coterie.datasets import make_syn


def test_the_list_names_what_can_be_had(coterie):
    done = coterie("data", "list")
    assert done.code == 0
    for name in ("chem1", "metabric", "mnist", "syn4", "composite"):
        assert name in done.out


def test_made_data_are_those_of_the_library(coterie, tmp_path):
    done = coterie("data", "make", "syn2", "--rows", 50, "--features", 6, "--seed", 3)
    assert done.code == 0, done.err
    assert "The true groups: {x0, x1}, {x2, x3}." in done.out
    table, task = pd.read_csv(tmp_path / "syn2.csv"), make_syn(2, 50, 6, 3)
    assert table["target"].tolist() == task.target.tolist()
    assert table["x5"].to_numpy("float32") == pytest.approx(task.data[:, 5])


def test_groups_of_your_own(coterie, tmp_path):
    options = ("--groups", "0,1 2", "--rule", "linear", "--outcome", "real", "--join", "sum")
    done = coterie("data", "make", "composite", "--rows", 20, "--features", 4, *options,
                   "--out", "made.tsv.gz")  # fmt: skip
    assert done.code == 0, done.err
    assert "{x0, x1}, {x2}" in done.out
    assert pd.read_csv(tmp_path / "made.tsv.gz", sep="\t").shape == (20, 5)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("make", "syn9"), "'syn9' can't be made. Known ones: syn1"),
        (("make", "metabric"), "coterie data fetch metabric"),
        (("make", "composite"), "composite needs --groups"),
        (("make", "composite", "--groups", "a,b"), "'a,b' is not understood"),
        (("make", "composite", "--groups", "0,900"), "groups name column 900"),
        (("make", "composite", "--groups", "0", "--rule", "magic"), "rules must be"),
        (("make", "syn1", "--join", "and"), "--join is for composite"),
        (("make", "syn1", "--out", "made.xls"), "tables are written as .csv"),
        (("fetch", "syn1"), "coterie data make syn1"),
        (("fetch", "iris"), "no data set 'iris'"),
    ],
)
def test_what_cannot_be_made(coterie, tmp_path, arguments, says):
    done = coterie("data", *arguments)
    assert done.code == 2
    assert says in done.said
    assert list(tmp_path.iterdir()) == []


def test_data_that_are_not_there_say_where_to_get_them(coterie, tmp_path, monkeypatch):
    monkeypatch.setenv("COTERIE_DATA", str(tmp_path))
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path))
    done = coterie("data", "fetch", "metabric")
    assert done.code == 2
    assert "metabric.zip is missing" in done.said
    assert "Kaggle" in done.said
