"""The numbers behind the pictures that the script draws."""

from __future__ import annotations

from typing import Any

from coterie.plots.effects import Effect
from coterie.plots.ladders import Ladder
from coterie.report.facts import Facts
from coterie.report.markup import clean


def effects_data(facts: Facts) -> list[dict[str, Any] | None]:
    """Return each group's effect on its grid, None where there is none."""
    return [None if effect is None else _effect(effect) for effect in facts.effects]


def _effect(effect: Effect) -> dict[str, Any]:
    """Values lie one after the other: steps of the axes in order, then outputs."""
    return {
        "axes": [_axis(axis) for axis in effect.axes],
        "values": effect.values.ravel(),
        "outputs": [clean(output) for output in effect.outputs],
        "widest": effect.widest,
        "scale": clean(effect.scale),
        "zero": effect.zero,
    }


def _axis(axis: Ladder) -> dict[str, Any]:
    labels = [clean(axis.label(step)) for step in range(len(axis))] if axis.is_discrete else None
    return {"name": clean(axis.name), "positions": axis.positions, "labels": labels}
