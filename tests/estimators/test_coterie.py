"""What the recommended method promises beyond the contract of all estimators."""

from __future__ import annotations

import logging
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from coterie import CoterieClassifier, CoterieRegressor

RNG = np.random.default_rng(0)
N_ROWS = 400
X = RNG.normal(size=(N_ROWS, 6))
NAMES = ["age", "dose", "sex", "site", "time", "visit"]
FRAME = pd.DataFrame(X, columns=NAMES)
NOISE = RNG.normal(size=N_ROWS)
PRODUCT, SINGLE = X[:, 1] * X[:, 4], X[:, 2]
REAL = 3 * PRODUCT + SINGLE + 5
OUTCOMES = {
    "sum": np.where(RNG.random(N_ROWS) < expit(4 * PRODUCT + 2 * SINGLE), "yes", "no"),
    "or": np.where((PRODUCT > 0.3) | (SINGLE > 1), "yes", "no"),
    "and": np.where((PRODUCT > 0) & (SINGLE > -0.7), "yes", "no"),
    "classes": np.array(["a", "b", "c"])[np.argmax([2 * PRODUCT, SINGLE, -SINGLE], axis=0)],
    "real": REAL,
    "two real": np.column_stack([REAL, 100 * SINGLE**2]),
}
QUICK = {"effort": "fast", "validation_fraction": 0.25, "random_state": 0, "n_jobs": 2}


def estimator(kind: str, **options: Any) -> Any:
    if kind in ("real", "two real"):
        return CoterieRegressor(**QUICK, **options)
    aggregator = kind if kind in ("sum", "or", "and") else "auto"
    return CoterieClassifier(**{"aggregator": aggregator, **QUICK, **options})


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    return {kind: estimator(kind).fit(FRAME, y) for kind, y in OUTCOMES.items()}


@pytest.fixture(params=OUTCOMES)
def model(request, models) -> Any:
    return models[request.param]


@pytest.fixture
def regressor(models) -> Any:
    return models["real"]


def total(model: Any) -> np.ndarray:
    """Return the base value and all contributions."""
    return model.base_value_ + model.contributions(FRAME).sum(axis=1)


def test_the_groups_are_found(model):
    assert (1, 4) in model.groups_
    assert set(model.groups_) <= {(1, 4), (2,), (1, 2, 4)}


