"""How the groups were found: the stages, and every decision, folded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.facts import Facts
from coterie.report.markup import Markup, clean, cut, join, name_of, number, tag
from coterie.report.tables import table
from coterie.report.words import count

MOST_ENTRIES = 250
MOST_ROWS = 40
LONGEST_STRUCTURE, MOST_MEMBERS = 160, 40
STAGES = {
    "open": "First structures from the screen",
    "gates": "Gates, where the screen is silent",
    "refine": "Simplified and split, step by step",
    "swap": "Members against their correlates",
    "extend": "A screen of what was left unexplained",
    "end": "The result",
}
ACTIONS = {
    "propose": "proposed",
    "discard": "set aside",
    "keep": "refused",
    "free": "harmless",
    "take": "taken",
    "leave": "left",
    "merge": "merged",
    "shed": "shortened",
    "holds": "holds",
    "loses": "loses",
}
READING_DECISIONS = (
    "Each line is a structure that was tried; z is by how many standard errors its held-out loss "
    "exceeds that of the structure it was compared with."
)


def search_section(facts: Facts) -> Markup:
    """Return the stages, and folded beneath them the decisions, pairs and scores."""
    folded = [part for part in (_trace(facts), _pairs(facts), _screen(facts)) if part is not None]
    return join([_stages(facts), *folded])


def _stages(facts: Facts) -> Markup:
    history = facts.kept("history_") or []
    if not history:
        return tag("p", _summary(facts), class_="note")
    if "stage" not in history[0]:
        return join([tag("p", _summary(facts), class_="note"), _epochs(history)])
    rows = [
        [
            STAGES.get(record["stage"], clean(record["stage"])),
            str(record["n_groups"]),
            number(record["loss"], 4),
            f"{record['n_trained']:,}",
        ]
        for record in history
    ]
    body = table(["Stage", "Groups", "Held-out loss", "Models trained so far"], rows, "plain")
    return join([tag("p", _summary(facts), class_="note"), tag("div", body, class_="card flush")])


def _summary(facts: Facts) -> str:
    n_features = count(len(facts.names), "feature")
    if facts.aggregator:
        return (
            f"{facts.method} screened {n_features}, proposed structures, and changed them one step "
            "at a time. A step was kept when paired differences of held-out losses were clear."
        )
    seconds = facts.run.get("seconds")
    took = f" in {number(float(seconds))} s" if isinstance(seconds, (int, float)) else ""
    return f"{facts.method} looked for groups among {n_features}{took}."


def _epochs(history: Sequence[Any]) -> Markup:
    kept = history[:: max(1, len(history) // 12)]
    shown = [*kept, history[-1]] if kept[-1] is not history[-1] else list(kept)
    names = [name for name in ("loss", "validation_loss") if name in history[0]]
    labels = {"loss": "Training loss", "validation_loss": "Held-out loss"}
    rows = [[str(r["epoch"]), *(number(r[name], 4) for name in names)] for r in shown]
    body = table(["Epoch", *(labels[name] for name in names)], rows, "plain")
    return fold(f"Training, {count(len(history), 'epoch')}", body)


def fold(summary: str, body: Markup) -> Markup:
    """Return what is shown when asked for."""
    return tag(
        "details",
        tag("summary", summary),
        tag("div", body, class_="scroll", tabindex=0, role="region", aria_label=summary),
    )


def _trace(facts: Facts) -> Markup | None:
    trace = facts.kept("trace_")
    if not trace:
        return None
    shown = list(trace)
    if len(shown) > MOST_ENTRIES:
        steps = [entry for entry in trace if entry["action"] not in ("keep", "free", "discard")]
        shown = steps[-MOST_ENTRIES:]
    rows = [
        [
            clean(entry["stage"]),
            ACTIONS.get(entry["action"], clean(entry["action"])),
            _structure(entry["groups"]),
            clean(entry["aggregator"]),
            number(entry["loss"], 4),
            number(entry["z"], 2),
        ]
        for entry in shown
    ]
    header = ["Stage", "Decision", "Structure", "Joined by", "Held-out loss", "z"]
    title = f"Every decision ({len(trace):,})"
    if len(shown) < len(trace):
        title = f"Decisions that changed something ({len(shown):,} of {len(trace):,})"
    reading = tag("p", READING_DECISIONS, class_="note")
    return fold(title, join([reading, table(header, rows, "plain trace")]))


def _structure(groups: Sequence[Sequence[str]]) -> Markup:
    text = ""
    for group in groups:
        if len(text) > LONGEST_STRUCTURE:
            break
        text += "{" + ", ".join(clean(name) for name in group[:MOST_MEMBERS]) + "}  "
    return tag("bdi", cut(text.strip(), LONGEST_STRUCTURE) or "nothing")


def _pairs(facts: Facts) -> Markup | None:
    tested = facts.kept("interactions_")
    if tested is None or not len(tested):
        return None
    rows = [
        [
            join([name_of(clean(row.a)), name_of(clean(row.b))], " × "),
            "together" if row.kept else "apart",
            number(row.effect),
            number(row.z, 2),
        ]
        for row in tested.head(MOST_ROWS).itertuples()
    ]
    header = ["Pair", "Kept", "Loss that it saves", "z"]
    return fold(f"Pairs that were tested ({len(tested):,})", table(header, rows, "plain"))


def _screen(facts: Facts) -> Markup | None:
    scores = facts.kept("screen_")
    if scores is None or not len(scores):
        return None
    shown = scores.dropna(subset=["z"]).head(MOST_ROWS)
    rows = [
        [
            join([name_of(clean(name)) for name in row.features], " × "),
            clean(row.kind),
            number(row.z),
        ]
        for row in shown.itertuples()
    ]
    return fold(
        f"Top scores of the screen ({len(shown):,})",
        table(["Features", "Kind", "z"], rows, "plain"),
    )
