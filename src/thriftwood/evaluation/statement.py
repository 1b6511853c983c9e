"""The bill as a person reads it: one list of small tables, as text and as HTML."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.models.tree.conditions import category_text

if TYPE_CHECKING:
    from thriftwood.evaluation.bill_measures import BillMeasures

TESTS_SHOWN = 20
CLASSES_SHOWN = 8
WIDTH = 100  # of notes in text
FULL_PRICE = "full price: of a test that is bought first, with all shared resources that it needs"


class Part(NamedTuple):
    """A small table with a heading: the first column holds names, the others numbers."""

    heading: str
    columns: list[str]
    rows: list[list[str]]
    notes: tuple[str, ...] = ()
    """What a reader should know, below the table."""


def amount(value: float) -> str:
    """Write a number so that it can stand in a column; NaN, where there is none, as a dash.

    Examples
    --------
    >>> amount(4.892857), amount(14), amount(12345.678), amount(0.000321), amount(0)
    ('4.89', '14', '12,345.68', '0.000321', '0')
    """
    if float(value).is_integer():
        return f"{value:,.0f}"
    if math.isnan(value):
        return "-"
    return f"{value:,.2f}" if abs(value) >= 0.1 else f"{value:.3g}"


class Words(NamedTuple):
    """The words of one price list.

    Examples
    --------
    >>> words = Words("patient", "patients", "EUR")
    >>> words.money(26.816), words.counted(171), words.a_one
    ('26.82 EUR', '171 patients', 'a patient')
    """

    one: str
    many: str
    currency: str = ""

    @property
    def unit(self) -> str:
        """The unit, as the end of a heading."""
        return f", in {self.currency}" if self.currency else ""

    @property
    def a_one(self) -> str:
        """One of them, with its article."""
        return f"{'an' if self.one[:1].lower() in tuple('aeiou') else 'a'} {self.one}"

    def money(self, value: float) -> str:
        """Write an amount with its unit."""
        return f"{amount(value)} {self.currency}".rstrip()

    def counted(self, number: float) -> str:
        """Write how many cases there are."""
        return counted(amount(number), self.one, self.many)


def words_of(costs: Costs) -> Words:
    """Return the words of a price list."""
    return Words(costs.case_name, costs.cases_name, costs.currency)


def parts(bill: BillMeasures) -> list[Part]:
    """Return what a statement shows, in order."""
    found = [_sums(bill), _measures(bill)]
    if bill.test_columns["test"]:
        found.append(_tests(bill))
    if bill.confusion is not None and len(bill.confusion.classes) <= CLASSES_SHOWN:
        found.append(_confusion(bill))
    return found


def as_text(found: Iterable[Part]) -> str:
    """Write the parts as aligned columns."""
    return "\n\n".join("\n".join([part.heading, *_aligned(part)]) for part in found)


def as_html(found: Iterable[Part]) -> str:
    """Write the parts as HTML tables."""
    return "\n".join(_html(part) for part in found)


def _sums(bill: BillMeasures) -> Part:
    rows = [["tests", amount(bill.mean_test_cost), amount(bill.total_test_cost)]]
    notes: tuple[str, ...] = ()
    if bill.mean_error_cost is None or bill.total_error_cost is None:
        notes = ("error costs: none, for " + bill.why_no_errors,)
    else:
        rows.append(["errors", amount(bill.mean_error_cost), amount(bill.total_error_cost)])
        rows.append(
            [
                "together",
                amount(bill.mean_test_cost + bill.mean_error_cost),
                amount(bill.total_test_cost + bill.total_error_cost),
            ]
        )
    if bill.untested_cost is not None:
        rows.append(
            [
                f"no tests, always {category_text(bill.untested_answer)}",
                amount(bill.untested_cost),
                amount(round(bill.untested_cost * bill.weight, 9)),  # a whole sum stays whole
            ]
        )
    weighed = "" if not bill.is_weighted else f" of weight {amount(bill.weight)}"
    if bill.by_row:
        notes = ("errors: what each case's own mistake costs",)
    if bill.in_hindsight:
        notes += ("no tests: the answer is the one that turned out cheapest for these cases",)
    within = "" if bill.budget is None else f", budget {amount(bill.budget)}"
    words = words_of(bill.costs)
    return Part(
        f"Bill of {words.counted(bill.n_cases)}{weighed}, payment {bill.costs.payment}{within}{words.unit}",
        ["", "mean", "total"],
        rows,
        notes,
    )


def paid_times(bill: BillMeasures) -> tuple[float, float]:
    """Return how many tests are bought for a case, and how many columns are read that have no price."""
    columns = bill.test_columns
    paid = np.asarray(columns["full_price"]) > 0
    times = np.asarray(columns["times"], dtype=np.float64) / bill.weight
    return float(times[paid].sum()), float(times[~paid].sum())


def _measures(bill: BillMeasures) -> Part:
    model, one = "model" if bill.single_tree is None else "tree", bill.costs.case_name
    bought, free = paid_times(bill)
    rows = [
        [f"tests bought per {one}", amount(bought)],
        *([[f"free columns read per {one}", amount(free)]] if free else []),
        [f"all tests of the {model}, upfront", amount(bill.upfront_cost)],
    ]
    if bill.n_stopped is not None:
        rows.append([f"{bill.costs.cases_name} stopped by the budget", amount(bill.n_stopped)])
    if bill.mean_n_consulted is not None and bill.mean_apart_cost is not None:
        rows.append([f"trees consulted per {one}", amount(bill.mean_n_consulted)])
        rows.append(["tests, if each tree paid for its own", amount(bill.mean_apart_cost)])
    elif bill.mean_n_consulted is not None:
        rows.append([f"stages asked per {one}", amount(bill.mean_n_consulted)])
    if bill.accuracy is not None:
        rows.append(["accuracy", f"{100 * bill.accuracy:.2f} %"])
    for name, share in (bill.further_shares or {}).items():
        rows.append([f"answered {category_text(name)}", f"{100 * share:.2f} %"])
    notes = []
    if bill.n_errors is not None:
        rows.append(["errors", amount(bill.n_errors)])
    if bill.high_cost_errors is not None:
        rows.append(["of the dearer kind", amount(bill.high_cost_errors)])
        notes.append("dearer kind: mistakes that cost more than the cheapest kind of mistake")
    if bill.normalised_cost is not None and bill.standard_cost is not None:
        rows.append(["normalised cost", f"{bill.normalised_cost:.2f} %"])
        rows.append(["of the standard cost", amount(bill.standard_cost)])
        notes.append(
            "standard cost: all tests of the table, and the dearest mistake for cases outside the commonest "
            "class; normalised: what a case costs here, in percent of it"
        )
    return Part("Measures", ["", "value"], rows, tuple(notes))


def _tests(bill: BillMeasures) -> Part:
    columns = bill.test_columns
    rows = []
    for name, price, times, share, mean, total in islice(zip(*columns.values(), strict=True), TESTS_SHOWN):
        paid = amount(mean) if times else ""
        rows.append(
            [category_text(name), amount(price), amount(times), f"{100 * share:.1f} %", paid, amount(total)]
        )
    more = len(columns["test"]) - len(rows)
    heading = ["test", "full price", "times bought", f"of {bill.costs.cases_name}", "mean price", "total"]
    notes = [f"and {more:,} more"] * bool(more) + [FULL_PRICE] * shares_resources(bill)
    return Part("Tests, dearest first", heading, rows, tuple(notes))


def shares_resources(bill: BillMeasures) -> bool:
    """Tell whether a test of the bill needs something that others may have paid for."""
    tests = (bill.costs.tests.get(name) for name in bill.test_columns["test"])
    return any(test is not None and test.needs for test in tests)


def _confusion(bill: BillMeasures) -> Part:
    table = bill.confusion
    assert table is not None  # asked for only if there is one
    names = [category_text(label) for label in table.classes.tolist()]
    answers = [category_text(label) for label in table.answers.tolist()]
    rows = [
        [name, *(amount(count) for count in counts), amount(float(np.sum(costs)))]
        for name, counts, costs in zip(names, table.counts, table.costs, strict=True)
    ]
    return Part("True class by row, answer by column", ["", *answers, "cost"], rows)


def _aligned(part: Part) -> list[str]:
    table = [part.columns, *part.rows]
    widths = [max(len(row[j]) for row in table) for j in range(len(part.columns))]
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append(("  " + "  ".join(cells)).rstrip())
    for note in part.notes:
        lines += wrap(note, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return lines


def _html(part: Part) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in part.columns)
    body = "".join(
        "<tr><th>" + escape(row[0]) + "</th>" + "".join(f"<td>{escape(c)}</td>" for c in row[1:]) + "</tr>"
        for row in part.rows
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in part.notes)
    caption = f"<caption>{escape(part.heading)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"