class TestContributions:
    def test_they_add_up_to_the_log_odds_under_sum(self, models):
        model = models["sum"]
        assert model.aggregator_ == "sum"
        assert model.contributions(FRAME).shape == (N_ROWS, len(model.groups_))
        assert model.decision_function(FRAME) == pytest.approx(total(model))
        assert model.predict_proba(FRAME)[:, 1] == pytest.approx(expit(total(model)), abs=1e-6)

    def test_they_add_up_to_unnormalised_log_probabilities_of_several_classes(self, models):
        model = models["classes"]
        assert model.contributions(FRAME).shape == (N_ROWS, len(model.groups_), 3)
        assert model.base_value_.shape == (3,)
        assert model.predict_proba(FRAME) == pytest.approx(softmax(total(model), axis=1), abs=1e-5)
        logarithms = np.log(model.predict_proba(FRAME))
        assert model.decision_function(FRAME) == pytest.approx(logarithms, abs=1e-4)

    @pytest.mark.parametrize("kind", ["real", "two real"])
    def test_they_add_up_to_the_outcome(self, models, kind):
        model = models[kind]
        assert total(model) == pytest.approx(model.predict(FRAME), rel=1e-4, abs=1e-3)
        expected = (N_ROWS, 2) if kind == "real" else (N_ROWS, len(model.groups_), 2)
        assert model.contributions(FRAME).shape == expected

    @pytest.mark.parametrize(("kind", "effect"), [("or", 1), ("and", 0)])
    def test_they_add_up_to_the_rate_of_causes(self, models, kind, effect):
        model = models[kind]
        assert model.aggregator_ == kind
        assert model.base_value_ == 0
        causes = model.contributions(FRAME)
        assert (causes >= 0).all()
        floor = expit(model.model_.parameters.floor.mean())
        ceiling = floor + (1 - floor) * expit(model.model_.parameters.ceiling.mean())
        caused = floor + (ceiling - floor) * (1 - np.exp(-causes.sum(axis=1)))
        assert model.predict_proba(FRAME)[:, effect] == pytest.approx(caused, abs=1e-5)

    @pytest.mark.parametrize("kind", ["sum", "classes", "real", "two real"])
    def test_where_they_add_up_they_are_0_on_average(self, models, kind):
        contributions = models[kind].contributions(FRAME)
        means = np.abs(contributions.mean(axis=0))
        assert (means < 1e-3 * (1e-3 + contributions.std(axis=0))).all()

    def test_each_depends_on_the_columns_of_its_group_alone(self, model):
        for i, group in enumerate(model.groups_):
            others = FRAME.copy()
            others.iloc[:, [column for column in range(6) if column not in group]] = 0.5
            changed, before = (model.contributions(rows)[:, i] for rows in (others, FRAME))
            assert np.array_equal(changed, before)

    def test_the_effect_of_a_group_at_these_rows_is_its_contribution(self, model):
        for i, group in enumerate(model.groups_):
            effect = model.group_effect(i, X[:, group])
            assert effect == pytest.approx(model.contributions(FRAME)[:, i], rel=1e-3, abs=1e-4)

    def test_the_grid_of_one_column_may_be_a_vector(self, regressor):
        i = regressor.groups_.index((2,))
        grid = np.linspace(-1, 1, 5)
        line, table = (regressor.group_effect(i, points) for points in (grid, grid[:, None]))
        assert np.array_equal(line, table)
        assert (np.diff(line) > 0).all()

    @pytest.mark.parametrize("i", [-1, 2])
    def test_a_group_that_does_not_exist_is_named(self, regressor, i):
        with pytest.raises(IndexError, match=f"i={i} is not .* groups_ holds 2"):
            regressor.group_effect(i, X[:, :2])

    @pytest.mark.parametrize("shape", [(5,), (5, 3), (5, 2, 1)])
    def test_a_grid_of_another_shape_is_refused(self, regressor, shape):
        i = regressor.groups_.index((1, 4))
        with pytest.raises(ValueError, match="one column for each of the 2 columns of group"):
            regressor.group_effect(i, np.zeros(shape))


def test_log_odds_still_differ_where_probabilities_round_to_0_and_1():
    y = PRODUCT + 0.2 * SINGLE > 0
    model = CoterieClassifier(**QUICK, aggregator="sum").fit(X, y)
    score = model.decision_function(X)
    assert len(np.unique(score)) > 0.99 * N_ROWS
    assert np.array_equal(model.predict(X), score > 0)


def test_labels_and_probabilities_agree(models):
    for kind in ("sum", "or", "and", "classes"):
        model = models[kind]
        assert model.classes_.tolist() == sorted(set(OUTCOMES[kind]))
        probabilities = model.predict_proba(FRAME)
        assert np.array_equal(model.predict(FRAME), model.classes_[probabilities.argmax(axis=1)])
        assert model.score(FRAME, OUTCOMES[kind]) > 0.8


def test_the_score_of_real_outcomes_is_r2(models):
    assert models["real"].score(FRAME, REAL) > 0.95
    assert models["two real"].score(FRAME, OUTCOMES["two real"]) > 0.9
    assert models["two real"].predict(FRAME).shape == (N_ROWS, 2)


def test_the_table_lists_groups_by_strength(model):
    table = model.groups_table()
    assert list(table.columns) == [
        *("group", "members", "size"),
        *("strength", "strength_low", "strength_high", "certainty"),
    ]
    assert table["members"].tolist() == model.get_groups(names=True)
    assert table["strength"].is_monotonic_decreasing
    assert (table["strength"] > 0).all()
    assert (table["strength_low"] <= table["strength"]).all()
    assert (table["strength"] <= table["strength_high"]).all()
    assert table["certainty"].between(0, 1).all()


