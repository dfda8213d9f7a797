"""Predicting with hard gates."""

import numpy as np
import pytest

from coterie.training import predict_outputs
from coterie.training.trained import sigmoid


@pytest.fixture(scope="module")
def mask() -> np.ndarray:
    """Three learners: two columns, one column, none."""
    mask = np.zeros((3, 12), bool)
    mask[0, [0, 4]] = mask[1, 7] = True
    return mask


def test_a_closed_gate_predicts_as_if_the_column_held_its_training_mean(trained, data, mask):
    for learner in range(3):
        filled = np.where(mask[learner], data.columns, data.columns.mean(axis=0))
        np.testing.assert_allclose(
            predict_outputs(trained, mask, data.columns, group=learner),
            predict_outputs(trained, np.ones_like(mask), filled, group=learner),
            atol=1e-5,
        )


def test_the_outputs_are_those_of_the_networks_written_out(trained, data, mask):
    arrays, rows = trained.parameters, data.columns - data.columns.mean(axis=0)
    joint = 0
    for i in range(3):
        hidden = np.maximum(
            (rows * mask[i]) @ arrays["first.weight"][i].T + arrays["first.bias"][i], 0
        )
        code = np.maximum(hidden @ arrays["second.weight"][i].T + arrays["second.bias"][i], 0)
        own = code @ arrays["individual.weight"][i].T + arrays["individual.bias"][i]
        np.testing.assert_allclose(
            predict_outputs(trained, mask, data.columns, group=i), own, atol=1e-4
        )
        joint = joint + code @ arrays["ensemble.weight"][i].T + arrays["ensemble.bias"][i]
    np.testing.assert_allclose(predict_outputs(trained, mask, data.columns), joint, atol=1e-4)


def test_columns_that_no_learner_sees_do_not_matter(trained, data, mask):
    moved = np.where(mask.any(axis=0), data.columns, 1e6).astype(np.float32)
    assert (
        predict_outputs(trained, mask, moved) == predict_outputs(trained, mask, data.columns)
    ).all()


@pytest.mark.parametrize("n_rows", [1, 3, 200])
def test_a_rows_prediction_does_not_depend_on_the_rows_beside_it(trained, data, mask, n_rows):
    together = predict_outputs(trained, mask, np.tile(data.columns, (21, 1)))
    assert together.shape == (4200, 2)
    alone = predict_outputs(trained, mask, data.columns[:n_rows])
    np.testing.assert_allclose(together[4000 : 4000 + n_rows], alone, atol=1e-5)


def test_no_rows_are_no_predictions(trained, data, mask):
    assert predict_outputs(trained, mask, data.columns[:0]).shape == (0, 2)


def test_probabilities_are_those_of_the_logits(trained):
    assert trained.probabilities.shape == (3, 12)
    expected = 1 / (1 + np.exp(-trained.parameters["logits"].astype(np.float64)))
    np.testing.assert_allclose(trained.probabilities, expected)


def test_the_sigmoid_of_large_logits_is_finite():
    assert sigmoid(np.array([-100.0, 0.0, 100.0])).round(12).tolist() == [0.0, 0.5, 1.0]
