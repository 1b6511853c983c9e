"""Bills of Dask collections: each partition is billed where it is, and the bills are added up on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thriftwood.costs import Costs
from thriftwood.dask.counting import FOLD
from thriftwood.dask.groups import delayed_parts
from thriftwood.dask.tasks import delayed
from thriftwood.evaluation import TotalBill, bill, total_bill
from thriftwood.models.model import Model


def lazy_bill(model: Model, X: Any, y: Any, costs: Costs | None) -> Any:
    """Return the bill of a collection, delayed."""
    given = {"X": X, **({} if y is None else {"y": y})}
    pieces = delayed_parts(given)
    truths = pieces.get("y", [None] * len(pieces["X"]))
    told = delayed(model)  # once, not in every task
    sums = [
        delayed(_billed)(told, rows, truth, costs) for rows, truth in zip(pieces["X"], truths, strict=True)
    ]
    while len(sums) > 1:
        sums = [delayed(_added)(sums[i : i + FOLD]) for i in range(0, len(sums), FOLD)]
    return delayed(_whole)(sums[0])


def _billed(model: Model, X: Any, y: Any, costs: Costs | None) -> TotalBill | None:
    """Bill a partition; None: it has no rows."""
    return total_bill([bill(model, X, y, costs)]) if len(X) else None


def _added(bills: Sequence[TotalBill | None]) -> TotalBill | None:
    found = [one for one in bills if one is not None]
    return total_bill(found) if found else None


def _whole(total: TotalBill | None) -> TotalBill:
    if total is None:
        raise ValueError("The collection has no rows, so there is nothing to bill.")
    return total
