"""The answer, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.groups import Group
from coterie.report.facts import Facts
from coterie.report.markup import Markup, join, name_of, tag

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_NAMED, MOST_MEMBERS = 4, 8
N_COLOURS = 8


def colour_class(i: int) -> str:
    """Return the class that carries the colour of a group.

    Examples
    --------
    >>> colour_class(0), colour_class(8)
    ('c1', 'c1')
    """
    return f"c{i % N_COLOURS + 1}"


def count(n: int, noun: str) -> str:
    """Return a number with its noun, in words while it is small.

    Examples
    --------
    >>> count(2, "group"), count(1, "row"), count(2000, "row")
    ('two groups', 'one row', '2,000 rows')
    """
    return f"{in_words(n)} {noun}" if n == 1 else f"{in_words(n)} {noun}s"


def group_name(facts: Facts, i: int, most: int = 4) -> Markup:
    """Return the members of a group, joined, in its colour."""
    names = facts.named(facts.groups[i])
    shown = [name_of(name) for name in names[:most]]
    if len(names) > most:
        shown.append(tag("span", f"{len(names) - most} more"))
    return tag("span", join(shown, " × "), class_=f"group {colour_class(i)}")


def listed(parts: Sequence[Markup]) -> Markup:
    """Return parts as in a sentence: a, b, and c."""
    if len(parts) < 3:
        return join(parts, " and ")
    return Markup(join(parts[:-1], ", ") + ", and " + parts[-1])


def answer(facts: Facts) -> Markup:
    """Return what was found, in a sentence."""
    target = tag("em", name_of(facts.target)) if facts.target else Markup("the outcome")
    groups = facts.groups
    if not groups:
        if facts.aggregator is None:
            return join([f"{facts.method} selected no features to predict ", target, "."])
        return join(["No group of features was found that predicts ", target, "."])
    most = 4 if sum(len(group) for group in groups[:MOST_NAMED]) <= MOST_MEMBERS else 2
    shown = [group_name(facts, i, most) for i in range(min(len(groups), MOST_NAMED))]
    if len(groups) > MOST_NAMED:
        shown.append(tag("span", f"{in_words(len(groups) - MOST_NAMED)} more"))
    return join([_subject(groups), " ", target, ": ", listed(shown), "."])


def in_words(n: int) -> str:
    """Return a number in words while it is small."""
    return SMALL[n] if n < len(SMALL) else f"{n:,}"


def _subject(groups: Sequence[Group]) -> str:
    n = len(groups)
    if all(len(group) == 1 for group in groups):
        words = f"{count(n, 'feature')} {'predicts' if n == 1 else 'predict, each on its own,'}"
    elif all(len(group) > 1 for group in groups):
        words = f"{count(n, 'group')} of features {'predicts' if n == 1 else 'predict'}"
    else:
        words = f"{count(n, 'group')} predict"
    return words[0].upper() + words[1:]


def consequence(facts: Facts) -> Markup | None:
    """Return how the groups act together."""
    if not facts.groups or facts.aggregator is None:
        return None
    several = len(facts.groups) > 1
    if facts.aggregator in ("or", "and") and facts.classes:
        spoken = name_of(facts.classes[1 if facts.aggregator == "or" else 0])
        subject = "Each group alone" if several else "It"
        event = [name_of(facts.target), " = ", spoken] if facts.target else [tag("q", spoken)]
        return join([f"{subject} can bring about ", event, "."])
    together = _together(facts.groups)
    if facts.aggregator == "sum" and several:
        on = "" if facts.classes is None else " on the scale of log-odds"
        return join([f"{together}Effects of different groups add up{on}."])
    return join([together]) if together else None


def _together(groups: Sequence[Group]) -> str:
    if not any(len(group) > 1 for group in groups):
        return ""
    return "Within a group, what a feature does depends on the others. "


def cautions(facts: Facts) -> list[str]:
    """Return what limits the answer."""
    found = []
    if facts.run.get("partial"):
        found.append("The search was stopped before its end: this is the best result so far.")
    trace = facts.kept("trace_") or []
    if any(entry["stage"] == "check" and entry["action"] == "loses" for entry in trace):
        found.append(
            "One network of all candidate features predicted held-out rows better than these "
            "groups: a feature or an interaction may be missing."
        )
    return found
