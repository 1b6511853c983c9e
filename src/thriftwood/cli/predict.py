"""``thriftwood predict``: a saved model answers for every row of a table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thriftwood.cli.options import STANDARD, Encoding, Json, ModelFile, Raw, TableFile
from thriftwood.cli.printing import console, json_rows, note, print_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thriftwood.costs import Costs
    from thriftwood.evaluation.batches import Batch
    from thriftwood.models.model import Model

Output = Annotated[
    Path,
    typer.Option(
        "--output", "-o", metavar="FILE", help="A .csv, .tsv or .parquet file; - for standard output."
    ),
]
Kept = Annotated[
    list[str] | None,
    typer.Option(
        "--keep", metavar="COLUMN", help="Copy this column of the table beside the answers. Repeatable."
    ),
]


def predict(
    model: ModelFile,
    table: TableFile,
    output: Output = STANDARD,
    kept: Kept = None,
    encoding: Encoding = None,
    raw: Raw = False,
    as_json: Json = False,
) -> None:
    """Answer for every row of a table.

    The answers have the columns predicted and p(CLASS), the probability of every class. The table needs the
    columns that the model asks for; others are passed over, and an empty cell is a missing value. Where error
    costs make another answer cheaper, predicted is not the class of the greatest probability; a note counts
    such rows. A large CSV, TSV or Parquet file is answered some rows at a time.

    Example: thriftwood predict tree.json new.csv --keep id -o answers.csv
    """
    from thriftwood.cli.machine import unseen_columns
    from thriftwood.cli.models import model_and_parts, with_progress  # loads scikit-learn
    from thriftwood.cli.writing import check_place, check_spared, table_writer
    from thriftwood.costs.names import counted
    from thriftwood.evaluation.batches import Batches

    check_place(output)
    check_spared(output, model=model, table=table)
    decider, parts = model_and_parts(model, table, encoding)
    batches = Batches(parts, decider, keep=kept or ())
    cheaper = 0
    with ExitStack() as stack:
        writes = output != STANDARD or not as_json
        write = stack.enter_context(table_writer(output, raw=raw)) if writes else None
        print_rows = stack.enter_context(json_rows()) if as_json else None
        for batch in with_progress(batches, STANDARD if as_json else output):
            answers, n_cheap = answers_of(decider, batch)
            columns = batch.kept | answers
            cheaper += n_cheap
            if write is not None:
                write(columns)
            if print_rows is not None:
                columns["unseen"] = unseen_columns(batch.unseen, decider.feature_names, len(batch))
                print_rows(
                    [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
                )
    for one in batches.unseen:
        note(one.sentence)
    if cheaper:
        rows = f"{cheaper:,} of {counted(batches.n_rows, 'row')}"
        note(f"In {rows} the answer is the cheapest, not the likeliest (error costs).")
    if output != STANDARD and not as_json:
        print_lines(console(), f"Written: {output}, {counted(batches.n_rows, 'answer')}.")


def answers_of(decider: Model, batch: Batch) -> tuple[dict[str, Any], int]:
    """Return the columns of answers, and how many of these are the cheapest and not the likeliest."""
    columns: dict[str, Any] = {"predicted": decider.predict(batch.X).tolist()}
    if decider.classes is None:
        return columns, 0
    shares, labels = decider.predict_proba(batch.X), decider.classes.tolist()
    number = {label: place for place, label in enumerate([*labels, *decider.further])}
    answers = [number[answer] for answer in columns["predicted"]]
    columns |= {f"p({label})": own for label, own in zip(labels, shares.T.tolist(), strict=True)}
    return columns, n_cheaper(decider.costs, labels, answers, shares, decider.further)


def n_cheaper(
    costs: Costs | None,
    labels: Sequence[Any],
    answers: Sequence[int],
    shares: NDArray[np.float64],
    further: Sequence[str] = (),
) -> int:
    """Count the rows whose answer is less likely than another class, and cheaper by the error costs.

    Answers that are no class (`further`) are never likely.

    >>> import numpy as np
    >>> from thriftwood.costs import Costs
    >>> errors = {"sick": {"healthy": 100}, "healthy": {"sick": 20}}
    >>> shares = np.array([[0.7, 0.3], [0.9, 0.1]])
    >>> n_cheaper(Costs(errors=errors), ["healthy", "sick"], [1, 0], shares)
    1
    """
    if costs is None or not costs.names_errors:
        return 0
    import numpy as np  # with scikit-learn's: loaded when there is something to count

    from thriftwood.costs.further import matrix_of

    expected = shares @ matrix_of(costs, labels, further, "model")
    rows, likeliest = range(len(answers)), shares.argmax(axis=1)
    shares = np.pad(shares, ((0, 0), (0, len(further))))
    other = shares[rows, answers] < shares[rows, likeliest]
    return int((other & (expected[rows, answers] < expected[rows, likeliest])).sum())
