"""Every estimator comes back from its file as it was, and files can't do harm."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from safetensors.numpy import save_file
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError

from coterie import CompFSClassifier, TableModel, load
from coterie.estimators._saving import CLASSES, KnownClasses
from coterie.io import models
from coterie.io.errors import ModelFileError
from coterie.io.export import describe_model
from coterie.io.formats import FORMAT
from coterie.io.models import open_model, read_notes
from coterie.model.thresholds import TopK
from coterie.training.callbacks import Progress
from tests.estimators.estimators_under_test import ESTIMATORS, QUICK

X = np.random.default_rng(0).normal(size=(60, 6))
FRAME = pd.DataFrame(X, columns=list("abcdef"))
SAVED = [*ESTIMATORS, *(TableModel(estimator) for estimator in ESTIMATORS)]


def name(estimator: Any) -> str:
    inner = getattr(estimator, "estimator", None)
    return type(estimator).__name__ + (f"-{type(inner).__name__}" if inner else "")


def outcome(estimator: Any) -> Any:
    total = X[:, 1] + X[:, 4]
    return np.where(total > 0, "high", "low") if is_classifier(estimator) else total


@pytest.fixture(params=SAVED, ids=name, scope="module")
def fitted(request: Any) -> Any:
    return clone(request.param).fit(FRAME, outcome(request.param))


@pytest.fixture
def path(fitted: Any, tmp_path: Path) -> Path:
    return fitted.save(tmp_path / "model.safetensors", notes={"rows": 60})


def test_predictions_are_the_same_to_the_last_bit(fitted, path):
    again = load(path)
    for method in ("predict", "predict_proba", "decision_function", "contributions", "transform"):
        if hasattr(fitted, method):
            assert np.array_equal(getattr(again, method)(FRAME), getattr(fitted, method)(FRAME))
    assert again.score(FRAME, outcome(fitted)) == fitted.score(FRAME, outcome(fitted))


def test_all_that_is_known_of_the_groups_comes_back(fitted, path):
    again = load(path)
    assert again.groups_ == fitted.groups_
    assert again.get_groups(names=True) == fitted.get_groups(names=True)
    assert_frame_equal(again.groups_table(), fitted.groups_table())
    assert np.array_equal(again.feature_names_in_, fitted.feature_names_in_)
    assert set(vars(again)) == set(vars(fitted))
    assert describe_model(again, weights=True) == describe_model(fitted, weights=True)


def test_a_loaded_estimator_is_a_whole_one(fitted, path):
    again = load(path)
    assert repr(again) == repr(fitted)
    assert clone(again).fit(FRAME, outcome(fitted)).groups_ == fitted.groups_


def test_saving_twice_changes_nothing(fitted, path, tmp_path):
    second = load(path).save(tmp_path / "second.safetensors", notes={"rows": 60})
    assert open_model(second).document == open_model(path).document
    assert read_notes(second) == {"rows": 60}


def test_only_fitted_estimators_are_saved(fitted, tmp_path):
    with pytest.raises(NotFittedError):
        clone(fitted).save(tmp_path / "model.safetensors")
    assert not list(tmp_path.iterdir())


PREDICT = """
import sys, numpy, pandas
from coterie import load
frame = pandas.read_pickle(sys.argv[1])
outputs = []
for path in sys.argv[3:]:
    model = load(path)
    outputs.append(getattr(model, "predict_proba", model.predict)(frame).astype(float).ravel())
