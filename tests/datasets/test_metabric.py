import hashlib
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from coterie.datasets import metabric
from coterie.datasets._files import DataFile
from coterie.datasets.metabric import TARGETS, fetch_metabric

N_PATIENTS = 10
STATUS = {
    "pr_status": ["Positive", "Negative"] * 5,
    "er_status": ["Positive"] * 10,
    "er_status_measured_by_ihc": ["Positve"] * 6 + ["Negative"] * 2 + [None] * 2,
    "her2_status": ["Negative"] * 10,
    "her2_status_measured_by_snp6": ["GAIN", "NEUTRAL", "LOSS", "UNDEF", "GAIN"] * 2,
}


@pytest.fixture
def patients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """Ten patients in a table of METABRIC's shape; the expression of a gene is its patient's."""
    clinical = {f"clinical_{i}": ["text"] * N_PATIENTS for i in range(25)}
    genes = {f"gene_{i}": np.arange(N_PATIENTS) + i / 1000 for i in range(489)}
    mutations = {f"gene_{i}_mut": ["0"] * 9 + ["H1047R"] for i in range(172)}
    table = pd.DataFrame(
        {
            "patient_id": np.arange(N_PATIENTS) + 100,
            **clinical,
            **STATUS,
            **genes,
            **mutations,
            "gene_172_mut": [0] * N_PATIENTS,
        }
    )
    path = tmp_path / "metabric.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("METABRIC_RNA_Mutation.csv", table.to_csv(index=False))
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setenv("COTERIE_DATA", str(tmp_path))
    monkeypatch.setattr(metabric, "PATIENTS", DataFile("metabric.zip", (checksum,), "this test"))
    return table


def test_genes_and_their_target(patients):
    bunch = fetch_metabric()
    assert bunch.data.shape == (10, 489)
    assert bunch.data.dtype == np.float32
    assert bunch.data[:, 0].tolist() == list(range(10))
    assert bunch.target.tolist() == [1, 0] * 5
    assert bunch.target_names == ["Negative", "Positive"]
    assert bunch.feature_names == [f"gene_{i}" for i in range(489)]
    assert bunch.patient_ids.tolist() == list(range(100, 110))
    assert bunch.groups is None


def test_the_split_is_80_and_20_per_cent_of_the_seeded_permutation(patients):
    order = np.random.default_rng(42).permutation(10)
    train, test = fetch_metabric(subset="train"), fetch_metabric(subset="test")
    assert (train.patient_ids - 100).tolist() == order[:8].tolist()
    assert (test.patient_ids - 100).tolist() == order[8:].tolist()
    assert train.data[:, 0].tolist() == order[:8].tolist()


def test_patients_without_a_target_leave_after_the_split(patients):
    target = "er_status_measured_by_ihc"
    whole, train, test = (fetch_metabric(target, subset=part) for part in ("all", "train", "test"))
    assert whole.patient_ids.tolist() == list(range(100, 108))
    full = fetch_metabric(subset="train").patient_ids
    assert train.patient_ids.tolist() == [patient for patient in full if patient < 108]
    assert len(train.patient_ids) + len(test.patient_ids) == 8


def test_a_status_that_is_neither_of_the_two_is_left_out(patients):
    bunch = fetch_metabric("her2_status_measured_by_snp6")
    assert bunch.target_names == ["NEUTRAL", "GAIN"]
    assert bunch.patient_ids.tolist() == [100, 101, 104, 105, 106, 109]
    assert bunch.target.tolist() == [1, 0, 1, 1, 0, 1]


def test_mutations_are_zero_or_one(patients):
    bunch = fetch_metabric(features="mutation")
    assert bunch.data.shape == (10, 173)
    assert bunch.data.sum(axis=1).tolist() == [0] * 9 + [172]


def test_blocks_stand_in_the_order_asked_for(patients):
    bunch = fetch_metabric(features=["mutation", "expression"])
    assert bunch.data.shape == (10, 173 + 489)
    assert bunch.feature_names[173] == "gene_0"
    assert np.array_equal(bunch.data[:, 173:], fetch_metabric().data)


def test_clinical_columns_come_without_the_target_and_the_patient_s_number(patients):
    bunch = fetch_metabric(features="clinical", as_frame=True)
    kept = set(patients.columns[:31]) - {"patient_id", "pr_status"}
    assert set(bunch.data.columns) == kept
    assert bunch.data.index.equals(bunch.target.index)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "PR"}, "target must be one of 'pr_status', .*; got 'PR'"),
        ({"subset": "validation"}, "subset must be one of .*; got 'validation'"),
        ({"features": "genes"}, "features must be one of .*; got 'genes'"),
        ({"features": []}, "features must name at least one"),
        ({"features": "clinical"}, "set as_frame=True"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        fetch_metabric(**arguments)


def test_the_published_patients(published):
    published("metabric.zip")
    bunch = fetch_metabric()
    assert bunch.data.shape == (1904, 489)
    assert bunch.feature_names[0] == "brca1"
    assert bunch.feature_names[-1] == "ugt2b7"
    assert np.isfinite(bunch.data).all()
    assert np.bincount(bunch.target).tolist() == [895, 1009]


@pytest.mark.parametrize("target", TARGETS)
def test_the_published_split_has_every_patient_once(published, target):
    published("metabric.zip")
    parts = [fetch_metabric(target, subset=part).patient_ids for part in ("train", "test")]
    whole = fetch_metabric(target).patient_ids
    assert sorted(np.concatenate(parts)) == sorted(whole)
    assert len(set(whole)) == len(whole)
