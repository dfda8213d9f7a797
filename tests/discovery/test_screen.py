"""Scores of single columns and of pairs."""

from itertools import combinations

import numpy as np
import pytest

from coterie.discovery import screen
from coterie.discovery.screen import CLIP, Evenness, blocks_of_terms, score_pairs

RNG = np.random.default_rng(0)
SCORES = RNG.normal(size=(60, 9)).astype(np.float32)
BINARY = (RNG.random((60, 1)) < 0.4).astype(np.float32)
RESIDUALS = {
    "two classes": RNG.integers(0, 2, (60, 1)),
    "three classes": np.eye(3)[RNG.integers(0, 3, 60)],
    "real": RNG.normal(size=(60, 1)),
    "two real": RNG.normal(size=(60, 2)) * [1.0, 100.0],
}


def standardised(columns):
    return ((columns - columns.mean(axis=0)) / columns.std(axis=0)).astype(np.float32)


def centred(residual):
    return (residual - residual.mean(axis=0)).astype(np.float32)


def naive_scores(scores, residual, even):
    """Return the score of each column and of each pair, a pair and a transform at a time."""
    odd = np.clip(scores.astype(float), -CLIP, CLIP)
    transforms = [odd, even(odd)]
    residual = residual / np.sqrt((residual.astype(float) ** 2).sum(axis=0))
    single = [
        max(abs(r @ w[:, i]) for w in transforms for r in residual.T)
        for i in range(scores.shape[1])
    ]
    pairs = {
        (i, j): max(
            abs(r @ (v[:, i] * w[:, j])) for v in transforms for w in transforms for r in residual.T
        )
        for i, j in combinations(range(scores.shape[1]), 2)
    }
    return single, pairs


@pytest.fixture(params=RESIDUALS, scope="module")
def residual(request):
    return centred(RESIDUALS[request.param])


@pytest.fixture
def narrow_tiles(monkeypatch):
    """Let no block of rows or columns be full, and none hold the whole table."""
    monkeypatch.setattr(screen, "ROWS_AT_ONCE", 7)
    monkeypatch.setattr(screen, "COLUMNS_AT_ONCE", 4)


def test_products_of_matrices_equal_a_loop_over_pairs(residual):
    even = Evenness.of(SCORES)
    found = score_pairs(SCORES, residual, even)
    single, pairs = naive_scores(SCORES, residual, even)
    assert found.single == pytest.approx(single, rel=1e-4)
    assert {(i, j): z for z, i, j in found.pairs} == pytest.approx(pairs, rel=1e-4)
    best = [max(z for pair, z in pairs.items() if i in pair) for i in range(9)]
    assert found.best_pair == pytest.approx(best, rel=1e-4)


def test_where_tiles_end_does_not_matter(residual, request):
    even = Evenness.of(SCORES)
    whole = score_pairs(SCORES, residual, even)
    request.getfixturevalue("narrow_tiles")
    tiled = score_pairs(SCORES, residual, even)
    assert tiled.single == pytest.approx(whole.single, rel=1e-4)
    assert tiled.best_pair == pytest.approx(whole.best_pair, rel=1e-4)
    assert [pair[1:] for pair in tiled.pairs] == [pair[1:] for pair in whole.pairs]


def test_the_best_pairs_of_all_tiles_are_kept(narrow_tiles, monkeypatch):
    monkeypatch.setattr(screen, "KEPT_PAIRS", 5)
    residual, even = centred(RESIDUALS["real"]), Evenness.of(SCORES)
    _, pairs = naive_scores(SCORES, residual, even)
    best = sorted(pairs, key=pairs.get, reverse=True)[:5]
    assert [pair[1:] for pair in score_pairs(SCORES, residual, even).pairs] == best


@pytest.mark.parametrize("factor", [1e-6, -1.0, 1e6])
def test_the_unit_of_the_residual_does_not_matter(factor):
    residual, even = centred(RESIDUALS["real"]), Evenness.of(SCORES)
    scaled = (factor * residual.astype(float)).astype(np.float32)
    first, second = (score_pairs(SCORES, r, even) for r in (residual, scaled))
    assert first.single == pytest.approx(second.single, rel=1e-4)
    assert first.best_pair == pytest.approx(second.best_pair, rel=1e-4)


def test_a_residual_without_variance_scores_nothing():
    found = score_pairs(SCORES, np.zeros((60, 1), np.float32), Evenness.of(SCORES))
    assert not found.single.any()
    assert not found.best_pair.any()
    assert found.pairs == []


def test_a_single_column_has_no_pair():
    found = score_pairs(SCORES[:, :1], centred(RESIDUALS["real"]), Evenness.of(SCORES[:, :1]))
    assert found.pairs == []
    assert found.best_pair.tolist() == [0.0]
    assert found.single[0] > 0


def test_the_second_transform_is_a_size_of_which_the_column_tells_nothing():
    scores = standardised(RNG.exponential(size=(500, 3)))
    second = Evenness.of(scores)(scores)
    assert second.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-4)
    assert second.std(axis=0) == pytest.approx(np.ones(3), rel=1e-3)
    assert (scores * second).mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-4)
    size = np.abs(scores)
    for column in range(3):
        assert np.corrcoef(second[:, column], size[:, column])[0, 1] > 0.3


def test_nothing_is_left_for_the_second_transform_of_binary_and_constant_columns():
    columns = np.hstack([standardised(BINARY), np.zeros((60, 1), np.float32)])
    assert not Evenness.of(columns)(columns).any()


def test_transforms_of_some_columns_are_those_among_all():
    even, chosen = Evenness.of(SCORES), np.array([5, 2])
    assert np.array_equal(even.of_columns(chosen)(SCORES[:, chosen]), even(SCORES)[:, chosen])


def test_blocks_of_rows_together_hold_both_transforms_of_all_rows(narrow_tiles):
    even = Evenness.of(SCORES)
    rows, blocks = zip(*blocks_of_terms(SCORES, even), strict=True)
    assert [(block.start, block.stop) for block in rows][-2:] == [(49, 56), (56, 60)]
    odd = np.clip(SCORES, -CLIP, CLIP)
    assert np.array_equal(np.vstack(blocks), np.hstack([odd, even(odd)]))


@pytest.mark.parametrize(
    ("rule", "features"),
    [
        (lambda x: x[:, 3], (3,)),
        (lambda x: np.abs(x[:, 3]), (3,)),
        (lambda x: x[:, 3] ** 2, (3,)),
        (lambda x: x[:, 3] > 1, (3,)),
        (lambda x: x[:, 3] * x[:, 7], (3, 7)),
        (lambda x: np.abs(x[:, 3]) * x[:, 7], (3, 7)),
        (lambda x: x[:, 3] ** 2 * x[:, 7] ** 2 - x[:, 3] ** 2 - x[:, 7] ** 2, (3, 7)),
        (lambda x: (x[:, 3] > 0) ^ (x[:, 7] > 0), (3, 7)),
    ],
    ids=["line", "size", "square", "threshold", "product", "size times", "squares", "parity"],
)
def test_effects_of_many_shapes_stand_out(rule, features):
    scores = RNG.normal(size=(1500, 9)).astype(np.float32)
    residual = centred(np.asarray(rule(scores), float)[:, None])
    found = score_pairs(scores, residual, Evenness.of(scores))
    if len(features) == 1:
        assert int(found.single.argmax()) == features[0]
        assert found.single.max() > 2 * np.delete(found.single, features[0]).max()
    else:
        assert found.pairs[0][1:] == features
        assert found.pairs[0][0] > 2 * found.pairs[1][0]
