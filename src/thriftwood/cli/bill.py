"""``thriftwood bill``: what a saved model costs on a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.options import STANDARD, CostsFile, Encoding, Json, ModelFile, Raw, TableFile
from thriftwood.cli.printing import console, print_json, print_lines

Truth = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The column of the true classes. Without it: what the tests cost."),
]
PerCase = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Also write the bill of every case, .csv or .tsv."),
]


def bill(
    model: ModelFile,
    table: TableFile,
    target: Truth = None,
    costs: CostsFile = None,
    encoding: Encoding = None,
    output: PerCase = None,
    raw: Raw = False,
    as_json: Json = False,
) -> None:
    """What a model's tests and mistakes cost on a table.

    Prices are those that the model was learnt with, unless --costs names others.

    Example: thriftwood bill tree.json new.csv --target state -o cases.csv
    """
    import thriftwood as tw
    from thriftwood.cli.inputs import costs_of, model_and_table, truth_of  # loads scikit-learn
    from thriftwood.cli.machine import bill_content, unseen_content
    from thriftwood.cli.writing import check_output, check_place, check_spared, write_table

    check_place(output)
    check_output(output, as_json, "bills")
    check_spared(output, model=model, table=table, price_list=costs)
    charged = costs_of(costs)
    decider, file, X, unseen = model_and_table(model, table, encoding)
    if charged is None and decider.costs is None:
        raise ValueError(
            f"The {decider.kind} in {model} has no price list, so nothing can be charged. Give --costs FILE."
        )
    target = file.target if target is None else target
    y = None if target is None else truth_of(decider, file, target)
    result = tw.bill(decider, X, y, charged)
    if output is not None:
        columns = dict(result.case_columns)
        columns["tests"] = ["; ".join(tests) for tests in columns["tests"]]
        write_table(output, {name: list(values) for name, values in columns.items()}, raw=raw)
    if as_json:
        print_json(bill_content(result) | {"unseen": unseen_content(unseen, decider.feature_names)})
    elif output != STANDARD:
        print_lines(console(), str(result))
