import pytest

from tests.cli.running import CommandLine


@pytest.fixture
def coterie(monkeypatch, capsys, tmp_path):
    """Return what runs the command line, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)
