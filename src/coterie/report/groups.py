"""The groups: network, effects, and the table of strengths."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from coterie.discovery.certify import N_RESAMPLES
from coterie.discovery.efforts import EFFORTS
from coterie.report.facts import Facts
from coterie.report.markup import Markup, clean, join, name_of, tag
from coterie.report.network import network
from coterie.report.tables import interval, interval_bar, table
from coterie.report.words import colour_class, count, group_name

MOST_STAND_INS, MOST_REPLACED = 5, 8


def groups_section(facts: Facts) -> Markup:
    """Return the network beside the effect of the group that is chosen, and all groups below."""
    if not facts.groups:
        return tag("p", nothing_found(facts), class_="note")
    panels = [effect_panel(facts, i) for i in range(len(facts.groups))]
    picture = tag(
        "figure",
        network(facts),
        tag(
            "figcaption",
            "Each shape is a group, each dot a feature. Choose a group to see its effect.",
        ),
        class_="card",
    )
    return join(
        [
            tag("div", picture, tag("div", panels, class_="card panels"), class_="explorer"),
            group_table(facts),
            tag("p", reading_strength(facts), " ", reading_certainty(facts), class_="note"),
        ]
    )


def nothing_found(facts: Facts) -> str:
    """Say what it means that there is no group."""
    n_features = count(len(facts.names), "feature")
    if facts.run.get("partial"):
        return f"The search among {n_features} was stopped before it had found any group."
    if facts.aggregator is None:
        return (
            f"{facts.method} let none of the {n_features} pass, so the model predicts the same for "
            "every row. That may be due to its settings, such as a penalty or a threshold, as well "
            "as to the data."
        )
    return (
        f"No group among the {n_features} clearly predicted the outcome better than a constant "
        "does, so none is reported, and the model predicts the same for every row. This is a "
        "result: with these rows, the method can't tell any dependence from chance. A weak effect "
        "may still be there; more rows would help to see it."
    )


def badge(i: int) -> Markup:
    """Return the number of a group in its colour."""
    return tag("span", str(i + 1), class_=f"number {colour_class(i)}")


def effect_panel(facts: Facts, i: int) -> Markup:
    """Return all about one group; the script draws the picture in it."""
    effect = facts.effects[i]
    if effect is None:
        picture = tag("p", "Rows are needed to follow the effect of this group.", class_="note")
        caption = readout = None
    else:
        hint = "Point at the picture, or use the arrow keys in it, to read values."
        readout = tag("p", hint, class_="readout", aria_live="polite")
        picture = tag("div", class_="plot", data_plot=i)
        caption = tag("figcaption", _caption(facts, i))
    return tag(
        "article",
        tag("h3", badge(i), " ", group_name(facts, i, most=12)),
        tag("figure", picture, readout, caption),
        _stand_ins(facts, i),
        class_=f"panel {colour_class(i)}",
        id=f"group-{i + 1}",
        data_panel=i,
        tabindex=-1,
    )


def _caption(facts: Facts, i: int) -> Markup:
    effect: Any = facts.effects[i]
    parts: list[Any] = [effect.scale[0].upper() + clean(effect.scale)[1:], "."]
    if effect.held:
        held = [join([name_of(clean(n)), f" = {clean(v)}"]) for n, v in effect.held.items()]
        parts += [" Kept at a usual value: ", join(held[:6], ", ")]
        parts.append(f" and {len(held) - 6} more." if len(held) > 6 else ".")
    return join(parts)


def stand_ins(facts: Facts, feature: int) -> list[str]:
    """Return the features that would do as well in place of a member."""
    known = facts.kept("alternatives_") or {}
    listed = known.get(facts.model.features_.labels[feature])
    return [] if listed is None else [clean(name) for name in listed["feature"]]


def _stand_ins(facts: Facts, i: int) -> Markup | None:
    lines = []
    replaced = [feature for feature in facts.groups[i] if stand_ins(facts, feature)]
    if not replaced:
        return None
    for feature in replaced[:MOST_REPLACED]:
        names = [name_of(name) for name in stand_ins(facts, feature)[:MOST_STAND_INS]]
        lines.append(tag("li", name_of(facts.names[feature]), " could be ", join(names, ", ")))
    if len(replaced) > MOST_REPLACED:
        more = count(len(replaced) - MOST_REPLACED, "member")
        lines.append(tag("li", f"Stand-ins of {more} more are known."))
    return tag("div", tag("h4", "What could stand in"), tag("ul", lines), class_="stand-ins")


def group_table(facts: Facts) -> Markup:
    """Return the table of all groups; their numbers are buttons."""
    measured = facts.table[["strength", "strength_low", "strength_high"]].to_numpy(dtype=float)
    known = measured[np.isfinite(measured)]
    least, largest = (min(0.0, known.min()), known.max()) if known.size else (0.0, 1.0)
    has_others = any(stand_ins(facts, feature) for feature in facts.members)
    header = ["Group", "Members", "Strength", "Certainty", "Stand-ins"][: 5 if has_others else 4]
    rows = [
        _row(facts, i, measured[i], least, largest)[: len(header)] for i in range(len(measured))
    ]
    return tag(
        "div", table(header, rows, "groups", "The groups that were found"), class_="card flush"
    )


def _row(facts: Facts, i: int, measured: Any, least: float, largest: float) -> list[Any]:
    certainty = float(facts.table["certainty"].iloc[i])
    names = facts.named(facts.groups[i])
    choose = tag(
        "button",
        badge(i),
        type="button",
        class_="pick",
        aria_pressed="false",
        aria_label=f"Show group {i + 1}",
        data_group=i,
    )
    strength = tag(
        "div",
        interval_bar(measured, (least, largest)) if math.isfinite(measured[0]) else None,
        tag("span", interval(*measured) if math.isfinite(measured[0]) else "not measured"),
        class_=f"strength {colour_class(i)}",
    )
    others = list(dict.fromkeys(n for f in facts.groups[i] for n in stand_ins(facts, f)))
    return [
        choose,
        join([name_of(name) for name in names], " × "),
        strength,
        f"{certainty:.0%}" if math.isfinite(certainty) else "–",
        join([name_of(name) for name in others[:3]], ", ") if others else "–",
    ]


def reading_strength(facts: Facts) -> str:
    """Say what a strength is."""
    if facts.table["strength"].isna().all():
        return f"{facts.method} does not measure the strength of its groups."
    unit = "log-loss, in nats" if facts.classes else "squared error, in units of the variance"
    rows = "held-out rows" if facts.aggregator else "rows"
    said = f"Strength is how much worse the model predicts {rows} without the group ({unit})"
    if facts.table["strength_low"].isna().all():
        return f"{said}."
    lines = "its 95% interval" if facts.aggregator else "its range over the seeds"
    return f"{said}; the line is {lines}."


def reading_certainty(facts: Facts) -> str:
    """Say what a certainty is."""
    if facts.table["certainty"].isna().all():
        return ""
    n_refits = EFFORTS[facts.inner.effort].n_refits if facts.aggregator else 0
    if n_refits:
        return (
            f"Certainty is the share of {n_refits} whole searches on resampled rows that found "
            "the same group."
        )
    if facts.aggregator:
        return (
            f"Certainty is the share of {N_RESAMPLES} resamples of the held-out rows in which "
            "every comparison still favours the group as it is; the search itself was not repeated."
        )
    return "Certainty is the share of seeds that found the same group."


def certainty_in_words(facts: Facts) -> str:
    """Return the least certainty of all groups."""
    least = facts.table["certainty"].min()
    return "–" if not len(facts.table) or math.isnan(least) else f"{least:.0%}"
