"""The command line: ``thriftwood VERB``, one file per verb.

Commands show what the library computes and compute nothing themselves. To add one: a file with a function,
and a line in the list below.
"""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from thriftwood import __version__
from thriftwood.cli import (
    algorithms,
    bill,
    clarify,
    compare,
    consult,
    costs,
    demo,
    export,
    fit,
    flowtype,
    frontier,
    predict,
    reproduce,
    show,
    stream,
    studio,
    watchdog,
    whatif,
)
from thriftwood.cli.group import PlainGroup
from thriftwood.cli.printing import plainly

app = typer.Typer(
    name="thriftwood",
    cls=PlainGroup,
    help="Decision trees that know what every test and every mistake costs.",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help and errors: they are piped, searched and pasted
    pretty_exceptions_enable=False,
)
for command in (
    fit.fit,
    predict.predict,
    bill.bill,
    compare.compare,
    frontier.frontier,
    whatif.whatif,
    watchdog.watchdog,
    show.show,
    consult.consult,
    stream.stream,
    export.export,
    studio.studio,
    algorithms.algorithms,
    demo.demo,
):
    app.command()(plainly(command))
app.add_typer(costs.app, name="costs")
app.add_typer(reproduce.app, name="reproduce")
app.add_typer(flowtype.app, name="flowtype")
app.add_typer(clarify.app, name="clarify")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"thriftwood {__version__}")
        raise typer.Exit


@app.callback()
def _every_command(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    # A terminal that cannot show the lines of a drawn tree gets question marks, not a stack trace.
    for out in (sys.stdout, sys.stderr):
        if isinstance(out, TextIOWrapper):
            out.reconfigure(errors="replace")
