"""How much memory there is."""

from __future__ import annotations

import pytest

from coterie.io import _memory


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Make a machine of which only the free memory is known."""
    monkeypatch.setattr(_memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(_memory, "_CONTROL_GROUP", tmp_path)
    (tmp_path / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 4000 kB\n")
    return tmp_path


def test_free_memory_is_what_the_system_says(machine):
    assert _memory.available_memory() == 4000 * 1024


def test_a_container_leaves_less(machine):
    (machine / "memory.max").write_text("1000000\n")
    (machine / "memory.current").write_text("400000\n")
    assert _memory.available_memory() == 600000


def test_a_container_without_a_bound_leaves_all(machine):
    (machine / "memory.max").write_text("max\n")
    (machine / "memory.current").write_text("400000\n")
    assert _memory.available_memory() == 4000 * 1024


def test_a_system_that_does_not_say_is_asked_in_another_way(machine):
    (machine / "meminfo").unlink()
    available = _memory.available_memory()
    assert available is None or available > 2**20
