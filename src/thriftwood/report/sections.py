"""The sections of the page that need no script: sums, the bill, answers and mistakes, data and settings."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import FULL_PRICE, amount, shares_resources
from thriftwood.models.cascade import Cascade
from thriftwood.models.tree.conditions import list_text
from thriftwood.models.tree.tree import Tree
from thriftwood.plots.bill import Bar, paid_mistakes, paid_tests
from thriftwood.report.markup import Html, joined, table, tag
from thriftwood.report.naming import cut, name_text

TESTS_SHOWN, CLASSES_SHOWN, PAIRS_SHOWN, SETTING_SHOWN = 40, 12, 30, 300


def tiles(bill: Bill) -> Html:
    """Write the sums that readers ask for first."""
    shown = []
    if bill.mean_cost is not None and bill.mean_error_cost is not None:
        shown.append(("a case costs", amount(bill.mean_cost), "tests and answer, on average"))
        shown.append(("tests", amount(bill.mean_test_cost), f"{amount(bill.mean_n_tests)} bought per case"))
        wrong = amount(bill.n_errors or 0)
        shown.append(("answers", amount(bill.mean_error_cost), f"{wrong} wrong of {amount(bill.weight)}"))
    else:
        shown.append(("tests of a case", amount(bill.mean_test_cost), f"{amount(bill.mean_n_tests)} bought"))
    if bill.accuracy is not None:
        shown.append(("accuracy", f"{100 * bill.accuracy:.1f} %", "share of right answers"))
    if bill.untested_cost is not None:
        answer = name_text(bill.untested_answer)
        shown.append(("testing nobody", amount(bill.untested_cost), f"a case, if all are called {answer}"))
    noun = "tree" if bill.single_tree is not None else "model"
    shown.append(("all tests upfront", amount(bill.upfront_cost), f"every test of the {noun}, once"))
    return joined(
        tag(
            "div",
            tag("dt", name),
            tag("dd", value, tag("small", note)),
        )
        for name, value, note in shown
    )


# The bill


def bill_section(bill: Bill) -> Html:
    """Write what a case costs: by test, by kind of mistake, by class."""
    bars = _bars(paid_tests(bill) + paid_mistakes(bill))
    why = tag("p", f"There are no error costs: {bill.why_no_errors}.") if bill.why_no_errors else Html("")
    shown = tag("div", tag("div", bars), tag("div", _by_class(bill)), class_="pair")
    return joined([why, shown, _by_test(bill)])


def _bars(bars: list[Bar]) -> Html:
    """Write a list with a bar in each line; bars are SVG, for the page's policy allows no inline styles."""
    costs = [bar.cost for bar in bars]
    low, high = min([0.0, *costs]), max([0.0, *costs])
    scale = 100 / ((high - low) or 1.0)
    rows = []
    for bar in bars:
        start, length = scale * (min(bar.cost, 0.0) - low), scale * abs(bar.cost)
        strip = tag(
            "svg",
            tag("rect", x=f"{start:.2f}", width=f"{length:.2f}", height="10", fill=bar.colour),
            viewBox="0 0 100 10",
            preserveAspectRatio="none",
            aria_hidden="true",
        )
        rows.append(tag("li", tag("span", cut(bar.name)), strip, tag("b", amount(bar.cost))))
    if not rows:
        return tag("p", "Nothing was paid: every test is free here, and no answer cost anything.")
    words = "What a case pays on average, for each test and each kind of mistake."
    if low < 0:
        words += " Green bars, to the left, are benefits: answers that bring money."
    return joined([tag("p", words, class_="note"), tag("ol", joined(rows), class_="bars")])


def _by_test(bill: Bill) -> Html:
    columns = bill.test_columns
    rows = [
        [
            name_text(name),
            amount(price),
            amount(times),
            f"{100 * share:.1f} %",
            amount(mean) if times else "-",
            amount(total / bill.weight),
            amount(total),
        ]
        for name, price, times, share, mean, total in islice(zip(*columns.values(), strict=True), TESTS_SHOWN)
    ]
    if not rows:
        noun = "tree" if bill.single_tree is not None else "model"
        return tag("p", f"The {noun} asks for no test.")
    more = len(columns["test"]) - len(rows)
    heading = ["test", "full price", "times bought", "of cases", "mean price", "per case", "total"]
    shown = table("Tests, dearest in total first", heading, rows)
    notes = [f"and {counted(more, 'more test')}"] * bool(more) + [FULL_PRICE] * shares_resources(bill)
    return joined([shown, *(tag("p", note, class_="note") for note in notes)])


