"""What all commands share: where text goes, what a user is told of an error, how a command ends.

Results go to standard output; progress, notes and errors go to standard error.
"""

from __future__ import annotations

import functools
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

BAD_INPUT, INTERRUPTED = 2, 130

EXIT_CODES = (
    "Exit codes: 0 done (also if nothing was found, which is said); 1 a fault of the program; 2 "
    "the input or an option can't be used; 130 stopped by Ctrl-C."
)

IN_WORDS_OF_OPTIONS = [
    (re.compile(r"[Ss]et impute=True to fill them"), "Add --impute to fill them"),
    (re.compile(r"train with impute=True"), "fit with --impute"),
    (re.compile(r"task='(\w+)' was asked for"), r"--task \1 was asked for"),
    (re.compile(r"task='(\w+)'"), r"--task \1"),
    (re.compile(r" \(in text files, read_table\(path, missing=\[.*?\]\)\)"), ""),
    (re.compile(r", or give encoding='[\w-]+'"), ""),
    (re.compile(r" \(time_limit=[^)]*\)"), ""),
    (re.compile(r"effort='thorough'"), "--effort thorough"),
    (re.compile(r",? ?(?:or )?give delimiter='?[^.,;]*'?"), ""),
]
"""Remedies of the library, and what they are called on the command line."""


def output() -> Console:
    """Return the console of results."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def messages() -> Console:
    """Return the console of progress, notes and errors."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


def note(text: str) -> None:
    """Print a note on standard error."""
    _say("Note: ", "yellow", text)


def fail(message: str) -> None:
    """Print what is wrong on standard error."""
    _say("Error: ", "bold red", message)


def _say(what: str, style: str, text: str) -> None:
    from rich.text import Text

    messages().print(Text.assemble((what, style), in_words_of_options(text)))


def in_words_of_options(message: str) -> str:
    """Return a message of the library with its parameters as options.

    Examples
    --------
    >>> in_words_of_options("2 columns have gaps. Set impute=True to fill them.")
    '2 columns have gaps. Add --impute to fill them.'
    """
    for pattern, replacement in IN_WORDS_OF_OPTIONS:
        message = pattern.sub(replacement, message)
    return message


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command end with a message and an exit code where the input is at fault."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        from coterie.io.errors import InputError

        try:
            with _warnings_as_notes():
                return command(*arguments, **options)
        except InputError as error:
            fail(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except KeyboardInterrupt:
            fail("stopped before the end.")
            raise typer.Exit(INTERRUPTED) from None

    return run


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """Show each warning of a library once, in a line."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        text = " ".join(str(message).split())
        if text not in shown and not issubclass(category, DeprecationWarning | FutureWarning):
            shown.add(text)
            note(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield


def read(path: Path, said_of: str = "") -> Any:
    """Read a table; the message of an error says which argument it is about."""
    from coterie.io.errors import TableError
    from coterie.io.tables import read_table

    try:
        return read_table(path)
    except TableError as error:
        raise TableError(f"{said_of}{error}") from None


def command_line() -> str:
    """Return what was typed, as a shell would take it again."""
    import shlex

    return shlex.join(["coterie", *sys.argv[1:]])


def print_frame(table: Any, as_json: bool = False) -> None:
    """Print a table as CSV or as JSON."""
    if as_json:
        import json

        from coterie.io.export import as_json_value

        print(json.dumps(as_json_value(table), indent=2, ensure_ascii=False))
    else:
        print(table.to_csv(index=False), end="")
