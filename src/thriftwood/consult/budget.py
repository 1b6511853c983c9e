"""The money of one case: what was bought, what more would cost, and whether the budget allows it.

What it means to buy a test is the core's affair (`core/accounting/till.hpp`, and `case_till.hpp` for a case
whose answers come one at a time); a `Budget` asks it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from thriftwood import _core

ROUNDING = _core.BUDGET_ROUNDING
"""Amounts that differ by this share of them differ by rounding alone: 0.1 + 0.2 is within a budget of 0.3."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """A test to run now, and the tests that are bought when it has its answer.

    Those are the test itself, with the tests of its subtree if it is delayed; none if it was paid before.
    Tests go by the numbers of their features.
    """

    asks: int
    tests: tuple[int, ...] = ()


class Budget:
    """What a case has bought, and how much it may spend in all.

    It does not change: `after` gives the budget that has bought more, `settled` the one that knows which of
    its tests had an answer.

    Parameters
    ----------
    till : _core.Till
        What was bought; not to be changed any more.
    limit : float
        The most that may be spent.

    Examples
    --------
    >>> from thriftwood.costs import Costs, Test
    >>> costs = Costs({"chol": Test(5, needs=["blood"]), "sugar": Test(3, needs=["blood"])}, {"blood": 2})
    >>> prices = _core.Prices(costs.compile(["chol", "sugar"]))
    >>> budget = Budget(_core.Till(prices), limit=9).after([0])
    >>> budget.spent, budget.price([1]), budget.allows([Purchase(1, (1,))])
    (7.0, 3.0, False)
    """

    def __init__(self, till: _core.Till, limit: float = math.inf) -> None:
        self.till = till
        self.limit = limit

    @property
    def bought(self) -> list[tuple[int, float]]:
        """What each test cost when it was bought, in order."""
        return self.till.bought

    @property
    def spent(self) -> float:
        """The sum of the bill."""
        return self.till.spent

    def has(self, test: int) -> bool:
        """Tell whether a test was bought."""
        return self.till.has(test)

    def after(self, tests: Iterable[int]) -> Budget:
        """Give the budget that has bought these tests, too, whether the limit allows them or not."""
        till = self.till.copy()
        till.order(list(tests))
        return Budget(till, self.limit)

    def settled(self, answers: Mapping[int, bool], purchases: Iterable[Purchase]) -> Budget:
        """Give the budget when it is known of some tests whether they have a value, and purchases are made.

        Where missing values are free, a test without one is taken off the bill, whatever it was bought with,
        and the discount it gave to others with it.
        """
        till = self.till.copy()
        for test, has_value in answers.items():
            till.answer(test, has_value)
        for purchase in purchases:
            till.order_with(purchase.asks, list(purchase.tests))
        return Budget(till, self.limit)

    def price(self, tests: Sequence[int]) -> float:
        """Return what these tests cost now, bought in this order."""
        return self.till.price(list(tests))

    def allows(self, purchases: Sequence[Purchase]) -> bool:
        """Tell whether purchases made together keep to the limit, whichever of the tests have a value."""
        if math.isinf(self.limit):
            return True
        most = self.till.most([test for purchase in purchases for test in purchase.tests])
        return most <= self.limit * (1 + ROUNDING)
