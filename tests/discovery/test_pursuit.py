"""From scores to a short list of terms."""

import numpy as np
import pytest
from scipy.special import ndtr

from coterie.discovery.products import best_products
from coterie.discovery.pursuit import FAMILY_ERROR, Pursuit, clear_score
from coterie.discovery.screen import Evenness, score_pairs

RNG = np.random.default_rng(2)
SCORES = RNG.normal(size=(1000, 8)).astype(np.float32)
NOISE = RNG.normal(size=1000)


def pursue(*outcomes, scores=SCORES, owner=None, **options):
    """Return the terms of an outcome, as a search does."""
    residual = np.stack(outcomes, axis=1).astype(np.float32)
    residual = residual - residual.mean(axis=0)
    even = Evenness.of(scores)
    owner = np.arange(scores.shape[1]) if owner is None else owner
    screened = score_pairs(scores, residual, even)
    products = best_products(scores, residual, 1e9)
    return Pursuit(scores, residual, even, owner).run(screened, products, **options)


@pytest.mark.parametrize(("n_columns", "n_outputs", "n_tests"), [(1, 1, 4), (3, 2, 48)])
def test_the_cut_is_bonferronis_over_all_transforms_and_outputs(n_columns, n_outputs, n_tests):
    # two transforms of each column; (2 n)^2 / 2 products of two of the 2 n
    cut = clear_score(n_columns, n_outputs)
    assert 2 * (1 - ndtr(cut)) * n_tests == pytest.approx(FAMILY_ERROR, rel=1e-6)


def test_the_terms_of_a_planted_outcome_come_out_the_clearest_first():
    planted = 3 * SCORES[:, 0] * SCORES[:, 1] + 2 * SCORES[:, 2] + 2 * np.abs(SCORES[:, 3])
    terms = pursue(planted + 0.5 * NOISE)
    assert [term.features for term in terms] == [(0, 1), (2,), (3,)]
    assert terms[0].share > terms[1].share > terms[2].share > 0


def test_without_noise_the_shares_make_up_the_whole():
    terms = pursue(SCORES[:, 0] * SCORES[:, 1] + SCORES[:, 2])
    assert sum(term.share for term in terms) == pytest.approx(1.0, abs=0.02)


def test_what_a_term_took_is_not_found_again():
    terms = pursue(SCORES[:, 0] * SCORES[:, 1] + SCORES[:, 2])
    assert len({term.features for term in terms}) == len(terms)


def test_a_product_of_three_is_one_term():
    terms = pursue(np.sign(SCORES[:, [1, 4, 6]]).prod(axis=1))
    assert [term.features for term in terms] == [(1, 4, 6)]


def test_each_of_several_outcomes_is_pursued():
    terms = pursue(SCORES[:, 0] + NOISE, 100 * (SCORES[:, 5] * SCORES[:, 6] + NOISE))
    assert {term.features for term in terms} == {(0,), (5, 6)}


def test_a_correlate_adds_nothing_once_its_original_is_taken():
    scores = SCORES.copy()
    scores[:, 7] = 0.9 * scores[:, 0] + np.sqrt(1 - 0.81) * scores[:, 7]
    terms = pursue(scores[:, 0] + 0.3 * NOISE, scores=scores)
    assert [term.features for term in terms] == [(0,)]


def test_without_an_effect_there_is_no_term():
    assert pursue(NOISE) == []


def test_the_list_ends_where_it_is_told_to():
    assert len(pursue(SCORES[:, :4].sum(axis=1), most=2)) == 2


def test_columns_of_one_feature_are_one_member_and_never_a_pair():
    colour = RNG.integers(0, 3, 1000)
    columns = np.eye(3)[colour]
    scores = np.hstack([(columns - columns.mean(axis=0)) / columns.std(axis=0), SCORES[:, :3]])
    outcome = (colour == 1) * scores[:, 4] + 0.2 * NOISE
    owner = np.array([0, 0, 0, 1, 2, 3])
    terms = pursue(outcome, scores=scores.astype(np.float32), owner=owner)
    assert (0, 2) in [term.features for term in terms]
    assert {feature for term in terms for feature in term.features} == {0, 2}


def test_terms_that_live_on_a_few_rows_are_refused():
    tails = NOISE.copy()
    products = SCORES[:, 0] * SCORES[:, 1]
    largest = np.argsort(-np.abs(products))[:5]
    tails[largest] = 30 * np.sign(products[largest])
    assert np.corrcoef(tails, products)[0, 1] * len(SCORES) ** 0.5 > clear_score(8)
    assert pursue(tails) == []
