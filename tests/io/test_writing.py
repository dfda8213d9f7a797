"""Tables out, whole and with the permissions of new files."""

import pandas as pd
import pytest

from coterie.io.errors import TableError
from coterie.io.tables import read_table
from coterie.io.writing import WRITERS, write_table

TABLE = pd.DataFrame({"age": [71.5, 64.0], "site": ["A", "B"]})


@pytest.mark.parametrize("ending", WRITERS)
def test_what_is_written_is_read_again(tmp_path, ending):
    path = write_table(tmp_path / f"table{ending}", TABLE)
    pd.testing.assert_frame_equal(read_table(path), TABLE, check_dtype=False)


def test_others_may_read_it_as_other_new_files(tmp_path):
    (tmp_path / "other").touch()
    path = write_table(tmp_path / "table.csv", TABLE)
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize(
    ("name", "says"),
    [("table.xlsx", "written as .csv"), ("", "written as"), ("file/table.csv", "can't be written")],
)
def test_places_that_cannot_be_written(tmp_path, name, says):
    (tmp_path / "file").touch()
    with pytest.raises(TableError, match=says):
        write_table(tmp_path / name, TABLE)
