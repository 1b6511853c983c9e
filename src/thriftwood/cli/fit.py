"""``thriftwood fit``: a table in, a model and its bill out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.options import (
    Budget,
    CostsFile,
    Encoding,
    Ignored,
    Json,
    Nominal,
    Seed,
    TableFile,
    Target,
    WithoutIdle,
)
from thriftwood.cli.writing import check_model, check_output, check_spared

Algorithm = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The learner; `thriftwood algorithms` lists them. Without it thrift, which looks for the lowest "
        "bill (min-total-cost with upfront payment, c45 without any price).",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting of the learner, max_depth=3; a list in brackets, alphas=[0.1,1]. Repeatable.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Save the model to this JSON file; - for standard output."
    ),
]
Holdout = Annotated[
    float | None,
    typer.Option(metavar="SHARE", help="Bill a model on this share of the cases, learnt from the others."),
]
CrossValidation = Annotated[
    int | None, typer.Option(metavar="FOLDS", help="Estimate the bill by cross-validation instead.")
]

ReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Of a single tree: a page for the browser, a .html file."),
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="What stands at the top of the report.")]
LiveFlag = Annotated[
    bool, typer.Option("--live", help="Prices can be changed in the report, and a tree is learnt anew there.")
]

Memory = Annotated[
    str,
    typer.Option(
        metavar="SIZE",
        help="A CSV, TSV or Parquet table that takes more than this to learn from is read some rows at a "
        "time.",
    ),
]

LearningCurveFlag = Annotated[
    bool,
    typer.Option(
        "--learning-curve", help="Also say what unseen cases cost after fewer cases, and would after more."
    ),
]
CurvePlot = Annotated[
    Path | None,
    typer.Option(
        "--curve-plot",
        metavar="FILE",
        help="Draw the learning curve: a .png, .svg or .pdf file (matplotlib).",
    ),
]


def fit(
    table: TableFile,
    target: Target = None,
    costs: CostsFile = None,
    algorithm: Algorithm = None,
    settings: Settings = None,
    budget: Budget = None,
    ignored: Ignored = None,
    nominal: Nominal = None,
    encoding: Encoding = None,
    holdout: Holdout = None,
    cv: CrossValidation = None,
    seed: Seed = 0,
    without_idle: WithoutIdle = False,
    memory: Memory = "2GB",
    output: Output = None,
    report: ReportFile = None,
    title: Title = None,
    live: LiveFlag = False,
    learning_curve: LearningCurveFlag = False,
    curve_plot: CurvePlot = None,
    as_json: Json = False,
) -> None:
    """Learn a tree, or several, from a table; print and save it.

    The first line says what a case costs that was not learnt from, by cross-validation or, of a large table,
    by cases held out, against testing nobody and against today ([today] in the price list). The model learns
    from all cases. Its bill is of the same cases, and so too small, unless --holdout or --cv say otherwise.
    Learners of several trees that can be saved are bagging, boosting, shortcut-forest, cocost
    and gradient-boosting. The report shows a tree and the cases of the bill; with --holdout that is a tree
    learnt from the others, and with --cv the estimates stand beside the figures of the cases it learnt from.
    A table that memory does not hold (--memory) is read some rows at a time, by learners of one tree.

    Example: thriftwood fit patients.csv --target state --costs costs.toml --holdout 0.3 -o tree.json
    """
    if holdout is not None and cv is not None:
        raise typer.BadParameter("--holdout and --cv are two ways to the same figure; give one of them.")
    if title is not None and report is None:
        raise typer.BadParameter("--title is the title of a report; give --report FILE, too.")
    if live and report is None:
        raise typer.BadParameter("--live is a section of a report; give --report FILE, too.")
    check_output(output, as_json, "model")
    for written in (output, curve_plot):
        check_spared(written, table=table, price_list=costs)
    check_model(output)
    if without_idle and cv is not None:
        raise typer.BadParameter(
            "--cv bills models with their idle tests; use --holdout with --without-idle-tests."
        )
    from thriftwood.cli.curve_page import check_curve
    from thriftwood.cli.drawing import check_picture
    from thriftwood.cli.fit_page import FitOptions, check_learner, fit_and_print  # loads scikit-learn
    from thriftwood.cli.fit_parts import check_large, countable, fit_parts_and_print, large_table
    from thriftwood.cli.inputs import cases_of, costs_of, of_price_list
    from thriftwood.cli.learners import learner_of, saved_learner_of, with_budget
    from thriftwood.cli.reporting import check_report
    from thriftwood.learners import default_name

    check_report(report)
    check_picture(curve_plot)
    curve = learning_curve or curve_plot is not None
    wanted = FitOptions(
        holdout, cv, seed, without_idle, output, report, as_json, title, curve, curve_plot, live
    )
    given = [*(settings or []), *with_budget(budget)]
    prices = costs_of(costs, ignored)
    chosen = default_name(prices) if algorithm is None else algorithm
    learner = saved_learner_of(chosen, given, prices, seed, saved=output is not None)
    check_learner(chosen, learner, wanted)
    check_curve(curve, None, cv)
    large = large_table(table, encoding, memory)
    if large is not None:
        if algorithm is None:
            learner = learner_of(chosen, countable(chosen, given, prices, seed), prices, seed)
        parts_learner = check_large(large, chosen, learner, wanted)
        columns = target, ignored or (), nominal or ()
        with of_price_list(costs):
            fit_parts_and_print(large, chosen, parts_learner, wanted, *columns)
        return
    with of_price_list(costs):
        cases = cases_of(table, target, learner.costs, ignored, nominal, encoding)
        check_curve(curve, len(cases), cv)
        fit_and_print(cases, chosen, learner, wanted)
