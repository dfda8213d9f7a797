from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from coterie.estimators import CompFSClassifier, CompFSRegressor
from coterie.model.thresholds import AtLeast, TopK
from tests.estimators.estimators_under_test import QUICK

X = np.random.default_rng(0).normal(size=(60, 6))
TOTAL = X[:, 1] + X[:, 4]
LABELS = np.where(TOTAL > 0, "high", "low")


@pytest.fixture(scope="module")
def classifier():
    return CompFSClassifier(**QUICK).fit(X, LABELS)


def test_the_defaults_are_the_papers():
    expected = {
        "n_groups": 5,
        "hidden_dim": 20,
        "beta": 4.5,
        "beta_ensemble": 1.0,
        "beta_overlap": 1.2,
        "temperature": 0.1,
        "threshold": 0.7,
        "max_epochs": 35,
        "batch_size": 50,
        "learning_rate": 0.003,
        "lr_decay": 0.99,
        "penalty_decay": 0.99,
        "gate_noise": "sample",
        "stop_gradient": True,
        "standardize": False,
        "validation_fraction": None,
        "early_stopping": False,
    }
    for model in (CompFSClassifier(), CompFSRegressor()):
        assert expected.items() <= model.get_params().items()


def test_the_gates_that_pass_the_threshold_are_the_groups(classifier):
    assert classifier.gate_probabilities_.shape == (2, 6)
    opened = classifier.gate_probabilities_ >= QUICK["threshold"]
    groups = {tuple(np.flatnonzero(row).tolist()) for row in opened if row.any()}
    assert set(classifier.groups_) == groups
    assert len(classifier.groups_) == len(groups)


def test_scores_probabilities_and_labels_agree(classifier):
    score = classifier.decision_function(X)
    probability = classifier.predict_proba(X)
    assert classifier.classes_.tolist() == ["high", "low"]
    assert np.log(probability[:, 1] / probability[:, 0]) == pytest.approx(score, abs=1e-6)
    assert np.array_equal(classifier.predict(X) == "low", score > 0)


def test_a_score_for_each_of_several_classes():
    y = np.digitize(TOTAL, [-0.5, 0.5])
    model = CompFSClassifier(**QUICK).fit(X, y)
    assert model.decision_function(X).shape == (60, 3)
    assert model.predict_proba(X).argmax(axis=1).tolist() == model.predict(X).tolist()


def test_a_groups_own_prediction_depends_on_its_features_alone(classifier):
    group = classifier.groups_[0]
    others = X.copy()
    others[:, [column for column in range(6) if column not in group]] = 0.0
    assert np.array_equal(classifier.predict_group(0, X), classifier.predict_group(0, others))


@pytest.mark.parametrize("i", [-1, 99])
def test_a_group_that_does_not_exist_is_named(classifier, i):
    with pytest.raises(IndexError, match=f"i={i} .* groups_ holds"):
        classifier.predict_group(i, X)


def test_a_new_threshold_updates_everything_and_the_old_one_brings_it_all_back():
    model = CompFSClassifier(**QUICK).fit(X, LABELS)
    groups, table = model.groups_, model.groups_table()
    model.set_threshold(TopK(1))
    assert all(len(group) == 1 for group in model.groups_)
    assert model.support_.sum() == len(model.groups_)
    assert model.transform(X).shape[1] == len(model.groups_)
    assert model.groups_table()["strength"].isna().all()
    assert model.threshold == QUICK["threshold"]
    model.set_threshold(QUICK["threshold"])
    assert model.threshold_ == AtLeast(QUICK["threshold"])
    assert model.groups_ == groups
    pd.testing.assert_frame_equal(model.groups_table(), table)


def test_rows_measure_the_groups_of_a_new_threshold():
    model = CompFSClassifier(**QUICK).fit(X, LABELS).set_threshold(TopK(1), X, LABELS)
    assert model.groups_table()["strength"].notna().all()
    with pytest.raises(ValueError, match="X and y go together"):
        model.set_threshold(0.5, X)
    with pytest.raises(ValueError, match=r"'threshold' parameter .* Got 1.5 instead"):
        model.set_threshold(1.5)
    with pytest.raises(NotFittedError):
        CompFSClassifier().set_threshold(0.5)


@pytest.mark.filterwarnings("ignore:No features were selected")
def test_without_a_group_predictions_are_the_classes_shares():
    y = np.array(["often"] * 45 + ["seldom"] * 15)
    with pytest.warns(UserWarning, match="CompFSClassifier found no group"):
        model = CompFSClassifier(**{**QUICK, "threshold": 1.0}).fit(X, y)
    assert model.groups_ == []
    assert not model.support_.any()
    assert len(model.groups_table()) == 0
    assert model.transform(X).shape == (60, 0)
    assert model.predict_proba(X) == pytest.approx(np.tile([0.75, 0.25], (60, 1)))


