"""``thriftwood consult``: a saved model asks for the tests it needs and keeps the running bill."""

from __future__ import annotations

from typing import Annotated

import typer

from thriftwood.cli.options import STANDARD, ModelFile
from thriftwood.cli.printing import console, print_json

Known = Annotated[
    list[str] | None,
    typer.Option(
        "--known",
        metavar="TEST=VALUE",
        help="Known already, free; ? as the value if it cannot be had. Repeatable.",
    ),
]


StrategyName = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="Which tests are run together: sequential (one at a time), or of a single tree single_batch or "
        "multiple_batch.",
    ),
]
Budget = Annotated[
    float | None, typer.Option("--budget", metavar="AMOUNT", help="Never spend more than this on the case.")
]

Why = Annotated[
    bool,
    typer.Option(
        "--why", help="Of several trees: print the way through every tree, not only the first ones."
    ),
]
StateAsJson = Annotated[
    bool,
    typer.Option("--json", help="Ask nothing: print as JSON what is to be asked next, or the answer."),
]


def consult(
    model: ModelFile,
    known: Known = None,
    strategy: StrategyName = "sequential",
    budget: Budget = None,
    whole: Why = False,
    as_json: StateAsJson = False,
) -> None:
    """Ask a saved model about one case, test by test.

    Type the value of the test it asks for, ? if there is none, or undo to take the last answer back.

    Example: thriftwood consult tree.json --known smoker=yes --budget 50
    """
    if model == STANDARD and not as_json:
        raise typer.BadParameter("Your answers come from standard input, so the model must be a file.")
    if whole and as_json:
        raise typer.BadParameter("--json has the way through every tree; leave --why out.")
    from thriftwood.cli.conversation import begin, converse  # loads scikit-learn: not for `thriftwood --help`
    from thriftwood.cli.machine import consultation_content

    case = begin(model, known or [], strategy, budget)
    if as_json:
        print_json(consultation_content(case))
    else:
        converse(console(), case, whole=whole)
