"""``thriftwood watchdog``: what new cases cost, and whether they are still of the same kind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.options import STANDARD, CostsFile, Encoding, Json, ModelFile, Seed, TableFile
from thriftwood.cli.printing import console, note, print_json, print_lines

ALARM = 1

Reference = Annotated[
    Path | None,
    typer.Option(
        metavar="TABLE",
        help="Cases to compare with, those of training for example. Without it: what a tree's own file says.",
    ),
]
Rate = Annotated[
    float, typer.Option(metavar="SHARE", help="How likely an alarm may be, at most, if nothing changed.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing unless there is an alarm.")]


def watchdog(
    model: ModelFile,
    table: TableFile,
    reference: Reference = None,
    rate: Rate = 0.01,
    costs: CostsFile = None,
    encoding: Encoding = None,
    seed: Seed = 0,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Say what new cases cost, and whether they changed.

    What tests cost is exact, what mistakes will cost is expected by the leaf where a case ends. The alarm
    compares how many cases go down each branch with training, and names the column that moved. The exit code
    is 0 without an alarm, 1 with one and 2 for errors, so that it can run by itself every night.

    Example: thriftwood watchdog tree.json new.csv --quiet
    """
    from thriftwood.cli.inputs import costs_of, parts_of
    from thriftwood.cli.machine import watch_content
    from thriftwood.cli.models import model_and_parts, with_progress  # loads scikit-learn
    from thriftwood.evaluation.batches import Batches
    from thriftwood.evaluation.watching import watch

    charged = costs_of(costs)
    decider, parts = model_and_parts(model, table, encoding)
    batches = Batches(parts, decider)
    usual = None
    if reference is not None:
        if reference == STANDARD and STANDARD in (model, table):
            raise ValueError("Only one of the files can come from standard input. Name the others.")
        usual = with_progress(Batches(parts_of(reference, encoding), decider), None)
    found = watch(
        decider,
        (batch.X for batch in with_progress(batches, None)),
        charged,
        None if usual is None else (batch.X for batch in usual),
        rate,
        seed,
    )
    for unseen in batches.unseen:
        note(unseen.sentence)
    if as_json:
        print_json(watch_content(found))
    elif found.alarm or not quiet:
        print_lines(console(), str(found))
    if found.alarm:
        raise typer.Exit(ALARM)
