import hashlib
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from coterie.datasets import chem
from coterie.datasets._files import DataFile
from coterie.datasets.chem import PAPER_LOGICS, BindingLogic, fetch_chem

TRAIN = {"ZINC1": "COC", "ZINC2": "CC#C", "ZINC3": "CC#CCOC", "ZINC4": "CC"}
TEST = {"ZINC5": "CC#C"}
ARCHIVE = "all_16_logics_train_and_test.zip"


@pytest.fixture
def molecules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Five molecules as set 4, and a cache folder of the test's own."""
    path = tmp_path / ARCHIVE
    with zipfile.ZipFile(path, "w") as archive:
        for part, rows in (("train", TRAIN), ("test", TEST)):
            lines = ["mol_id,smiles", *(f"{name},{smiles}" for name, smiles in rows.items())]
            archive.writestr(f"logic_4_{part}.csv", "\n".join(lines))
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setenv("COTERIE_DATA", str(tmp_path))
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(chem, "MOLECULES", DataFile(ARCHIVE, (checksum,), "this test"))
    return tmp_path


def cached(folder: Path) -> list[Path]:
    return list((folder / "cache").rglob("*.npz"))


def refuse(*arguments: object, **options: object) -> None:
    raise AssertionError("the molecules were read again")


def test_ether_or_no_alkyne_by_hand(molecules, rdkit):
    chem1 = fetch_chem(1, n_jobs=1)
    assert chem1.data.shape == (4, 84)
    assert chem1.data.dtype == np.float32
    assert chem1.data[:, [40, 1]].tolist() == [[1, 0], [0, 1], [1, 1], [0, 0]]
    assert chem1.target.tolist() == [1, 0, 1, 1]
    assert chem1.groups == [(40,), (1,)]
    assert chem1.smiles.tolist() == list(TRAIN.values())
    assert chem1.molecule_ids.tolist() == list(TRAIN)


def test_all_is_train_then_test(molecules, rdkit):
    train, test = fetch_chem(1, n_jobs=1), fetch_chem(1, subset="test", n_jobs=1)
    both = fetch_chem(1, subset="all", n_jobs=1)
    assert test.molecule_ids.tolist() == list(TEST)
    assert np.array_equal(both.data, np.concatenate([train.data, test.data]))
    assert np.array_equal(both.target, np.concatenate([train.target, test.target]))


def test_a_logic_of_one_s_own(molecules, rdkit):
    both = BindingLogic(4, lambda has: has["ether"] & has["acetylenic carbon"])
    assert fetch_chem(both, n_jobs=1).target.tolist() == [0, 0, 1, 0]
    assert fetch_chem(both, n_jobs=1).groups is None


def test_groups_by_name_become_sorted_columns(molecules, rdkit):
    logic = BindingLogic(4, lambda has: has["ether"], [("ether", "acetylenic carbon")])
    assert fetch_chem(logic, n_jobs=1).groups == [(1, 40)]


def test_features_are_read_from_the_cache_the_second_time(molecules, rdkit, monkeypatch):
    first = fetch_chem(1, n_jobs=1)
    monkeypatch.setattr(chem, "contains_functional_groups", refuse)
    assert np.array_equal(fetch_chem(1).data, first.data)


def test_other_patterns_are_not_answered_from_the_cache(molecules, rdkit, monkeypatch):
    fetch_chem(1, n_jobs=1)
    changed = {**chem.functional_group_patterns(), "ether": "[OX2]"}
    monkeypatch.setattr(chem, "functional_group_patterns", lambda: changed)
    monkeypatch.setattr(chem, "contains_functional_groups", refuse)
    with pytest.raises(AssertionError, match="read again"):
        fetch_chem(1)


def test_a_broken_cache_file_is_made_anew(molecules, rdkit):
    first = fetch_chem(1, n_jobs=1)
    (path,) = cached(molecules)
    path.write_bytes(path.read_bytes()[:40])
    assert np.array_equal(fetch_chem(1, n_jobs=1).data, first.data)
    with np.load(path) as mended:
        assert np.array_equal(mended["present"], first.data)


