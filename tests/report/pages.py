"""Reports of the smallest models that show each kind of content."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from coterie.report import render_report
from tests.plots.stubs import additive, found, labelled

HOSTILE = [
    "<script>window.hacked=1</script>",
    '</script><img src=x onerror="window.hacked=1">',
    '"><svg onload=window.hacked=1>',
    "a'b\"c`d&amp;e",
    "x" * 300,
    "年齢×性別 " * 20,
    "גיל המטופל בשנים",
    "\u202etxt.exe",
    "$title ${body} %s {0}",
    "",
    "line\nbreak\ttab",
    "nul\x00bell\x07",
    "<!-- ]]>",
    "javascript:window.hacked=1",
    "\u2028\u2029😀😀",
]
MEASURES = {
    "strength": [0.5, 0.3, 0.1],
    "strength_low": [0.4, 0.2, -0.05],
    "strength_high": [0.6, 0.4, 0.2],
    "certainty": [1.0, 0.95, 0.5],
}
RUN = {
    "command": ["coterie", "fit", "table.csv", "--target", "y"],
    "created": "2024-05-17",
    "versions": {"coterie": "0.1.0"},
    "machine": {"cores": 2},
    "settings": {"effort": "standard"},
    "seed": 0,
    "target": "y",
    "rows": {"train": 400, "test": 100},
    "notes": ["3 numbers."],
    "metric": "accuracy",
    "measures": {"Coterie": {"accuracy": 0.9, "AUROC": 0.95}, "LASSO": {"accuracy": 0.7}},
    "scores": {"Coterie": 0.9, "LASSO": 0.7, "commonest class": 0.5},
    "partial": False,
}


def rows(n_features, n_rows=40):
    values = np.random.default_rng(0).normal(size=(n_rows, n_features))
    return pd.DataFrame(values, columns=[f"f{i}" for i in range(n_features)])


@cache
def several():
    """Groups of one, two and three features, two of which overlap; two classes."""
    model = labelled([(0, 1), (1, 2, 3), (4,)], [f"f{i}" for i in range(5)], **MEASURES)
    X = rows(5)
    return render_report(model, X, model.predict(X), run=RUN)


@cache
def hostile():
    names = HOSTILE
    groups = [(0, 1, 2), (3, 4), (5, 6, 7, 8), *((i,) for i in range(9, len(names)))]
    model = labelled(groups, names, ["<b>no</b>", "</script><script>window.hacked=1</script>"])
    model.alternatives_ = {
        name: pd.DataFrame({"feature": HOSTILE, "loss_difference": 0.0, "z": 0.0}) for name in names
    }
    X = rows(len(names)).set_axis(names, axis=1)
    X.index = [HOSTILE[i % len(HOSTILE)] for i in range(len(X))]
    y = pd.Series(model.predict(X), name=HOSTILE[1])
    record = dict.fromkeys(("command", "created", "metric"), HOSTILE[0])
    record |= {"notes": HOSTILE, "settings": dict.fromkeys(HOSTILE, HOSTILE[1])}
    record |= {"scores": dict.fromkeys(HOSTILE, 0.5)}
    return render_report(model, X, y, run=record, title=HOSTILE[1])


@cache
def many_classes():
    model = labelled([(0, 1), (2,)], ["f0", "f1", "f2"], ["red", "green", "blue"])
    X = rows(3)
    return render_report(model, X, model.predict(X))


@cache
def regression():
    return render_report(additive([(0,), (1, 2)], ["f0", "f1", "f2"]), rows(3))


@cache
def nothing():
    return render_report(found([]))


@cache
def without_rows():
    return render_report(found([(0, 1), (3,)]))


PAGES = {
    "several": several,
    "hostile": hostile,
    "many_classes": many_classes,
    "regression": regression,
    "nothing": nothing,
    "without_rows": without_rows,
}
