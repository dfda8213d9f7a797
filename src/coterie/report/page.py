"""The page: its sections in order, and what makes it one file."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import IO, Any

from coterie import __version__
from coterie.io.files import write_atomically
from coterie.report.facts import Facts, gather
from coterie.report.groups import certainty_in_words, groups_section
from coterie.report.markup import Markup, as_json, clean, join, tag
from coterie.report.notes import data_section, repeat_section
from coterie.report.pictures import effects_data
from coterie.report.prediction import headline, prediction_section
from coterie.report.rows import rows_data, rows_section
from coterie.report.search import search_section
from coterie.report.words import answer, cautions, consequence

SCRIPTS = ("svg", "theme", "select", "axes", "curve", "surface", "effects", "rows", "copy")
LONG_ANSWER = 700
"""Letters of markup, beyond which the answer is set smaller."""
FONTS = {"inter-regular": 400, "inter-semibold": 600}


def render_report(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    run: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> str:
    """Return a report as one HTML page that needs nothing else.

    Parameters
    ----------
    model : fitted estimator that finds groups
        Coterie's tell most; of other methods the page shows what they know.
    X : DataFrame or array-like, shape (rows, columns), optional
        Rows as the model takes them, best held out from the fit: for the range of the effects, for
        the contributions to single rows and, with ``y``, for how well it predicts.
    y : array-like, shape (rows,), optional
        Their outcomes.
    run : mapping, optional
        The record of the run, as in ``run.json``: command, settings, versions, scores, notes.
    title : str, optional

    Returns
    -------
    str

    Examples
    --------
    >>> import numpy as np
    >>> from coterie import CoterieRegressor
    >>> X = np.random.default_rng(0).normal(size=(300, 4))
    >>> model = CoterieRegressor(effort="fast", random_state=0).fit(X, X[:, 2])
    >>> page = render_report(model, X, X[:, 2])
    >>> page.startswith("<!doctype html>"), "http-equiv" in page
    (True, True)
    """
    facts = gather(model, X, y, run)
    style, script = _style(), _script()
    return Template(_asset("page.html")).substitute(
        policy=_policy(style, script),
        title=tag("title", clean(title or _title(facts))),
        style=style,
        body=_body(facts, title),
        data=as_json({"effects": effects_data(facts), "rows": rows_data(facts)}),
        script=script,
    )


def write_report(
    model: Any,
    path: str | os.PathLike[str],
    X: Any = None,
    y: Any = None,
    *,
    run: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> Path:
    """Write a report to a file, whole or not at all.

    Parameters
    ----------
    model, X, y, run, title
        As in :func:`render_report`.
    path : str or path
        Its folder is made where there is none.

    Returns
    -------
    Path

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from coterie import CoterieRegressor
    >>> X = np.random.default_rng(0).normal(size=(300, 4))
    >>> model = CoterieRegressor(effort="fast", random_state=0).fit(X, X[:, 2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(model, f"{folder}/report.html").stat().st_size > 10_000
    True
    """
    page = render_report(model, X, y, run=run, title=title).encode()

    def write(file: IO[bytes]) -> None:
        file.write(page)

    write_atomically(Path(path), write)
    return Path(path)


def _body(facts: Facts, title: str | None) -> Markup:
    sections = [
        ("groups", "The groups", groups_section(facts)),
        ("rows", "One row at a time", rows_section(facts)),
        ("prediction", "How well it predicts", prediction_section(facts)),
        ("search", "How it was found", search_section(facts)),
        ("data", "The data", data_section(facts)),
        ("repeat", "Do it again", repeat_section(facts)),
    ]
    shown = [(name, heading, body) for name, heading, body in sections if body is not None]
    links = [tag("a", heading, href=f"#{name}") for name, heading, _ in shown]
    return join(
        [
            tag("a", "Skip to the answer", href="#answer", class_="skip"),
            tag("header", _bar(links), class_="bar"),
            tag("main", _answer(facts, title), [_section(*section) for section in shown]),
            tag("footer", _footer(facts)),
        ]
    )


def _bar(links: list[Markup]) -> Markup:
    return tag(
        "div",
        tag("span", "coterie", class_="mark"),
        tag("nav", links, aria_label="Sections"),
        tag(
            "button", "Dark", type="button", id="theme", aria_label="Switch between light and dark"
        ),
        class_="inside",
    )


def _answer(facts: Facts, title: str | None) -> Markup:
    said = answer(facts)
    more = [consequence(facts), *(tag("span", text, class_="caution") for text in cautions(facts))]
    return tag(
        "section",
        tag("p", clean(title or _title(facts)), class_="eyebrow"),
        tag("h1", said, class_="dense" if len(said) > LONG_ANSWER else None),
        [tag("p", text, class_="lede") for text in more if text],
        _figures(facts),
        id="answer",
        tabindex=-1,
    )


def _figures(facts: Facts) -> Markup:
    """Return the few numbers that say most."""
    n_rows = (facts.run.get("rows") or {}).get("train")
    if n_rows is None and facts.X is not None:
        n_rows = facts.X.shape[0]
    first = headline(facts)
    figures = [
        first,
        (f"{len(facts.members)} of {len(facts.names):,}", "features in a group"),
        (certainty_in_words(facts), "certainty of the least certain group")
        if facts.groups and certainty_in_words(facts) != "–"
        else None,
        (f"{n_rows:,}", "rows") if n_rows is not None else None,
    ]
    pairs = [tag("div", tag("dt", f[1]), tag("dd", f[0])) for f in figures if f is not None]
    return tag("dl", pairs, class_="figures")


def _section(name: str, heading: str, body: Markup) -> Markup:
    return tag(
        "section",
        tag("h2", heading, id=f"{name}-title"),
        body,
        id=name,
        aria_labelledby=f"{name}-title",
    )


def _title(facts: Facts) -> str:
    return f"What acts together to predict {facts.target}" if facts.target else "What acts together"


def _footer(facts: Facts) -> Markup:
    made = clean(facts.run.get("created") or "").partition("T")[0]
    when = f" on {made}" if made else ""
    made_with = f"Made by Coterie {__version__}{when} from a {type(facts.inner).__name__}."
    return tag("p", made_with, " This page loads nothing and opens offline.")


def _asset(name: str) -> str:
    return (files("coterie.report") / "assets" / name).read_text(encoding="utf-8")


def _style() -> str:
    fonts = "".join(
        "@font-face{font-family:Inter;font-display:block;font-weight:"
        f"{weight};src:url(data:font/woff2;base64,{_font(name)})}}"
        for name, weight in FONTS.items()
    )
    return fonts + "\n" + _asset("style.css")


def _font(name: str) -> str:
    content = (files("coterie.report") / "assets" / f"{name}.woff2").read_bytes()
    return base64.b64encode(content).decode()


def _script() -> str:
    parts = "\n".join(_asset(f"{name}.js") for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();'


def _policy(style: str, script: str) -> str:
    """Return the content security policy: this style, this script, and nothing from outside."""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; font-src data:; "
        f"style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
