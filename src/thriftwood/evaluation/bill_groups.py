"""`BillGroups`: the bills of groups of cases, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from thriftwood.costs.names import class_name, counted
from thriftwood.evaluation import statement
from thriftwood.models.labels import one_per_case
from thriftwood.table.results import to_frame

if TYPE_CHECKING:
    from thriftwood.evaluation.bill_measures import BillMeasures
    from thriftwood.evaluation.bills import Bill

AnyBill = TypeVar("AnyBill", bound="BillMeasures")

MOST_GROUPS = 50
"""More groups than this are no table to look at, but a number that was meant to be cut into classes."""
MISSING = "(missing)"
HINDSIGHT = "with the answer that turned out cheapest for the cases"


class BillGroups(Mapping[str, AnyBill], Generic[AnyBill]):
    """The bill of each group, by its name; ``print(groups)`` shows them side by side."""

    def __init__(self, bills: Mapping[str, AnyBill]) -> None:
        self._bills = dict(bills)

    def __getitem__(self, name: str) -> AnyBill:
        return self._bills[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._bills)

    def __len__(self) -> int:
        return len(self._bills)

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The columns of `table`."""
        bills = list(self._bills.values())
        intervals = [bill.interval for bill in bills]
        return {
            "group": list(self._bills),
            "n_cases": [bill.n_cases for bill in bills],
            "cost": [bill.mean_cost for bill in bills],
            "low": [None if own is None else own.low for own in intervals],
            "high": [None if own is None else own.high for own in intervals],
            "test_cost": [bill.mean_test_cost for bill in bills],
            "error_cost": [bill.mean_error_cost for bill in bills],
            "untested_cost": [bill.untested_cost for bill in bills],
            "accuracy": [bill.accuracy for bill in bills],
        }

    @property
    def table(self) -> Any:
        """A frame with a row per group.

        Columns: group; n_cases; cost (a case, on average) with its 95 % interval low, high; test_cost;
        error_cost; untested_cost (a case that is not tested); accuracy. What needs the true classes is
        missing without them.
        """
        return to_frame(self.columns)

    @property
    def part(self) -> statement.Part:
        """What is printed."""
        amount = statement.amount
        rows = []
        for name, n_cases, cost, low, high, tests, errors, untested, accuracy in zip(
            *self.columns.values(), strict=True
        ):
            row = [name, f"{n_cases:,}", amount(tests)]
            if cost is not None:
                row[2:] = [amount(cost), f"{amount(low)} to {amount(high)}", amount(tests), amount(errors)]
                row += [amount(untested), f"{100 * accuracy:.1f} %"]
            rows.append(row)
        first = next(iter(self._bills.values()))
        columns = ["", first.costs.cases_name, "tests"]
        if first.mean_cost is not None:
            columns[2:] = ["cost", "95 % interval", "tests", "errors", "no tests", "accuracy"]
        notes = (f"no tests: {HINDSIGHT} of the group",) if first.in_hindsight else ()
        return statement.Part(f"By group, {counted(len(self), 'group')}", columns, rows, notes)

    def __str__(self) -> str:
        return statement.as_text([self.part])

    def _repr_html_(self) -> str:
        return statement.as_html([self.part])

    def __repr__(self) -> str:
        return f"<BillGroups: {', '.join(self._bills)}>"


def grouped(bill: Bill, groups: Any) -> BillGroups[Bill]:
    """Return the bill of each group of cases, in the order of their names."""
    if np.ndim(groups) == 0:
        raise ValueError(
            f"groups has one entry for each case, such as a column of the table: X[{groups!r}]. Got only "
            f"{groups!r}."
        )
    n_groups = len(np.asarray(groups))
    if n_groups != bill.n_cases:
        raise ValueError(f"The bill has {bill.n_cases} cases and groups has {n_groups}. Give one for each.")
    names = np.array([_name(label) for label in one_per_case(groups, bill.n_cases).tolist()], dtype=object)
    found = sorted(set(names.tolist()))
    if len(found) > MOST_GROUPS:
        raise ValueError(
            f"Cases can be in at most {MOST_GROUPS} groups, and these are in {len(found):,}. Cut numbers "
            "into a few classes first."
        )
    return BillGroups({name: bill.part(np.flatnonzero(names == name)) for name in found})


def _name(label: Any) -> str:
    missing = label is None or label != label or str(label) in ("<NA>", "NaT")
    return MISSING if missing else class_name(label)
