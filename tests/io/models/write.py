"""Writes a model file for each estimator in the current format, with what it predicts.

To be run once for each format, ``python -m tests.io.models.write``; files of older formats stay as
they are, and tests/estimators/test_saving.py opens them all.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier

from coterie import TableModel
from coterie.io.formats import FORMAT
from tests.estimators.estimators_under_test import ESTIMATORS

FOLDER = Path(__file__).parent


def main() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": np.where(rng.random(80) < 0.1, np.nan, rng.normal(60, 9, 80).round(1)),
            "site": rng.choice(["A", "B", "C"], 80),
            "smokes": rng.random(80) < 0.5,
            "dose": rng.normal(size=80).round(3),
        }
    )
    effect = table["dose"] + 2.0 * table["smokes"]
    for estimator in ESTIMATORS:
        target = np.where(effect > 1, "ill", "well") if is_classifier(estimator) else effect
        model = TableModel(clone(estimator), impute=True).fit(table, target)
        rows = table.iloc[:5].assign(site=["A", "B", "C", "unseen", "A"])
        outputs = getattr(model, "predict_proba", model.predict)(rows)
        notes = {"rows": rows.to_dict("list"), "outputs": outputs, "groups": model.groups_}
        model.save(FOLDER / f"format-{FORMAT}-{type(estimator).__name__}.safetensors", notes)


if __name__ == "__main__":
    main()
