"""The sections of the bill and of the mistakes, which need no script."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import FULL_PRICE, Words, amount, shares_resources
from thriftwood.models.tree.conditions import list_text
from thriftwood.plots.axes import shortened
from thriftwood.plots.bill import Bar, paid_mistakes, paid_tests
from thriftwood.report.markup import Html, joined, table, tag
from thriftwood.report.naming import answers_word, cut, name_text

TESTS_SHOWN, CLASSES_SHOWN, PAIRS_SHOWN = 40, 12, 30
BAR_NAME = 60  # letters

# The bill


def bill_section(bill: Bill, words: Words) -> Html:
    """Write what a case costs: by test and by kind of mistake."""
    bars = _bars(bill, [*paid_tests(bill), *paid_mistakes(bill)], words)
    why = tag("p", f"There are no error costs: {bill.why_no_errors}.") if bill.why_no_errors else Html("")
    return joined([why, tag("div", tag("div", bars), tag("div", _by_test(bill, words)), class_="pair")])


def _bars(bill: Bill, bars: list[Bar], words: Words) -> Html:
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
        rows.append(tag("li", tag("span", shortened(bar.name, BAR_NAME)), strip, tag("b", amount(bar.cost))))
    if not rows:
        return tag("p", "Nothing was paid: every test is free here, and no mistake cost anything.")
    unit = f", in {words.currency}" if words.currency else ""
    kind = answers_word(bill).removesuffix("s")
    note = f"What {words.a_one} pays on average{unit}, for each test and each kind of {kind}."
    if low < 0:
        note += " Green bars, to the left, are benefits: answers that bring money."
    return joined([tag("p", note, class_="note"), tag("ol", joined(rows), class_="bars")])


def _by_test(bill: Bill, words: Words) -> Html:
    columns = bill.test_columns
    found = list(zip(*columns.values(), strict=True))
    paid = [row for row in found if row[1] > 0]
    free = tuple(row[0] for row in found if row[1] <= 0)
    rows = [
        [
            name_text(name),
            amount(price),
            amount(mean) if times else "-",
            f"{100 * share:.1f} %",
            amount(total / bill.weight),
        ]
        for name, price, times, share, mean, total in paid[:TESTS_SHOWN]
    ]
    said = []
    if len(paid) > len(rows):
        said.append(tag("p", f"and {counted(len(paid) - len(rows), 'more test')}", class_="note"))
    if shares_resources(bill):
        said.append(tag("p", FULL_PRICE, class_="note full-price"))  # goes with its column on a phone
    if free:
        said.append(tag("p", f"read without paying: {cut(list_text(free))}", class_="note"))
    if not found:
        noun = "tree" if bill.single_tree is not None else "model"
        return tag("p", f"The {noun} asks for no test.")
    heading = ["test", "full price", "mean paid", f"of {words.many}", f"{words.a_one} pays"]
    shown = [table("Tests, dearest first", heading, rows, class_="tests")] if rows else []
    return joined([*shown, *said])


def _by_class(bill: Bill, words: Words) -> Html:
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
    sums_of = ["tests", answers_word(bill), "together", "right"]
    heading = ["true class" if known else "answer", words.many, *sums_of]
    tests_only = f"What the tests of {words.a_one} cost, by answer"
    title = f"What {words.a_one} costs, by true class" if known else tests_only
    shown = table(title, heading[: 2 + len(columns)], rows)
    more = len(found) - len(rows)
    note = f"and {counted(more, 'more class', 'more classes')}, each of fewer {words.many}"
    return joined([shown, tag("p", note, class_="note")]) if more else shown


# Mistakes


def mistakes_section(bill: Bill, words: Words) -> Html:
    """Write the mistakes, in cases and in money, and beside them what they cost by class."""
    return tag("div", tag("div", _confusion(bill, words)), tag("div", _by_class(bill, words)), class_="pair")


def _confusion(bill: Bill, words: Words) -> Html:
    """Write the confusion matrix; of many classes the dearest pairs."""
    found = bill.confusion
    if found is None:
        return tag("p", f"There is nothing to compare with: {bill.why_no_errors}.")
    names = [name_text(label) for label in found.classes.tolist()]
    answers = [name_text(label) for label in found.answers.tolist()]
    if len(names) > CLASSES_SHOWN:
        return _dearest_pairs(bill, names, answers, words)
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
    note = f"In each cell: how many {words.many}, and what they cost together; the deeper, the dearer."
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


def _dearest_pairs(bill: Bill, names: list[str], answers: list[str], words: Words) -> Html:
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
        return tag("p", f"{len(names)} classes. No mistake was made.", class_="note")
    pairs_shown = "the pair that costs" if len(rows) == 1 else f"the {len(rows)} pairs that cost"
    title = f"{len(names)} classes: {pairs_shown} most"
    return table(title, ["true class", "answer", words.many, "cost"], rows, names=2)
