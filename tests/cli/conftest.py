from functools import partial

import numpy as np
import pandas as pd
import pytest

from tests.cli.running import run_coterie


@pytest.fixture
def coterie(tmp_path):
    """Return what runs the command line, in a folder of its own."""
    return partial(run_coterie, folder=tmp_path)


@pytest.fixture(scope="session")
def patients():
    """Return a table in which the dose acts one way at a site and the other way elsewhere."""
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "patient": [f"P{row:03d}" for row in range(500)],
            "age": random.normal(60, 9, 500).round(1),
            "dose": random.normal(size=500).round(3),
            "site": random.choice(["A", "B", "C"], 500),
            "smoker": random.random(500) < 0.3,
            "weight": random.uniform(0.5, 1.5, 500).round(2),
        }
    )
    acts = (table["dose"] > 0) == (table["site"] == "B")
    return table.assign(relapse=np.where(acts, "yes", "no"))


@pytest.fixture(scope="session")
def fitted(patients, tmp_path_factory):
    """Return the folder of a fit, and how it ended."""
    folder = tmp_path_factory.mktemp("fit")
    patients.to_csv(folder / "patients.csv", index=False)
    options = ("--id", "patient", "--weights", "weight", "--effort", "fast", "--out", "found")
    done = run_coterie("fit", "patients.csv", "--target", "relapse", *options, folder=folder)
    return folder, done
