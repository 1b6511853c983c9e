"""The page of ``thriftwood demo``: breast cancer with a price list, from table to bill."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from sklearn.model_selection import train_test_split

from thriftwood.cli.printing import heading, print_tree, table
from thriftwood.costs import Costs
from thriftwood.datasets import Dataset, load_dataset
from thriftwood.evaluation import Bill, bill
from thriftwood.evaluation.statement import Part, parts
from thriftwood.tree import Tree, algorithm
from thriftwood.tree.conditions import amount_text, number_text

SPLITS = 20
SAVED = "tree.json"


class Cases(NamedTuple):
    """Some rows of a data set."""

    X: Any
    y: Any

    def only(self, features: list[str]) -> Cases:
        """Leave out all other columns."""
        return Cases(self.X[features], self.y)


def print_demo(out: Console, save: Path | None) -> None:
    """Print the whole page; save the tree if a file is named."""
    data = load_dataset("wisconsin-diagnostic", frame="pandas")
    costs = data.costs
    assert costs is not None  # shipped with the package
    training, held_out = _split(data, seed=0)
    model = algorithm("c45", costs=costs).fit(*training)
    if save is not None:
        model.tree_.save(save)
    _print_prices(out, data, costs)
    heading(out, f"1  The tree: C4.5 on {len(training.y)} cases")
    print_tree(out, model.tree_)
    heading(out, f"2  Its bill on the {len(held_out.y)} cases it has not seen")
    _print_bill(out, bill(model, *held_out))
    heading(out, "3  One of these cases, one test at a time")
    _consult(out, model.tree_, held_out, costs)
    heading(out, "4  Is the slide scan worth its price?")
    _compare(out, data, costs, held_out, model)
    _print_next(out, save)


def _split(data: Dataset, seed: int) -> tuple[Cases, Cases]:
    X, X_held, y, y_held = train_test_split(
        data.X, data.y, test_size=1 / 3, stratify=data.y, random_state=seed
    )
    return Cases(X, y), Cases(X_held, y_held)


# 0: what things cost


def _print_prices(out: Console, data: Dataset, costs: Costs) -> None:
    out.print(Text("Breast cancer: which tests to pay for", style="bold"))
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


# 2: the bill


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


# 3: a consultation


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
            f"Answer {case.result}; the case is {cases.y[number]}. All {tree.n_features} tests: {everything}."
        )
    )


# 4: a comparison


def _compare(out: Console, data: Dataset, costs: Costs, held_out: Cases, model: Any) -> None:
    cheap = [name for name, test in costs.tests.items() if "slide scan" not in test.needs]
    cheap_costs = costs.only(cheap)
    training, _ = _split(data, seed=0)
    cheap_model = algorithm("c45", costs=cheap_costs).fit(*training.only(cheap))
    upfront = costs.replace(payment="upfront")
    rows = [
        _row("all tests of the tree, upfront", bill(model, *held_out, upfront)),
        _row("one test at a time", bill(model, *held_out)),
        _row(f"a tree of the {len(cheap)} tests without scan", bill(cheap_model, *held_out.only(cheap))),
    ]
    columns = ["mean per case", "tests", "errors", "together", "accuracy"]
    out.print(table("", columns, rows))
    wins, saved = _repeated(data, costs, cheap_costs, cheap)
    out.print(
        Text(
            f"One split proves little: over {SPLITS} random ones the tree without scan has the smaller bill "
            f"in {wins}; on average it saves {saved:.2f} per case."
        )
    )


def _row(name: str, result: Bill) -> list[str]:
    assert result.mean_error_cost is not None  # the true classes were given
    assert result.mean_cost is not None
    assert result.accuracy is not None
    money = (result.mean_test_cost, result.mean_error_cost, result.mean_cost)
    return [name, *(f"{amount:.2f}" for amount in money), f"{100 * result.accuracy:.1f} %"]


def _repeated(data: Dataset, costs: Costs, cheap_costs: Costs, cheap: list[str]) -> tuple[int, float]:
    """Count the splits in which leaving out the scan is cheaper, and the mean of what it saves."""
    savings = []
    for seed in range(SPLITS):
        training, held_out = _split(data, seed)
        full = bill(algorithm("c45", costs=costs).fit(*training), *held_out)
        less = bill(algorithm("c45", costs=cheap_costs).fit(*training.only(cheap)), *held_out.only(cheap))
        assert full.mean_cost is not None
        assert less.mean_cost is not None
        savings.append(full.mean_cost - less.mean_cost)
    return sum(saving > 0 for saving in savings), sum(savings) / len(savings)


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
