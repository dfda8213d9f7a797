"""What to know of the data, and what to do to get the same again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.report.facts import Facts
from coterie.report.markup import Markup, clean, join, tag
from coterie.report.search import fold
from coterie.report.tables import table
from coterie.report.words import count

MOST_SHOWN = 60


def data_section(facts: Facts) -> Markup:
    """Return rows, features, and what was done to the columns."""
    notes = [*(facts.run.get("notes") or []), *(getattr(facts.model, "data_notes_", None) or [])]
    lines = [_size(facts), _outcome(facts), *dict.fromkeys(clean(note) for note in notes)]
    return tag("ul", [tag("li", tag("bdi", line)) for line in lines if line], class_="notes")


def _size(facts: Facts) -> str:
    n_features = count(len(facts.names), "feature")
    rows = facts.run.get("rows") or {}
    if rows.get("train") is not None:
        test = f" and {rows['test']:,} held-out rows" if rows.get("test") else ""
        return f"{n_features.capitalize()}; {rows['train']:,} rows to learn from{test}."
    if facts.X is not None:
        return f"{n_features.capitalize()}; {facts.X.shape[0]:,} rows given with the model."
    return f"{n_features.capitalize()}; no rows were given with the model."


def _outcome(facts: Facts) -> str:
    what = facts.target or "The outcome"
    if facts.classes is None:
        return f"{what} is a number."
    shown = ", ".join(facts.classes[:8])
    more = f" and {len(facts.classes) - 8} more" if len(facts.classes) > 8 else ""
    return f"{what} is one of {len(facts.classes)} classes: {shown}{more}."


def repeat_section(facts: Facts) -> Markup:
    """Return the command, or the code, and all settings."""
    parts = [_copyable(_command(facts))]
    for title, content in _records(facts).items():
        rows = [[clean(key), _text(value)] for key, value in list(content.items())[:MOST_SHOWN]]
        parts.append(fold(title, table(["Name", "Value"], rows, "plain")))
    return join(parts)


def _command(facts: Facts) -> str:
    command = facts.run.get("command")
    if isinstance(command, (list, tuple)):
        command = " ".join(str(part) for part in command)
    if command:
        return clean(command)
    code = " ".join(facts.model.__repr__(N_CHAR_MAX=2000).split())
    names = dict.fromkeys(type(part).__name__ for part in (facts.model, facts.inner))
    module = type(facts.inner).__module__
    package = "coterie.baselines" if ".baselines." in module else "coterie"
    return f"from {package} import {', '.join(names)}\n\nmodel = {code}.fit(X, y)"


def _copyable(text: str) -> Markup:
    return tag(
        "div",
        tag("pre", tag("code", text, id="command"), tabindex=0, aria_label="How to repeat it"),
        tag("button", "Copy", type="button", id="copy", aria_live="polite"),
        class_="card copyable",
    )


def _records(facts: Facts) -> dict[str, Mapping[str, Any]]:
    """Return what is recorded of the run, and else the parameters of the method."""
    run = facts.run
    versions = run.get("versions") or run.get("coterie/versions") or run.get("coterie")
    basics = {key: run[key] for key in ("seed", "task", "seconds", "created") if key in run}
    settings = run.get("settings") or facts.inner.get_params(deep=False)
    records = {
        "Settings": settings,
        "Run": basics,
        "Versions": versions,
        "Machine": run.get("machine"),
    }
    return {title: r for title, r in records.items() if isinstance(r, Mapping) and r}


def _text(value: Any) -> str:
    text = clean(value)
    return text if len(text) <= 300 else text[:299] + "…"
