"""What a search shows of itself."""

import numpy as np
import pytest

from coterie.discovery.explain import alternatives, interactions, readable_trace, screen_table
from coterie.discovery.screen import PairScores
from coterie.discovery.structures import Structure
from tests.discovery.known_losses import KnownJudge

LABELS = ["age", "dose", "sex", "site"]
FOUND = Structure.of([(0, 1), (2,)])
SPLIT, JOINED = Structure.of([(0,), (1,), (2,)]), Structure.of([(0, 1), (0, 2)])


@pytest.fixture
def judge():
    """A judge that has seen the pair taken apart, and one other pair put together."""
    losses = {FOUND: 0.2, SPLIT: 0.5, JOINED: 0.19}
    losses |= {FOUND.swapped(1, 3): 0.205, FOUND.swapped(2, 3): 0.7, FOUND.swapped(0, 3): 0.201}
    judge = KnownJudge(lambda s, _: losses.get(s, 1.0))
    judge.judge([Structure(()), *losses])
    return judge


def test_the_trace_names_the_features_of_each_decision():
    entry = {
        "stage": "grow",
        "action": "merge",
        "structure": FOUND,
        "against": Structure.of([(0,), (1,)]),
        "loss": 0.5,
        "z": -3.0,
    }
    assert readable_trace([entry], LABELS) == [
        {
            "stage": "grow",
            "action": "merge",
            "aggregator": "sum",
            "groups": [("age", "dose"), ("sex",)],
            "features": ["age", "dose", "sex"],
            "loss": 0.5,
            "z": -3.0,
            "against": [("age",), ("dose",)],
        }
    ]


def test_the_screen_lists_singles_pairs_and_products_the_clearest_first():
    scores = PairScores(
        np.array([1.0, 5.0, 0.5, 0.1]), np.zeros(4), [(7.0, 0, 3), (2.0, 1, 2), (0.3, 2, 3)]
    )
    table = screen_table(scores, [(0, 1, 2), (0, 1, 2, 3)], np.array([0, 1, 2, 2]), LABELS)
    assert table.iloc[0].tolist() == [("age", "sex"), "pair", 7.0]
    assert table.iloc[1].tolist() == [("dose",), "single", 5.0]
    assert table["z"].dropna().is_monotonic_decreasing
    assert table["kind"].tolist()[-2:] == ["triple", "quadruple"]
    assert table["features"].tolist()[-2:] == [("age", "dose", "sex")] * 2


def test_interactions_are_the_pairs_that_were_tested(judge):
    table = interactions(FOUND, judge, LABELS)
    assert list(table.columns) == ["a", "b", "effect", "z", "kept"]
    assert table[["a", "b", "kept"]].values.tolist() == [
        ["age", "dose", True],
        ["age", "sex", False],
    ]
    # the loss that each interaction saves
    assert table["effect"].tolist() == pytest.approx([0.3, 0.01])
    assert (table["z"] > 0).all()


def test_an_interaction_that_costs_has_a_negative_effect():
    judge = KnownJudge(lambda s, _: {FOUND: 0.2, JOINED: 0.3}.get(s, 1.0))
    judge.judge([Structure(()), FOUND, JOINED])
    table = interactions(FOUND, judge, LABELS)
    assert table["effect"].tolist() == pytest.approx([-0.1])
    assert (table["z"] < 0).all()


def test_alternatives_are_the_stand_ins_that_do_clearly_no_worse(judge):
    tables = alternatives(FOUND, judge, {0: [3], 1: [3], 2: [3]}, LABELS)
    assert list(tables) == ["age", "dose", "sex"]
    assert tables["age"]["feature"].tolist() == ["site"]
    assert tables["dose"]["loss_difference"].tolist() == pytest.approx([0.005])
    assert len(tables["sex"]) == 0
    for table in tables.values():
        assert list(table.columns) == ["feature", "loss_difference", "z"]


def test_the_best_alternative_comes_first():
    losses = {FOUND: 0.2, FOUND.swapped(2, 3): 0.21, FOUND.swapped(2, 4): 0.205}
    judge = KnownJudge(lambda s, _: losses.get(s, 1.0))
    judge.judge([Structure(()), *losses])
    table = alternatives(FOUND, judge, {2: [3, 4]}, [*LABELS, "time"])["sex"]
    assert table["feature"].tolist() == ["time", "site"]


def test_what_was_never_tried_is_no_alternative(judge):
    tables = alternatives(FOUND, judge, {1: [2]}, LABELS)
    assert all(len(table) == 0 for table in tables.values())


def test_without_groups_there_is_nothing_to_tell(judge):
    assert len(interactions(Structure(()), judge, LABELS)) == 0
    assert alternatives(Structure(()), judge, {}, LABELS) == {}
