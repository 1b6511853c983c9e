"""The beginning of the page: the sentence, the figures to believe, and small and second those learnt from."""

from __future__ import annotations

from typing import NamedTuple

from thriftwood.evaluation import Bill, Contender
from thriftwood.evaluation.statement import amount
from thriftwood.report.markup import Html, joined, tag
from thriftwood.report.naming import name_text
from thriftwood.report.sentence import order_sentence
from thriftwood.report.words import Words


class Figures(NamedTuple):
    """What a case costs, and where that is known from."""

    tests: float
    mistakes: float | None
    right: float | None
    """The share of right answers."""
    wrong: float | None
    """How many mistakes there were, of so many cases:"""
    cases: float
    basis: str
    between: tuple[float, float] | None = None
    """Where the cost lies with 95 % confidence."""

    @property
    def cost(self) -> float | None:
        """Tests and mistakes together."""
        return None if self.mistakes is None else self.tests + self.mistakes


def figures_of(bill: Bill, expected: Contender | None, training: bool, words: Words) -> Figures | None:
    """Return the figures of cases that were not learnt from; None where the page has none."""
    if expected is not None:
        n_cases = len(expected.fold)
        return Figures(
            float(expected.test_cost.mean()),
            float(expected.error_cost.mean()),
            expected.accuracy,
            float(n_cases - expected.right.sum()),
            n_cases,
            f"By cross-validation: each of {words.counted(n_cases)} was judged by a model that had not "
            "seen it.",
            (expected.interval.low, expected.interval.high),
        )
    return None if training else _of_bill(bill, "")


def _of_bill(bill: Bill, basis: str) -> Figures:
    return Figures(
        bill.mean_test_cost, bill.mean_error_cost, bill.accuracy, bill.n_errors, bill.weight, basis
    )


def opening(bill: Bill, figures: Figures | None, noun: str, training: bool, words: Words) -> Html:
    """Write the sentence, the figures, and what the cases cost that were learnt from."""
    parts = [tag("p", _sentence(bill, figures, words), class_="sentence")]
    if figures is not None:
        parts.append(tag("dl", _tiles(bill, figures, words), class_="tiles"))
        if figures.basis:
            parts.append(tag("p", figures.basis, class_="note"))
    else:
        parts.append(
            tag(
                "p",
                f"What a new {words.one} costs is not known here: this page was made of the {words.many} "
                f"that {noun} learnt from, without cross-validation and without others that were held back.",
                class_="warning",
            )
        )
    if training:
        parts.append(tag("p", _learnt_from(bill, noun, words), class_="learnt"))
    return joined(parts)


def _sentence(bill: Bill, figures: Figures | None, words: Words) -> str:
    order = order_sentence(bill, words)
    if figures is None:
        return f"{order}."
    if figures.cost is None:
        return f"{order}; the tests cost {words.money(figures.tests)} a {words.one}."
    return f"{order}; {words.money(figures.cost)} a {words.one}."


def _tiles(bill: Bill, figures: Figures, words: Words) -> Html:
    shown = []
    if figures.cost is not None and figures.mistakes is not None:
        between = figures.between
        note = "tests and mistakes, on average"
        if between is not None:
            note = f"{amount(between[0])} to {amount(between[1])} with 95 % confidence"
        shown.append((f"a {words.one} costs", words.money(figures.cost), note))
    bought = f"{round(paid_tests(bill), 1):g} bought for a {words.one}"
    shown.append(("tests", words.money(figures.tests), bought))
    if figures.mistakes is not None:
        among = f"{amount(figures.wrong or 0)} among {words.counted(figures.cases)}"
        shown.append(("mistakes", words.money(figures.mistakes), among))
    if figures.right is not None:
        shown.append(("right", f"{100 * figures.right:.1f} %", f"of {words.many}"))
    if bill.untested_cost is not None:
        answer = name_text(bill.untested_answer)
        note = f"a {words.one}, if all are called {answer}"
        shown.append(("testing nobody", words.money(bill.untested_cost), note))
    return joined(
        tag("div", tag("dt", name), tag("dd", value, tag("small", note))) for name, value, note in shown
    )


def _learnt_from(bill: Bill, noun: str, words: Words) -> str:
    """Write the figures that flatter, in one line."""
    said = f"The {words.counted(bill.weight)} that {noun} learnt from"
    if bill.mean_cost is None or bill.mean_error_cost is None or bill.accuracy is None:
        return f"{said} paid {words.money(bill.mean_test_cost)} each for tests."
    return (
        f"{said} cost {words.money(bill.mean_cost)} each (tests {amount(bill.mean_test_cost)}, mistakes "
        f"{amount(bill.mean_error_cost)}; {100 * bill.accuracy:.1f} % right). New ones cost more, as a rule."
    )


def paid_tests(bill: Bill) -> float:
    """Return how many tests that have a price are bought for a case; what is free is not bought.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> bill = tw.bill(model, golf.X, golf.y)
    >>> round(paid_tests(bill), 2), bill.costs.tests["Wind"]
    (1.71, Test(0.5))
    >>> free = golf.costs.replace(tests={**golf.costs.tests, "Wind": 0})
    >>> round(paid_tests(tw.bill(model, golf.X, golf.y, free)), 2)
    1.36
    """
    columns = bill.test_columns
    times = [times for times, price in zip(columns["times"], columns["full_price"], strict=True) if price > 0]
    return float(sum(times)) / bill.weight
