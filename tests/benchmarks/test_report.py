"""The benchmark of the report makes a page as the benchmark says it is."""

import json
import re

import pytest

from benchmarks.report import CASES, N_FEATURES, N_GROUPS, page_of, report

FACTS = {"machine": {"cores": 2}, "versions": {"coterie": "0.1.0"}, "load": 0.5}


@pytest.mark.slow
def test_the_page_has_as_many_groups_as_is_said():
    page, _ = page_of(3)
    data = json.loads(re.search(r'id="page-data">(.*?)</script>', page, re.DOTALL)[1])
    assert len(data["effects"]) == N_GROUPS
    assert f"of {N_FEATURES}" in page
    assert len(page.encode()) < 3e6


def test_the_results_name_the_slowest_time():
    records = [
        {
            "case": name,
            "megabytes": 1.0,
            "render_seconds": 2.0,
            "open_seconds": [0.1, 0.3, 0.2],
            "work_seconds": [0.1],
        }
        for name in CASES
    ]
    text = report(records, FACTS)
    assert "| 1.00 | 0.20              | 0.30 " in text
    assert "opened 3 times" in text