class TestExplanation:
    def test_the_trace_ends_with_what_was_found(self, model):
        keys = {"stage", "action", "aggregator", "groups", "features", "loss", "z", "against"}
        assert all(set(entry) == keys for entry in model.trace_)
        assert model.trace_[0]["stage"] == "open"
        chosen = [e for e in model.trace_ if (e["stage"], e["action"]) == ("choose", "take")]
        assert len(chosen) == 1
        assert chosen[0]["aggregator"] == model.aggregator_
        assert set(chosen[0]["groups"]) == set(model.get_groups(names=True))

    def test_the_screen_puts_the_true_features_first(self, regressor):
        screen = regressor.screen_
        assert list(screen.columns) == ["features", "kind", "z"]
        assert screen["features"].iloc[0] == ("dose", "time")
        singles = screen[screen["kind"] == "single"]
        assert singles["features"].iloc[0] == ("sex",)
        assert len(singles) == 6
        assert (screen["kind"] == "pair").sum() == 15
        assert screen["z"].is_monotonic_decreasing

    def test_interactions_show_which_pairs_act_together(self, regressor):
        table = regressor.interactions_.set_index(["a", "b"])
        assert table.loc[("dose", "time"), "kept"]
        assert table.loc[("dose", "time"), "effect"] > 0.3
        assert table.loc[("dose", "time"), "z"] > 3
        assert not table["kept"].drop(("dose", "time")).any()

    def test_every_member_has_a_table_of_alternatives(self, model):
        members = {name for group in model.get_groups(names=True) for name in group}
        assert set(model.alternatives_) == members
        for table in model.alternatives_.values():
            assert list(table.columns) == ["feature", "loss_difference", "z"]

    def test_the_history_has_a_record_of_each_stage(self, model):
        stages = [record["stage"] for record in model.history_]
        assert stages[:2] == ["open", "refine"]
        assert stages[-1] == "end"
        assert model.history_[-1]["n_groups"] == len(model.groups_)


def test_what_is_correlated_with_a_member_is_among_its_alternatives():
    rows = X.copy()
    rows[:, 5] = SINGLE + 0.05 * NOISE
    rows[:, 0] = SINGLE + 0.8 * NOISE
    model = CoterieRegressor(**QUICK).fit(rows, REAL)
    assert set(model.groups_) == {(1, 4), (2,)}
    alternatives = model.alternatives_["x2"]
    assert alternatives["feature"].tolist() == ["x5"]
    assert alternatives["loss_difference"].abs().max() < 0.02
    assert len(model.alternatives_["x1"]) == 0


def test_the_better_of_two_correlated_features_is_reported():
    rows = X.copy()
    rows[:, 5] = SINGLE + 0.4 * NOISE
    model = CoterieRegressor(**QUICK).fit(rows, 3 * PRODUCT + 2 * SINGLE)
    assert set(model.groups_) == {(1, 4), (2,)}


class TestLimits:
    @pytest.mark.parametrize(
        ("limits", "groups"),
        [
            ({"max_groups": 1}, {(1, 4)}),
            ({"max_features": 2}, {(1, 4)}),
            ({"max_group_size": 2}, {(1, 4), (2,)}),
        ],
    )
    def test_what_matters_most_is_reported(self, limits, groups):
        assert set(CoterieRegressor(**limits, **QUICK).fit(X, REAL).groups_) == groups

    def test_a_bound_on_sizes_splits_what_acts_together_and_says_what_that_costs(self):
        y = PRODUCT + X[:, 1] + X[:, 4] + SINGLE
        with pytest.warns(UserWarning, match="One network of all candidate features predicts"):
            model = CoterieRegressor(max_group_size=1, **QUICK).fit(X, y)
        assert set(model.groups_) == {(1,), (2,), (4,)}

    def test_time_that_is_up_gives_the_best_so_far(self):
        with pytest.warns(UserWarning, match="stopped before its end .time_limit=1e-09"):
            none = CoterieRegressor(time_limit=1e-9, **QUICK).fit(X, REAL)
        assert none.groups_ == []
        assert none.predict(X) == pytest.approx(np.full(N_ROWS, REAL.mean()))

    def test_a_generous_time_limit_changes_nothing(self, regressor):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = CoterieRegressor(time_limit=600, **QUICK).fit(FRAME, REAL)
        assert np.array_equal(model.predict(FRAME), regressor.predict(FRAME))


