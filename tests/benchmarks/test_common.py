"""What the benchmarks share."""

from benchmarks import _common
from benchmarks._common import (
    Disturbance,
    describe,
    machine,
    markdown_table,
    read_json,
    versions,
    write_json,
)


def test_the_machine_and_the_versions_are_named():
    assert {"cpu", "cores", "python"} <= machine().keys()
    assert versions(["numpy", "no-such-package"]).keys() <= {"numpy", "revision"}
    assert describe({"usable_cores": 2, "cpu": "x"}) == "usable cores 2, cpu x"


def test_results_are_read_back(tmp_path):
    assert read_json(tmp_path / "none.json") is None
    write_json(tmp_path / "new" / "one.json", {"a": [1.5]})
    assert read_json(tmp_path / "new" / "one.json") == {"a": [1.5]}


def test_columns_of_a_table_line_up():
    lines = markdown_table(["a", "long name"], [["wide cell", 1], ["b", 22]]).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[1] == "| --------- | --------- |"


def test_the_work_of_a_child_is_not_a_disturbance(monkeypatch):
    """Of four seconds of work in two of time on two cores, one was a child's: three of four."""
    monkeypatch.setattr(_common, "monotonic", iter([0.0, 2.0]).__next__)
    monkeypatch.setattr(_common, "_busy_seconds", iter([10.0, 14.0]).__next__)
    monkeypatch.setattr(_common, "seconds_of_children", iter([5.0, 6.0]).__next__)
    monkeypatch.setattr(_common.os, "cpu_count", lambda: 2)
    with Disturbance() as disturbance:
        pass
    assert disturbance.share == 0.75


def test_where_the_system_does_not_tell_nothing_is_said(monkeypatch):
    monkeypatch.setattr(_common, "_busy_seconds", lambda: None)
    with Disturbance() as disturbance:
        pass
    assert disturbance.share is None
