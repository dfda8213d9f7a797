"""The ``coterie`` command, put together from the files in ``coterie/cli/commands``."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Annotated

import typer

from coterie import __version__
from coterie.cli import commands


def main() -> None:
    """Run the command line."""
    build_app(commands)()


def build_app(package: ModuleType) -> typer.Typer:
    """Return the application with one subcommand for each module of the package."""
    app = typer.Typer(
        name="coterie",
        callback=_options,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    for module in pkgutil.iter_modules(package.__path__):
        command = import_module(f"{package.__name__}.{module.name}")
        app.command(module.name.replace("_", "-"))(command.run)
    return app


def _print_version(requested: bool) -> None:
    if requested:
        print(f"coterie {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Find the groups of features that act together."""
