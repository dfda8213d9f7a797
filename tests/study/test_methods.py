"""Every method can be made by name, with the settings that it has."""

import pytest

from coterie.io.errors import InputError
from coterie.study.methods import CLASSIFIERS, REGRESSORS, Deadline, make_estimator, stoppable


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_method_has_a_classifier(name):
    assert make_estimator(name, "classification").__class__.__name__.endswith("Classifier")


@pytest.mark.parametrize("name", REGRESSORS)
def test_some_have_a_regressor(name):
    assert make_estimator(name, "regression").__class__.__name__.endswith("Regressor")


def test_settings_reach_the_estimator():
    model = make_estimator("coterie", "classification", seed=3, effort="fast", time_limit=9, jobs=2)
    assert model.get_params().items() >= {
        "random_state": 3, "effort": "fast", "time_limit": 9, "n_jobs": 2,
    }.items()  # fmt: skip


def test_methods_of_epochs_get_a_deadline():
    model = make_estimator("compfs", "classification", time_limit=9, callbacks=["other"])
    assert model.callbacks[0] == "other"
    assert model.callbacks[1].seconds == 9
    assert model.standardize


def test_a_deadline_ends_the_first_epoch_after_it():
    assert Deadline(0.0).on_epoch_end({}, None)
    assert not Deadline(1000.0).on_epoch_end({}, None)


def test_what_stops_on_the_way():
    assert stoppable("regression") == ["coterie", "compfs"]
    assert "lasso" not in stoppable("classification")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"method": "compsf"}, "Did you mean 'compfs'"),
        ({"method": "lasso", "jobs": 2}, "--jobs: the method 'lasso'"),
        ({"method": "lasso", "time_limit": 2}, "can't be stopped"),
        ({"method": "gbdt", "task": "regression"}, "tells classes apart"),
    ],
)
def test_what_a_method_cannot_do(settings, says):
    with pytest.raises(InputError, match=says):
        make_estimator(**{"task": "classification", **settings})
