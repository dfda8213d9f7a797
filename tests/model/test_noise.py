"""Random numbers from a counter: uniform, independent, and the same with and without vmap."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from coterie.model import noise
from coterie.model.noise import random_bits, random_odds

N = 200_000


def bits(seed: int, shape: tuple[int, ...] = (N,)) -> np.ndarray:
    return np.asarray(random_bits(jnp.uint32(seed), shape))


def uniform(seed: int) -> np.ndarray:
    """Recover U from the odds ``(1 - U) / U``, in float64."""
    return 1 / (1 + np.asarray(random_odds(jnp.uint32(seed), (N,)), np.float64))


def all_odds(monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """Give the odds of every value of the bits that count."""
    shift = 32 - noise._BITS_KEPT
    monkeypatch.setattr(
        noise, "random_bits", lambda _, shape: jax.lax.iota(jnp.uint32, shape[0]) << shift
    )
    return np.asarray(random_odds(jnp.uint32(0), (2**noise._BITS_KEPT,)))


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**32 - 1])
def test_draws_are_uniform(seed):
    assert stats.kstest(uniform(seed), "uniform").pvalue > 1e-3


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**32 - 1])
@pytest.mark.parametrize("place", [0, 8, 16, 24])
def test_every_byte_is_uniform(seed, place):
    counts = np.bincount((bits(seed) >> place) & 0xFF, minlength=256)
    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize(
    ("first", "second"), [(0, 1), (1, 2), (7, 2**31 + 7), (0, 0x9E3779B9 // 2)]
)
def test_half_of_the_bits_differ_between_seeds(first, second):
    differ = bits(first) ^ bits(second)
    n_differ = ((differ[:, None] >> np.arange(32, dtype=np.uint32)) & 1).sum(axis=0)
    assert np.abs(n_differ - N / 2).max() < 5 * np.sqrt(N / 4)


@pytest.mark.parametrize("lag", [1, 2, 500, 512])
def test_neighbours_in_a_stream_are_uncorrelated(lag):
    draws = uniform(3) - 0.5
    assert abs(np.mean(draws[lag:] * draws[:-lag]) * 12) < 5 / np.sqrt(N)


def test_the_counter_runs_through_the_shape_in_order():
    assert (bits(5, (4, 3, 2)) == bits(5, (24,)).reshape(4, 3, 2)).all()


def test_numbers_are_the_same_under_vmap_and_jit():
    seeds = jnp.arange(5, dtype=jnp.uint32)
    together = jax.jit(jax.vmap(lambda seed: random_odds(seed, (3, 7))))(seeds)
    alone = [random_odds(seed, (3, 7)) for seed in seeds]
    np.testing.assert_array_equal(together, jnp.stack(alone))


def test_u_lies_strictly_between_zero_and_one_for_all_bits(monkeypatch):
    odds = all_odds(monkeypatch)
    assert np.isfinite(odds).all()
    assert odds.min() > 0
    assert (np.diff(odds) < 0).all()


def test_odds_are_as_likely_above_one_as_below(monkeypatch):
    odds = all_odds(monkeypatch).astype(np.float64)
    np.testing.assert_allclose(odds * odds[::-1], 1, rtol=1e-6)
