"""The picture of a bill."""

from __future__ import annotations

from typing import Any, NamedTuple

from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import amount
from thriftwood.models.tree.conditions import category_text
from thriftwood.plots.axes import check_drawn, new_axes, shortened

TESTS_SHOWN, MISTAKES_SHOWN = 12, 6
LONGEST = 34
TEST, MISTAKE, BENEFIT = "#0072b2", "#d55e00", "#009e73"


class Bar(NamedTuple):
    """A line of the bill: what it is for, and what it costs a case on average."""

    name: str
    cost: float
    colour: str


def plot_bill(bill: Bill, ax: Any = None) -> Any:
    """Draw what a case costs on average: a bar for each test, and one for each kind of mistake.

    The bars add up to the mean cost; a benefit (a negative cost) is green and goes to the left. Needs
    matplotlib (the extra ``plots``).

    Parameters
    ----------
    bill : Bill
        What `tw.bill` wrote.
    ax : matplotlib Axes, optional
        Where to draw; None: a figure of its own.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> ax = tw.plot_bill(tw.bill(model, golf.X, golf.y))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Outlook', 'Humidity', 'Wind']
    """
    check_drawn(bill, Bill, "A bill", "tw.bill(model, X, y)")
    bars = paid_tests(bill) + paid_mistakes(bill)
    if ax is None:
        ax = new_axes(7.5, 1.1 + 0.3 * max(len(bars), 2))
    places = range(len(bars))
    ax.barh(places, [bar.cost for bar in bars], color=[bar.colour for bar in bars], height=0.7)
    ax.set_yticks(places, [shortened(bar.name, LONGEST) for bar in bars], parse_math=False)
    ax.invert_yaxis()
    for place, bar in enumerate(bars):
        ax.annotate(
            amount(bar.cost), (max(bar.cost, 0.0), place), (4, 0), textcoords="offset points", va="center"
        )
    ax.margins(x=0.12)
    ax.set_xlabel("cost of a case, on average")
    ax.set_title(_title(bill), fontsize="medium", loc="left", parse_math=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def paid_tests(bill: Bill) -> list[Bar]:
    """Give a bar for each test that was paid, dearest first; the smallest are added up."""
    columns = bill.test_columns
    costs = [
        (name, total / bill.weight) for name, total in zip(columns["test"], columns["total"], strict=True)
    ]
    bars = [Bar(category_text(name), float(cost), TEST) for name, cost in costs if cost > 0]
    return _added(bars, TESTS_SHOWN, "tests")


def paid_mistakes(bill: Bill) -> list[Bar]:
    """Give a bar for each pair of a true and an answered class that costs something, dearest first.

    Pairs that bring money (benefits) come after those, the largest last.
    """
    if bill.confusion is None:
        return []
    names = [category_text(label) for label in bill.confusion.classes.tolist()]
    answers = [category_text(label) for label in bill.confusion.answers.tolist()]
    costs = [
        (f"{actual}, answered {answer}", float(cost) / bill.weight)
        for actual, row in zip(names, bill.confusion.costs.tolist(), strict=True)
        for answer, cost in zip(answers, row, strict=True)
    ]
    mistakes = sorted((Bar(*pair, MISTAKE) for pair in costs if pair[1] > 0), key=lambda bar: -bar.cost)
    benefits = sorted((Bar(*pair, BENEFIT) for pair in costs if pair[1] < 0), key=lambda bar: bar.cost)
    shown = _added(mistakes, MISTAKES_SHOWN, "kinds of mistakes")
    return shown + _added(benefits, MISTAKES_SHOWN, "kinds of benefits")[::-1]


def _added(bars: list[Bar], most: int, what: str) -> list[Bar]:
    if len(bars) <= most:
        return bars
    rest = bars[most - 1 :]
    return [*bars[: most - 1], Bar(f"{len(rest)} more {what}", sum(b.cost for b in rest), rest[0].colour)]


def _title(bill: Bill) -> str:
    words = f"tests {amount(bill.mean_test_cost)}"
    if bill.mean_error_cost is not None and bill.mean_cost is not None:
        words = f"{amount(bill.mean_cost)} a case: {words}, answers {amount(bill.mean_error_cost)}"
    if bill.untested_cost is not None:
        answer = shortened(category_text(bill.untested_answer), LONGEST)
        words += f"\nnobody tested, all answered {answer}: {amount(bill.untested_cost)}"
    return words
