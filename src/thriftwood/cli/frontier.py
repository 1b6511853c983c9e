"""``thriftwood frontier``: what accuracy costs on a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.fit import Settings
from thriftwood.cli.options import (
    STANDARD,
    CostsFile,
    Encoding,
    Folds,
    Ignored,
    Jobs,
    Json,
    Nominal,
    Seed,
    TableFile,
    Target,
)
from thriftwood.cli.printing import INTERRUPTED, console, print_json, print_lines

Algorithm = Annotated[
    str | None, typer.Option(metavar="NAME", help="The learner; one that weighs prices, or name a --param.")
]
Parameter = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The parameter to vary; without it the one that weighs prices."),
]
Values = Annotated[
    str | None, typer.Option(metavar="LIST", help="Its values, with commas between them; without it a grid.")
]
Budgets = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="LIST",
        help="Instead: the most that a case may pay for tests, amounts with commas between them.",
    ),
]
Score = Annotated[
    str, typer.Option(metavar="NAME", help="accuracy, balanced_accuracy, error_cost or log_loss.")
]
Payment = Annotated[
    str, typer.Option(metavar="NAME", help="sequential (mean price of a case's tests) or upfront (of all).")
]
Within = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        help="How much worse than the best the chosen point's score may be, in its units. Without it: 0.01 "
        "of an accuracy, 1 % of the best error cost or log loss.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Save the model of the chosen point to this JSON file; - for standard output.",
    ),
]
Plot = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Also draw it: a .png, .svg or .pdf file (matplotlib).")
]
TREES_ALONE = "Of single trees alone: --algorithm thrift also tries score cards, which may cost less."
"""What is said where `thriftwood fit` would look at more, for its bill may be far lower on the same table."""


def frontier(
    table: TableFile,
    target: Target = None,
    costs: CostsFile = None,
    algorithm: Algorithm = None,
    settings: Settings = None,
    param: Parameter = None,
    values: Values = None,
    budgets: Budgets = None,
    ignored: Ignored = None,
    nominal: Nominal = None,
    encoding: Encoding = None,
    cv: Folds = 10,
    accuracy: Score = "accuracy",
    cost: Payment = "sequential",
    within: Within = None,
    seed: Seed = 0,
    jobs: Jobs = 0,
    output: Output = None,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Show what accuracy costs: money against accuracy.

    One parameter of a learner takes many values, each judged by cross-validation: of thrift, the most that a
    case may pay for tests. Without --algorithm its points are single trees; --algorithm thrift answers by
    score cards where these are cheaper, as `thriftwood fit` does. The first line says what a case costs at
    the cheapest point, against testing nobody and against today. "cheapest" is the point whose tests and
    mistakes together cost least; where mistakes have no price, or with --within, the one with the cheapest
    tests near the best score. --budget names the amounts to try. With --param or --values, or upfront
    payment, the learner is csgain (min-total-cost with --budget), unless --algorithm names another; also one
    of several trees, such as bagging or gradient-boosting. What has no file is shown without --output.

    Example: thriftwood frontier patients.csv --target state --costs costs.toml --cv 5 -o tree.json
    """
    import thriftwood as tw
    from thriftwood.cli.advice import SHELL
    from thriftwood.cli.drawing import check_picture, save_picture
    from thriftwood.cli.inputs import cases_of, costs_of
    from thriftwood.cli.learners import learner_of, saved_learner_of, value_of  # loads scikit-learn
    from thriftwood.cli.machine import frontier_content
    from thriftwood.cli.progress import progress
    from thriftwood.cli.verdict import print_verdict
    from thriftwood.cli.writing import check_model, check_output, check_spared, write_model
    from thriftwood.evaluation.statement import as_text
    from thriftwood.learners.published import OWN, default_name

    check_output(output, as_json, "model")
    check_spared(output, table=table, price_list=costs)
    check_model(output)
    if costs is None:
        raise typer.BadParameter("A frontier needs prices: --costs FILE.")
    check_picture(plot)
    prices = costs_of(costs, ignored)
    assert prices is not None  # a file was named
    own = default_name(prices) == OWN and param is None and values is None
    trees_alone = own and algorithm is None
    given = settings or []
    if algorithm is None:
        algorithm = OWN if own else "csgain" if budgets is None else "min-total-cost"
        given = [*given, "leaves=class"] if own else given  # a tree is saved
    made = learner_of if output is None else saved_learner_of
    learner = made(algorithm, given, prices, seed)
    tried, limits = (
        None if one is None else [value_of(v.strip()) for v in one.split(",")] for one in (values, budgets)
    )
    threaded = "n_jobs" in learner.get_params(deep=False)
    cases = cases_of(table, target, learner.costs, ignored, nominal, encoding)
    with progress("trees") as tell:
        found = tw.frontier(
            learner,
            cases.X_today,
            cases.y,
            param=param,
            values=tried,
            budget=limits,
            cv=cv,
            accuracy=accuracy,  # type: ignore[arg-type]  # checked there, in words
            cost=cost,  # type: ignore[arg-type]
            random_state=seed,
            n_jobs=(jobs or -1) if threaded else None,
            progress=tell,
        )
    point = found.cheapest(within)
    if output is not None:
        write_model(point.model.model_, output)
    if plot is not None:
        save_picture(found.plot(within=within), plot)
    said = found.verdict(within)
    if said is not None and trees_alone:
        said = replace(said, basis=f"{said.basis} {TREES_ALONE}")
    if as_json:
        print_json(frontier_content(found, within, said))
    else:
        out = console(stderr=output == STANDARD)
        if said is not None:
            print_verdict(out, said)
        print_lines(out, as_text([found.part(within, SHELL)]))
        if output is not None:
            where = "standard output" if output == STANDARD else output
            what = "tree" if point.model.model_.single_tree is not None else "model"
            print_lines(out, f"Written: {where}, the {what} of {found.param} = {point.value_text}.")
        if plot is not None:
            print_lines(out, f"Written: {plot}.")
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)
