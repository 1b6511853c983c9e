"""``thriftwood predict``: a saved model answers for every row of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from thriftwood.cli.options import STANDARD, Json, ModelFile, TableFile
from thriftwood.cli.printing import console, print_json, print_lines

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
    model: ModelFile, table: TableFile, output: Output = STANDARD, kept: Kept = None, as_json: Json = False
) -> None:
    """Answer for every row of a table.

    The answers have the columns predicted and p(CLASS), the probability of every class. The table needs the
    columns that the model asks for; others are passed over, and an empty cell is a missing value.

    Example: thriftwood predict tree.json new.csv --keep id -o answers.csv
    """
    from thriftwood.cli.inputs import model_and_table  # loads scikit-learn
    from thriftwood.cli.machine import unseen_columns
    from thriftwood.cli.writing import check_place, check_spared, write_table
    from thriftwood.costs.names import counted

    check_place(output)
    check_spared(output, model=model, table=table)
    decider, file, X, unseen = model_and_table(model, table)
    columns: dict[str, Any] = {name: file[name].texts() for name in kept or ()}
    columns["predicted"] = decider.predict(X).tolist()
    if decider.classes is not None:
        shares = decider.predict_proba(X).T.tolist()
        columns |= {f"p({label})": own for label, own in zip(decider.classes.tolist(), shares, strict=True)}
    if output != STANDARD or not as_json:
        write_table(output, columns)
    if as_json:
        columns["unseen"] = unseen_columns(unseen, decider.feature_names, file.n_rows)
        print_json([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
    elif output != STANDARD:
        print_lines(console(), f"Written: {output}, {counted(file.n_rows, 'answer')}.")
