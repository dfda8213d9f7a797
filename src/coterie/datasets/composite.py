"""Made data sets with any true groups: columns, a rule for each group, a join, an outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from coterie.datasets.columns import COLUMNS, ColumnKind
from coterie.datasets.joins import JOINS, Join
from coterie.datasets.outcomes import OUTCOMES, Outcome
from coterie.datasets.rules import RULES, Rule
from coterie.groups import Group, canonical_groups


def make_composite(
    groups: Iterable[Iterable[int]],
    rules: str | Rule | Sequence[str | Rule] = "product",
    join: str | Join = "or",
    outcome: str | Outcome = "labels",
    *,
    n_samples: int = 20000,
    n_features: int = 500,
    columns: str | ColumnKind = "gaussian",
    n_copies: int = 0,
    copy_correlation: float = 0.95,
    max_power: int = 0,
    permute: bool = False,
    random_state: int | np.random.Generator | None = None,
) -> Bunch:
    """Make a data set in which exactly the given groups of features act.

    The outcome is ``rho(f_1(x_G1) + f_2(x_G2) + ...)`` of the paper's Definition 2.1: a rule looks
    at the columns of its group alone, the join puts the rules together, the outcome is drawn.

    Parameters
    ----------
    groups : iterable of iterables of int
        The true groups; they may overlap, but none may lie inside another, for then no data tell
        the two apart. No groups at all, with Sum and Logistic or Real, make an outcome that is
        independent of the features.
    rules : rule or str, or one for each group, default="product"
        From :mod:`coterie.datasets.rules`: Product, Box (by name
        "threshold"), Parity, Radial, Linear, Sine.
    join : join or str, default="or"
        From :mod:`coterie.datasets.joins`: Or, And, Sum, Largest (as many classes as groups),
        Digits (classes by weights).
    outcome : outcome or str, default="labels"
        From :mod:`coterie.datasets.outcomes`: Labels (with a share that is flipped), Penetrance,
        Logistic, Real (with noise by R2).
    n_samples, n_features : int
    columns : column kind or str, default="gaussian"
        From :mod:`coterie.datasets.columns`: Gaussian, Blocks, Autoregressive, Binary, Genotype,
        HeavyTails.
    n_copies : int, default=0
        How many of the columns outside the groups are replaced, for each true column, by columns
        that are correlated with it.
    copy_correlation : float, default=0.95
        The correlation of those with their true column.
    max_power : int, default=0
        Once the outcome is made, each column is shifted by up to ten units and multiplied by a
        power of ten between ``-max_power`` and ``max_power``.
    permute : bool, default=False
        Put the columns into random order; ``groups`` of the result follow.
    random_state : int, numpy Generator or None

    Returns
    -------
    Bunch
        ``data`` (rows, features) in float32, as the engine computes; ``target`` (rows,), int64
        classes or float32 values; ``signal`` (rows,), what the features tell about the target: its
        class without flips, its probability or its mean; ``feature_names``; ``groups``.

    Examples
    --------
    >>> from coterie.datasets import make_composite
    >>> from coterie.datasets.rules import Box, Product
    >>> task = make_composite(
    ...     [(0,), (1, 2)], [Box(1.0), Product(0.5)], n_samples=100, n_features=10, random_state=0
    ... )
    >>> task.data.shape, task.groups
    ((100, 10), [(0,), (1, 2)])
    """
    rng = np.random.default_rng(random_state)
    groups = _checked_groups(groups, n_features)
    kind = _resolve("columns", columns, COLUMNS)
    data = kind.draw(rng, n_samples, n_features)
    _correlate_copies(rng, data, kind, groups, n_copies, copy_correlation)

    scores, fires = _evaluate(_one_rule_a_group(rules, len(groups)), groups, data)
    drawn = _resolve("outcome", outcome, OUTCOMES)
    signal = drawn.signal(scores, fires, _resolve("join", join, JOINS))
    target = drawn.draw(rng, signal)

    _rescale(rng, data, max_power)
    if permute:
        data, groups = _permute(rng, data, groups)
    names = [f"x{column}" for column in range(n_features)]
    return Bunch(data=data, target=target, signal=signal, feature_names=names, groups=groups)


def _resolve(parameter: str, choice: Any, named: Mapping[str, Callable[[], Any]]) -> Any:
    """Return the object itself, or a default one of the given name."""
    if not isinstance(choice, str):
        return choice
    if choice not in named:
        raise ValueError(
            f"{parameter} must be an object or one of {sorted(named)}; got {choice!r}."
        )
    return named[choice]()


def _checked_groups(groups: Iterable[Iterable[int]], n_features: int) -> list[Group]:
    """Refuse groups that no data could tell apart, or that are not there."""
    given = list(groups)
    canonical = canonical_groups(given)
    if len(canonical) < len(given):
        raise ValueError(f"groups must be distinct and not empty; got {given}.")
    for group in canonical:
        if group[-1] >= n_features:
            raise ValueError(f"groups name column {group[-1]}, but n_features={n_features}.")
        for other in canonical:
            if group != other and set(group) <= set(other):
                raise ValueError(
                    f"groups must not lie inside one another: {group} is inside {other}, and no "
                    "data could tell the two from the larger one alone. Leave one of them out."
                )
    return canonical


def _one_rule_a_group(rules: str | Rule | Sequence[str | Rule], n_groups: int) -> list[Rule]:
    """Return a rule for each group."""
    if isinstance(rules, Sequence) and not isinstance(rules, str):
        given = list(rules)
    else:
        given = [rules] * n_groups
    if len(given) != n_groups:
        raise ValueError(
            f"rules must be one rule, or one a group: got {len(given)} for {n_groups}."
        )
    return [_resolve("rules", rule, RULES) for rule in given]


def _evaluate(
    rules: list[Rule], groups: list[Group], data: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return each rule's scores and whether it fires, both of shape (rows, groups)."""
    scores = np.zeros((len(data), len(groups)), dtype=np.float32)
    for column, (rule, group) in enumerate(zip(rules, groups, strict=True)):
        scores[:, column] = rule.score(data[:, group])
    thresholds = np.array([rule.threshold for rule in rules], dtype=np.float32)
    return scores, scores > thresholds


