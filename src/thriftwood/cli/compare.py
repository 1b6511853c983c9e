"""``thriftwood compare``: several learners on one table, by what a case costs them."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

import typer

from thriftwood.base.spelling import decimal_comma
from thriftwood.cli.advice import ListWords
from thriftwood.cli.options import (
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
from thriftwood.cli.printing import INTERRUPTED, console, one_sentence, print_json, print_lines

Algorithms = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Which, with commas between them and settings after colons: c45,eg2:w=0.5. Without it: all.",
    ),
]


def compare(
    table: TableFile,
    target: Target = None,
    costs: CostsFile = None,
    algorithms: Algorithms = None,
    ignored: Ignored = None,
    nominal: Nominal = None,
    encoding: Encoding = None,
    cv: Folds = 10,
    seed: Seed = 0,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Rank learners by what a case costs them.

    That is the price of its tests and the cost of its answer together, on cases not learnt from. All learners
    are cross-validated on the same folds, quick ones first. Testing nobody is a row among them, and so is
    today ([today] in the price list); what is dearer is marked. The intervals hold with 95 % confidence;
    where "above the first" includes 0, the folds do not tell the two learners apart.

    Example: thriftwood compare patients.csv --target state --costs costs.toml --algorithms c45,eg2,idx --cv 5
    """
    import thriftwood as tw
    from thriftwood.cli.inputs import cases_of, costs_of
    from thriftwood.cli.learners import learner_of  # loads scikit-learn
    from thriftwood.cli.machine import ranking_content
    from thriftwood.cli.progress import progress
    from thriftwood.cli.verdict import Running, print_verdict
    from thriftwood.evaluation.statement import as_text

    prices = costs_of(costs, ignored)
    learners: dict[str, Any] | None = None
    if algorithms is not None:
        specs = _specs(algorithms)
        learners = {spec: learner_of(*_named(spec), prices, seed) for spec in specs}
    cases = cases_of(table, target, prices, ignored, nominal, encoding)
    first = next(iter(learners or ["NAME"]))  # of whom an error speaks, where nobody takes the table
    with one_sentence(ListWords(first)), progress("learners") as tell:
        running = Running(tell)
        ranking = tw.compare(
            learners,
            cases.X_today,
            cases.y,
            prices,
            cv=cv,
            random_state=seed,
            n_jobs=jobs or -1,
            progress=running.tell,
            each=running.add,
        )
    if as_json:
        print_json(ranking_content(ranking))
    else:
        print_verdict(console(), ranking.verdict, ranking[0].name)
        print_lines(console(), as_text([ranking.part(ListWords)]))
    if ranking.unfinished:
        raise typer.Exit(INTERRUPTED)


def _specs(algorithms: str) -> list[str]:
    specs = [spec.strip() for spec in algorithms.split(",") if spec.strip()]
    for before, spec in pairwise(specs):
        if ":" in before and spec.isdigit():  # eg2:w=0,5
            typed = f"{before.rpartition('=')[2]},{spec}"
            raise ValueError(f"There is no learner {spec!r}.{decimal_comma(typed)}")
    return specs


def _named(spec: str) -> tuple[str, list[str]]:
    name, *settings = spec.split(":")
    return name, settings
