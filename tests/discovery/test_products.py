"""Products of three and of four columns."""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import comb, ndtri

from coterie.discovery.products import FAMILY_ERROR, best_products
from coterie.discovery.screen import CLIP

RNG = np.random.default_rng(1)
SCORES = RNG.normal(size=(800, 9)).astype(np.float32)
PLENTY = 1e12


def signs(*columns: int):
    return np.sign(SCORES[:, columns]).prod(axis=1)


def residual_of(*outcomes):
    residual = np.stack(outcomes, axis=1).astype(np.float32)
    return residual - residual.mean(axis=0)


def clear_by_hand(residual, order):
    """Return all products of an order whose correlation passes Bonferroni's cut, one at a time."""
    cut = ndtri(1 - FAMILY_ERROR / (2 * comb(9, order) * residual.shape[1]))
    odd = np.clip(SCORES.astype(float), -CLIP, CLIP)
    clear = {}
    for places in combinations(range(9), order):
        product = odd[:, places].prod(axis=1)
        z = max(abs(np.corrcoef(product, r)[0, 1]) * np.sqrt(800) for r in residual.T)
        if z > cut and max(robust_by_hand(product, r) for r in residual.T) > cut:
            clear[places] = z
    return clear


def robust_by_hand(product, outcome):
    """Return the z-score of a slope from the textbook's sandwich, or from that of no effect."""
    design = np.column_stack([np.ones(len(product)), product])
    bread = np.linalg.inv(design.T @ design)
    slopes = bread @ design.T @ outcome
    leverage = np.einsum("ij,jk,ik->i", design, bread, design)
    left = (outcome - design @ slopes) / (1 - leverage)
    meat = (design * left[:, None] ** 2).T @ design
    centred = product - product.mean()
    of_none = abs(centred @ outcome) / np.sqrt((centred**2) @ (outcome**2))
    return max(abs(slopes[1]) / np.sqrt((bread @ meat @ bread)[1, 1]), of_none)


@pytest.mark.parametrize(
    "residual",
    [
        residual_of(signs(0, 4, 7)),
        residual_of(signs(0, 4, 7) + signs(1, 4, 8)),
        residual_of(signs(0, 1, 2, 3) + RNG.normal(size=800)),
        residual_of(signs(0, 4, 7), signs(2, 3, 5)),
        residual_of(signs(6, 7, 8), signs(0, 1, 2, 8)),
    ],
    ids=["triple", "two triples", "noisy quadruple", "two outcomes", "triple and quadruple"],
)
def test_the_clear_products_of_a_search_by_hand_are_found(residual):
    clear = clear_by_hand(residual, 3) | clear_by_hand(residual, 4)
    assert len(clear) >= 1
    assert best_products(SCORES, residual, PLENTY) == sorted(clear, key=clear.get, reverse=True)


def test_without_an_effect_nothing_is_clear():
    assert best_products(SCORES, residual_of(RNG.normal(size=800)), PLENTY) == []


def test_a_pair_is_no_triple():
    assert best_products(SCORES, residual_of(signs(0, 1)), PLENTY) == []


def test_work_pays_for_triples_first():
    residual = residual_of(signs(0, 4, 7), signs(1, 2, 3, 5))
    for_triples = comb(9, 3) * 2 * 3 * 140  # a multiplication for each member, outcome and row
    assert best_products(SCORES, residual, for_triples) == [(0, 4, 7)]


@pytest.mark.parametrize("work", [0.0, 1000.0])
def test_without_work_nothing_is_screened(work):
    assert best_products(SCORES, residual_of(signs(0, 4, 7)), work) == []


@pytest.mark.parametrize("n_columns", [1, 2, 3, 4])
def test_tables_of_few_columns_have_few_products(n_columns):
    found = best_products(SCORES[:, :n_columns], residual_of(signs(0, 1, 2)), PLENTY)
    assert found == ([(0, 1, 2)] if n_columns >= 3 else [])
