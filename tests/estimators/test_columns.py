from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from coterie.estimators import _columns
from coterie.estimators._columns import Scaling, float32_columns


@pytest.fixture(autouse=True)
def _blocks_of_two_rows(monkeypatch):
    monkeypatch.setattr(_columns, "ENTRIES_AT_ONCE", 6)


X = np.array([[1.0, 5.0, 0.1], [2.0, 5.0, 0.1], [6.0, 5.0, 0.1]])


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix, sparse.csr_array])
def test_columns_become_dense_float32(container):
    columns = float32_columns(container(X), Scaling.none(3), None)
    assert columns.dtype == np.float32
    assert np.array_equal(columns, X.astype(np.float32))


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_standard_columns_have_mean_0_and_variance_1_and_constant_ones_are_0(container):
    scaling = Scaling.standard(container(X), None)
    columns = float32_columns(container(X), scaling, None)
    assert columns[:, 0].mean() == pytest.approx(0.0, abs=1e-6)
    assert columns[:, 0].std() == pytest.approx(1.0, abs=1e-6)
    assert np.abs(columns[:, 1:]).max() < 1e-9


def test_a_weight_of_two_is_a_row_given_twice():
    weighted = Scaling.standard(X, np.array([1.0, 2.0, 1.0]))
    repeated = Scaling.standard(X[[0, 1, 1, 2]], None)
    assert weighted.offset == pytest.approx(repeated.offset)
    assert weighted.scale == pytest.approx(repeated.scale)


def test_a_large_offset_costs_standard_columns_no_digits():
    seconds = 1.7e9 + np.array([[0.0], [1.0], [2.0]])
    columns = float32_columns(seconds, Scaling.standard(seconds, None), None)
    assert columns[:, 0] == pytest.approx([-1.2247449, 0.0, 1.2247449], abs=1e-5)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, r"contains NaN in column 'b' \(row 2\).*SimpleImputer"),
        (np.inf, r"contains infinity, inf, in column 'b' \(row 2\)"),
        (-np.inf, r"contains infinity, -inf, in column 'b' \(row 2\)"),
        (1e300, r"contains 1e\+300 in column 'b' \(row 2\).*float32"),
    ],
)
def test_a_value_that_is_not_finite_is_named(value, message):
    spoilt = X.copy()
    spoilt[2, 1] = value
    with pytest.raises(ValueError, match=message):
        float32_columns(spoilt, Scaling.none(3), ["a", "b", "c"])


def test_the_value_that_spoils_a_standard_column_is_named():
    spoilt = X.copy()
    spoilt[1, 1] = np.nan
    with pytest.raises(ValueError, match=r"NaN in column 1 \(row 1\)"):
        float32_columns(spoilt, Scaling.standard(spoilt, None), None)
