"""The section of score cards: the cards themselves, and what becomes of the cases at each stage."""

from __future__ import annotations

import numpy as np

from thriftwood.evaluation import Bill
from thriftwood.evaluation.statement import Words, amount
from thriftwood.models.cascade import Cascade
from thriftwood.models.cascade_html import cards_html
from thriftwood.report.markup import Html, table, tag
from thriftwood.report.naming import answers_word


def cards(cascade: Cascade) -> Html:
    """Write the cards; they scroll by themselves on narrow screens."""
    shown = Html(cards_html(cascade))
    return tag("div", shown, class_="scroll", tabindex="0", role="region", aria_label="the score cards")


def stages(bill: Bill, cascade: Cascade, words: Words) -> Html:
    """Write how many cases are answered at each stage, and what they cost."""
    assert bill.n_consulted is not None  # a cascade counts its stages
    weights = np.ones(bill.n_cases) if bill.weights is None else bill.weights
    columns = {words.many: weights, "tests": weights * bill.test_cost}
    if bill.error_cost is not None and bill.actual is not None:
        columns |= {
            answers_word(bill): weights * bill.error_cost,
            "together": weights * (bill.test_cost + bill.error_cost),
            "right": weights * (bill.actual == bill.predicted),
        }
    rows = []
    for number in range(len(cascade.stages)):
        ends = bill.n_consulted == number + 1
        size, *sums = (float(column[ends].sum()) for column in columns.values())
        means = [total / size if size else np.nan for total in sums]
        cells = [amount(mean) for mean in means[:3]]
        cells += ["-" if np.isnan(mean) else f"{100 * mean:.1f} %" for mean in means[3:]]
        rows.append([f"stage {number + 1}", amount(size), *cells])
    return table(f"What {words.a_one} costs, by the stage that answers", ["", *columns], rows)
