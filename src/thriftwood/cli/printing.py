"""What every command prints with: a console, tables, trees, JSON, and errors in one sentence."""

from __future__ import annotations

import functools
import json
import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from thriftwood.base.advice import Words
from thriftwood.cli.advice import SHELL, in_shell

if TYPE_CHECKING:
    from thriftwood.models import Tree

Verb = TypeVar("Verb", bound=Callable[..., Any])

WRONG_INPUT, FAILED, INTERRUPTED = 2, 1, 130
DEBUG = "THRIFTWOOD_DEBUG"


def console(*, stderr: bool = False) -> Console:
    """Return a console for results: colours on a terminal only, and no guessing at what looks like markup."""
    return Console(highlight=False, markup=False, emoji=False, stderr=stderr)


# Errors


@contextmanager
def one_sentence(words: Words = SHELL) -> Iterator[None]:
    """Turn an error of the library or the file system into its message on stderr and an exit code.

    2 for what the user can mend (a file that is not there, a column, a price), 1 for all else. `words` are
    those of the command.
    """
    try:
        yield
    except BrokenPipeError:  # the reader, `head` for example, has seen enough
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        named = isinstance(
            error, FileNotFoundError | PermissionError | IsADirectoryError | NotADirectoryError
        )
        advised = hasattr(error, "advice") or not error.strerror
        said = in_shell(error, words) if advised else error.strerror
        raise fail(f"{where}{said}", WRONG_INPUT if named else FAILED) from None
    except (ValueError, TypeError) as error:  # the library's own, in words
        raise fail(in_shell(error, words), WRONG_INPUT) from None


def fail(message: str, code: int = FAILED) -> typer.Exit:
    """Say what went wrong, on one line; raise the result."""
    typer.echo(f"Error: {' '.join(message.split())}", err=True)
    return typer.Exit(code)


def note(message: str) -> None:
    """Say what a user should know, apart from the result."""
    typer.echo(f"Note: {' '.join(message.split())}", err=True)


def _once_noted() -> Callable[..., None]:
    """Return what notes a warning the first time that it comes: models are learnt again to be judged."""
    said: set[str] = set()

    def show(message: Warning | str, *_: Any) -> None:
        text = in_shell(message)
        if text not in said:
            said.add(text)
            note(text)

    return show


def plainly(verb: Verb) -> Verb:
    """Make a command print errors as sentences, without a stack trace, and warnings as notes."""

    @functools.wraps(verb)
    def spoken(*arguments: Any, **options: Any) -> Any:
        if os.environ.get(DEBUG):
            return verb(*arguments, **options)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".* as names of cases have")  # said of the file already
            warnings.showwarning = _once_noted()
            try:
                with one_sentence():
                    return verb(*arguments, **options)
            except Exception as error:
                # Typer's own: exits, aborts and wrong options.
                if isinstance(error, typer.Abort | BrokenPipeError) or hasattr(error, "exit_code"):
                    raise
                what = f"{type(error).__name__}: {in_shell(error)}".rstrip(".: ")
                raise fail(f"{what}. This should not happen; {DEBUG}=1 shows where it did.") from None

    return spoken  # type: ignore[return-value]


# Results


def heading(out: Console, text: str) -> None:
    """Print a heading after a blank line."""
    out.print()
    out.print(Text(text, style="bold"), soft_wrap=True)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> Table:
    """Return a table: so many columns of names, then numbers aligned to the right."""
    made = Table(title=title or None, title_justify="left", title_style="italic", box=None, pad_edge=False)
    for place, name in enumerate(columns):
        made.add_column(Text(name), justify="left" if place < names else "right", header_style="dim")
    for row in rows:
        made.add_row(*map(Text, row))
    return made


def print_lines(out: Console, text: str) -> None:
    """Print text as it is; a terminal that is too narrow folds it itself."""
    out.print(Text(text), soft_wrap=True)


def print_tree(out: Console, tree: Tree, max_depth: int | None = None) -> None:
    """Print a tree: all its columns into a pipe or a file, those that fit on a terminal."""
    full = _drawn(tree, max_depth, counts=True)
    if out.is_terminal and _width(full) > out.width:
        full = _drawn(tree, max_depth, counts=False)
    # Lines that are still too long are left to the terminal; folding them here would tear the drawing.
    out.print(full, soft_wrap=True)


def print_json(content: Any) -> None:
    """Print content for machines; a number that does not exist is null."""
    typer.echo(json.dumps(plain(content), indent=2, allow_nan=False))


@contextmanager
def json_rows() -> Iterator[Callable[[Sequence[Any]], None]]:
    """Give a function to call with rows, some at a time; they are printed as one list."""
    written = False

    def write(rows: Sequence[Any]) -> None:
        nonlocal written
        listed = json.dumps(plain(rows), indent=2, allow_nan=False)
        typer.echo((",\n" if written else "[\n") + listed[len("[\n") : -len("\n]")], nl=False)
        written = True

    yield write
    typer.echo("\n]" if written else "[]")


def plain(content: Any) -> Any:
    """Return content in the types that JSON has.

    >>> plain({"cost": float("nan"), "tests": ("age",)})
    {'cost': None, 'tests': ['age']}
    """
    if isinstance(content, Mapping):
        return {str(key): plain(value) for key, value in content.items()}
    if hasattr(content, "tolist"):  # numpy's arrays and numbers
        return plain(content.tolist())
    if isinstance(content, list | tuple):
        return [plain(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    return content


def _drawn(tree: Tree, max_depth: int | None, *, counts: bool) -> Text:
    return Text.from_ansi(tree.text(max_depth=max_depth, counts=counts, color=True))


def _width(text: Text) -> int:
    return max(line.cell_len for line in text.split())