numpy.save(sys.argv[2], numpy.concatenate(outputs))
"""


@pytest.mark.slow
def test_another_process_predicts_the_same(tmp_path):
    FRAME.to_pickle(tmp_path / "frame")
    fits = [clone(estimator).fit(FRAME, outcome(estimator)) for estimator in SAVED]
    paths = [fit.save(tmp_path / f"{i}.safetensors") for i, fit in enumerate(fits)]
    command = [sys.executable, "-c", PREDICT, tmp_path / "frame", tmp_path / "out.npy", *paths]
    subprocess.run(command, check=True)
    expected = [getattr(fit, "predict_proba", fit.predict)(FRAME).ravel() for fit in fits]
    assert np.array_equal(np.load(tmp_path / "out.npy"), np.concatenate(expected))


@pytest.fixture(scope="module")
def classifier() -> Any:
    return CompFSClassifier(**QUICK).fit(FRAME, outcome(CompFSClassifier()))


def test_what_belongs_to_the_session_is_left_out(tmp_path):
    generator = np.random.default_rng(0)
    settings = QUICK | {"random_state": generator, "threshold": TopK(2), "device": "cpu"}
    model = CompFSClassifier(**settings, callbacks=[Progress()])
    model.fit(FRAME, outcome(model))
    again = load(model.save(tmp_path / "m.safetensors"))
    assert (again.callbacks, again.device, again.random_state) == (None, None, None)
    assert (again.threshold, again.threshold_) == (TopK(2), TopK(2))
    assert np.array_equal(again.predict(FRAME), model.predict(FRAME))


def test_settings_after_the_fit_come_back(classifier, tmp_path):
    model = load(classifier.save(tmp_path / "m.safetensors"))
    model.set_threshold(TopK(1)).set_output(transform="pandas")
    again = load(model.save(tmp_path / "n.safetensors"))
    assert again.groups_ == model.groups_
    assert list(again.transform(FRAME).columns) == list(again.get_feature_names_out())


def test_code_of_the_users_own_is_refused_by_name(tmp_path):
    model = CompFSClassifier(**QUICK | {"threshold": lambda probabilities: probabilities > 0.2})
    model.fit(FRAME, outcome(model))
    with pytest.raises(TypeError, match=r"model\.threshold_? holds <function.* can't be saved"):
        model.save(tmp_path / "m.safetensors")


@pytest.mark.parametrize("name", CLASSES)
def test_every_known_class_is_where_it_is_said_to_be(name):
    registry = KnownClasses()
    assert registry.name_of(registry.find(name)) == name


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "builtins.eval",
        "Pipeline",
        "subprocess.Popen",
        "baselines._base.np",
        "baselines.no_such_file.Thing",
        "baselines..os.System",
        "baselines.lasso.Lasso.__init__",
        "",
        "__class__",
        "EarlyStopping",
    ],
)
def test_other_classes_are_not_found(name):
    with pytest.raises(ModelFileError):
        KnownClasses().find(name)


def forge(path: Path, source: Path, change: Any) -> Path:
    """Write the file anew after a change to its document, with the right checksum."""
    file = open_model(source)
    document = json.loads(json.dumps(file.document))
    arrays = dict(file.arrays)
    change(document["estimator"]["instance"], arrays)
    document["arrays"] = {n: [a.dtype.name, list(a.shape)] for n, a in arrays.items()}
    about = {"kind": models.KIND, "format": "1", "coterie": "0", "document": json.dumps(document)}
    about["sha256"] = models._checksum(about, arrays)
    save_file(arrays, path, about)
    return path


def set_state(**changes: Any) -> Any:
    return lambda instance, arrays: instance["state"].update(changes)


def drop_state(*names: str) -> Any:
    return lambda instance, arrays: [instance["state"].pop(name) for name in names]


def set_class(name: str) -> Any:
    return lambda instance, arrays: instance.update({"class": name})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_class("os.system"), "class 'os.system', which is not known"),
        (set_class("Features"), "does not make one"),
        (set_class("CoterieClassifier"), None),
        (set_class(3), "makes no sense"),
        (set_state(predict=3), "'predict' is no attribute"),
        (set_state(support_=3), "'support_' is no attribute"),
        (set_state(__class__=3), "'__class__' is no attribute"),
        (set_state(**{"a b": 3}), "'a b' is no attribute"),
        (set_state(groups_=[{"tuple": [99]}]), "no group of the 6 features"),
        (set_state(groups_=[{"tuple": ["a"]}]), "no group"),
        (set_state(groups_=[3]), "not complete"),
        (set_state(n_features_in_=5), "not complete"),
        (set_state(n_features_in_={"float": "inf"}), "not complete"),
        (set_state(features_=None), "not complete"),
        (drop_state("groups_"), "not complete"),
        (drop_state("_measures"), "not complete"),
        (drop_state("n_features_in_"), "not complete"),
    ],
)
def test_a_forged_estimator_is_refused(classifier, tmp_path, change, message):
    source = classifier.save(tmp_path / "m.safetensors")
    forged = forge(tmp_path / "forged.safetensors", source, change)
    if message is None:  # a class with the same parts is loaded, but predicts nothing
        with pytest.raises((ModelFileError, AttributeError)):
            load(forged).predict(FRAME)
        return
    with pytest.raises(ModelFileError, match=message):
        load(forged)


def test_a_parameter_that_is_newer_than_the_file_has_its_default(classifier, tmp_path):
    source = classifier.save(tmp_path / "m.safetensors")
    again = load(forge(tmp_path / "n.safetensors", source, drop_state("penalty_decay")))
    assert again.penalty_decay == CompFSClassifier().penalty_decay
    assert np.array_equal(again.predict(FRAME), classifier.predict(FRAME))


def test_a_file_of_other_things_is_no_estimator(tmp_path):
    path = models.write_model(tmp_path / "m.safetensors", {"a": 1}, KnownClasses())
    with pytest.raises(ModelFileError, match="dict is no estimator that finds groups"):
        load(path)


OLDER = sorted((Path(__file__).parents[1] / "io" / "models").glob("format-*.safetensors"))


@pytest.mark.parametrize("path", OLDER, ids=lambda path: path.stem)
def test_files_of_every_format_still_open_and_predict(path):
    model, notes = load(path), read_notes(path)
    outputs = getattr(model, "predict_proba", model.predict)(pd.DataFrame(notes["rows"]))
    assert outputs == pytest.approx(notes["outputs"], rel=1e-4, abs=1e-6)
    assert model.groups_ == notes["groups"]


def test_there_are_files_of_every_format():
    formats = {int(path.stem.split("-")[1]) for path in OLDER}
    assert formats == set(range(1, FORMAT + 1))
