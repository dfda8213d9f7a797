"""How large is a report, and how fast does it open? 500 features and 20 groups, in Chromium.

``python -m benchmarks.report`` makes reports of a model whose groups are given, so that no fit is
waited for: the page has all that one of Coterie's has, with a long trace. It opens each page from
its file in a fresh context of a real Chromium, several times. A page has opened when its load event
has ended, which is after its scripts have drawn the first effect. The time that the page's thread
has worked by then is measured too: unlike the time on the clock, it does not grow when others use
the cores.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from benchmarks._browser import FLAGS, find_chromium
from benchmarks._common import (
    RESULTS,
    describe,
    machine,
    markdown_table,
    versions,
    write_json,
    write_text,
)
from coterie.estimators._selector import GroupSelectorMixin
from coterie.report import render_report

N_FEATURES, N_GROUPS, N_ROWS, N_DECISIONS = 500, 20, 2000, 2000
MOST_MEGABYTES, MOST_SECONDS = 3.0, 1.0
CASES = {"three features a group": 3, "all 500 features in groups": 25}
OPENED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


class Made(GroupSelectorMixin, BaseEstimator):
    """A model with given groups, each of which contributes the product of its columns."""

    aggregator_, effort, base_value_ = "sum", "standard", 0.25

    def fit(self, groups: list[tuple[int, ...]], names: list[str]) -> Made:
        n = len(groups)
        self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
        strength = np.linspace(0.5, 0.01, n)
        self._set_groups(
            groups,
            strength=strength,
            strength_low=strength * 0.8,
            strength_high=strength * 1.3,
            certainty=np.linspace(1, 0.5, n),
        )
        self.classes_ = np.array(["alive", "dead"])
        self.trace_ = _decisions(self.get_groups(names=True))
        self.history_ = [
            {"stage": stage, "loss": 0.5, "n_groups": n, "n_trained": 100 * n}
            for stage in ("open", "refine", "swap", "extend", "end")
        ]
        others = pd.DataFrame({"feature": names[:6], "loss_difference": 0.0, "z": 0.0})
        self.alternatives_ = dict.fromkeys(names, others)
        self.interactions_ = pd.DataFrame(
            {"a": names[:200], "b": names[-200:], "effect": 0.1, "z": 5.0, "kept": True}
        )
        self.screen_ = pd.DataFrame(
            {"features": [(name,) for name in names[:100]], "kind": "single", "z": 7.0}
        )
        return self

    def contributions(self, X: Any) -> NDArray[np.float64]:
        values = np.asarray(X, dtype=float)
        return np.stack([values[:, group[:3]].prod(axis=1) for group in self.groups_], axis=1)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        dead = 1 / (1 + np.exp(-self.base_value_ - self.contributions(X).sum(axis=1)))
        return np.stack([1 - dead, dead], axis=1)

    def predict(self, X: Any) -> NDArray[Any]:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def _decisions(groups: list[tuple[str, ...]]) -> list[dict[str, Any]]:
    entry = {"stage": "simplify", "groups": groups, "aggregator": "sum", "loss": 0.51234, "z": 12.3}
    return [
        {**entry, "action": "take" if i % 5 == 0 else "keep", "features": []}
        for i in range(N_DECISIONS)
    ]


def page_of(group_size: int) -> tuple[str, float]:
    """Return the page of a model with groups of a size, and the seconds that it took to make."""
    rng = np.random.default_rng(0)
    names = [f"gene_{i}_expression" for i in range(N_FEATURES)]
    order = rng.permutation(N_FEATURES)[: N_GROUPS * group_size]
    groups = [tuple(sorted(part.tolist())) for part in np.split(order, N_GROUPS)]
    model = Made().fit(groups, names)
    X = pd.DataFrame(rng.normal(size=(N_ROWS, N_FEATURES)), columns=names)
    start = perf_counter()
    page = render_report(model, X, model.predict(X))
    return page, perf_counter() - start


def open_seconds(page: str, repeats: int) -> list[tuple[float, float]]:
    """Open the page several times, each time as if for the first time.

    Gives the seconds on the clock and those that the page's thread has worked.
    """
    from playwright.sync_api import sync_playwright

    found = find_chromium()
    if found is None:
        raise FileNotFoundError("No Chromium was found: install it, such as by the package manager")
    seconds = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(page, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        for _ in range(repeats):
            context = browser.new_context()
            opened = context.new_page()
            session = context.new_cdp_session(opened)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            opened.goto(path.as_uri())
            worked = session.send("Performance.getMetrics")["metrics"]
            clock = float(opened.evaluate(OPENED)) / 1000
            seconds.append((clock, {m["name"]: m["value"] for m in worked}["TaskDuration"]))
            context.close()
        browser.close()
    return seconds


def measure(repeats: int) -> list[dict[str, Any]]:
    """Give a record for each case."""
    records = []
    for name, group_size in CASES.items():
        page, rendering = page_of(group_size)
        seconds = open_seconds(page, repeats)
        records.append(
            {
                "case": name,
                "megabytes": len(page.encode()) / 1e6,
                "render_seconds": rendering,
                "open_seconds": [clock for clock, _ in seconds],
                "work_seconds": [work for _, work in seconds],
            }
        )
    return records


def report(records: list[dict[str, Any]], facts: dict[str, Any]) -> str:
    """Return the page of results."""
    rows = [
        [
            record["case"],
            f"{record['megabytes']:.2f}",
            f"{statistics.median(record['open_seconds']):.2f}",
            f"{max(record['open_seconds']):.2f}",
            f"{statistics.median(record['work_seconds']):.2f}",
            f"{record['render_seconds']:.1f}",
        ]
        for record in records
    ]
    header = ["report", "MB", "s to open, median", "s to open, slowest", "s of work", "s to make"]
    repeats = len(records[0]["open_seconds"])
    return "\n\n".join(
        [
            f"# A report of {N_FEATURES} features and {N_GROUPS} groups",
            "`python -m benchmarks.report`",
            f"{describe(facts['machine'])}; {describe(facts['versions'])}.",
            f"{N_ROWS} rows, {N_DECISIONS} decisions in the trace; opened {repeats} times in fresh "
            f"contexts of a headless Chromium. Aim: below {MOST_MEGABYTES:g} MB and "
            f"{MOST_SECONDS:g} s. The load of the machine was {facts['load']:.1f} before it began; "
            "more than its cores means that others slowed the measurement down.",
            markdown_table(header, rows) + "\n",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    records = measure(options.repeats)
    facts = {"load": load, "machine": machine(), "versions": versions(("coterie", "playwright"))}
    write_json(RESULTS / "report.json", {**facts, "records": records})
    write_text(RESULTS / "report.md", report(records, facts))
    print(report(records, facts))
    held = all(
        record["megabytes"] < MOST_MEGABYTES
        and statistics.median(record["open_seconds"]) < MOST_SECONDS
        for record in records
    )
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