def _correlate_copies(
    rng: np.random.Generator,
    data: NDArray[np.float32],
    kind: ColumnKind,
    groups: list[Group],
    n_copies: int,
    correlation: float,
) -> None:
    """Overwrite columns outside the groups by ones correlated with a true one, in place."""
    true_columns = sorted({member for group in groups for member in group})
    outside = np.setdiff1d(np.arange(data.shape[1]), true_columns)
    needed = n_copies * len(true_columns)
    if not 0.0 <= correlation <= 1.0:
        raise ValueError(f"copy_correlation must be in [0, 1]; got {correlation}.")
    if needed > len(outside):
        raise ValueError(
            f"n_copies={n_copies} of {len(true_columns)} true columns need {needed} other columns, "
            f"but n_features={data.shape[1]} leaves {len(outside)}."
        )
    sources = np.repeat(np.array(true_columns, dtype=int), n_copies)
    for source, copy in zip(sources, outside[:needed], strict=True):
        data[:, copy] = kind.correlate(rng, data[:, source], correlation)


def _rescale(rng: np.random.Generator, data: NDArray[np.float32], max_power: int) -> None:
    """Shift and scale each column at random, in place."""
    if max_power == 0:
        return
    data += rng.uniform(-10.0, 10.0, data.shape[1:]).astype(np.float32)
    powers = rng.integers(-max_power, max_power, data.shape[1:], endpoint=True)
    data *= np.power(10.0, powers, dtype=np.float32)


def _permute(
    rng: np.random.Generator, data: NDArray[np.float32], groups: list[Group]
) -> tuple[NDArray[np.float32], list[Group]]:
    """Put the columns into random order, and let the groups follow."""
    order = rng.permutation(data.shape[1])
    position = np.argsort(order)
    return np.take(data, order, axis=1), canonical_groups(position[list(group)] for group in groups)
