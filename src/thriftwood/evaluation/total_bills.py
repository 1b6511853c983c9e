"""`total_bill`: the bills of the parts of a table, added up; the cases themselves are not kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.evaluation.bill_measures import BillMeasures, Bought, FloatArray
from thriftwood.evaluation.bills import Bill
from thriftwood.evaluation.confusion import Confusion
from thriftwood.evaluation.intervals import Spread
from thriftwood.models.tree.tree import Tree

SUMS = (
    *("n_cases", "weight", "total_n_tests", "total_test_cost", "total_error_cost"),
    *("total_apart_cost", "total_n_consulted", "n_stopped", "untested_totals", "spread"),
)


@dataclass(frozen=True, eq=False, repr=False)
class TotalBill(BillMeasures):
    """What a model costs on all cases of several bills. Made by `total_bill`; ``print(bill)`` shows it.

    It has what `Bill` has, without what belongs to single cases.
    """

    single_tree: Tree | None
    classes: NDArray[Any] | None
    feature_names: tuple[str, ...]
    tests: NDArray[np.int32]
    costs: Costs
    error_matrix: FloatArray | None
    upfront_cost: float
    full_price: FloatArray
    is_weighted: bool
    has_truth: bool
    n_cases: int
    weight: float
    total_n_tests: float
    total_test_cost: float
    total_error_cost: float | None
    total_apart_cost: float | None
    total_n_consulted: float | None
    budget: float | None
    n_stopped: float | None
    bought: Bought
    by_row: bool
    untested_totals: FloatArray | None
    confusion: Confusion | None
    spread: Spread | None
    untested_spreads: tuple[Spread, ...] | None
    further: tuple[str, ...] = ()
    learnt_answer: int | None = None

    def plus(self, part: Bill | TotalBill) -> TotalBill:
        """Add the bill of further cases."""
        self._check_alike(part)
        sums: dict[str, Any] = {name: _added(getattr(self, name), getattr(part, name)) for name in SUMS}
        times, paid, ever = self.bought
        bought = Bought(times + part.bought.times, paid + part.bought.paid, ever | part.bought.ever)
        return replace(
            self,
            **sums,
            bought=bought,
            confusion=_both(self.confusion, part.confusion),
            untested_spreads=_each(self.untested_spreads, part.untested_spreads),
        )

    def _check_alike(self, part: Bill | TotalBill) -> None:
        alike = {
            "model": self.feature_names == part.feature_names
            and np.array_equal(self.tests, part.tests)
            and np.array_equal(_listed(self.classes), _listed(part.classes))
            and self.further == part.further,
            "price list": self.costs == part.costs,
            "budget": self.budget == part.budget,
            "kind, with the true classes or without": self.has_truth == part.has_truth,
            "kind, with error costs by row or without": self.by_row == part.by_row,
            "kind, with weights or without": self.is_weighted == part.is_weighted,
        }
        for what, same in alike.items():
            if not same:
                raise ValueError(f"Bills add up if they are of one {what}, and these are not. Bill alike.")


def total_bill(bills: Iterable[Bill | TotalBill]) -> TotalBill:
    """Add up the bills of parts of a table: what a model costs on more cases than memory holds.

    Parameters
    ----------
    bills : iterable of Bill or TotalBill
        What `bill` gave for each part: of one model, with one price list. Each is let go when it is added.

    Returns
    -------
    TotalBill
        As the `Bill` of all cases together; sums of money may differ from it in the last digit of a float.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
    >>> halves = (golf.X[:7], golf.y[:7]), (golf.X[7:], golf.y[7:])
    >>> total = total_bill(tw.bill(model, X, y) for X, y in halves)
    >>> total
    <TotalBill: 14 cases, tests 4.893, errors 0 a case>
    >>> total.mean_test_cost == tw.bill(model, golf.X, golf.y).mean_test_cost
    True
    """
    total: TotalBill | None = None
    for part in bills:
        total = _total_of(part) if total is None else total.plus(part)
    if total is None:
        raise ValueError("There is no bill to add up. Give the bill of one case at least.")
    return total


def _total_of(part: Bill | TotalBill) -> TotalBill:
    return TotalBill(**{field.name: getattr(part, field.name) for field in fields(TotalBill)})


def _added(one: Any, other: Any) -> Any:
    return None if one is None or other is None else one + other


def _both(one: Confusion | None, other: Confusion | None) -> Confusion | None:
    if one is None or other is None:
        return None
    return Confusion(one.classes, one.counts + other.counts, one.costs + other.costs, one.answers)


def _each(one: tuple[Spread, ...] | None, other: tuple[Spread, ...] | None) -> tuple[Spread, ...] | None:
    return None if one is None or other is None else tuple(map(add, one, other))


def _listed(classes: NDArray[Any] | None) -> list[Any]:
    return [] if classes is None else list(classes.tolist())
