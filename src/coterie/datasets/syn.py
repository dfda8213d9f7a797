"""The paper's synthetic tasks, Syn1 to Syn4."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.utils import Bunch

from coterie.datasets.columns import Blocks, ColumnKind, Gaussian
from coterie.datasets.composite import make_composite
from coterie.datasets.rules import Box, Product, Rule
from coterie.groups import Group

INDEPENDENT = Gaussian()


@dataclass(frozen=True)
class SynRule:
    """One of the paper's decision rules: the groups, what each does, and the columns."""

    groups: tuple[Group, ...]
    rule: Rule
    columns: ColumnKind = INDEPENDENT


SYN_RULES = {
    1: SynRule(((0,), (1,)), Box(0.55)),
    2: SynRule(((0, 1), (2, 3)), Product(0.3)),
    3: SynRule(((0, 1), (0, 2)), Product(0.3)),
    4: SynRule(((0, 3), (6, 9)), Product(0.3), Blocks(size=3, correlation=0.99, n_blocks=4)),
}


def make_syn(
    rule: int,
    n_samples: int = 20000,
    n_features: int = 500,
    random_state: int | np.random.Generator | None = None,
    *,
    permute: bool = False,
) -> Bunch:
    """Make one of the paper's synthetic tasks.

    The columns are standard normal and the target is 1 where either group's rule fires:

    ====  ================================  ==================
    rule  target                            groups
    ====  ================================  ==================
    1     x0 > 0.55 or x1 > 0.55            {0}, {1}
    2     x0 x1 > 0.3 or x2 x3 > 0.3        {0, 1}, {2, 3}
    3     x0 x1 > 0.3 or x0 x2 > 0.3        {0, 1}, {0, 2}
    4     x0 x3 > 0.3 or x6 x9 > 0.3        {0, 3}, {6, 9}
    ====  ================================  ==================

    The columns are independent, but for the first twelve of rule 4: four blocks of three with
    correlation 0.99. The paper counts features from 1, Coterie from 0.

    Parameters
    ----------
    rule : {1, 2, 3, 4}
    n_samples, n_features : int
    random_state : int, numpy Generator or None
    permute : bool, default=False
        Put the columns into random order, as in :func:`make_composite`.

    Returns
    -------
    Bunch
        As from :func:`make_composite`.

    Examples
    --------
    >>> from coterie.datasets import make_syn
    >>> task = make_syn(2, n_samples=100, n_features=10, random_state=0)
    >>> task.data.shape, task.groups
    ((100, 10), [(0, 1), (2, 3)])
    """
    if rule not in SYN_RULES:
        raise ValueError(f"rule must be one of {sorted(SYN_RULES)}; got {rule!r}.")
    syn = SYN_RULES[rule]
    return make_composite(
        syn.groups,
        syn.rule,
        n_samples=n_samples,
        n_features=n_features,
        columns=syn.columns,
        permute=permute,
        random_state=random_state,
    )