def _by_class(bill: Bill) -> Html:
    """Write the means of each class: of the true one, or of the answered one where the truth is not known."""
    classes = bill.answers
    if classes is None:
        return Html("")
    known = bill.actual is not None
    label: NDArray[Any] = bill.predicted if bill.actual is None else bill.actual
    weights = np.ones(bill.n_cases) if bill.weights is None else bill.weights
    size = np.bincount(label, weights, minlength=len(classes))
    columns = [bill.test_cost]
    if bill.error_cost is not None:
        columns += [bill.error_cost, bill.test_cost + bill.error_cost, label == bill.predicted]
    sums = [np.bincount(label, weights * column, minlength=len(classes)) for column in columns]
    rows = []
    found = [number for number in np.argsort(-size, kind="stable").tolist() if size[number] > 0]
    for number in found[:TESTS_SHOWN]:
        means = [total[number] / size[number] for total in sums]
        cells = [amount(mean) for mean in means[:3]] + [f"{100 * mean:.1f} %" for mean in means[3:]]
        rows.append([name_text(classes.tolist()[number]), amount(size[number]), *cells])
    heading = ["true class" if known else "answer", "cases", "tests", "answers", "together", "right"]
    title = "What a case costs, by true class" if known else "What the tests of a case cost, by answer"
    shown = table(title, heading[: 2 + len(columns)], rows)
    more = len(found) - len(rows)
    words = f"and {counted(more, 'more class', 'more classes')}, each of fewer cases"
    return joined([shown, tag("p", words, class_="note")]) if more else shown


# Answers and mistakes


def confusion_section(bill: Bill) -> Html:
    """Write the confusion matrix, in cases and in money; of many classes the dearest pairs."""
    found = bill.confusion
    if found is None:
        return tag("p", f"There is nothing to compare with: {bill.why_no_errors}.")
    names = [name_text(label) for label in found.classes.tolist()]
    answers = [name_text(label) for label in found.answers.tolist()]
    if len(names) > CLASSES_SHOWN:
        return _dearest_pairs(bill, names, answers)
    most = float(np.abs(found.costs).max(initial=0.0))
    rows = []
    for actual, name in enumerate(names):
        cells = [_cell(bill, actual, answer, most) for answer in range(len(answers))]
        row = [
            tag("th", name, scope="row"),
            *cells,
            _sum(found.counts[actual].sum(), found.costs[actual].sum()),
        ]
        rows.append(tag("tr", joined(row)))
    totals = [_sum(found.counts[:, j].sum(), found.costs[:, j].sum()) for j in range(len(answers))]
    whole = _sum(found.counts.sum(), found.costs.sum())
    rows.append(tag("tr", tag("th", "together", scope="row"), joined(totals), whole))
    head = joined(tag("th", name, scope="col", class_="num") for name in [*answers, "together"])
    corner = tag("th", "true class ↓  answer →", scope="col")
    grid = tag("table", tag("thead", tag("tr", corner, head)), tag("tbody", joined(rows)), class_="matrix")
    note = "In each cell: how many cases, and what those answers cost together; the deeper, the dearer."
    if found.costs.min(initial=0.0) < 0:
        note += " Green cells bring money."
    return joined(
        [
            tag("p", note, class_="note"),
            tag("div", grid, class_="scroll", tabindex="0", role="region", aria_label="confusion matrix"),
        ]
    )


def _cell(bill: Bill, actual: int, answer: int, most: float) -> Html:
    assert bill.confusion is not None  # asked for only if there is one
    count, cost = bill.confusion.counts[actual, answer], float(bill.confusion.costs[actual, answer])
    depth = round(4 * abs(cost) / most) if most > 0 else 0
    if cost and not depth:
        depth = 1
    kind = ("right " if actual == answer else "") + (f"deep{depth}" if depth else "")
    kind += " benefit" if cost < 0 else ""
    return tag("td", amount(float(count)), tag("small", amount(cost)), class_=f"num {kind}".strip())


def _sum(count: float, cost: float) -> Html:
    return tag("td", amount(float(count)), tag("small", amount(float(cost))), class_="num sum")


