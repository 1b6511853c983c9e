"""`AskedModel`: models of which is known which tests each case is asked, but not in which order.

A case pays for every test it is asked, each once, in the order of the columns.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.models.ledger import FloatArray, Mask
from thriftwood.models.model import Model
from thriftwood.table.missing import missing_values
from thriftwood.table.reading import read


class ColumnLedger(NamedTuple):
    """A `Ledger` of cases that all buy in the same order: that of the columns, or another."""

    test_cost: FloatArray
    starts: NDArray[np.int64]
    test: NDArray[np.int32]
    share: FloatArray
    cost: FloatArray

    @classmethod
    def of(cls, asked: Mask, prices: _core.Prices, order: NDArray[np.int32] | None = None) -> Self:
        """Charge the tests that each case is asked; `asked` has shape (n_rows, n_features).

        They are bought in the order of the columns, or in that of `order`, which names all that are asked.

        Examples
        --------
        >>> prices = _core.Prices(Costs({"x0": 3, "x1": 2}).compile(["x0", "x1"]))
        >>> ColumnLedger.of(np.array([[True, True], [False, True]]), prices).test_cost
        array([5., 2.])
        """
        if order is not None:
            asked = np.ascontiguousarray(asked[:, order])
        # Cases with the same tests have the same bill, and there are few different ones.
        packed = np.packbits(asked, axis=1)
        sets = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).reshape(-1)
        _, first, which = np.unique(sets, return_index=True, return_inverse=True)
        paid = np.zeros((len(first), asked.shape[1]))
        for number, row in enumerate(first):
            tests = np.flatnonzero(asked[row])
            bought = tests if order is None else order[tests]
            paid[number, tests] = prices.purchase(bought.tolist())
        rows, test = np.nonzero(asked)
        cost = paid[which.reshape(-1)[rows], test]
        total = np.bincount(rows, cost, len(asked)).astype(np.float64)  # of nothing: integers
        starts = np.concatenate([[0], np.cumsum(asked.sum(axis=1))]).astype(np.int64)
        bought_test = test.astype(np.int32) if order is None else np.asarray(order[test], dtype=np.int32)
        return cls(total, starts, bought_test, np.ones(len(test)), cost)


class Came(NamedTuple):
    """A table as it came from the user."""

    X: Any
    names: Sequence[str] | None
    """The names of the columns that count, where they are found by name."""


class AskedModel(Model):
    """A model that tells which columns each case reads, and not in which order."""

    @abstractmethod
    def came(self, table: Any) -> Came:
        """Return a table that was read as it came."""

    def columns_read(self, table: Any, delayed: Mask) -> Mask:
        """Tell which columns each case reads: an array of shape (n_rows, n_features); all, if unknown.

        Parameters
        ----------
        table : what `table` returned
            The cases.
        delayed : array of bool
            The columns that, when asked for, bring everything below them.
        """
        return np.ones((read(self.came(table).X).shape[0], len(delayed)), dtype=bool)

    def asked(self, table: Any, costs: Costs, n_threads: int | None = None) -> Mask:
        """Tell which tests each case is asked: an array of shape (n_rows, n_features).

        Parameters
        ----------
        table : what `table` returned
            The cases.
        costs : Costs
            How tests are paid: with upfront payment every test that any case might be asked counts, and a
            delayed test brings those below it.
        n_threads : int, optional
            Threads of the core.

        Notes
        -----
        The rules are those of the till (`core/accounting/till.hpp`), for cases of which no path is known.
        """
        listed = [costs.tests.get(name) for name in self.feature_names]
        delayed = np.array([test is not None and test.delayed for test in listed], dtype=bool)
        X, names = self.came(table)
        lacking = costs.unavailable(lambda: missing_values(X, self.n_features, names))
        if costs.payment == "upfront":
            tested = np.isin(np.arange(self.n_features), self.tests)
            asked = np.tile(tested, (read(X).shape[0], 1))
        elif lacking is None or not (lacking & delayed).any():
            asked = self.columns_read(table, delayed)
        else:
            asked = self._read_by_those_who_lack(table, delayed, lacking)
        return asked if lacking is None else asked & ~lacking

    def _read_by_those_who_lack(self, table: Any, delayed: Mask, lacking: Mask) -> Mask:
        """Tell which columns each case reads where a delayed test that it lacks brings nothing along."""
        asked = np.empty_like(lacking)
        lacks, alike = np.unique(lacking & delayed, axis=0, return_inverse=True)
        for number, lacked in enumerate(lacks):
            rows = alike.reshape(-1) == number
            asked[rows] = self.columns_read(table, delayed & ~lacked)[rows]
        return asked

    def ledger_of(self, table: Any, costs: Costs, n_threads: int | None = None) -> ColumnLedger:
        """Return what every row of a table that was read buys, in the order of the columns."""
        return ColumnLedger.of(self.asked(table, costs, n_threads), self.prices_of(costs))

    def with_costs(self, costs: Costs | None) -> Self:
        """Return the same model with other costs."""
        other = self.asked_with()
        other.costs = costs
        return other
