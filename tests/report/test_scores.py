"""Scores on rows, against cases worked by hand."""

import numpy as np
import pytest

from coterie.report.scores import scores_on_rows


class Sure:
    """A classifier that says "b" with a probability that is in X."""

    def predict_proba(self, X):
        return np.stack([1 - X[:, 0], X[:, 0]], axis=1)

    def predict(self, X):
        return np.where(X[:, 0] > 0.5, "b", "a")


X = np.array([[0.9], [0.2], [0.6], [0.4]])
CLASSES = np.array(["a", "b"])


def test_accuracy_area_and_loss_stand_beside_those_of_a_constant():
    scores = scores_on_rows(Sure(), X, ["b", "a", "a", "a"], CLASSES)
    assert scores["accuracy"] == (0.75, 0.75)
    assert scores["area under the ROC curve"] == (1.0, 0.5)
    own = -np.log([0.9, 0.8, 0.4, 0.6]).mean()
    constant = -(0.25 * np.log(0.25) + 0.75 * np.log(0.75))
    assert scores["log-loss"] == pytest.approx((own, constant))


def test_outcomes_of_one_class_have_no_area():
    assert "area under the ROC curve" not in scores_on_rows(Sure(), X, ["a"] * 4, CLASSES)


def test_classes_that_the_model_does_not_know_leave_the_accuracy():
    assert list(scores_on_rows(Sure(), X, ["c", "a", "a", "a"], CLASSES)) == ["accuracy"]


def test_without_outcomes_there_are_no_scores():
    assert scores_on_rows(Sure(), X, None, CLASSES) == {}
