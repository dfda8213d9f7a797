"""Models as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pandas as pd

from coterie.io.export import as_json_value, describe_model, write_description


class Point(NamedTuple):
    x: int
    y: float


@dataclass
class Stranger:
    secret: int = 1


def test_values_become_those_of_json():
    value = {
        1: (np.float32(0.5), np.nan, -np.inf),
        "table": pd.DataFrame({"a": [1], "b": [("x", "y")]}),
        "point": Point(1, 2.0),
        "mask": np.array([[True, False]]),
    }
    assert as_json_value(value) == {
        "1": [0.5, None, None],
        "table": [{"a": 1, "b": ["x", "y"]}],
        "point": {"x": 1, "y": 2.0},
        "mask": [[True, False]],
    }


def test_what_json_does_not_know_is_shown():
    assert as_json_value([Stranger(2), int]) == ["Stranger(secret=2)", "<class 'int'>"]


class Estimator:
    def __init__(self):
        self.beta, self.device, self.weights_ = 4.5, object(), np.ones(2)

    def get_params(self, deep):
        return {"beta": self.beta, "device": self.device}

    def groups_table(self):
        return pd.DataFrame({"members": [("é",)], "strength": [0.5]})


def test_a_table_model_is_described_by_what_is_inside():
    model = SimpleNamespace(
        estimator_=Estimator(), groups_table=Estimator().groups_table, data_notes_=["1 number."]
    )
    description = describe_model(model, {"seed": 0})
    assert description["method"] == "Estimator"
    assert description["settings"] == {"beta": 4.5}
    assert description["data_notes"] == ["1 number."]
    assert description["notes"] == {"seed": 0}
    assert "weights" not in description


def test_weights_come_if_asked_for():
    weights = describe_model(Estimator(), weights=True)["weights"]
    assert weights == {"weights_": [1.0, 1.0]}


def test_a_description_is_written_as_json(tmp_path):
    path = write_description(tmp_path / "m.json", describe_model(Estimator()))
    assert json.loads(path.read_text(encoding="utf-8"))["groups"][0]["members"] == ["é"]
