"""The numbers behind the picture of an effect, worked by hand."""

import numpy as np
import pandas as pd
import pytest

from coterie.plots.effects import effect_of_group
from coterie.plots.ladders import ladder_of_rows
from tests.plots.stubs import additive, found


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(200, 4)), columns=list("abcd"))


def test_a_curve_of_one_feature_is_its_contribution(rows):
    effect = effect_of_group(additive([(2,)], "abcd"), 0, rows)
    (axis,) = effect.axes
    assert (axis.name, axis.labels) == ("c", None)
    np.testing.assert_allclose(effect.values[:, 0], axis.positions)
    low, high = rows["c"].quantile([0.01, 0.99])
    assert (axis.positions[0], axis.positions[-1]) == pytest.approx((low, high))


def test_a_surface_of_two_features_is_their_product(rows):
    effect = effect_of_group(additive([(1, 3)], "abcd"), 0, rows)
    across, up = effect.axes
    expected = across.positions[:, None] * up.positions
    np.testing.assert_allclose(effect.values[:, :, 0], expected)


def test_a_third_feature_gives_slices_and_a_fourth_is_held(rows):
    effect = effect_of_group(additive([(0, 1, 2, 3)], "abcd"), 0, rows)
    assert len(effect.axes) == 3
    assert len(effect.axes[2]) == 3
    assert list(effect.held) == list(set("abcd") - {axis.name for axis in effect.axes})


def test_the_feature_that_matters_most_comes_first(rows):
    rows["b"] *= 1e-6
    rows["a"] += 10

    model = additive([(0, 1)], "abcd")
    model.contributions = lambda X: np.asarray(X)[:, [0]] * 5 + np.asarray(X)[:, [1]]
    effect = effect_of_group(model, 0, rows)
    assert [axis.name for axis in effect.axes] == ["a", "b"]


def test_few_values_are_steps_of_their_own():
    rows = pd.DataFrame({"a": [0, 1, 2, 1, 0, 2], "b": 1.0})
    effect = effect_of_group(additive([(0,)], "ab"), 0, rows)
    assert effect.axes[0].is_discrete
    assert effect.axes[0].positions.tolist() == [0, 1, 2]


def test_a_model_without_contributions_is_followed_through_its_predictions(rows):
    model = found([(0,)], 4)
    model.feature_names_in_ = np.array(list("abcd"), dtype=object)
    model.predict = lambda X: X["a"].to_numpy() + 10 * X["b"].to_numpy()
    effect = effect_of_group(model, 0, rows)
    expected = effect.axes[0].positions + 10 * rows["b"].median()
    np.testing.assert_allclose(effect.values[:, 0], expected)
    assert "all else as usual" in effect.scale


def test_without_rows_there_is_no_effect_of_such_a_model():
    assert effect_of_group(found([(0,)]), 0) is None


def test_a_position_that_is_none_is_refused(rows):
    with pytest.raises(IndexError, match="groups_ holds 1"):
        effect_of_group(found([(0,)]), 1)


def test_a_column_that_is_missing_everywhere_has_no_effect_to_show():
    rows = pd.DataFrame({"a": pd.array([None, None], dtype=object), "b": [0.0, 1.0]})
    assert effect_of_group(additive([(0,)], "ab"), 0, rows) is None


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (["B", "A", None, "B"], ("A", "B")),
        ([True, False, True, True], ("False", "True")),
        (["1", 2, "x", 2], ("1", "2", "x")),
        (pd.Categorical(["b", "a", "b", "b"], categories=["a", "b", "c"]), ("a", "b")),
    ],
)
def test_values_without_an_order_are_steps_with_labels_and_the_commonest_is_typical(values, labels):
    ladder = ladder_of_rows("site", [0], pd.DataFrame({"site": values}))
    assert ladder.labels == labels
    commonest = pd.Series(values).value_counts().index[0]
    assert ladder.labels[ladder.typical] == str(commonest)


def test_gaps_in_nullable_numbers_are_left_out():
    column = pd.DataFrame({"a": pd.array([1.0, None, 3.0], dtype="Float64")})
    assert ladder_of_rows("a", [0], column).positions.tolist() == [1.0, 3.0]


def test_predictions_of_two_outcomes_are_both_followed(rows):
    model = found([(0,)], 4)
    model.feature_names_in_ = np.array(list("abcd"), dtype=object)
    model.predict = lambda X: X[["a", "b"]].to_numpy()
    effect = effect_of_group(model, 0, rows)
    assert effect.outputs == ("outcome 1", "outcome 2")
    assert effect.widest == 0
