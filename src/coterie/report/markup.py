"""HTML put together from text that is never trusted."""

from __future__ import annotations

import html
import json
import math
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks that turn the direction of all that follows."""
SHORT_NAME = 16
VOID = {"br", "circle", "col", "hr", "line", "meta", "path", "polygon", "rect"}


class Markup(str):
    """Text that is HTML already; all other text is escaped on its way in."""

    __slots__ = ()


def tag(name: str, *children: Any, **attributes: Any) -> Markup:
    """Return an element; children may be text, markup, None, or lists of those.

    Examples
    --------
    >>> tag("p", "1 < 2", class_="note", hidden=True, title=None)
    '<p class="note" hidden>1 &lt; 2</p>'
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID and not children:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def join(children: Iterable[Any], between: str = "") -> Markup:
    """Return children one after the other, escaped where they are text."""
    return Markup(html.escape(between).join(_flattened(children)))


def clean(text: object) -> str:
    r"""Return a name as it can stand in a page: one line, no control characters.

    Examples
    --------
    >>> clean("a\x00b\n\tc \ud800")
    'a\ufffdb c \ufffd'
    """
    one_line = " ".join(str(text).split())
    return "".join("\ufffd" if _is_unprintable(letter) else letter for letter in one_line)


def name_of(text: str) -> Markup:
    """Return a name that keeps its own direction, is cut where it is long, and tells itself whole.

    Examples
    --------
    >>> name_of("<b>")
    '<bdi>&lt;b&gt;</bdi>'
    """
    shown = text if text else "(no name)"
    is_short = len(shown) <= SHORT_NAME
    return tag("bdi", shown) if is_short else tag("bdi", shown, class_="long", title=shown)


def cut(text: str, width: int) -> str:
    """Return text of at most so many columns, where wide letters take two.

    Examples
    --------
    >>> cut("measured", 5), cut("年齢年齢", 5)
    ('meas…', '年齢…')
    """
    if sum(map(_width, text)) <= width:
        return text
    kept, used = "", 1
    for letter in text:
        used += _width(letter)
        if used > width:
            break
        kept += letter
    return kept + "…"


def number(value: Any, digits: int = 3) -> str:
    """Return a number for the eye; a dash where it is unknown.

    Examples
    --------
    >>> number(-0.04312), number(12345.6), number(float("nan")), number(0)
    ('−0.0431', '12,346', '–', '0')
    """
    if value is None or not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    magnitude = abs(value)
    if magnitude >= 1000:
        text = f"{magnitude:,.0f}" if magnitude < 1e9 else f"{magnitude:.{digits - 1}e}"
    else:
        text = f"{magnitude:.{digits}g}"
    return f"−{text}" if value < 0 else text


def score(value: Any) -> str:
    """Return a score: three decimals, so that what is nearly 1 does not look like 1 exactly.

    Examples
    --------
    >>> score(0.99988), score(0.69), score(1.0), score(-0.2), score(12.3456)
    ('0.9999', '0.690', '1', '−0.200', '12.3')
    """
    if value is None or not math.isfinite(value) or abs(value) > 1 or value in (-1, 0, 1):
        return number(value)
    text = f"{abs(value):.3f}" if abs(value) < 0.9995 else f"{abs(value):.4f}"
    return f"−{text}" if value < 0 else text


def as_json(content: Any) -> Markup:
    r"""Return data that can stand in a script element: nothing in it ends or opens one.

    Examples
    --------
    >>> as_json({"name": "</script>", "value": float("nan")})
    '{"name":"\\u003c/script\\u003e","value":null}'
    """
    text = json.dumps(_plain(content), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def _attribute(key: str, value: Any) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'


def _flattened(children: Iterable[Any]) -> Iterable[str]:
    for child in children:
        if isinstance(child, Markup):
            yield child
        elif isinstance(child, str):
            yield html.escape(child)
        elif child is not None:
            yield join(child)


def _is_unprintable(letter: str) -> bool:
    """Tell control characters, halves of characters, and marks that turn what follows around."""
    return unicodedata.category(letter) in ("Cc", "Cs") or letter in TURNING


def _width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _plain(content: Any) -> Any:
    """Return content of plain types; four digits of a number are enough for a picture."""
    if isinstance(content, dict):
        return {key: _plain(value) for key, value in content.items()}
    if isinstance(content, np.ndarray):
        return _plain(content.tolist())
    if isinstance(content, (list, tuple)):
        return [_plain(value) for value in content]
    if isinstance(content, (float, np.floating)):
        return float(f"{content:.4g}") if math.isfinite(content) else None
    if isinstance(content, np.integer):
        return int(content)
    return content