def _dearest_pairs(bill: Bill, names: list[str], answers: list[str]) -> Html:
    found = bill.confusion
    assert found is not None  # asked for only if there is one
    wrong = np.where(np.eye(len(names), len(answers), dtype=bool), 0, found.counts)
    order = np.lexsort((-wrong.ravel(), -found.costs.ravel()))[:PAIRS_SHOWN].tolist()
    pairs = [divmod(place, len(answers)) for place in order]
    rows = [
        [
            names[actual],
            answers[answer],
            amount(float(found.counts[actual, answer])),
            amount(float(found.costs[actual, answer])),
        ]
        for actual, answer in pairs
        if wrong[actual, answer] > 0 or found.costs[actual, answer] != 0.0
    ]
    if not rows:
        return tag("p", f"{len(names)} classes. No answer was wrong.", class_="note")
    pairs_shown = "the pair that costs" if len(rows) == 1 else f"the {len(rows)} pairs that cost"
    title = f"{len(names)} classes: {pairs_shown} most"
    return table(title, ["true class", "answer", "cases", "cost"], rows, names=2)


# Data and settings


def settings_section(bill: Bill, model: Any, asked: Tree | Cascade) -> Html:
    """Write what the page is about: the cases, the model's settings, the price list."""
    unused = tuple(name for name in asked.feature_names if name not in set(asked.features_used))
    tests = cut(list_text(asked.features_used)) or "none"
    noun = "tree" if isinstance(asked, Tree) else "cards"
    facts = [
        [
            "cases",
            f"{bill.n_cases:,}" + ("" if bill.weights is None else f" of weight {amount(bill.weight)}"),
        ],
        ["features of the table", f"{asked.n_features:,}"],
        [f"tests of the {noun}", f"{len(asked.features_used):,}: {tests}"],
        ["never asked", cut(list_text(unused)) or "none"],
        *_size(asked),
        ["payment", bill.costs.payment],
        ["a test without a value", "is charged" if bill.costs.charge_missing else "is not charged"],
    ]
    parts = [table(f"The cases and the {noun}", ["what", "value"], facts, names=2)]
    settings = _settings(model)
    if settings:
        parts.append(table(f"Settings of {type(model).__name__}", ["parameter", "value"], settings, names=2))
    return joined([tag("div", *parts), tag("div", _prices(bill, asked))])


def _size(asked: Tree | Cascade) -> list[list[str]]:
    if isinstance(asked, Cascade):
        return [["size", asked.size]]
    nodes, leaves = counted(asked.n_nodes, "node"), counted(asked.n_leaves, "leaf", "leaves")
    return [
        ["size of the tree", f"{nodes}, {leaves}, depth {asked.depth:,}"],
        ["grown on", counted(amount(asked.flat.weight[0]), "case")],
    ]


def _settings(model: Any) -> list[list[str]]:
    if not hasattr(model, "get_params"):
        return []
    params = model.get_params(deep=False)
    return [
        [name, _cut(repr(value))] for name, value in params.items() if name != "costs" and value is not None
    ]


def _cut(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= SETTING_SHOWN else one_line[: SETTING_SHOWN - 1] + "…"


def _prices(bill: Bill, asked: Tree | Cascade) -> Html:
    costs = bill.costs
    tests = set(asked.features_used)
    names = sorted(asked.feature_names, key=lambda name: name not in tests)  # the model's tests first
    rows = []
    for name in names[:TESTS_SHOWN]:
        test = costs.tests.get(name)
        price = test.price if test is not None else costs.default_price
        rules = [] if test is None else _rules(test)
        rows.append([name_text(name), "; ".join(rules), "-" if price is None else amount(price)])
    shared = islice(costs.shared.items(), TESTS_SHOWN)
    rows += [[f"{name_text(name)} (shared)", "", amount(price)] for name, price in shared]
    more = len(names) - TESTS_SHOWN
    shown = table("Price list", ["test", "rules", "price"], rows, names=2)
    return (
        joined([shown, tag("p", f"and {counted(more, 'more feature')}", class_="note")])
        if more > 0
        else shown
    )


def _rules(test: Any) -> list[str]:
    rules = []
    if test.needs:
        rules.append(f"needs {cut(list_text(test.needs))}")
    if test.after is not None:
        rules.append(f"{amount(test.after)} after another of {name_text(test.group)}")
    if test.delayed:
        rules.append("delayed")
    return rules