class Listener:
    """Note the stages; end the search after one of them."""

    def __init__(self, last: str = "") -> None:
        self.records: list[dict[str, Any]] = []
        self.last = last

    def on_epoch_end(self, record: dict[str, Any], state: Any) -> bool:
        self.records.append(record)
        return record["stage"] == self.last


def test_callbacks_hear_each_stage():
    listener = Listener()
    model = CoterieRegressor(callbacks=[listener], **QUICK).fit(X, REAL)
    assert listener.records == model.history_


@pytest.mark.parametrize("stage", ["open", "refine"])
def test_a_callback_ends_the_search_with_what_it_has(stage):
    listeners = [Listener(), Listener(stage)]
    with pytest.warns(UserWarning, match="stopped before its end"):
        model = CoterieRegressor(callbacks=listeners, **QUICK).fit(FRAME, REAL)
    assert [record["stage"] for record in model.history_][-1] == stage
    assert listeners[0].records == listeners[1].records
    assert (1, 4) in model.groups_
    assert model.groups_table()["strength"].notna().all()
    assert model.score(FRAME, REAL) > 0.9


@pytest.mark.parametrize(("verbose", "told"), [(0, False), (1, True)])
def test_stages_are_logged_if_that_is_asked_for(caplog, verbose, told):
    with caplog.at_level(logging.INFO, logger="coterie"):
        CoterieRegressor(verbose=verbose, **QUICK).fit(X, REAL)
    assert ("refine: loss" in caplog.text) is told


@pytest.fixture(scope="module")
def nothing() -> dict[str, Any]:
    labels = np.where(NOISE > 0.7, "seldom", "often")
    with pytest.warns(UserWarning, match="No group of features predicts the outcome better"):
        classifier = CoterieClassifier(**QUICK).fit(FRAME, labels)
    with pytest.warns(UserWarning, match="nothing is selected, .* the same for all rows"):
        regressor = CoterieRegressor(**QUICK).fit(FRAME, NOISE + 7)
    return {"classifier": classifier, "regressor": regressor, "labels": labels}


