"""Today's practice beside a bill that comes some rows at a time."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from thriftwood.baselines import TodayClassifier
from thriftwood.cli.advice import in_shell
from thriftwood.cli.printing import note
from thriftwood.costs import Costs
from thriftwood.evaluation import Bill, TotalBill, Verdict, against_today
from thriftwood.evaluation.batches import Batch
from thriftwood.evaluation.intervals import Spread
from thriftwood.evaluation.today import IN_TURN, fitted_today, verdict_of_bill
from thriftwood.table import Kind
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import CategoryColumn, Codes


class Practice:
    """What cases cost more than today, added up; a panel is learnt from the first rows.

    The first rows answer in turn, so that none is answered by a panel that has seen it.
    """

    def __init__(self, costs: Costs | None) -> None:
        self.costs = costs
        self.spread: Spread | None = None
        self._learnt: TodayClassifier | None = None
        self._known = costs is not None and costs.today is not None

    def add(self, bill: Bill, batch: Batch) -> None:
        """Compare the bill of some rows with today; a note says why that cannot be."""
        if not self._known or bill.cost is None or self.costs is None:
            return
        X = with_answers(batch, self.costs)
        try:
            found = against_today(bill, X, self._learnt)
            self._learnt = self._learnt or fitted_today(self.costs, X, batch.y, classes=bill.classes)
        except (ValueError, OSError) as error:
            note(f"The bill is not compared with today: {in_shell(error)}")
            self._known, self.spread = False, None
            return
        self.spread = found if self.spread is None else self.spread + found

    def verdict(self, total: TotalBill, basis: str = "") -> Verdict:
        """Return the verdict of the whole bill; `basis` says what cases these are."""
        return verdict_of_bill(total, self.spread, basis, panel=IN_TURN)


def answers_of(costs: Costs | None, columns: Collection[str]) -> list[str]:
    """Name the column of today's answers, if there is one in the table."""
    today = None if costs is None else costs.today
    return [] if today is None or today.answers not in columns else [str(today.answers)]


def with_answers(batch: Batch, costs: Costs) -> Any:
    """Return the rows with the column of today's answers, if there is one."""
    X = batch.X
    for name in answers_of(costs, batch.kept):
        texts = batch.kept[name]
        categories = sorted({text for text in texts if text is not None})
        place = {text: code for code, text in enumerate(categories)}
        codes = np.array([-1 if text is None else place[text] for text in texts])
        column = CategoryColumn(Codes(codes, categories), f"column {name!r}", Kind.NOMINAL)
        names = X.names or tuple(f"x{j}" for j in range(len(X.columns)))
        X = NamedColumns([*names, name], [*X.columns, column], X.n_rows)
    return X
