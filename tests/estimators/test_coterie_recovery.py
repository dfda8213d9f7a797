"""Coterie finds the true groups of one small task of each family, with one setting for all.

A quarter of the rows is held out: quicker than the default, which crosses over so few rows.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np
import pytest

from coterie import CoterieClassifier, CoterieRegressor
from coterie.datasets import make_composite, make_syn
from coterie.datasets.columns import Autoregressive, Binary, HeavyTails
from coterie.datasets.joins import And, Digits, Largest, Or, Sum
from coterie.datasets.outcomes import Labels, Logistic, Penetrance, Real
from coterie.datasets.rules import Box, Linear, Parity, Product, Radial, Sine
from coterie.metrics import group_similarity

PAIRS = [(0, 1), (2, 3)]
MIXED = [(0,), (1,), (2, 3), (3, 4), (5, 6, 7)]
LOGISTIC = {"join": Sum(weights=(2.0, 2.0, -1.5)), "outcome": Logistic()}

TASKS = {
    "two of the paper's pairs": partial(make_syn, 2),
    "the paper's overlapping pairs": partial(make_syn, 3),
    "labels flipped": partial(make_composite, PAIRS, Product(0.3), outcome=Labels(flip=0.1)),
    "three pairs": partial(make_composite, [*PAIRS, (4, 5)], Product(0.6)),
    "a triple beside a pair": partial(
        make_composite, [(0, 1, 2), (3, 4)], [Product(0.3), Product(0.5)], n_samples=8000
    ),
    "a parity of three": partial(make_composite, [(0, 1, 2)], Parity()),
    "a single, a pair and a ball": partial(
        make_composite,
        [(0,), (1, 2), (3, 4, 5)],
        [Box(1.0), Product(0.5), Radial(2.15)],
        n_samples=8000,
    ),
    "a chain": partial(make_composite, [(0, 1), (1, 2), (2, 3)], Product(0.5), n_samples=4000),
    "and-joined": partial(make_composite, PAIRS, Parity(), join=And()),
    "binary columns": partial(
        make_composite,
        PAIRS,
        Box(0.5),
        join=Or(),
        outcome=Penetrance(0.85, floor=0.1),
        columns=Binary(0.5),
    ),
    "correlated copies": partial(make_composite, PAIRS, Product(0.3), n_copies=3),
    "neighbours alike": partial(
        make_composite, [(2, 9), (14, 18)], Product(0.3), columns=Autoregressive(0.8)
    ),
    "heavy tails": partial(
        make_composite, PAIRS, Product(0.3), columns=HeavyTails(degrees=3), max_power=3
    ),
    "log-odds add up": partial(
        make_composite, [(0,), (1, 2), (3,)], [Sine(2.0), Product(), Linear()], **LOGISTIC
    ),
    "three classes": partial(make_composite, [*PAIRS, (4, 5)], join=Largest()),
    "four classes": partial(make_composite, PAIRS, Product(0.0), join=Digits((2, 1))),
    "real outcomes": partial(
        make_composite,
        MIXED,
        [Linear(), Linear(), Product(), Product(), Product()],
        join=Sum(),
        outcome=Real(r2=0.9),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_the_true_groups_are_found(task):
    size = {"n_samples": 2000, "n_features": 20, "permute": True, "random_state": 0}
    made = TASKS[task](**{**size, **TASKS[task].keywords})
    is_real = np.issubdtype(made.target.dtype, np.floating)
    estimator = CoterieRegressor if is_real else CoterieClassifier
    model = estimator(validation_fraction=0.25, random_state=0).fit(made.data, made.target)
    assert sorted(model.groups_) == sorted(made.groups)
    assert group_similarity(made.groups, model.groups_) == 1.0
    if "log-odds" in task:
        assert model.aggregator_ == "sum"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:No group of features")
def test_where_nothing_is_there_next_to_nothing_is_found():
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(300, 30)), rng.standard_t(4, size=300) > 0.5
        found += bool(CoterieClassifier(random_state=0).fit(X, y).groups_)
    assert found <= 1


@pytest.mark.slow
def test_thorough_searches_measure_certainty_by_searching_again():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = X[:, 0] * X[:, 1] + 0.5 * X[:, 2]
    model = CoterieRegressor(effort="thorough", validation_fraction=0.25, random_state=0).fit(X, y)
    assert sorted(model.groups_) == [(0, 1), (2,)]
    certainty = model.groups_table()["certainty"]
    assert ((10 * certainty) % 1 == 0).all()
    assert (certainty >= 0.7).all()


@pytest.mark.slow
def test_parities_of_many_rows_are_left_to_the_gates():
    made = make_composite([(0, 1, 2, 3)], Parity(), n_samples=5000, n_features=8, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = CoterieClassifier(random_state=0).fit(made.data, made.target)
    assert model.groups_ == [(0, 1, 2, 3)]
