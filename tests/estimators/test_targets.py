from __future__ import annotations

import numpy as np
import pytest

from coterie.estimators._targets import Classes, RealValues


@pytest.mark.parametrize("y", [np.array(["b", "a", "b"]), np.array([2, -1, 2])])
def test_labels_return_as_they_came(y):
    classes = Classes.of(y)
    encoded = classes.encode(y)
    assert encoded.tolist() == [1, 0, 1]
    outputs = np.eye(2)[encoded]
    assert classes.decode(outputs).tolist() == y.tolist()


def test_constant_class_outputs_are_the_log_shares():
    classes = Classes.of(np.array([0, 1, 1]))
    outputs = classes.constant_outputs(np.array([0, 1, 1]), np.array([2.0, 1.0, 1.0]))
    assert np.exp(outputs) == pytest.approx([0.5, 0.5])


def test_one_class_is_no_task():
    with pytest.raises(ValueError, match="at least two classes, got one class only: 'a'"):
        Classes.of(np.array(["a", "a"]))


@pytest.mark.parametrize("label", ["z", "B", ""])
def test_an_unknown_class_is_named(label):
    with pytest.raises(ValueError, match=f"the class '{label}'"):
        Classes.of(np.array(["a", "c"])).encode(np.array(["a", label]))


@pytest.mark.parametrize("y", [np.array([1.0, 3.0]), np.array([[1.0, 5.0], [3.0, 5.0]])])
def test_outcomes_are_standardised_and_return_in_their_unit(y):
    values = RealValues.of(y, None)
    encoded = values.encode(y)
    assert encoded[:, 0].tolist() == [-1.0, 1.0]
    assert values.decode(encoded) == pytest.approx(y)
    assert values.decode(encoded).shape == y.shape


def test_the_constant_output_is_the_weighted_mean():
    y, weights = np.array([1.0, 4.0]), np.array([2.0, 1.0])
    values = RealValues.of(y, weights)
    constant = values.constant_outputs(values.encode(y), weights)
    assert values.decode(constant[None, :]).tolist() == [2.0]


def test_a_wrong_number_of_outputs_is_named():
    with pytest.raises(ValueError, match="y has 2 outputs, the training rows have 1"):
        RealValues.of(np.array([1.0, 2.0]), None).encode(np.ones((2, 2)))
