"""The model file: whole, checked, and without code."""

from __future__ import annotations

import json
import math
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from coterie.io import formats, models
from coterie.io.codec import NoClasses
from coterie.io.errors import ModelFileError
from coterie.io.models import open_model, read_model, read_notes, write_model

CONTENT = {
    "weights": np.arange(6, dtype=np.float32).reshape(2, 3),
    "labels": np.array(["a", "b"], dtype=object),
    "settings": {"beta": 4.5, "sizes": (1, 2)},
}
NOTES = {"source": "ward 3", "loss": math.inf, "rows": np.int64(4), "empty": None}


@pytest.fixture
def saved(tmp_path):
    return write_model(tmp_path / "m.safetensors", CONTENT, NoClasses(), NOTES)


def same_content(found):
    assert (found["weights"] == CONTENT["weights"]).all()
    assert found["labels"].tolist() == ["a", "b"]
    assert found["settings"] == CONTENT["settings"]


def test_content_and_notes_come_back(saved):
    same_content(read_model(saved, NoClasses()))
    assert read_notes(saved) == NOTES
    assert open_model(saved).written_by == models.__version__


def test_notes_may_hold_arrays(tmp_path):
    path = write_model(tmp_path / "m", CONTENT, NoClasses(), {"losses": np.arange(3.0)})
    assert read_notes(path)["losses"].tolist() == [0.0, 1.0, 2.0]


def test_notes_are_optional(tmp_path):
    assert read_notes(write_model(tmp_path / "m", CONTENT, NoClasses())) == {}


@pytest.mark.parametrize("notes", [["a", "list"], {"f": print}, {"deep": [object()]}])
def test_notes_are_plain_values(tmp_path, notes):
    with pytest.raises(TypeError, match="notes"):
        write_model(tmp_path / "m", CONTENT, NoClasses(), notes)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_save_leaves_the_older_file_whole(saved, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_model(saved, {}, NoClasses())
    same_content(read_model(saved, NoClasses()))
    assert list(saved.parent.iterdir()) == [saved]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "m.safetensors"
    return write_model(path, CONTENT, NoClasses(), NOTES).read_bytes()


def opens_as_it_was_or_is_refused(folder: Path, content: bytes) -> None:
    path = folder / "damaged.safetensors"
    path.write_bytes(content)
    with suppress(ModelFileError):
        same_content(read_model(path, NoClasses()))
        assert read_notes(path) == NOTES


quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@quick
@given(st.data())
def test_changed_bytes_never_change_what_is_loaded(tmp_path, whole, data):
    damaged = bytearray(whole)
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=3)):
        damaged[place] = data.draw(st.integers(0, 255))
    opens_as_it_was_or_is_refused(tmp_path, bytes(damaged))


def test_no_single_flipped_bit_goes_unseen(tmp_path, whole):
    for place in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << (place % 8)
        opens_as_it_was_or_is_refused(tmp_path, bytes(damaged))


@quick
@given(st.data())
def test_files_that_end_early_or_late_are_refused(tmp_path, whole, data):
    path = tmp_path / "m.safetensors"
    cut = data.draw(st.integers(0, len(whole) - 1))
    for content in (whole[:cut], whole + whole[: cut + 1], whole[cut + 1 :]):
        path.write_bytes(content)
        with pytest.raises(ModelFileError):
            read_model(path, NoClasses())


@quick
@given(st.binary(max_size=300))
def test_other_bytes_are_refused(tmp_path, content):
    path = tmp_path / "m.safetensors"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="no model, or a damaged one"):
        read_model(path, NoClasses())


def test_other_safetensors_files_are_refused(tmp_path):
    save_file({"a": np.ones(3)}, tmp_path / "other.safetensors", {"format": "pt"})
    with pytest.raises(ModelFileError, match="no model of Coterie, but something else"):
        read_model(tmp_path / "other.safetensors", NoClasses())


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(ModelFileError, match="no such file"):
        read_model(tmp_path / "m.safetensors", NoClasses())
    with pytest.raises(ModelFileError, match="folder"):
        read_model(tmp_path, NoClasses())


