"""What every command prints with: a console, tables, trees, and errors in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from thriftwood.tree import Tree


def console(*, stderr: bool = False) -> Console:
    """Return a console for results: colours on a terminal only, and no guessing at what looks like markup."""
    return Console(highlight=False, markup=False, emoji=False, stderr=stderr)


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn an error of the library or the file system into its message on stderr and exit code 1."""
    try:
        yield
    except BrokenPipeError:  # the reader, `head` for example, has seen enough
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise fail(f"{where}{error.strerror or error}") from None
    except ValueError as error:
        raise fail(str(error)) from None


def fail(message: str, code: int = 1) -> typer.Exit:
    """Say what went wrong; raise the result."""
    typer.echo(f"Error: {message}", err=True)
    return typer.Exit(code)


def heading(out: Console, text: str) -> None:
    """Print a heading after a blank line."""
    out.print()
    out.print(Text(text, style="bold"))


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> Table:
    """Return a table: so many columns of names, then numbers aligned to the right."""
    made = Table(title=title or None, title_justify="left", title_style="italic", box=None, pad_edge=False)
    for place, name in enumerate(columns):
        made.add_column(Text(name), justify="left" if place < names else "right", header_style="dim")
    for row in rows:
        made.add_row(*map(Text, row))
    return made


def print_tree(out: Console, tree: Tree, max_depth: int | None = None) -> None:
    """Print a tree: all its columns into a pipe or a file, those that fit on a terminal."""
    full = _drawn(tree, max_depth, counts=True)
    if out.is_terminal and _width(full) > out.width:
        full = _drawn(tree, max_depth, counts=False)
    # Lines that are still too long are left to the terminal; folding them here would tear the drawing.
    out.print(full, soft_wrap=True)


def _drawn(tree: Tree, max_depth: int | None, *, counts: bool) -> Text:
    return Text.from_ansi(tree.text(max_depth=max_depth, counts=counts, color=True))


def _width(text: Text) -> int:
    return max(line.cell_len for line in text.split())
