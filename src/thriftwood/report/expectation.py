"""What to expect of new cases, beside what the cases of the page cost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs.names import counted
from thriftwood.evaluation import Bill, Contender
from thriftwood.evaluation.intervals import fold_interval
from thriftwood.evaluation.statement import Words, amount
from thriftwood.report.markup import Html, joined, table, tag
from thriftwood.report.naming import answers_word

BASIS = "Of the {many} that {noun} learnt from; new ones cost more, as a rule."


def expected_section(found: Contender, bill: Bill, training: bool, words: Words) -> Html:
    """Write what a case costs by cross-validation, with the spread, and what it costs on this page."""
    tree = bill.single_tree
    rows = [
        _money(f"{words.a_one} costs", found, found.cost, bill.mean_cost),
        _money("tests", found, found.test_cost, bill.mean_test_cost),
        _money(answers_word(bill), found, found.error_cost, bill.mean_error_cost),
        _accuracy(found, bill.accuracy),
    ]
    if tree is not None:
        rows.append(["leaves of the tree", f"{round(found.n_leaves, 1):g}", "", f"{tree.n_leaves:,}"])
    here = f"the {words.many} it learnt from" if training else f"the {words.many} of this page"
    folds = counted(int(found.fold.max()) + 1, "fold")
    note = (
        f"Each of {words.counted(len(found.fold))} was judged by "
        f"{'a tree' if tree is not None else 'a model'} that had not seen it ({folds}). "
        "The interval follows from how the folds differ."
    )
    if training:
        note += f" The {'tree' if tree is not None else 'cards'} of this page learnt from all of them."
    shown = table(f"What {words.a_one} costs", ["", "cross-validated", "95 % interval", here], rows)
    return joined([tag("p", note, class_="note"), shown])


def _money(name: str, found: Contender, costs: NDArray[Any], here: float | None) -> list[str]:
    low, high = fold_interval(costs, found.fold, least=min(0.0, float(costs.min())))
    between = f"{amount(low)} to {amount(high)}"
    return [name, amount(float(costs.mean())), between, "-" if here is None else amount(here)]


def _accuracy(found: Contender, here: float | None) -> list[str]:
    low, high = np.clip(fold_interval(found.right.astype(np.float64), found.fold), 0.0, 1.0)
    between = f"{100 * low:.1f} to {100 * high:.1f} %"
    own = "-" if here is None else f"{100 * here:.1f} %"
    return ["right", f"{100 * found.accuracy:.1f} %", between, own]
