"""The command line finds its subcommands, and asking for help costs no heavy import."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

import coterie
from coterie.cli import commands
from coterie.cli.main import build_app

runner = CliRunner()


def test_help_lists_the_commands_without_importing_anything_heavy():
    program = """
import sys
sys.argv = ["coterie", "--help"]
from coterie.cli.main import main
try:
    main()
except SystemExit as stop:
    assert not stop.code
print("heavy", sorted({"jax", "numpy", "pandas", "scipy", "sklearn"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "demo" in done.stdout
    assert done.stdout.strip().endswith("heavy []")


def test_version():
    result = runner.invoke(build_app(commands), ["--version"])
    assert result.exit_code == 0
    assert result.output.strip() == f"coterie {coterie.__version__}"


@pytest.fixture
def package_of_one_file(tmp_path, monkeypatch):
    folder = tmp_path / "some_commands"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "add_up.py").write_text(
        'def run(first: int, second: int = 1) -> None:\n    """Add."""\n    print(first + second)\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    import some_commands

    yield some_commands
    for name in ("some_commands", "some_commands.add_up"):
        sys.modules.pop(name, None)


def test_a_file_is_all_that_a_command_takes(package_of_one_file):
    result = runner.invoke(build_app(package_of_one_file), ["add-up", "3", "--second", "4"])
    assert result.output.strip() == "7"


def test_an_unknown_command_fails():
    result = runner.invoke(build_app(commands), ["no-such-command"])
    assert result.exit_code == 2
