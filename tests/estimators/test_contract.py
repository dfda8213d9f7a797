"""What every estimator that finds groups promises, whatever its method."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from coterie.groups import canonical_groups
from tests.estimators.estimators_under_test import ESTIMATORS

CLASSIFIERS = [estimator for estimator in ESTIMATORS if is_classifier(estimator)]
NAMES = ["a", "b", "c", "d", "e", "f"]
X = np.random.default_rng(0).normal(size=(60, 6))
FRAME = pd.DataFrame(X, columns=NAMES)


def outcome(estimator: Any) -> np.ndarray:
    """Return an outcome of the estimator's kind that two columns determine."""
    total = X[:, 1] + X[:, 4]
    return np.where(total > 0, "high", "low") if is_classifier(estimator) else total


@pytest.fixture(params=ESTIMATORS, ids=lambda estimator: type(estimator).__name__, scope="module")
def unfitted(request: Any) -> Any:
    return request.param


@pytest.fixture(scope="module")
def fitted(unfitted: Any) -> Any:
    return clone(unfitted).fit(FRAME, outcome(unfitted))


def test_groups_are_canonical_and_in_the_order_of_their_strength(fitted):
    assert fitted.groups_
    assert fitted.groups_ == canonical_groups(fitted.groups_)
    strengths = fitted.groups_table()["strength"].dropna()
    assert (strengths.diff().dropna() <= 0).all()


def test_the_selection_is_the_union_of_the_groups(fitted):
    members = sorted({member for group in fitted.groups_ for member in group})
    assert fitted.get_support(indices=True).tolist() == members
    assert np.flatnonzero(fitted.support_).tolist() == members
    assert fitted.get_feature_names_out().tolist() == [NAMES[member] for member in members]
    assert fitted.transform(FRAME).shape == (60, len(members))


def test_names_and_table_agree_with_the_groups(fitted):
    named = [tuple(NAMES[member] for member in group) for group in fitted.groups_]
    assert fitted.get_groups(names=True) == named
    assert fitted.groups_table()["members"].tolist() == named
    assert set(fitted.groups_table()) >= {"strength", "strength_low", "strength_high", "certainty"}


def test_frames_stay_frames_when_asked(fitted):
    with_frames = pickle.loads(pickle.dumps(fitted)).set_output(transform="pandas")
    assert list(with_frames.transform(FRAME).columns) == list(fitted.get_feature_names_out())


def test_a_pickled_estimator_predicts_the_same(fitted):
    again = pickle.loads(pickle.dumps(fitted))
    assert again.groups_ == fitted.groups_
    assert np.array_equal(again.predict(FRAME), fitted.predict(FRAME))


def test_predictions_are_of_the_kind_of_the_outcome(fitted):
    prediction = fitted.predict(FRAME)
    assert prediction.shape == (60,)
    if is_classifier(fitted):
        assert set(prediction) <= {"high", "low"}
        assert fitted.predict_proba(FRAME).sum(axis=1) == pytest.approx(np.ones(60))


@pytest.mark.parametrize("convert", [sparse.csr_array, sparse.csc_matrix, np.asarray, list])
def test_containers_of_the_same_numbers_give_the_same_groups(unfitted, convert):
    model = clone(unfitted).fit(convert(X), outcome(unfitted))
    reference = clone(unfitted).fit(X, outcome(unfitted))
    assert model.groups_ == reference.groups_


def test_it_goes_through_cross_validation_as_a_step_and_as_the_last(unfitted):
    y = outcome(unfitted)
    assert np.isfinite(cross_val_score(unfitted, X, y, cv=2)).all()
    pipeline = make_pipeline(clone(unfitted), LinearRegression())
    assert pipeline.fit(X, X[:, 1] > 0 if is_classifier(unfitted) else y).predict(X).shape == (60,)


def spoil(value: Any) -> pd.DataFrame:
    spoilt = FRAME.astype(object)
    spoilt.iloc[2, 1] = value
    return spoilt


@pytest.mark.parametrize("value", [np.nan, np.inf, "abc", 1e300, None])
@pytest.mark.parametrize("method", ["fit", "predict"])
def test_a_bad_value_is_named_with_its_column(fitted, method, value):
    model = clone(fitted) if method == "fit" else fitted
    rest = [outcome(fitted)] if method == "fit" else []
    with pytest.raises(ValueError, match=r"[Cc]olumn 'b' .*row 2"):
        getattr(model, method)(spoil(value), *rest)


@pytest.mark.parametrize(
    ("X_new", "message"),
    [
        (FRAME.iloc[:, :5], "feature names"),
        (FRAME.rename(columns={"b": "z"}), "(?s)feature names.*z"),
        (FRAME[NAMES[::-1]], "(?s)feature names.*order"),
        (X[:, :5], "5 features, but .* is expecting 6 features"),
    ],
)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_other_columns_than_in_training_are_refused(fitted, X_new, message):
    for method in ("predict", "transform"):
        with pytest.raises(ValueError, match=message):
            getattr(fitted, method)(X_new)


@pytest.mark.parametrize(
    ("rows", "y", "message"),
    [
        (1, None, "1 sample"),
        (0, None, "0 sample"),
        (60, np.zeros(59), "inconsistent numbers of samples"),
        (60, np.full(60, np.nan), "y contains NaN"),
    ],
)
def test_rows_that_do_not_suffice_are_refused(unfitted, rows, y, message):
    y = outcome(unfitted)[:rows] if y is None else y
    with pytest.raises(ValueError, match=message):
        clone(unfitted).fit(X[:rows], y)


def test_complex_numbers_are_refused(unfitted):
    with pytest.raises(ValueError, match="Complex data not supported"):
        clone(unfitted).fit(X + 1j, outcome(unfitted))


def test_a_constant_column_is_never_in_a_group(unfitted):
    constant = X.copy()
    constant[:, 2] = 7.0
    model = clone(unfitted).fit(constant, outcome(unfitted))
    assert not model.support_[2]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_a_single_class_is_refused(classifier):
    with pytest.raises(ValueError, match="two classes, got one class only: 'high'"):
        clone(classifier).fit(X, ["high"] * 60)


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_a_class_of_weight_zero_does_not_count(classifier):
    y = outcome(classifier)
    with pytest.raises(ValueError, match="one class only: 'low'"):
        clone(classifier).fit(X, y, sample_weight=(y == "low").astype(float))


def test_one_row_of_positive_weight_is_too_few(unfitted):
    with pytest.raises(ValueError, match="sample_weight leaves one row"):
        clone(unfitted).fit(X, outcome(unfitted), sample_weight=np.eye(60)[0])
