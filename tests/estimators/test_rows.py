from __future__ import annotations

import numpy as np
import pytest

from coterie.estimators._rows import held_out_rows


def test_each_class_is_held_out_in_its_share():
    strata = np.repeat([0, 1, 2], [10, 20, 1])
    held_out = held_out_rows(strata, 0.3)
    assert np.bincount(strata[held_out], minlength=3).tolist() == [3, 6, 0]


def test_the_same_rows_are_held_out_again():
    strata = np.zeros(50)
    assert np.array_equal(held_out_rows(strata, 0.2), held_out_rows(strata, 0.2))


def test_too_few_rows_to_hold_out_any_are_said_to_be_too_few():
    with pytest.raises(ValueError, match=r"validation_fraction=0.1 of 5 rows leaves none"):
        held_out_rows(np.zeros(5), 0.1)
