"""Files of a result come together or not at all."""

import pytest

from coterie.io.errors import InputError
from coterie.study.record import check_folder, place_together


def test_files_are_put_into_a_new_folder(tmp_path):
    place_together(tmp_path / "a" / "b", lambda folder: (folder / "x").write_text("1"))
    assert (tmp_path / "a" / "b" / "x").read_text() == "1"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]


def test_a_folder_stays_as_it_was_if_writing_fails(tmp_path):
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "x").write_text("earlier")

    def fail(staging):
        (staging / "x").write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        place_together(folder, fail)
    assert (folder / "x").read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [folder]


def test_other_files_of_a_folder_stay(tmp_path):
    (tmp_path / "notes").write_text("mine")
    place_together(tmp_path, lambda folder: (folder / "x").write_text("1"))
    assert {path.name for path in tmp_path.iterdir()} == {"notes", "x"}


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    check_folder(tmp_path / "new" / "folder")
    with pytest.raises(InputError, match="is a file"):
        check_folder(tmp_path / "file")
    with pytest.raises(InputError, match="can't be written to"):
        check_folder(tmp_path / "file" / "inside")