class TestNothingThere:
    @pytest.mark.parametrize("kind", ["classifier", "regressor"])
    def test_there_are_no_groups(self, nothing, kind):
        model = nothing[kind]
        assert model.groups_ == []
        assert model.support_.tolist() == [False] * 6
        assert (
            len(model.groups_table()) == len(model.interactions_) == len(model.alternatives_) == 0
        )
        assert model.contributions(FRAME).shape == (N_ROWS, 0)
        assert model.aggregator_ == "sum"
        assert len(model.screen_) > 0

    def test_predictions_are_the_shares_of_the_classes(self, nothing):
        model, labels = nothing["classifier"], nothing["labels"]
        share = (labels == "seldom").mean()
        assert model.predict_proba(FRAME) == pytest.approx(np.tile([1 - share, share], (N_ROWS, 1)))
        assert set(model.predict(FRAME)) == {"often"}
        assert model.base_value_ == pytest.approx(np.log(share / (1 - share)))
        assert model.decision_function(FRAME) == pytest.approx(np.full(N_ROWS, model.base_value_))

    def test_predictions_are_the_mean(self, nothing):
        model = nothing["regressor"]
        assert model.predict(FRAME) == pytest.approx(np.full(N_ROWS, NOISE.mean() + 7))
        assert model.base_value_ == pytest.approx(NOISE.mean() + 7)

    def test_a_class_that_weighs_nothing_keeps_the_base_value_finite(self):
        labels = np.where(NOISE > 0.7, "seldom", "often")
        model = CoterieClassifier(**QUICK, class_weight={"often": 1, "seldom": 0})
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            warnings.filterwarnings("ignore", "No group of features")
            model.fit(X, labels)
        assert np.isfinite(model.base_value_)
        assert set(model.predict(X)) == {"often"}

    def test_before_another_step_no_column_is_left(self, nothing):
        with pytest.warns(UserWarning, match="No features were selected"):
            assert nothing["regressor"].transform(FRAME).shape == (N_ROWS, 0)

    @pytest.mark.filterwarnings("ignore:No group of features")
    def test_cross_validation_goes_through(self):
        scores = cross_val_score(make_pipeline(CoterieRegressor(**QUICK)), X, NOISE, cv=3)
        assert np.isfinite(scores).all()
        assert (scores <= 0).all()

    @pytest.mark.filterwarnings("ignore:No group of features", "ignore:No features were selected")
    def test_a_step_after_it_says_that_it_has_no_column(self):
        pipeline = make_pipeline(CoterieRegressor(**QUICK), LinearRegression())
        with pytest.raises(ValueError, match="0 feature"):
            pipeline.fit(X, NOISE)


@pytest.mark.parametrize("aggregator", ["or", "and"])
def test_only_two_classes_can_be_joined_by_or_and_and(aggregator):
    message = f"aggregator='{aggregator}' speaks of two classes, .* use aggregator='sum' or 'auto'"
    with pytest.raises(ValueError, match=message):
        CoterieClassifier(aggregator=aggregator).fit(X, OUTCOMES["classes"])
    with pytest.raises(ValueError, match=message):
        CoterieRegressor(aggregator=aggregator).fit(X, REAL)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("max_groups", 0),
        ("max_group_size", 1.5),
        ("max_features", -1),
        ("aggregator", "xor"),
        ("effort", "heroic"),
        ("n_seeds", 0),
        ("validation_fraction", 1.0),
        ("time_limit", 0),
        ("class_weight", "equal"),
        ("random_state", "seed"),
        ("n_jobs", 0.5),
        ("n_jobs", 0),
        ("callbacks", print),
    ],
)
def test_an_argument_that_is_not_allowed_is_named(argument, value):
    with pytest.raises(ValueError, match=f"The '{argument}' parameter .* must be .* Got"):
        CoterieClassifier(**{argument: value}).fit(X, OUTCOMES["or"])


def test_columns_of_one_feature_enter_a_group_together():
    colour = RNG.integers(0, 3, N_ROWS)
    frame = FRAME.assign(**{f"colour_{name}": colour == i for i, name in enumerate("rgb")})
    y = np.where(colour == 1, 2 * X[:, 1], -X[:, 1]) + SINGLE
    columns = ["colour_r", "colour_g", "colour_b"]
    model = CoterieRegressor(**QUICK, feature_groups={"colour": columns}).fit(frame, y)
    assert set(model.get_groups(names=True)) == {("dose", "colour"), ("sex",)}
    assert set(model.get_feature_names_out()) == {"dose", "sex", *columns}
    i = model.get_groups(names=True).index(("dose", "colour"))
    grid = frame[["dose", *columns]].to_numpy(float)
    assert model.group_effect(i, grid) == pytest.approx(model.contributions(frame)[:, i], abs=1e-3)
    assert set(model.alternatives_) == {"dose", "colour", "sex"}


def test_rows_of_weight_zero_count_as_absent(regressor):
    rows = np.vstack([X, 9 * X[:100]])
    y = np.concatenate([REAL, -50 * X[:100, 0]])
    weights = np.repeat([2.5, 0.0], [N_ROWS, 100])
    model = CoterieRegressor(**QUICK).fit(rows, y, sample_weight=weights)
    assert model.groups_ == regressor.groups_
    assert model.predict(X) == pytest.approx(CoterieRegressor(**QUICK).fit(X, REAL).predict(X))


