"""Tables and bars."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from coterie.report.markup import Markup, number, tag


def table(
    header: Sequence[str], rows: Iterable[Sequence[Any]], class_: str = "", caption: str = ""
) -> Markup:
    """Return a table whose cells know their column's name, for windows too narrow for columns.

    Examples
    --------
    >>> '<td data-label="n">3</td>' in table(["n"], [["3"]])
    True
    """
    head = tag("tr", [tag("th", name, scope="col") for name in header])
    body = [
        tag(
            "tr", [tag("td", cell, data_label=name) for name, cell in zip(header, row, strict=True)]
        )
        for row in rows
    ]
    described = tag("caption", caption, class_="unseen") if caption else None
    return tag("table", described, tag("thead", head), tag("tbody", body), class_=class_ or None)


def interval_bar(measured: Sequence[float], ends: tuple[float, float]) -> Markup:
    """Draw a value, its lower and its upper bound as dot and line, between common ends."""
    value, low, high = measured
    least, largest = ends
    width = largest - least or 1.0

    def x(of: float) -> str:
        return f"{4 + 192 * (of - least) / width:.1f}"

    line = (
        tag("line", x1=x(low), x2=x(high), y1=8, y2=8, class_="interval")
        if math.isfinite(low) and math.isfinite(high)
        else None
    )
    return tag(
        "svg",
        tag("line", x1=x(0), x2=x(0), y1=1, y2=15, class_="zero"),
        line,
        tag("circle", cx=x(value), cy=8, r=4.5, class_="point"),
        viewBox="0 0 200 16",
        class_="bar",
        aria_hidden="true",
    )


def share_bar(value: float, least: float, largest: float) -> Markup:
    """Draw a value as a bar from the lesser of 0 and ``least``."""
    width = largest - least or 1.0
    start, end = (100 * (of - least) / width for of in sorted((0.0, value)))
    return tag(
        "svg",
        tag("rect", x=0, y=5, width=100, height=6, class_="track"),
        tag("rect", x=f"{start:.1f}", y=5, width=f"{end - start:.1f}", height=6, class_="fill"),
        viewBox="0 0 100 16",
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
    )


def interval(value: float, low: float, high: float) -> str:
    """Return a value with its interval in words.

    Examples
    --------
    >>> interval(0.5, 0.4, 0.6), interval(0.5, float("nan"), float("nan"))
    ('0.5 (0.4 to 0.6)', '0.5')
    """
    known = math.isfinite(low) and math.isfinite(high)
    return f"{number(value)} ({number(low)} to {number(high)})" if known else number(value)
