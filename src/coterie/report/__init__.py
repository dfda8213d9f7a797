"""One self-contained HTML page from a fitted estimator: it opens offline and loads nothing."""

from coterie.report.page import render_report, write_report

__all__ = ["render_report", "write_report"]