def forge(path: Path, document: object, arrays=None, **changes: str) -> Path:
    """Write a file whose checksum is right, whatever it says."""
    text = document if isinstance(document, str) else json.dumps(document)
    about = {"kind": models.KIND, "format": "1", "coterie": "0.1.0", "document": text} | changes
    arrays = arrays or {}
    about["sha256"] = models._checksum(about, arrays)
    save_file(arrays, path, about)
    return path


def test_a_forged_file_of_the_right_form_opens(tmp_path):
    document = {"estimator": [1, 2], "notes": {"dict": []}, "arrays": {}}
    assert read_model(forge(tmp_path / "m", document), NoClasses()) == [1, 2]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("not json", "makes no sense"),
        ("[" * 200_000, "makes no sense"),
        ('{"estimator": ' + "[" * 50_000 + "]" * 50_000 + ', "notes": 1, "arrays": {}}', "sense"),
        ('{"estimator": NaN, "notes": {}, "arrays": {}}', "NaN, which is no JSON"),
        ('{"estimator": -Infinity, "notes": {}, "arrays": {}}', "no JSON"),
        (f'{{"estimator": 1{"0" * 5000}, "notes": {{}}, "arrays": {{}}}}', "makes no sense"),
        ("[]", "makes no sense"),
        ("{}", "makes no sense"),
        ({"notes": {}, "arrays": {}}, "makes no sense"),
        ({"estimator": {"array": "w"}, "arrays": {}}, "array 'w' is missing"),
        ({"estimator": 1, "arrays": {"w": ["float32", [2]]}}, "array 'w' is missing"),
        ({"estimator": 1, "arrays": {"w": "float32"}}, "makes no sense"),
        ({"estimator": 1, "arrays": 3}, "makes no sense"),
        ({"estimator": {"instance": {"class": "os.system", "state": {}}}, "arrays": {}}, "plain"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_forged_document_is_refused(tmp_path, document, message):
    with pytest.raises(ModelFileError, match=message):
        read_model(forge(tmp_path / "m", document), NoClasses())


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ({}, "'w' belongs to nothing"),
        ({"w": ["float32", [3]]}, r"should be float32 of shape \[3\], but is float32 of .*\[2\]"),
        ({"w": ["float64", [2]]}, "should be float64"),
        ({"w": ["float32", [1e400]]}, "Infinity|inf"),
        ({"w": ["float32", [2]], "v": ["int8", [1]]}, "'v' is missing"),
    ],
)
def test_arrays_must_be_those_that_are_stated(tmp_path, stated, message):
    document = {"estimator": {"array": "w"}, "notes": {}, "arrays": stated}
    path = forge(tmp_path / "m", document, {"w": np.zeros(2, np.float32)})
    with pytest.raises(ModelFileError, match=message):
        read_model(path, NoClasses())


@pytest.mark.parametrize(
    "version", ["", "0", "-1", "1.0", "one", "²", "9" * 5000], ids=lambda value: repr(value)[:30]
)
def test_a_version_is_a_number(tmp_path, version):
    with pytest.raises(ModelFileError, match="is no number"):
        open_model(forge(tmp_path / "m", {}, format=version))


def test_a_newer_version_asks_for_an_upgrade(tmp_path):
    path = forge(tmp_path / "m", "of another form", format="2", coterie="7.1")
    with pytest.raises(
        ModelFileError, match=r"newer Coterie \(7\.1, format 2\).*install --upgrade"
    ):
        open_model(path)


def test_an_older_version_is_taken_step_by_step_to_the_current_one(saved, monkeypatch):
    def rename(document, arrays):
        entries = document["estimator"]["dict"]
        return document | {"estimator": {"dict": [["w", entries[0][1]]]}}, arrays

    def double(document, arrays):
        return document, {name: 2 * array for name, array in arrays.items()}

    monkeypatch.setattr(formats, "FORMAT", 3)
    monkeypatch.setattr(models, "FORMAT", 3)
    monkeypatch.setattr(formats, "MIGRATIONS", {1: rename, 2: double})
    found = read_model(saved, NoClasses())
    assert list(found) == ["w"]
    assert (found["w"] == 2 * CONTENT["weights"]).all()


def test_there_is_a_way_from_every_older_version():
    assert set(formats.MIGRATIONS) == set(range(1, formats.FORMAT))


def test_reading_imports_nothing(saved):
    before = set(sys.modules)
    read_model(saved, NoClasses())
    assert {name for name in set(sys.modules) - before if name.startswith("coterie")} == set()
