"""The synthetic recovery tasks: one registry, each task ``task(seed) -> (train, test)``.

Unless a task says otherwise it has 20,000 training rows and 500 features; all have 20,000 test rows
and their columns in random order. Train and test rows are one draw, so they share the order and the
scale of the columns. A new task is one entry of ``TASKS``.

``python -m benchmarks.tasks`` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.utils import Bunch

from coterie.datasets import fetch_chem, make_composite, make_syn
from coterie.datasets.columns import Autoregressive, Binary, Genotype, HeavyTails
from coterie.datasets.joins import And, Digits, Largest, Or, Sum
from coterie.datasets.outcomes import Labels, Logistic, Penetrance, Real
from coterie.datasets.rules import Box, Linear, Parity, Product, Radial, Sine
from coterie.datasets.syn import SYN_RULES

N_TEST = 20_000


@dataclass(frozen=True)
class Task:
    """A named way to draw rows with known groups, and what is expected of a method there.

    ``aim`` is the least mean group similarity; of a ``null`` task, which has no groups, it is the
    largest share of data sets in which any group may be reported. ``aggregator`` is the one that
    must be chosen, None where that is left open.
    """

    name: str
    family: str
    aim: float
    draw: Callable[..., Bunch]
    n_train: int = 20_000
    aggregator: str | None = None

    def __call__(self, seed: int) -> tuple[Bunch, Bunch]:
        """Return the training and the test rows of a seed."""
        rng = np.random.default_rng([seed, *self.name.encode()])
        drawn = self.draw(n_samples=self.n_train + N_TEST, permute=True, random_state=rng)
        return _rows(drawn, slice(None, self.n_train)), _rows(drawn, slice(self.n_train, None))


@dataclass(frozen=True)
class ChemTask:
    """One of the paper's chemistry tasks: its published split, columns in random order."""

    name: str
    number: int
    family: str = "paper"
    aim: float = 0.99
    aggregator: str | None = None
    n_train: int | None = None

    def __call__(self, seed: int) -> tuple[Bunch, Bunch]:
        """Return the training and the test molecules."""
        rng = np.random.default_rng([seed, *self.name.encode()])
        train, test = (fetch_chem(self.number, subset=subset) for subset in ("train", "test"))
        order = rng.permutation(train.data.shape[1])
        place = np.argsort(order)
        for rows in (train, test):
            rows.data = rows.data[:, order]
            rows.groups = [tuple(sorted(int(place[m]) for m in group)) for group in rows.groups]
        return train, test


def _rows(drawn: Bunch, rows: slice) -> Bunch:
    """Return the Bunch with only these rows."""
    by_row = {key: drawn[key][rows] for key in ("data", "target", "signal")}
    return Bunch(**{**drawn, **by_row})


def _pairs(n_pairs: int) -> list[tuple[int, int]]:
    """Return pairs of neighbouring columns that share no column."""
    return [(first, first + 1) for first in range(0, 2 * n_pairs, 2)]


def _singles(n_singles: int) -> list[tuple[int]]:
    return [(column,) for column in range(n_singles)]


def _noisy_syn(rule: int, flip: float) -> Callable[..., Bunch]:
    syn = SYN_RULES[rule]
    return partial(make_composite, syn.groups, syn.rule, outcome=Labels(flip))


def _null(n_features: int, outcome: Logistic | Real) -> Callable[..., Bunch]:
    return partial(make_composite, [], join=Sum(), outcome=outcome, n_features=n_features)


def _regression(r2: float) -> Callable[..., Bunch]:
    """Two main effects, two pairs that share a column, and a triple, all of one variance."""
    return partial(
        make_composite,
        [(0,), (1,), (2, 3), (3, 4), (5, 6, 7)],
        [Linear(), Linear(), Product(), Product(), Product()],
        join=Sum(),
        outcome=Real(r2),
    )


SYN2_GROUPS = _pairs(2)

PAPER = [Task(f"syn{rule}", "paper", 0.99, partial(make_syn, rule)) for rule in (1, 2, 3, 4)]

CHEM = [ChemTask(f"chem{number}", number) for number in (1, 2, 3)]

NOISY = [
    Task(f"syn{rule}-flip{round(100 * flip)}", "noisy", 0.98, _noisy_syn(rule, flip))
    for rule in (2, 3)
    for flip in (0.1, 0.2)
]

SMALL = [
    Task(f"syn2-rows{n_train}", "small", aim, partial(make_syn, 2), n_train=n_train)
    for n_train, aim in ((5000, 0.99), (2000, 0.99), (1000, 0.97), (500, 0.9))
]

MANY = [
    Task("pairs5", "many", 0.97, partial(make_composite, _pairs(5), Product(0.8))),
    Task("pairs8", "many", 0.97, partial(make_composite, _pairs(8), Product(1.2))),
]

