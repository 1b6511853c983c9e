"""``thriftwood consult``: a saved tree asks for one test at a time and keeps the running bill."""

from __future__ import annotations

from typing import Annotated

import typer

from thriftwood.cli.printing import console
from thriftwood.cli.show import ModelFile

Known = Annotated[
    list[str] | None,
    typer.Option(
        "--known",
        metavar="TEST=VALUE",
        help="Known already, free; ? as the value if it cannot be had. Repeatable.",
    ),
]


def consult(model: ModelFile, known: Known = None) -> None:
    """Ask a saved tree about one case, test by test.

    Type the value of the test it asks for, ? if there is none, or undo to take the last answer back.

    Example: thriftwood consult tree.json --known "mean radius=14.2"
    """
    from thriftwood.cli.conversation import converse  # loads scikit-learn: not for `thriftwood --help`

    converse(console(), model, known or [])
