"""Tables and figures before they are files, and the files: Markdown, LaTeX, CSV, PNG and SVG."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coterie.experiments.files import write_text

SPECIAL = {"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "±": r"$\pm$", "{": r"\{", "}": r"\}"}


@dataclass(frozen=True)
class Table:
    """A header, rows of text, and what is said above and below them."""

    name: str
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def markdown(self) -> str:
        """Write the table for a page."""
        notes = [f"\n{note}" for note in self.notes]
        return "\n".join([f"### {self.title}\n", markdown_rows(self.header, self.rows), *notes])

    def csv(self) -> str:
        """Write header and rows."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.header, *self.rows])
        return text.getvalue()

    def latex(self) -> str:
        """Write a ``table`` environment with the rules of booktabs."""
        lines = [" & ".join(map(_escape, row)) + r" \\" for row in [self.header, *self.rows]]
        return "\n".join(
            [
                r"\begin{table}[ht]",
                rf"\caption{{{_escape(self.title)}}}",
                rf"\begin{{tabular}}{{{'l' * len(self.header)}}}",
                r"\toprule",
                lines[0],
                r"\midrule",
                *lines[1:],
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
                "",
            ]
        )


@dataclass(frozen=True)
class Figure:
    """A name, a caption and a function that draws on a matplotlib figure."""

    name: str
    caption: str
    draw: Callable[[Any], None]
    size: tuple[float, float] = (8.0, 4.0)


@dataclass(frozen=True)
class Report:
    """What an experiment shows: tables, figures, and sentences about them."""

    name: str
    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    remarks: Sequence[str] = field(default_factory=list)

    def markdown(self, figures_at: str | None = None) -> str:
        """Write the page; figures are linked below ``figures_at``."""
        parts = [f"## {self.title}", *self.remarks, *(table.markdown() for table in self.tables)]
        if figures_at is not None:
            parts += [f"![{made.caption}]({figures_at}/{made.name}.png)" for made in self.figures]
        return "\n\n".join(parts) + "\n"


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write the tables of a report as Markdown, LaTeX and CSV, and its figures; return the paths.

    Without matplotlib the figures are left out.
    """
    written = [write_text(folder / "tables" / f"{report.name}.md", report.markdown("../figures"))]
    for table in report.tables:
        written.append(write_text(folder / "tables" / f"{table.name}.csv", table.csv()))
        written.append(write_text(folder / "tables" / f"{table.name}.tex", table.latex()))
    for figure in report.figures:
        written += _write_figure(figure, folder / "figures")
    return written


def markdown_rows(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a table whose columns line up in the source too.

    Examples
    --------
    >>> print(markdown_rows(["task", "n"], [["Syn1", "2"]]))
    | task | n |
    | ---- | - |
    | Syn1 | 2 |
    """
    cells = [list(header), *(list(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    lines = (
        " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        for row in cells
    )
    return "\n".join(f"| {line} |" for line in lines)


def _write_figure(figure: Figure, folder: Path) -> list[Path]:
    try:
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        return []
    canvas = Canvas(figsize=figure.size, layout="constrained")
    figure.draw(canvas)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind, facts in (("png", {}), ("svg", {"Date": None})):
        path = folder / f"{figure.name}.{kind}"
        canvas.savefig(path, metadata=facts, dpi=120)
        written.append(path)
    return written


def _escape(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text)
