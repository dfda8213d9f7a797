"""What a new user meets with the patients of METABRIC, as the archive holds them."""

import json
import re
import shlex
import zipfile

import pytest

FILE = "METABRIC_RNA_Mutation.csv"


@pytest.fixture
def table(published, tmp_path):
    with zipfile.ZipFile(published("metabric.zip")) as archive:
        archive.extract(FILE, tmp_path)
    return tmp_path / FILE


@pytest.mark.slow
def test_the_refusal_says_how_to_go_on_and_that_works(coterie, table):
    refused = coterie("fit", table, "--target", "pr_status")
    assert refused.code == 2
    assert "47 of 692 columns can't be used: 'pik3ca_mut' holds text of 160" in refused.said
    assert "This leaves out 126 columns that could be used, too." in refused.said
    hint = re.search(r"To leave them out: (.*?) \(", refused.said)[1]
    assert hint == "--ignore '*_mut' --impute"
    options = (*shlex.split(hint), "--id", "patient_id", "--method", "lasso", "--json")
    done = coterie("fit", table, "--target", "pr_status", *options)
    assert done.code == 0, done.err
    run = json.loads(done.out)
    assert run["rows"] == {"train": 1523, "test": 381}
    assert run["features"] == 518
    assert run["scores"]["logistic regression"] > 0.7
    assert "502 numbers, 16 categories." in run["notes"]
