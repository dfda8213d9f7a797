"""Logistic regression with an L1 penalty: Newton steps, each of them a weighted LASSO."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

AT_ONCE = 50
"""Columns that enter the working set in one round."""


class Solution(NamedTuple):
    """Weights (columns,), intercept, the gradient of the loss by the weights, rounds taken."""

    weights: NDArray[np.float64]
    intercept: float
    gradient: NDArray[np.float64]
    rounds: int


def solve_l1_logistic(
    columns: NDArray[np.float64],
    is_one: NDArray[np.bool_],
    shares: NDArray[np.float64],
    penalty: float,
    max_iter: int,
    tol: float,
) -> Solution:
    r"""Minimise the mean log-loss plus ``penalty`` times :math:`\|w\|_1`; the intercept is free.

    Columns enter a working set when their gradient exceeds the penalty, the worst first, and a
    solution holds once none outside of it does.

    Parameters
    ----------
    columns : ndarray, shape (rows, columns)
    is_one : ndarray of bool, shape (rows,)
    shares : ndarray, shape (rows,)
        Weights of the rows, which add up to 1.
    penalty : float
    max_iter : int
    tol : float
        By how much a gradient may exceed the penalty, as a share of it.

    Returns
    -------
    Solution
    """
    target = is_one.astype(np.float64)
    n_columns = columns.shape[1]
    weights, working = np.zeros(n_columns), np.zeros(n_columns, dtype=bool)
    mean = float(shares @ target)
    intercept = float(np.log(mean / (1 - mean)))
    rounds = 0
    while True:
        rounds += 1
        probability = expit(columns[:, working] @ weights[working] + intercept)
        gradient = columns.T @ (shares * (probability - target))
        excess = np.where(working, 0.0, np.abs(gradient) / penalty - 1)
        if excess.max() <= tol or rounds == max_iter:
            break
        working |= excess >= max(tol, np.sort(excess)[-min(AT_ONCE, n_columns)])
        kept = columns[:, working]
        weights[working], intercept = _newton(
            kept, target, shares, penalty, weights[working], intercept, max_iter, tol
        )
    if excess.max() > tol:
        warnings.warn(
            f"Group LASSO has not converged in max_iter={max_iter} rounds: a gradient still "
            f"exceeds its bound by {100 * excess.max():.2g}%. Raise max_iter or tol.",
            ConvergenceWarning,
            stacklevel=5,
        )
    return Solution(weights, intercept, gradient, rounds)


def _newton(
    columns: NDArray[np.float64],
    target: NDArray[np.float64],
    shares: NDArray[np.float64],
    penalty: float,
    weights: NDArray[np.float64],
    intercept: float,
    max_iter: int,
    tol: float,
) -> tuple[NDArray[np.float64], float]:
    """Solve for the columns of the working set."""
    for _ in range(max_iter):
        score = columns @ weights + intercept
        probability = expit(score)
        residual = shares * (probability - target)
        gradient = columns.T @ residual
        if _violation(gradient, residual.sum(), weights, penalty) <= tol / 2:
            break
        curvature = np.maximum(shares * probability * (1 - probability), 1e-9 * shares)
        total = curvature.sum()
        # scikit-learn halves the squares and divides them by the sum of the weights.
        model = Lasso(alpha=penalty / total, tol=1e-10, max_iter=100_000, warm_start=True)
        model.coef_ = weights.copy()
        model.fit(columns, score - residual / curvature, sample_weight=curvature)
        step = model.coef_ - weights, float(model.intercept_) - intercept
        length = _step_length(columns, target, shares, penalty, weights, intercept, step)
        weights, intercept = weights + length * step[0], intercept + length * step[1]
    return weights, intercept


def _violation(
    gradient: NDArray[np.float64], of_intercept: float, weights: NDArray[np.float64], penalty: float
) -> float:
    """Return how far the conditions of a minimum are from holding, as a share of the penalty."""
    at_zero = np.maximum(np.abs(gradient) - penalty, 0)
    off_zero = np.abs(gradient + penalty * np.sign(weights))
    worst = np.where(weights == 0, at_zero, off_zero).max(initial=0.0)
    return max(float(worst), abs(of_intercept)) / penalty


def _step_length(
    columns: NDArray[np.float64],
    target: NDArray[np.float64],
    shares: NDArray[np.float64],
    penalty: float,
    weights: NDArray[np.float64],
    intercept: float,
    step: tuple[NDArray[np.float64], float],
) -> float:
    """Halve a Newton step until the loss does not rise."""

    def loss(length: float) -> float:
        moved = weights + length * step[0]
        score = columns @ moved + intercept + length * step[1]
        return float(
            shares @ (np.logaddexp(0, score) - target * score) + penalty * np.abs(moved).sum()
        )

    length, before = 1.0, loss(0.0)
    while loss(length) > before + 1e-14 and length > 1e-6:
        length /= 2
    return length
