"""Estimators on whole tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, RegressorMixin, clone, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils import get_tags

from coterie import CompFSClassifier, CompFSRegressor, CoterieRegressor, TableModel
from coterie.estimators._selector import GroupSelectorMixin
from coterie.io.errors import TableError
from tests.estimators.estimators_under_test import ESTIMATORS, FAST, QUICK

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "age": RNG.normal(60, 9, 300),
        "site": RNG.choice(["A", "B", "C"], 300),
        "noise": RNG.normal(size=300),
        "smokes": RNG.random(300) < 0.5,
        "dose": RNG.normal(size=300),
    },
    index=[f"p{i}" for i in range(300)],
)
EFFECT = TABLE["dose"] * (TABLE["site"] == "B") + 2.0 * TABLE["smokes"]


@pytest.fixture(scope="module")
def regressor():
    return TableModel(CoterieRegressor(**FAST)).fit(TABLE, EFFECT)


def test_groups_are_columns_of_the_table(regressor):
    assert sorted(regressor.get_groups(names=True)) == [("site", "dose"), ("smokes",)]
    assert sorted(regressor.groups_) == [(1, 4), (3,)]
    assert regressor.groups_table()["members"].tolist() == regressor.get_groups(names=True)
    assert regressor.groups_table()["strength"].notna().all()
    assert regressor.get_feature_names_out().tolist() == ["site", "smokes", "dose"]


def test_the_inner_estimator_sees_columns_that_share_a_gate(regressor):
    inner = regressor.estimator_
    assert inner.features_.labels == tuple(TABLE.columns)
    assert inner.n_features_in_ == 7
    assert inner.groups_ == regressor.groups_


def test_the_selected_columns_are_handed_out_as_they_are(regressor):
    chosen = regressor.transform(TABLE)
    assert chosen.equals(TABLE[["site", "smokes", "dose"]])


def test_notes_say_what_was_done(regressor):
    assert regressor.data_notes_ == regressor.encoder_.notes_
    assert regressor.data_notes_[0] == "3 numbers, 1 boolean, 1 category."


def test_predictions_do_not_depend_on_order_or_further_columns(regressor):
    shuffled = TABLE[TABLE.columns[::-1]].assign(id="x")
    assert np.array_equal(regressor.predict(shuffled), regressor.predict(TABLE))
    assert regressor.score(shuffled, EFFECT) == regressor.score(TABLE, EFFECT)
    with pytest.raises(TableError, match=r"lacks 1 column .*'site'"):
        regressor.predict(TABLE.drop(columns="site"))


def test_contributions_add_up_to_the_prediction(regressor):
    total = regressor.contributions(TABLE).sum(axis=1) + regressor.estimator_.base_value_
    assert total == pytest.approx(regressor.predict(TABLE), abs=1e-4)


def test_unseen_categories_predict_what_none_of_the_known_ones_does(regressor):
    unseen, nothing = (TABLE.assign(site=value) for value in ("unseen", "another"))
    assert np.array_equal(regressor.predict(unseen), regressor.predict(nothing))


def test_gaps_are_filled_if_asked_for():
    gaps = TABLE.copy()
    gaps.loc[gaps.index[::7], "dose"] = np.nan
    gaps.loc[gaps.index[::9], "site"] = None
    with pytest.raises(TableError, match=r"'site' \(34\), 'dose' \(43\).*impute=True"):
        TableModel(CompFSRegressor(**QUICK)).fit(gaps, EFFECT)
    model = TableModel(CompFSRegressor(**QUICK), impute=True).fit(gaps, EFFECT)
    labels = np.array(model.estimator_.features_.labels)[model.estimator_.features_.owner]
    encoded = model.encoder_.get_feature_names_out()
    assert set(labels[[name.endswith("is missing") for name in encoded]]) == {"dose", "site"}
    assert np.isfinite(model.predict(gaps)).all()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda model: type(model).__name__)
def test_it_is_of_the_kind_of_its_estimator(estimator):
    model = TableModel(estimator)
    assert is_classifier(model) == is_classifier(estimator)
    assert is_regressor(model) == is_regressor(estimator)
    assert get_tags(model).target_tags == get_tags(estimator).target_tags
    assert hasattr(model, "predict_proba") == hasattr(estimator, "predict_proba")
    assert hasattr(model, "contributions") == hasattr(estimator, "contributions")


def test_it_is_cloned_and_set_like_any_estimator():
    model = TableModel(CompFSRegressor(**QUICK))
    assert model.get_params()["estimator__n_groups"] == 2
    changed = clone(model).set_params(estimator__n_groups=3, impute=True)
    assert (changed.estimator.n_groups, changed.impute) == (3, True)
    assert (model.estimator.n_groups, model.impute) == (2, False)


def test_fitting_leaves_the_estimator_as_it_was():
    estimator = CompFSRegressor(**QUICK)
    TableModel(estimator).fit(TABLE, EFFECT)
    assert estimator.feature_groups is None
    assert not hasattr(estimator, "groups_")


def test_it_goes_through_cross_validation_and_search():
    labels = np.where(EFFECT > 1, "ill", "well")
    model = TableModel(CompFSClassifier(**QUICK))
    assert np.isfinite(cross_val_score(model, TABLE, labels, cv=3)).all()
    search = GridSearchCV(model, {"estimator__beta": [0.0, 1.0]}, cv=2).fit(TABLE, labels)
    assert search.best_estimator_.classes_.tolist() == ["ill", "well"]
    assert search.predict_proba(TABLE).shape == (300, 2)


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series(np.where(EFFECT > 1, "ill", "well")),
        pd.Series(np.where(EFFECT > 1, "ill", "well"), dtype="category"),
        pd.Series(EFFECT.to_numpy() > 1, dtype="boolean"),
        pd.Series(EFFECT.to_numpy() > 1).astype("Int64"),
        list(EFFECT > 1),
    ],
)
def test_targets_of_any_type_are_taken(labels):
    model = TableModel(CompFSClassifier(**QUICK | {"max_epochs": 2, "threshold": 0.0}))
    model.fit(TABLE, labels)
    assert len(model.classes_) == 2
    assert set(model.predict(TABLE)) <= set(labels)


def test_weights_are_passed_on():
    weights = np.r_[np.zeros(150), np.ones(150)]
    model = TableModel(CompFSRegressor(**QUICK))
    weighted = clone(model).fit(TABLE, EFFECT, sample_weight=weights)
    half = clone(model).fit(TABLE.iloc[150:], EFFECT.iloc[150:])
    assert weighted.predict(TABLE) == pytest.approx(half.predict(TABLE))
    assert weighted.score(TABLE, EFFECT, weights) == pytest.approx(
        half.score(TABLE.iloc[150:], EFFECT.iloc[150:])
    )


def test_columns_of_the_table_may_be_one_feature():
    inner = CompFSRegressor(**QUICK, feature_groups={"treatment": ["site", "dose"]})
    model = TableModel(inner).fit(TABLE, EFFECT)
    assert model.features_.labels == ("age", "treatment", "noise", "smokes")
    assert model.estimator_.features_.labels == model.features_.labels
    assert model.features_.owner.tolist() == [0, 1, 2, 3, 1]
    assert model.get_groups() == model.estimator_.get_groups()


class FirstColumns(GroupSelectorMixin, RegressorMixin, BaseEstimator):
    """Select the second to the fourth encoded column; knows nothing of shared gates."""

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        self._set_groups([(1, 3), (2,)], strength=[0.5, 0.25])
        return self

    def predict(self, X):
        return np.zeros(len(X))


def test_groups_of_encoded_columns_become_groups_of_the_table():
    model = TableModel(FirstColumns()).fit(TABLE, EFFECT)
    assert model.encoder_.owner_.tolist() == [0, 1, 1, 1, 2, 3, 4]
    assert model.get_groups(names=True) == [("site",)]
    assert model.groups_table()["strength"].tolist() == [0.5]


def test_frames_of_polars_are_taken():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(TABLE.to_dict("list"))
    target = polars.Series("y", EFFECT.tolist())
    model = TableModel(CompFSRegressor(**QUICK))
    reference = clone(model).fit(TABLE, EFFECT)
    assert np.array_equal(clone(model).fit(frame, target).predict(frame), reference.predict(TABLE))


@pytest.mark.parametrize("estimator", [None, "CoterieClassifier", CoterieRegressor])
def test_what_is_no_estimator_is_refused(estimator):
    with pytest.raises((ValueError, TypeError), match="estimator"):
        TableModel(estimator).fit(TABLE, EFFECT)


def test_an_unfitted_model_says_so():
    with pytest.raises(NotFittedError):
        TableModel(CompFSRegressor()).predict(TABLE)
