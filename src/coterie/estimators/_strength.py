"""How much each group of an ensemble matters to its predictions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


def strengths_of_groups(mask: Mask, mean_loss: Callable[[Mask], float]) -> NDArray[np.float64]:
    """Return by how much the loss rises when the features of a group are taken away.

    Learners that select the same features are one group and lose them together.

    Parameters
    ----------
    mask : ndarray of bool, shape (groups, features)
    mean_loss : callable
        The mean loss of the ensemble when its learners see the features of a mask.

    Returns
    -------
    ndarray of float, shape (groups,)
        0 for a learner that selects nothing.

    Examples
    --------
    >>> mask = np.array([[True, False], [False, True], [False, False]])
    >>> strengths_of_groups(mask, lambda m: 3.0 - 2.0 * m[:, 0].any() - 0.5 * m[:, 1].any())
    array([2. , 0.5, 0. ])
    """
    whole = mean_loss(mask)
    strengths = np.zeros(len(mask))
    for learner in np.flatnonzero(mask.any(axis=1)):
        same_group = (mask == mask[learner]).all(axis=1)
        strengths[learner] = mean_loss(mask & ~same_group[:, None]) - whole
    return strengths
