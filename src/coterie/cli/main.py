"""The ``coterie`` command, put together from the files in ``coterie/cli/commands``."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Annotated

import typer

from coterie import __version__
from coterie.cli import commands
from coterie.cli._terminal import EXIT_CODES, guarded

FIRST = ("demo", "fit", "predict", "report", "compare", "export")


def main() -> None:
    """Run the command line."""
    build_app(commands)(prog_name="coterie")


def build_app(package: ModuleType) -> typer.Typer:
    """Return the application with one subcommand for each module of the package."""
    app = typer.Typer(
        name="coterie",
        callback=_options,
        epilog="Begin with coterie demo, or with coterie fit TABLE --target COLUMN.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    modules = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    for module in sorted(modules, key=_rank):
        command = import_module(f"{package.__name__}.{module}")
        name = module.replace("_", "-")
        if hasattr(command, "COMMANDS"):
            app.add_typer(_group(command), name=name)
        else:
            app.command(name, epilog=EXIT_CODES)(guarded(command.run))
    return app


def _rank(module: str) -> int:
    """Return the place of a command in the help: those of every day first."""
    return FIRST.index(module) if module in FIRST else len(FIRST)


def _group(module: ModuleType) -> typer.Typer:
    """Return the application of a file with several commands."""
    group = typer.Typer(help=module.HELP, no_args_is_help=True)
    for name, run in module.COMMANDS.items():
        group.command(name, epilog=EXIT_CODES)(guarded(run))
    return group


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