def test_weights_say_which_rows_matter():
    first = np.arange(N_ROWS) % 2 == 0
    y = np.where(first, 3 * PRODUCT, 3 * SINGLE)
    fits = [
        CoterieRegressor(**QUICK).fit(X, y, np.where(rows, 1.0, 1e-3)) for rows in (first, ~first)
    ]
    assert [model.groups_ for model in fits] == [[(1, 4)], [(2,)]]


def test_weights_of_classes_are_weights_of_their_rows():
    y = OUTCOMES["or"]
    by_class = CoterieClassifier(**QUICK, aggregator="or", class_weight={"yes": 3, "no": 1})
    by_row = CoterieClassifier(**QUICK, aggregator="or")
    by_row.fit(X, y, sample_weight=np.where(y == "yes", 3.0, 1.0))
    by_class.fit(X, y)
    assert by_class.predict_proba(X) == pytest.approx(by_row.predict_proba(X), abs=1e-5)


def test_sparse_rows_are_read_as_dense_ones(models):
    thin = np.where(np.abs(X) < 0.7, 0.0, X)
    dense, thinned = (
        estimator("or").fit(convert(thin), OUTCOMES["or"])
        for convert in (np.asarray, sparse.csr_matrix)
    )
    assert dense.groups_ == thinned.groups_
    for rows in (thin, sparse.csc_array(thin)):
        assert thinned.predict_proba(rows) == pytest.approx(dense.predict_proba(thin), abs=1e-6)
        assert thinned.contributions(rows).shape == (N_ROWS, len(thinned.groups_))


def test_units_of_columns_and_outcome_do_not_matter(regressor):
    scales = 10.0 ** RNG.integers(-6, 7, 6)
    model = CoterieRegressor(**QUICK).fit(1000 * scales + scales * X, 1e6 * REAL - 3)
    assert model.groups_ == regressor.groups_
    predicted = model.predict(1000 * scales + scales * X)
    assert (predicted + 3) / 1e6 == pytest.approx(regressor.predict(FRAME), abs=0.2)
    strengths = model.groups_table()["strength"]
    assert strengths.to_numpy() == pytest.approx(regressor.groups_table()["strength"], rel=0.1)


def test_a_fit_is_repeatable_whatever_runs_side_by_side(regressor):
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    again = CoterieRegressor(**{**QUICK, "n_jobs": 1})
    arguments = clone(again).get_params()
    again.fit(FRAME, REAL)
    assert again.get_params() == arguments
    assert np.array_equal(again.predict(FRAME), regressor.predict(FRAME))
    assert again.groups_table().equals(regressor.groups_table())
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_more_seeds_train_more_models(regressor):
    more = CoterieRegressor(**QUICK, n_seeds=3).fit(FRAME, REAL)
    assert more.groups_ == regressor.groups_
    assert more.history_[0]["n_trained"] == 3 * regressor.history_[0]["n_trained"]
    assert more.history_[0]["loss"] <= regressor.history_[0]["loss"]


@pytest.mark.parametrize("kind", ["or", "real", "classes"])
def test_a_second_fit_of_the_same_shapes_compiles_nothing(models, count_compilations, kind):
    models[kind].predict(FRAME)
    with count_compilations() as compiled:
        again = estimator(kind).fit(FRAME, OUTCOMES[kind])
        again.predict(FRAME)
    assert compiled == []
    assert again.groups_ == models[kind].groups_


def test_rows_beyond_those_of_training_stay_finite(model):
    far = 1e6 * np.sign(X[:20])
    assert np.isfinite(model.contributions(pd.DataFrame(far, columns=NAMES))).all()
    far = pd.DataFrame(far, columns=NAMES)
    assert np.isfinite(getattr(model, "predict_proba", model.predict)(far)).all()
