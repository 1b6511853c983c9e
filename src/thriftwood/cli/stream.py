"""``thriftwood stream``: lines in, the running bill out; saved now and then, and taken up again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thriftwood.cli.fit import Algorithm, Settings
from thriftwood.cli.options import STANDARD, CostsFile, Encoding, Ignored, Nominal, Seed
from thriftwood.cli.printing import note

if TYPE_CHECKING:
    from thriftwood.streams.session import StreamSession

Lines = Annotated[
    Path,
    typer.Argument(
        metavar="TABLE",
        help="A .csv or .tsv file (.gz, too), read line by line; - reads standard input.",
        allow_dash=True,
        dir_okay=False,
    ),
]
Wanted = Annotated[str, typer.Option(metavar="COLUMN", help="The column to learn.")]
Window = Annotated[int, typer.Option(min=2, help="How many rows are kept to learn from.")]
Refit = Annotated[
    float, typer.Option(help="Learn again when so many times as many rows have come as were learnt from.")
]
Batch = Annotated[int, typer.Option(min=1, help="Rows that are answered, then learnt from, together.")]
Every = Annotated[int, typer.Option(min=1, help="Print the bill, and save, after so many rows.")]
State = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Save rows and history to this file, and go on from it if it is there. Of a TABLE that is a "
        "file, rows that were read are passed over.",
    ),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the model to this JSON file.")
]

HEADINGS = ("rows", "accuracy", "tests", "mistakes", "bill", "refits", "drifts")


def stream(
    table: Lines,
    target: Wanted,
    costs: CostsFile = None,
    algorithm: Algorithm = None,
    settings: Settings = None,
    window: Window = 10_000,
    refit: Refit = 2.0,
    batch: Batch = 1000,
    every: Every = 10_000,
    ignored: Ignored = None,
    nominal: Nominal = None,
    encoding: Encoding = None,
    seed: Seed = 0,
    state: State = None,
    output: Output = None,
) -> None:
    """Learn from a table line by line, and print the running bill.

    Each row is answered first and learnt from afterwards; what is printed are means over all rows so far:
    accuracy, what tests and mistakes cost a row, how often was learnt, and how often drift was noticed. Files
    are replaced whole: after a crash the same command goes on from the last save.

    Example: thriftwood stream patients.csv --target state --costs costs.toml --state patients.state
    """
    from thriftwood.cli.inputs import costs_of
    from thriftwood.cli.learners import saved_learner_of  # loads scikit-learn
    from thriftwood.cli.stream_lines import stream_lines
    from thriftwood.cli.writing import check_spared
    from thriftwood.learners import default_name
    from thriftwood.streams import StreamingTree
    from thriftwood.streams.session import StreamSession

    check_spared(output, table=table, price_list=costs, state=state)
    check_spared(state, table=table, price_list=costs, model=output)
    prices = costs_of(costs, ignored)
    algorithm = default_name(prices) if algorithm is None else algorithm
    learner = saved_learner_of(algorithm, settings or [], prices, seed, saved=output is not None)
    model = StreamingTree(learner, window, refit)
    same = {"target": target, "algorithm": algorithm, "set": settings or [], "window": window, "refit": refit}
    session = StreamSession(model, target, ignored or (), nominal or (), same)
    skip = 0
    if state is not None and state.exists():
        session.load(state)
        note(f"{state}: goes on after {session.n_rows:,} rows.")
        skip = 0 if table == STANDARD else session.n_rows
    printed = session.n_rows
    with stream_lines(table, encoding) as found:
        _print(HEADINGS)
        read = session.learn(
            found.lines,
            found.source,
            batch=batch,
            skip=skip,
            delimiter=found.delimiter,
            decimal_commas=found.decimal_commas,
        )
        for n_rows in read:
            if n_rows - printed >= every:
                _report(session, state, output)
                printed = n_rows
    if session.n_rows == 0:
        raise ValueError(f"{found.source} has a header and no rows.")
    if session.n_rows > printed or skip == session.n_rows:
        _report(session, state, output)
    if session.n_rows <= batch:
        note("No row was billed: the first batch is only learnt from. Take a smaller --batch.")


def _report(session: StreamSession, state: Path | None, output: Path | None) -> None:
    """Save, then print: what was printed is not lost."""
    if state is not None:
        session.save(state)
    if output is not None:
        session.model.model_.save(output)
    history = session.model.history_
    if history.n_rows:
        costs = (history.mean_test_cost, history.mean_error_cost, history.mean_cost)
        means = [f"{history.accuracy:.4f}", *(f"{value:.6g}" for value in costs)]
    else:
        means = ["-"] * 4  # no row was answered yet
    _print((f"{session.n_rows:,}", *means, str(history.n_refits), str(len(history.drifts))))


def _print(cells: tuple[str, ...]) -> None:
    typer.echo("".join(cell.rjust(12) for cell in cells))
    sys.stdout.flush()
