"""``thriftwood predict``: a saved model answers for every row of a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thriftwood.cli.options import STANDARD, Encoding, Json, ModelFile, Raw, TableFile
from thriftwood.cli.printing import console, note, print_json, print_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thriftwood.costs import Costs

Output = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="A .csv or .tsv file; - for standard output."),
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
    such rows.

    Example: thriftwood predict tree.json new.csv --keep id -o answers.csv
    """
    from thriftwood.cli.inputs import model_and_table  # loads scikit-learn
    from thriftwood.cli.machine import unseen_columns
    from thriftwood.cli.writing import check_place, check_spared, write_table
    from thriftwood.costs.names import counted

    check_place(output)
    check_spared(output, model=model, table=table)
    decider, file, X, unseen = model_and_table(model, table, encoding)
    columns: dict[str, Any] = {name: file[name].texts() for name in kept or ()}
    columns["predicted"] = decider.predict(X).tolist()
    if decider.classes is not None:
        shares, labels = decider.predict_proba(X), decider.classes.tolist()
        columns |= {f"p({label})": own for label, own in zip(labels, shares.T.tolist(), strict=True)}
        answers = [labels.index(answer) for answer in columns["predicted"]]
        cheaper = n_cheaper(decider.costs, labels, answers, shares)
        if cheaper:
            rows = f"{cheaper:,} of {counted(file.n_rows, 'row')}"
            note(f"In {rows} the answer is the cheapest, not the likeliest (error costs).")
    if output != STANDARD or not as_json:
        write_table(output, columns, raw=raw)
    if as_json:
        columns["unseen"] = unseen_columns(unseen, decider.feature_names, file.n_rows)
        print_json([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
    elif output != STANDARD:
        print_lines(console(), f"Written: {output}, {counted(file.n_rows, 'answer')}.")


def n_cheaper(
    costs: Costs | None, labels: Sequence[Any], answers: Sequence[int], shares: NDArray[np.float64]
) -> int:
    """Count the rows whose answer is less likely than another class, and cheaper by the error costs.

    >>> import numpy as np
    >>> from thriftwood.costs import Costs
    >>> errors = {"sick": {"healthy": 100}, "healthy": {"sick": 20}}
    >>> shares = np.array([[0.7, 0.3], [0.9, 0.1]])
    >>> n_cheaper(Costs(errors=errors), ["healthy", "sick"], [1, 0], shares)
    1
    """
    if costs is None or (costs.errors is None and costs.errors_default is None):
        return 0
    expected = shares @ costs.error_matrix(labels)
    rows, likeliest = range(len(answers)), shares.argmax(axis=1)
    other = shares[rows, answers] < shares[rows, likeliest]
    return int((other & (expected[rows, answers] < expected[rows, likeliest])).sum())
