"""``thriftwood bill``: what a saved model costs on a table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thriftwood.cli.options import STANDARD, Budget, CostsFile, Encoding, Json, ModelFile, Raw, TableFile
from thriftwood.cli.printing import console, note, print_json, print_lines

if TYPE_CHECKING:
    from thriftwood.costs import Costs
    from thriftwood.evaluation import Bill, BillGroups, TotalBill

Truth = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The column of the true classes. Without it: what the tests cost."),
]
By = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Also the bill of each group of cases, such as --by sex."),
]
PerCase = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Also write the bill of every case: .csv, .tsv or .parquet."
    ),
]
CurveFile = Annotated[
    Path | None,
    typer.Option(
        "--decision-curve",
        metavar="FILE",
        help="Of two classes: net benefit over the threshold, with the tests paid. A picture (.png, .svg, "
        ".pdf) or its table (.csv, .tsv, .parquet).",
    ),
]
Beside = Annotated[
    list[Path] | None,
    typer.Option(metavar="MODEL", help="Another saved model in the decision curve. Repeatable."),
]
Positive = Annotated[
    str | None,
    typer.Option(
        metavar="CLASS", help="What the decision curve looks for; without it, what is dearer to miss."
    ),
]


def bill(
    model: ModelFile,
    table: TableFile,
    target: Truth = None,
    costs: CostsFile = None,
    budget: Budget = None,
    by: By = None,
    encoding: Encoding = None,
    output: PerCase = None,
    decision_curve: CurveFile = None,
    beside: Beside = None,
    positive: Positive = None,
    raw: Raw = False,
    as_json: Json = False,
) -> None:
    """What a model's tests and mistakes cost on a table.

    Prices are those that the model was learnt with, unless --costs names others. A large CSV, TSV or Parquet
    file is billed some rows at a time. With --budget no case buys a test that would take its bill beyond it:
    it is answered by what it knows by then. With --by each group of cases has a bill of its own.

    Example: thriftwood bill tree.json new.csv --target state -o cases.csv
    """
    import thriftwood as tw
    from thriftwood.cli.decisions import check_curve, curve_content, decision_curve_of, write_curve
    from thriftwood.cli.inputs import costs_of
    from thriftwood.cli.machine import bill_content, groups_content, unseen_content
    from thriftwood.cli.models import model_and_parts, with_progress  # loads scikit-learn
    from thriftwood.cli.practice import Practice, answers_of
    from thriftwood.cli.verdict import print_verdict
    from thriftwood.cli.writing import check_output, check_place, check_spared, table_writer
    from thriftwood.evaluation import BillGroups
    from thriftwood.evaluation.batches import Batches

    check_place(output)
    check_output(output, as_json, "bills")
    check_curve(decision_curve, beside, positive)
    for written in (output, decision_curve):
        check_spared(written, model=model, table=table, price_list=costs)
    charged = costs_of(costs)
    decider, parts = model_and_parts(model, table, encoding)
    if charged is None and decider.costs is None:
        raise ValueError(
            f"The {decider.kind} in {model} has no price list, so nothing can be charged. Give --costs FILE."
        )
    keep = [*([] if by is None else [by]), *answers_of(charged or decider.costs, parts.names)]
    target = parts.target if target is None else target
    batches = Batches(parts, decider, target, keep)
    with ExitStack() as stack:
        write = None if output is None else stack.enter_context(table_writer(output, raw=raw))

        groups: dict[str, TotalBill] = {}
        practice = Practice(charged or decider.costs)

        def bills() -> Iterator[Bill]:
            for batch in with_progress(batches, output):
                one = tw.bill(decider, batch.X, batch.y, charged, budget=budget)
                practice.add(one, batch)
                if write is not None:
                    write(case_columns(one))
                if by is not None:
                    add_groups(groups, one.by(batch.kept[by]))
                yield one

        result = tw.total_bill(bills())
    curve = None
    if decision_curve is not None:
        curve = decision_curve_of(model, decider, parts, target, result.costs, beside, positive)
        write_curve(curve, decision_curve)
    for unseen in batches.unseen:
        note(unseen.sentence)
    said = None if result.mean_cost is None else practice.verdict(result, _basis(result.costs))
    by_group = BillGroups(dict(sorted(groups.items()))) if by is not None else None
    if as_json:
        content = bill_content(result) | groups_content(by, by_group)
        content["unseen"] = unseen_content(batches.unseen, decider.feature_names)
        content["decision_curve"] = None if curve is None else curve_content(curve)
        content["verdict"] = None if said is None else said.content
        print_json(content)
    elif output != STANDARD:
        if said is not None:
            print_verdict(console(), said)
        print_lines(console(), str(result) if by_group is None else f"{result}\n\n{by_group}")
        if curve is not None:
            print_lines(console(), f"\n{curve.sentence}\nDecision curve: {decision_curve}.")


def _basis(costs: Costs) -> str:
    """Say when the figures flatter: a file of a model does not tell which cases it was learnt from."""
    return f"If the model learnt from these {costs.cases_name}, new ones cost more."


def add_groups(groups: dict[str, TotalBill], found: BillGroups[Bill]) -> None:
    """Add the bills of the groups of some rows to those of the rows before."""
    from thriftwood.evaluation import total_bill

    for name, part in found.items():
        groups[name] = groups[name].plus(part) if name in groups else total_bill([part])


def case_columns(bill: Bill) -> dict[str, list[Any]]:
    """Return the bill of every case, the names of its tests as one text."""
    columns = dict(bill.case_columns)
    columns["tests"] = ["; ".join(tests) for tests in columns["tests"]]
    return {
        name: list(values) if isinstance(values, list) else values.tolist()
        for name, values in columns.items()
    }
