"""Few shapes: sizes are rounded up, and what is added is told apart by its value."""

import jax
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.training.padding import ALIGNMENT, aligned_zeros, pad_to, padded_size


@given(st.integers(1, 10**7))
def test_padding_is_at_most_an_eighth(size):
    padded = padded_size(size, least=1)
    assert size <= padded
    assert (padded - size) * 8 < padded


@given(st.integers(1, 10**7))
def test_a_padded_size_needs_no_padding(size):
    assert padded_size(padded_size(size)) == padded_size(size)


@given(st.integers(1, 10**6), st.integers(0, 10**5))
def test_more_never_fits_into_less(size, more):
    assert padded_size(size) <= padded_size(size + more)


def test_there_are_eight_sizes_an_octave():
    assert len({padded_size(size) for size in range(1024, 2048)} | {2048}) == 9


def test_small_sizes_share_the_least_one():
    assert {padded_size(size) for size in range(1, 17)} == {16}
    assert {padded_size(size, least=64) for size in range(1, 65)} == {64}


def test_values_go_behind_and_the_type_stays():
    padded = pad_to(np.array([[1, 2]], np.int32), (2, 3), value=-1)
    assert padded.dtype == np.int32
    assert padded.tolist() == [[1, 2, -1], [-1, -1, -1]]


def test_an_array_of_that_shape_is_left_alone():
    array = np.ones((2, 3))
    assert pad_to(array, (2, 3)) is array


def test_an_aligned_array_is_taken_without_a_copy():
    columns = aligned_zeros((33, 7))
    assert columns.ctypes.data % ALIGNMENT == 0
    assert columns.dtype == np.float32
    assert not columns.any()
    columns[2, 3] = 5.0
    assert float(jax.device_put(columns)[2, 3]) == 5.0
