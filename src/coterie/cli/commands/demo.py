"""``coterie demo``: groups found in one of the paper's synthetic tasks, beside the truth."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from sklearn.utils import Bunch

N_FRESH = 2000


def run(
    rule: Annotated[int, typer.Option(min=1, max=4, help="Which of Syn1 to Syn4.")] = 2,
    rows: Annotated[int, typer.Option(min=100, help="Rows to fit on.")] = 20000,
    features: Annotated[int, typer.Option(min=12, help="Columns, most of them noise.")] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the data and the fit.")] = 0,
) -> None:
    """Fit a synthetic task and print the groups beside the true ones."""
    from coterie import CompFSClassifier
    from coterie.datasets import make_syn

    task = make_syn(rule, rows, features, random_state=seed)
    fresh = make_syn(rule, N_FRESH, features, random_state=seed + 1)
    console = Console()
    with console.status(f"Fitting Syn{rule}: {rows} rows, {features} columns"):
        estimator = CompFSClassifier(random_state=seed)
        start = perf_counter()
        estimator.fit(task.data, task.target)
        seconds = perf_counter() - start
    console.print(compare(estimator, fresh, title=f"Syn{rule}, {rows} rows, {features} columns"))
    console.print(f"fitted in {seconds:.1f} s")


def compare(estimator: Any, fresh: Bunch, title: str) -> Table:
    """Return the groups of a fitted estimator beside the truth of fresh rows, as a table."""
    from coterie.metrics import false_discovery_rate, group_similarity, true_positive_rate

    found, true = estimator.groups_, fresh.groups
    table = Table(title=title, show_header=False)
    table.add_row("true groups", _in_words(true))
    table.add_row("found groups", _in_words(found))
    table.add_row("group similarity", f"{group_similarity(true, found):.2f}")
    table.add_row("true positive rate", f"{true_positive_rate(true, found):.0%}")
    table.add_row("false discovery rate", f"{false_discovery_rate(true, found):.0%}")
    table.add_row("accuracy on fresh rows", f"{estimator.score(fresh.data, fresh.target):.1%}")
    return table


def _in_words(groups: list[tuple[int, ...]]) -> str:
    """Return groups as sets of column numbers."""
    members = (", ".join(str(member) for member in group) for group in groups)
    return "  ".join(f"{{{group}}}" for group in members) or "none"
