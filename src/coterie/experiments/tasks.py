"""What the recovery tables are measured on: training rows, test rows and the true groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from coterie.datasets import fetch_chem, make_syn
from coterie.groups import Group

Rows = tuple[NDArray[Any], NDArray[Any]]


@dataclass(frozen=True)
class Split:
    """Columns and targets to learn from and to test on, and the true groups, if known.

    ``test_more`` are further test rows where they cost nothing: the paper's 200 tell accuracies
    apart by half a percent only.
    """

    train: Rows
    test: Rows
    groups: list[Group] | None
    test_more: Rows | None = None
    feature_names: list[str] | None = None


def draw_syn(
    rule: int, seed: int, *, n_train: int, n_features: int, n_test: int, n_test_more: int
) -> Split:
    """Draw Syn1 to Syn4; each seed has rows of its own.

    Examples
    --------
    >>> split = draw_syn(2, 0, n_train=50, n_features=12, n_test=20, n_test_more=30)
    >>> split.train[0].shape, split.test[1].shape, split.groups
    ((50, 12), (20,), [(0, 1), (2, 3)])
    """
    rng = np.random.default_rng([seed, rule])
    drawn = make_syn(rule, n_train + n_test + n_test_more, n_features, random_state=rng)
    ends = np.cumsum([n_train, n_test])
    columns, targets = np.split(drawn.data, ends), np.split(drawn.target, ends)
    train, test, more = zip(columns, targets, strict=True)
    return Split(train, test, drawn.groups, more, drawn.feature_names)


def load_chem(number: int) -> Split:
    """Load Chem1 to Chem3, the same molecules for every seed."""
    train, test = (fetch_chem(number, subset=subset, n_jobs=1) for subset in ("train", "test"))
    return Split(_rows(train), _rows(test), train.groups, None, train.feature_names)


def _rows(bunch: Bunch) -> Rows:
    return bunch.data, bunch.target


FAMILIES = {
    "synthetic": [f"Syn{rule}" for rule in (1, 2, 3, 4)],
    "chemistry": [f"Chem{number}" for number in (1, 2, 3)],
}
"""The tasks of the recovery tables."""


def load_task(name: str, seed: int, sizes: dict[str, int]) -> Split:
    """Return a recovery task's rows by its name, such as "Syn2" or "Chem1"."""
    family, number = name[:-1], int(name[-1])
    return draw_syn(number, seed, **sizes) if family == "Syn" else load_chem(number)
