"""The command line, verb by verb, as the program itself describes it."""

from __future__ import annotations

from collections.abc import Iterator

import click
import typer

from thriftwood.cli import app

FIRST = """# The command line, verb by verb

Written from the program itself: `thriftwood VERB --help` says the same.
[The command line](../command-line.md) explains tables, results, errors and exit codes."""


def verbs() -> Iterator[tuple[str, click.Command]]:
    """Give every command with its whole name, groups before what they hold."""
    return _below("thriftwood", typer.main.get_command(app))


def _below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    for word, below in getattr(command, "commands", {}).items():
        yield from _below(f"{name} {word}", below)


def commands_page() -> str:
    """Write the page."""
    return "\n\n".join([FIRST, *(_section(name, command) for name, command in verbs())]) + "\n"


def _section(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=name)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    level = "##" if name.count(" ") < 2 else "###"
    parts = [f"{level} {name}", f"```text\n{usage}\n```", *_help(command.help or "")]
    rows = [row for parameter in command.get_params(context) if (row := _row(parameter, context)) is not None]
    if rows:
        parts.append("\n".join(["| argument or option | what it is |", "|---|---|", *rows]))
    return "\n\n".join(parts)


def _help(text: str) -> Iterator[str]:
    """Lay the help of a command out: its paragraphs, and its example as a block."""
    for part in text.replace("\b\n", "").strip().split("\n\n"):
        lines = [line.strip() for line in part.splitlines()]
        if lines[0].startswith("Example:"):
            yield "\n".join(["```sh", lines[0].removeprefix("Example:").strip(), *lines[1:], "```"])
        else:
            yield "\n".join(lines).replace("<", "&lt;")


def _row(parameter: click.Parameter, context: click.Context) -> str | None:
    """Write an argument or an option as a line of a table."""
    if getattr(parameter, "hidden", False):
        return None
    record = parameter.get_help_record(context)
    names, words = record or (parameter.make_metavar(context), getattr(parameter, "help", None) or "")
    return f"| `{_cell(names)}` | {_cell(words).replace('<', '&lt;').replace('*', chr(92) + '*')} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