def test_a_cache_that_cannot_be_written_does_no_harm(molecules, rdkit, caplog):
    (molecules / "cache").write_text("a file where the folder should be")
    assert fetch_chem(1, n_jobs=1).target.tolist() == [1, 0, 1, 1]
    assert "could not be kept" in caplog.text


def test_without_rdkit_the_error_names_the_extra(molecules, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit", None)
    with pytest.raises(ImportError, match=r"coterie\[chem\]"):
        fetch_chem(1, n_jobs=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": 4}, "task must be 1, 2, 3 or a BindingLogic; got 4"),
        ({"task": 1, "subset": "validation"}, "subset must be one of 'train', 'test', 'all'"),
        ({"task": BindingLogic(16, lambda has: has["ether"])}, "molecules must be .*; got 16"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        fetch_chem(**arguments)


@pytest.mark.parametrize(
    ("logic", "error", "message"),
    [
        (BindingLogic(4, lambda has: has["eter"]), KeyError, "'eter'.*'ether'"),
        (BindingLogic(4, lambda has: has["ether"].sum()), ValueError, "each of the 4 molecules"),
        (BindingLogic(4, lambda has: has["ether"] * 2), ValueError, "type int64"),
        (BindingLogic(4, lambda has: has["ether"], [("eter",)]), ValueError, r"\['eter'\]"),
    ],
)
def test_wrong_logics_are_explained(molecules, rdkit, logic, error, message):
    with pytest.raises(error, match=message):
        fetch_chem(logic, n_jobs=1)


@pytest.mark.parametrize(
    ("task", "groups"), [(1, [1, 40]), (2, [18, 40, 56]), (3, [1, 18, 29, 40])]
)
def test_the_paper_s_rules_read_exactly_the_features_of_their_groups(task, groups):
    names = list(chem.functional_group_patterns())
    truth = {name for group in PAPER_LOGICS[task].groups for name in group}
    assert sorted(names.index(name) for name in truth) == groups
    inputs = np.array(np.meshgrid(*[[False, True]] * len(truth))).reshape(len(truth), -1)
    has = dict(zip(sorted(truth), inputs, strict=True))
    labels = PAPER_LOGICS[task].rule(has)
    for name in truth:
        assert (PAPER_LOGICS[task].rule({**has, name: ~has[name]}) != labels).any()


@pytest.mark.parametrize(
    ("task", "n_train", "n_test", "groups"),
    [
        (1, 3861, 466, [(40,), (1,)]),
        (2, 7718, 969, [(18, 56), (40,)]),
        (3, 14768, 1831, [(18, 29), (1, 40)]),
    ],
)
def test_the_paper_s_tasks(published, rdkit, task, n_train, n_test, groups):
    published(ARCHIVE)
    train, test = fetch_chem(task), fetch_chem(task, subset="test")
    assert train.data.shape == (n_train, 84)
    assert test.data.shape == (n_test, 84)
    assert train.groups == test.groups == groups
    assert set(np.unique(train.data)) == {0, 1}


@pytest.mark.parametrize(("task", "accuracy"), [(1, 0.758), (2, 0.816)])
def test_a_constant_answer_is_as_good_as_the_paper_s_lasso(published, rdkit, task, accuracy):
    """LASSO's published accuracy on Chem1 and Chem2 is the larger class's share of the test set."""
    published(ARCHIVE)
    share = fetch_chem(task, subset="test").target.mean()
    assert round(max(share, 1 - share), 3) == accuracy


def test_set_4_is_balanced_over_ether_and_alkyne(published, rdkit):
    """Every combination of a logic's fragments was drawn equally often (McCloskey et al.)."""
    published(ARCHIVE)
    ether, alkyne = fetch_chem(1).data[:, [40, 1]].T
    shares = np.bincount((2 * ether + alkyne).astype(int)) / len(ether)
    assert np.abs(shares - 0.25).max() < 0.005
