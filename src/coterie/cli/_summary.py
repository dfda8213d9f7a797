"""What was found, as text for people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from coterie.cli._terminal import in_words_of_options

MOST_GROUPS = 20
MOST_NOTES = 8
MEASURES = ("strength", "certainty")


def print_run(console: Console, run: Mapping[str, Any]) -> None:
    """Print a run: the answer, the groups, how well they predict, the notes."""
    print_data(console, run)
    console.print(Text(answer(run), style="bold"))
    if run["groups"]:
        console.print(groups_table(run["groups"]))
    if run["scores"]:
        console.print(scores_table(run["measures"], run))
    console.print(Text(where_fitted(run)))
    print_notes(console, run["notes"])


def print_data(console: Console, run: Mapping[str, Any]) -> None:
    """Print what the data are and what is predicted."""
    rows = run["rows"]
    total = rows["train"] + rows["test"]
    console.print(Text(f"{total:,} rows, {run['features']:,} features."))
    console.print(Text(f"{run['task'].capitalize()}: {in_words_of_options(run['task_reason'])}."))


def answer(run: Mapping[str, Any]) -> str:
    """Return what was found as a sentence.

    Examples
    --------
    >>> answer({"target": "relapse", "partial": False, "seconds": 3.2,
    ...         "groups": [{"members": ["age", "dose"]}, {"members": ["site"]}]})
    "Found 2 groups of 3 features that act on 'relapse', in 3.2 s."
    """
    groups, target = run["groups"], repr(run["target"])
    so_far = " so far (partial: the search was stopped before its end)" if run["partial"] else ""
    seconds = f"{run['seconds']:.1f} s"
    if not groups:
        return (
            f"Found no feature that predicts {target} better than a constant{so_far}, in {seconds}."
        )
    features = len({member for group in groups for member in group["members"]})
    return (
        f"Found {_several(len(groups), 'group')} of {_several(features, 'feature')} that act on "
        f"{target}{so_far}, in {seconds}."
    )


def groups_table(groups: Sequence[Mapping[str, Any]]) -> Table:
    """Return the groups as a table; measures that no group has are left out."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("group", justify="right")
    table.add_column("members", overflow="fold")
    known = [name for name in MEASURES if any(group.get(name) is not None for group in groups)]
    for name in known:
        table.add_column(name, justify="right")
    for group in groups[:MOST_GROUPS]:
        members = Text(" & ".join(group["members"]))
        table.add_row(str(group["group"]), members, *(_measured(group, name) for name in known))
    if len(groups) > MOST_GROUPS:
        table.add_row("…", f"and {len(groups) - MOST_GROUPS} more, in groups.csv")
    return table


def scores_table(measures: Mapping[str, Mapping[str, float]], run: Mapping[str, Any]) -> Table:
    """Return each model's measures on the held-out rows as a table."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(f"on {run['rows']['test']:,} held-out rows", no_wrap=True)
    names = list(dict.fromkeys(name for scores in measures.values() for name in scores))
    for name in names:
        table.add_column(name, justify="right")
    for model, scores in measures.items():
        table.add_row(model, *(number(scores.get(name)) for name in names))
    return table


def where_fitted(run: Mapping[str, Any]) -> str:
    """Say which rows the saved model knows."""
    rows = run["rows"]
    if not rows["test"]:
        return f"The model was fitted on all {rows['train']:,} rows; no rows were held out."
    return (
        f"The model was fitted on the other {rows['train']:,} rows; --test-fraction 0 fits on all."
        if run.get("test") is None
        else f"The model was fitted on the {rows['train']:,} rows of the first table."
    )


def print_notes(console: Console, notes: Sequence[str]) -> None:
    """Print notes on the data and the fit."""
    for text in notes[:MOST_NOTES]:
        console.print(Text.assemble(("• ", "yellow"), in_words_of_options(text)))
    if len(notes) > MOST_NOTES:
        console.print(Text(f"• and {len(notes) - MOST_NOTES} more notes, in run.json"))


def number(value: float | None) -> str:
    """Return a number for a table; nothing for one that is not known."""
    return "" if value is None or not math.isfinite(value) else f"{value:.3f}"


def _measured(group: Mapping[str, Any], name: str) -> str:
    """Return a measure of a group, with its interval if that is known."""
    value, low, high = (group.get(name + ending) for ending in ("", "_low", "_high"))
    if value is None:
        return ""
    if name == "certainty":
        return f"{value:.0%}"
    return (
        number(value) if low is None or high is None else f"{value:.3f} ({low:.3f} to {high:.3f})"
    )


def _several(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