def test_without_a_group_predictions_are_the_mean():
    with pytest.warns(UserWarning, match="CompFSRegressor found no group"):
        model = CompFSRegressor(**{**QUICK, "threshold": 1.0}).fit(X, TOTAL + 5.0)
    assert model.predict(X) == pytest.approx(np.full(60, TOTAL.mean() + 5.0))


def test_the_unit_of_real_outcomes_does_not_matter():
    small, large = (CompFSRegressor(**QUICK).fit(X, y) for y in (TOTAL, 1000.0 * TOTAL + 9.0))
    assert small.groups_ == large.groups_
    assert large.predict(X) == pytest.approx(1000.0 * small.predict(X) + 9.0, rel=1e-2, abs=5.0)


def test_several_outcomes_are_predicted_at_once():
    y = np.column_stack([TOTAL, -TOTAL, X[:, 0]])
    model = CompFSRegressor(**QUICK).fit(X, y)
    assert model.predict(X).shape == (60, 3)
    assert model.predict_group(0, X).shape == (60, 3)


def test_columns_of_one_feature_share_a_gate():
    frame = pd.DataFrame(X, columns=["a", "red", "c", "d", "blue", "f"])
    model = CompFSClassifier(**QUICK, feature_groups={"colour": ["red", "blue"]})
    model.fit(frame, LABELS)
    assert model.gate_probabilities_.shape == (2, 5)
    assert model.n_features_in_ == 6
    assert model.support_[1] == model.support_[4]
    in_groups = {name for group in model.get_groups(names=True) for name in group}
    assert in_groups <= {"a", "colour", "c", "d", "f"}
    assert set(model.get_feature_names_out()) <= set(frame.columns)


def test_features_bear_the_names_that_selected_columns_bear():
    model = CompFSClassifier(**QUICK).fit(pd.DataFrame(X, columns=range(10, 16)), LABELS)
    members = {name for group in model.get_groups(names=True) for name in group}
    assert members == set(model.get_feature_names_out())


def test_a_column_that_is_constant_in_training_never_speaks():
    constant = X.copy()
    constant[:, 4] = 0.0
    model = CompFSClassifier(**QUICK, feature_groups={"pair": [1, 4]}).fit(constant, LABELS)
    assert np.array_equal(model.predict_proba(X), model.predict_proba(constant))


def test_held_out_rows_are_judged_and_take_no_part_in_the_training():
    model = CompFSClassifier(**QUICK, validation_fraction=0.2).fit(X, LABELS)
    assert model.groups_table()["strength"].notna().all()
    assert len(model.history_) == QUICK["max_epochs"]


def test_early_stopping_needs_held_out_rows():
    with pytest.raises(ValueError, match=r"early_stopping=True .* validation_fraction=None"):
        CompFSClassifier(early_stopping=True).fit(X, LABELS)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("n_groups", 0),
        ("n_groups", 2.5),
        ("beta", -1.0),
        ("temperature", 0.0),
        ("threshold", 1.5),
        ("batch_size", 0),
        ("gate_noise", "row"),
        ("gate_noise", 0),
        ("validation_fraction", 1.0),
        ("class_weight", "equal"),
        ("feature_groups", 3),
        ("random_state", "seed"),
        ("callbacks", print),
    ],
)
def test_an_argument_that_is_not_allowed_is_named(argument, value):
    with pytest.raises(ValueError, match=f"The '{argument}' parameter .* must be .* Got"):
        CompFSClassifier(**{argument: value}).fit(X, LABELS)


def test_the_fit_leaves_arguments_and_the_global_random_state_alone():
    model = CompFSClassifier(**{**QUICK, "random_state": None})
    arguments = clone(model).get_params()
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, LABELS)
    assert model.get_params() == arguments
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_weights_of_rows_and_of_classes_multiply():
    by_rows = CompFSClassifier(**QUICK).fit(X, LABELS, np.where(LABELS == "low", 3.0, 1.0))
    by_classes = CompFSClassifier(**QUICK, class_weight={"low": 3.0, "high": 1.0}).fit(X, LABELS)
    assert np.array_equal(by_rows.predict_proba(X), by_classes.predict_proba(X))
    with pytest.raises(ValueError, match="sample_weight times class_weight is zero in every row"):
        CompFSClassifier(**QUICK, class_weight={"low": 0.0, "high": 0.0}).fit(X, LABELS)


def test_an_integer_random_state_repeats_the_fit(classifier):
    again = CompFSClassifier(**QUICK).fit(X, LABELS)
    assert np.array_equal(again.gate_probabilities_, classifier.gate_probabilities_)
