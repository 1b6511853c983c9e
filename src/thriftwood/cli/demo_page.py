"""The page of ``thriftwood demo``: breast cancer with a price list, from table to report."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import joblib
from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from sklearn.base import clone
from sklearn.model_selection import train_test_split

from thriftwood.base.number_texts import amount_text, number_text
from thriftwood.cli.printing import heading, print_lines, print_tree, table
from thriftwood.cli.verdict import print_verdict
from thriftwood.costs import Costs
from thriftwood.datasets import Dataset, load_dataset
from thriftwood.evaluation import Bill, Frontier, bill, frontier, verdict
from thriftwood.evaluation.statement import Part, parts
from thriftwood.learners import algorithm
from thriftwood.models import Tree
from thriftwood.report import make_report

SPLITS = 20
SAVED = "tree.json"
NAMES = {
    "c45": "C4.5, one test at a time",
    "tree": "thrift, a tree as above",
    "thrift": "thrift, tree or score cards",  # as it learns by default
}
TITLE = "Breast cancer: which tests to pay for"


class Cases(NamedTuple):
    """Some rows of a data set."""

    X: Any
    y: Any


def print_demo(out: Console, save: Path | None, report: Path) -> None:
    """Print the whole page and write the report; save the tree if a file is named."""
    data = load_dataset("wisconsin-diagnostic", frame="pandas")
    costs = data.costs
    assert costs is not None  # shipped with the package
    training, held_out = _split(data, seed=0)
    found = _frontier(costs, training)
    model = found.cheapest().model
    if save is not None:
        model.tree_.save(save)
    make_report(model, *held_out, report, frontier=found, title=TITLE)
    print_verdict(out, verdict(model, *held_out, basis=f"Of {len(held_out.y)} cases held out."))
    _print_prices(out, data, costs)
    heading(out, f"1  What tests are worth: thrift within budgets, on {len(training.y)} cases")
    print_lines(out, str(found))
    heading(out, "2  The tree of the cheapest point")
    print_tree(out, model.tree_)
    heading(out, f"3  Its bill on the {len(held_out.y)} cases it has not seen")
    _print_bill(out, bill(model, *held_out))
    heading(out, "4  One of these cases, one test at a time")
    _consult(out, model.tree_, held_out, costs)
    heading(out, "5  Does it pay to weigh prices?")
    _compare(out, data, costs, model)
    heading(out, "6  The same to look at")
    print_lines(out, f"Report: {report}. Open it in a browser; it needs no network.")
    _print_next(out, save)


def _frontier(costs: Costs, training: Cases) -> Frontier:
    return frontier(_thrift(costs), *training, cv=5, random_state=0, n_jobs=-1)


def _thrift(costs: Costs) -> Any:
    return algorithm("thrift", costs=costs, leaves="class")  # a tree, to be drawn and consulted


def _split(data: Dataset, seed: int) -> tuple[Cases, Cases]:
    X, X_held, y, y_held = train_test_split(
        data.X, data.y, test_size=1 / 3, stratify=data.y, random_state=seed
    )
    return Cases(X, y), Cases(X_held, y_held)


# 0: what things cost


def _print_prices(out: Console, data: Dataset, costs: Costs) -> None:
    out.print(Text(TITLE, style="bold"))
    out.print(Text(f"{len(data.y)} cases, {len(data.feature_names)} tests. {data.description}"))
    alike: dict[tuple[float, tuple[str, ...]], list[str]] = {}
    for name, test in costs.tests.items():
        alike.setdefault((test.price, test.needs), []).append(name)
    rows = [
        [f"{names[0]}, {names[1]}, ... ({len(names)})", " + ".join(needs), amount_text(price)]
        for (price, needs), names in alike.items()
    ]
    rows += [[resource, "", amount_text(price)] for resource, price in costs.shared.items()]
    out.print(Padding(table("", ["what", "needs, paid once per case", "price"], rows, names=2), (1, 0)))
    out.print(Text(f"Mistakes: {'; '.join(_mistakes(costs, data.target_names))}."))


def _mistakes(costs: Costs, classes: tuple[str, ...]) -> Iterable[str]:
    for actual, row in zip(classes, costs.error_matrix(classes), strict=True):
        for answer, cost in zip(classes, row.tolist(), strict=True):
            if actual != answer:
                yield f"{actual} called {answer} costs {amount_text(cost)}"


# 3: the bill


def _print_bill(out: Console, result: Bill) -> None:
    sums, measures, tests, confusion = parts(result)
    side_by_side = [_table(sums, "Money"), _table(confusion), _table(measures)]
    out.print(Columns(side_by_side, padding=(1, 6)))
    for note in measures.notes:
        out.print(Text(note), style="dim")
    out.print()
    out.print(_table(tests))


def _table(part: Part, title: str | None = None) -> Table:
    return table(title or part.heading, part.columns, part.rows)


# 4: a consultation


def _consult(out: Console, tree: Tree, cases: Cases, costs: Costs) -> None:
    case = tree.consult()
    number = cases.y.tolist().index("benign")  # the benign ones need more tests
    row = cases.X.iloc[number]
    rows = []
    while (test := case.next_test) is not None:
        price = amount_text(case.price)
        case.answer(row[test])
        rows.append([test, price, number_text(row[test]), amount_text(case.bill)])
    out.print(table("", ["the tree asks for", "price", "value", "bill so far"], rows))
    everything = amount_text(costs.total(tree.feature_names))
    out.print(
        Text(
            f"Answer {case.result}; the case is {cases.y[number]}. "
            f"All {tree.n_features} tests would have cost {everything}."
        )
    )


# 5: a comparison


def _compare(out: Console, data: Dataset, costs: Costs, model: Any) -> None:
    training, held_out = _split(data, seed=0)
    plain = algorithm("c45", costs=costs).fit(*training)
    rows = [
        _row("C4.5, all tests of its tree upfront", bill(plain, *held_out, costs.replace(payment="upfront"))),
        _row("C4.5, one test at a time", bill(plain, *held_out)),
        _row("the tree above", bill(model, *held_out)),
    ]
    columns = ["mean per case", "tests", "errors", "together", "accuracy"]
    out.print(table("", columns, rows))
    heading(out, f"The same on {SPLITS} random splits")
    bills = _repeated(data, costs)
    blind = bills["c45"]
    rows = []
    for name, own in bills.items():
        wins = sum(ours.mean_cost < theirs.mean_cost for ours, theirs in zip(own, blind, strict=True))
        money = [_mean(own, place) for place in (0, 1)]
        cheaper = "" if own is blind else f"{wins} of {SPLITS}"
        rows.append([NAMES[name], *(f"{amount:.2f}" for amount in (*money, sum(money))), cheaper])
    out.print(table("", ["mean per case", "tests", "errors", "together", "cheaper than C4.5"], rows))


class Figures(NamedTuple):
    """What a case costs on average."""

    tests: float
    errors: float

    @property
    def mean_cost(self) -> float:
        """Both together."""
        return self.tests + self.errors


def _figures(result: Bill) -> Figures:
    assert result.mean_error_cost is not None  # the true classes were given
    return Figures(result.mean_test_cost, result.mean_error_cost)


def _row(name: str, result: Bill) -> list[str]:
    assert result.accuracy is not None
    own = _figures(result)
    money = (own.tests, own.errors, own.mean_cost)
    return [name, *(f"{amount:.2f}" for amount in money), f"{100 * result.accuracy:.1f} %"]


def _repeated(data: Dataset, costs: Costs) -> dict[str, list[Figures]]:
    """Give the figures of C4.5, of thrift's trees and of what it learns by default, on many splits."""
    learners = {
        "c45": algorithm("c45", costs=costs),
        "tree": _thrift(costs),
        "thrift": algorithm(costs=costs),
    }

    def billed(seed: int) -> list[Figures]:
        training, held_out = _split(data, seed)
        fitted = (clone(learner).fit(*training) for learner in learners.values())
        return [_figures(bill(model, *held_out)) for model in fitted]

    # Score cards take about a second a split, so that two cores are welcome.
    rows = joblib.Parallel(n_jobs=-1, prefer="threads")(
        joblib.delayed(billed)(seed) for seed in range(SPLITS)
    )
    return {name: [row[place] for row in rows] for place, name in enumerate(learners)}


def _mean(figures: list[Figures], place: int) -> float:
    return sum(own[place] for own in figures) / len(figures)


# What to try


def _print_next(out: Console, save: Path | None) -> None:
    heading(out, "Try next")
    saved = save or SAVED
    hints = {} if save else {f"demo --save {SAVED}": "keep the tree of this page"}
    hints[f"show {saved} --rules"] = "the same tree as rules"
    hints[f"consult {saved}"] = "ask it about a case of your own"
    hints["algorithms"] = "the learners to choose from"
    width = max(map(len, hints))
    for words, purpose in hints.items():
        out.print(Text(f"  thriftwood {words:<{width}}   {purpose}"), soft_wrap=True)
