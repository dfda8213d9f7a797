from __future__ import annotations

import csv
import io

import pytest

from coterie.experiments.pages import Figure, Report, Table, write_report

TABLE = Table("t", "A & B", ["task", "Gsim"], [["Syn1", "0.9 ± 0.1"], ["Syn_2", "1%"]], ["A note."])


def test_latex_escapes_what_is_special():
    latex = TABLE.latex()
    assert r"\caption{A \& B}" in latex
    assert r"Syn1 & 0.9 $\pm$ 0.1 \\" in latex
    assert r"Syn\_2 & 1\% \\" in latex


def test_csv_gives_header_and_rows_back():
    assert list(csv.reader(io.StringIO(TABLE.csv()))) == [TABLE.header, *TABLE.rows]


def test_markdown_has_title_rows_and_notes():
    lines = TABLE.markdown().splitlines()
    assert lines[0] == "### A & B"
    assert lines[2] == "| task  | Gsim      |"
    assert lines[-1] == "A note."


def test_a_report_is_written_in_all_forms(tmp_path):
    pytest.importorskip("matplotlib")
    figure = Figure("f", "A line", lambda canvas: canvas.subplots().plot([0, 1]))
    write_report(Report("r", "Title", [TABLE], [figure]), tmp_path)
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    assert written == {
        "tables/r.md",
        "tables/t.csv",
        "tables/t.tex",
        "figures/f.png",
        "figures/f.svg",
    }
    assert "![A line](../figures/f.png)" in (tmp_path / "tables" / "r.md").read_text()
