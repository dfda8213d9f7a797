"""Pairs of columns as groups, without a column for each of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize


def gradient_norms_of_pairs(gradient: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Return :math:`\|\nabla_{(j, k)}\|_2` for all pairs, shape (columns, columns).

    The two of a pair are columns of the table, so its gradient holds theirs. On the diagonal is
    :math:`\sqrt 2 \, |\nabla_j|`, so that one bound serves single columns (of weight 1) too.

    Examples
    --------
    >>> gradient_norms_of_pairs(np.array([3.0, 4.0])).round(2)
    array([[4.24, 5.  ],
           [5.  , 5.66]])
    """
    squares = gradient**2
    return np.sqrt(squares[:, None] + squares)


def spread_over_pairs(
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    r"""Split the weights of single columns over singles and pairs at no cost, to the least norm.

    A pair takes the same amount :math:`t_{jk} \ge 0` from both of its columns, which costs
    :math:`\sqrt 2 \, \|(t, t)\|_2 = 2 t`, as much as it saves. What stays is
    :math:`a_j = w_j - \sum_k t_{jk} \ge 0`. The least of
    :math:`\tfrac12 \sum_j a_j^2 + \sum_{j<k} t_{jk}^2` is found through its dual: with a price
    :math:`\nu_j` on each column, :math:`a_j = \max(0, \nu_j)` and
    :math:`t_{jk} = \max(0, (\nu_j + \nu_k) / 2)`.

    Parameters
    ----------
    weights : ndarray, shape (columns,)
        Absolute values.

    Returns
    -------
    alone : ndarray, shape (columns,)
    pairs : ndarray, shape (columns, columns)
        Symmetric, with an empty diagonal.

    Examples
    --------
    >>> alone, pairs = spread_over_pairs(np.array([2.0, 2.0]))
    >>> alone.round(3).tolist(), pairs.round(3).tolist()
    ([1.0, 1.0], [[0.0, 1.0], [1.0, 0.0]])
    """
    if len(weights) < 2:
        return weights.copy(), np.zeros((len(weights), len(weights)))
    unit = float(weights.max())
    wanted = weights / unit
    found = minimize(
        _negative_dual, wanted / len(wanted), args=(wanted,), jac=True, method="L-BFGS-B",
        options={"maxiter": 10_000, "ftol": 1e-15, "gtol": 1e-10},
    )  # fmt: skip
    _, pairs = _parts(found.x)
    # The remainder is what makes the split exact, whatever accuracy the prices have.
    used = pairs.sum(axis=1)
    alone = np.maximum(wanted - used, 0.0)
    return unit * alone, unit * pairs


def _parts(prices: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    pairs = np.maximum(0.0, (prices[:, None] + prices) / 2)
    np.fill_diagonal(pairs, 0.0)
    return np.maximum(0.0, prices), pairs


def _negative_dual(
    prices: NDArray[np.float64], wanted: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    alone, pairs = _parts(prices)
    value = prices @ wanted - (alone**2).sum() / 2 - (pairs**2).sum() / 2
    return -float(value), alone + pairs.sum(axis=1) - wanted
