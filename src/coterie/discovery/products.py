"""Screens products of three and of four columns, where the work allows it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from scipy.special import comb, ndtri

from coterie.discovery.clarity import robust_z
from coterie.discovery.screen import CLIP, Array

ORDERS = (3, 4)
LEAST_ROWS, MOST_ROWS = 100, 4096
KEPT_OF_A_PART, RESCORED, MOST = 8, 128, 64
FAMILY_ERROR = 0.01
"""Chance that any product at all is taken where there is no effect."""


def best_products(scores: Array, residual: Array, work: float) -> list[tuple[int, ...]]:
    """Return the triples and quadruples of columns whose products tell most of the residual.

    All of an order are scored, on as many rows as ``work`` (multiplications) pays for; the best of
    them are then scored on all rows, and those that are clear by Bonferroni are returned.

    Parameters
    ----------
    scores : array of shape (rows, columns)
    residual : array of shape (rows, outputs), with mean zero
    work : float

    Returns
    -------
    list of tuple of int
        The clearest first.
    """
    clear: list[tuple[float, tuple[int, ...]]] = []
    for order in ORDERS:
        clear += _clear_products(scores, residual, order, work)
    return [places for _, places in sorted(clear, reverse=True)[:MOST]]


def _clear_products(
    scores: Array, residual: Array, order: int, work: float
) -> list[tuple[float, tuple[int, ...]]]:
    n_rows, n_columns = scores.shape
    n_products = comb(n_columns, order) * residual.shape[1]
    # The products of a part with all later pairs are one matrix product: order! / 2 in n_products.
    multiplications = max(n_products * order, 1.0)
    n_used = int(min(n_rows, MOST_ROWS, work / multiplications))
    if n_columns < order or n_used < LEAST_ROWS:
        return []
    stride = n_rows // n_used
    odd = np.ascontiguousarray(np.clip(scores[::stride], -CLIP, CLIP).T)
    found = {place for used in residual[::stride].T for place in _leaders(odd, used, order)}
    leaders = {places for _, places in sorted(found, reverse=True)[:RESCORED]}
    cut = float(ndtri(1 - FAMILY_ERROR / (2 * n_products)))
    scored = ((_product(scores, places), places) for places in leaders)
    measured = ((_score(product, residual), product, places) for product, places in scored)
    return [
        (z, places)
        for z, product, places in measured
        if z > cut and any(robust_z(product, output) > cut for output in residual.T)
    ]


def _leaders(odd: Array, used: Array, order: int) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Yield the best products of each part, all but two members, with two later columns.

    ``odd`` has shape (columns, rows).
    """
    n_columns = len(odd)
    buffer = np.empty_like(odd)
    for part in combinations(range(n_columns - 2), order - 2):
        later = odd[part[-1] + 1 :]
        weighted = np.multiply(later, odd[list(part)].prod(axis=0) * used, out=buffer[: len(later)])
        products = np.abs(weighted @ later.T)
        np.fill_diagonal(products, 0.0)
        second = products.argmax(axis=1)
        best = products[np.arange(len(second)), second]
        for row in np.argpartition(-best, min(KEPT_OF_A_PART, len(best) - 1))[:KEPT_OF_A_PART]:
            pair = sorted((part[-1] + 1 + int(row), part[-1] + 1 + int(second[row])))
            yield float(best[row]), (*part, *pair)


def _product(scores: Array, places: tuple[int, ...]) -> Array:
    """Return the centred product of some columns."""
    product: Array = np.clip(scores[:, places], -CLIP, CLIP).prod(axis=1)
    return product - product.mean()


def _score(product: Array, residual: Array) -> float:
    """Return how clear a product is on all rows, the best over outputs, as a normal deviate."""
    norm = float(np.sqrt((product**2).sum()))
    spread = norm * residual.std(axis=0)
    return float((np.abs(product @ residual) / np.maximum(spread, 1e-9)).max())