DEEP = [
    Task(
        "triple-pair",
        "deep",
        0.95,
        partial(make_composite, [(0, 1, 2), (3, 4)], [Product(0.3), Product(0.5)]),
    ),
    Task(
        "box-pair",
        "deep",
        0.95,
        partial(make_composite, [(0, 1, 2), (3, 4)], [Box(-0.4), Product(0.5)]),
    ),
    Task("parity3", "deep", 0.9, partial(make_composite, [(0, 1, 2)], Parity(), n_features=100)),
    Task(
        "quadruple",
        "deep",
        0.8,
        partial(make_composite, [(0, 1, 2, 3)], Product(0.2), n_features=50),
    ),
]

MIXED = [
    Task(
        "single-pair-radial",
        "mixed",
        0.95,
        partial(
            make_composite,
            [(0,), (1, 2), (3, 4, 5)],
            [Box(1.0), Product(0.5), Radial(2.15)],
        ),
    )
]

CHAIN = [
    Task("chain3", "chain", 0.97, partial(make_composite, [(0, 1), (1, 2), (2, 3)], Product(0.5)))
]

AND_JOINED = [
    Task(
        "and-parity",
        "and-joined, parity",
        0.97,
        partial(make_composite, SYN2_GROUPS, Parity(), join=And()),
    )
]

PENETRANCE = [
    Task(
        "binary-pairs",
        "penetrance",
        0.95,
        partial(
            make_composite,
            SYN2_GROUPS,
            Box(0.5),
            join=Or(),
            outcome=Penetrance(0.85, floor=0.1),
            columns=Binary(0.5),
        ),
    ),
    Task(
        "genotypes",
        "penetrance",
        0.95,
        partial(
            make_composite,
            [(0, 1), (2,)],
            [Box(0.5), Box(1.5)],
            join=Or(),
            outcome=Penetrance(0.85, floor=0.1),
            columns=Genotype(0.4),
        ),
    ),
]

CORRELATED = [
    Task(
        "copies",
        "correlated",
        0.95,
        partial(make_composite, SYN2_GROUPS, Product(0.3), n_copies=5, copy_correlation=0.95),
    ),
    Task(
        "autoregressive",
        "correlated",
        0.95,
        partial(
            make_composite,
            [(20, 60), (100, 140)],
            Product(0.3),
            columns=Autoregressive(0.9),
        ),
    ),
]

TAILS = [
    Task(
        "tails-scales",
        "tails, scales",
        0.97,
        partial(
            make_composite, SYN2_GROUPS, Product(0.3), columns=HeavyTails(degrees=3), max_power=3
        ),
    )
]

LOGISTIC = [
    Task(
        "sine-pair-linear",
        "logistic",
        0.95,
        partial(
            make_composite,
            [(0,), (1, 2), (3,)],
            [Sine(2.0), Product(), Linear()],
            join=Sum(weights=(2.0, 2.0, -1.5)),
            outcome=Logistic(),
        ),
        aggregator="sum",
    ),
    Task(
        "linear8",
        "logistic",
        0.95,
        partial(
            make_composite,
            _singles(8),
            Linear(),
            join=Sum(weights=(1.0, -1.0) * 4),
            outcome=Logistic(),
        ),
        aggregator="sum",
    ),
]

REGRESSION = [
    Task("sum-r2-90", "regression", 0.97, _regression(0.9)),
    Task("sum-r2-50", "regression", 0.9, _regression(0.5)),
]

CLASSES = [
    Task("largest3", "classes", 0.95, partial(make_composite, _pairs(3), join=Largest())),
    Task(
        "digits4",
        "classes",
        0.95,
        partial(make_composite, SYN2_GROUPS, Product(0.0), join=Digits((2, 1))),
    ),
]

NULL = [
    Task(f"null-{kind}-{n_train}x{n_features}", "null", 0.05, _null(n_features, outcome), n_train)
    for n_train, n_features in ((200, 50), (1000, 500), (300, 2000))
    for kind, outcome in (("classes", Logistic()), ("real", Real()))
]

TASKS: dict[str, Task | ChemTask] = {
    task.name: task
    for family in (
        PAPER,
        CHEM,
        NOISY,
        SMALL,
        MANY,
        DEEP,
        MIXED,
        CHAIN,
        AND_JOINED,
        PENETRANCE,
        CORRELATED,
        TAILS,
        LOGISTIC,
        REGRESSION,
        CLASSES,
        NULL,
    )
    for task in family
}


if __name__ == "__main__":
    for task in TASKS.values():
        print(f"{task.name:20} {task.family:20} rows {task.n_train or '':6} aim {task.aim}")
