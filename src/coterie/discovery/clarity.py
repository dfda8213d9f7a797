"""How clear a term is, whatever the tails of the outcome."""

from __future__ import annotations

import numpy as np

from coterie.discovery.screen import Array

OWN_ROW = 1e-3
"""Least share of a row's residual that is taken to be its own."""


def robust_z(term: Array, residual: Array) -> float:
    r"""Return the z-score of a term's slope, from the spread of the very rows that carry it.

    With a centred term :math:`t` and a residual :math:`r` the slope is
    :math:`b = t^\top r / |t|^2`, and its variance :math:`\sum_i t_i^2 e_i^2 / |t|^4`, where
    :math:`e_i` is what the slope leaves of :math:`r_i`, over one less the leverage
    :math:`t_i^2 / |t|^2` of the row (the HC3 estimate), or :math:`r_i` itself, as where there is no
    effect; the smaller variance counts. A few rows where both are large do not make a term clear,
    as they do for a correlation.

    Examples
    --------
    >>> import numpy as np
    >>> term = np.arange(10.0) - 4.5
    >>> round(robust_z(term, np.eye(10)[9]), 1), round(robust_z(term, np.sign(term)), 1)
    (1.0, 7.2)
    """
    term = np.asarray(term - term.mean(), np.float64)
    squares = term**2
    total = float(squares.sum())
    if total <= 0:
        return 0.0
    slope = float(term @ residual) / total
    left = (residual - slope * term) / np.maximum(1 - squares / total, OWN_ROW)
    error = np.sqrt(min(squares @ left**2, squares @ np.square(residual, dtype=np.float64))) / total
    return abs(slope) / max(float(error), 1e-12)
