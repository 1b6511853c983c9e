"""The money of one case: what was bought, what more would cost, and whether the budget allows it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thriftwood.costs import Costs

ROUNDING = 1e-12
"""Amounts that differ by this share of them differ by rounding alone: 0.1 + 0.2 is within a budget of 0.3."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """A test to run now, and the tests that are bought when it has its answer.

    Those are the test itself, with the tests of its subtree if it is delayed; none if it was paid before.
    """

    asks: int
    names: tuple[str, ...] = ()


class Purse:
    """What a case has bought, and how much it may spend in all.

    It does not change: `after` gives the purse that has bought more.

    Parameters
    ----------
    costs : Costs
        The prices.
    budget : float
        The most that may be spent.
    bought : iterable of str
        What was bought, in order.

    Examples
    --------
    >>> from thriftwood.costs import Costs, Test
    >>> costs = Costs({"chol": Test(5, needs=["blood"]), "sugar": Test(3, needs=["blood"])}, {"blood": 2})
    >>> purse = Purse(costs, budget=9).after(["chol"])
    >>> purse.spent, purse.price(["sugar"]), purse.allows([Purchase(1, ("sugar",))])
    (7.0, 3.0, False)
    """

    def __init__(self, costs: Costs, budget: float = math.inf, bought: Iterable[str] = ()) -> None:
        self.costs = costs
        self.budget = budget
        self._basket = costs.basket()
        for name in bought:
            self._basket.buy(name)

    @property
    def bill(self) -> dict[str, float]:
        """What each test cost when it was bought, in order."""
        return dict(self._basket.bill)

    @property
    def spent(self) -> float:
        """The sum of the bill."""
        return math.fsum(self._basket.bill.values())

    def owns(self, name: str) -> bool:
        """Tell whether a test was bought."""
        return name in self._basket.bill

    def after(self, names: Iterable[str]) -> Purse:
        """Give the purse that has bought these tests, too, whether the budget allows them or not."""
        return Purse(self.costs, self.budget, [*self._basket.bill, *names])

    def price(self, names: Sequence[str]) -> float:
        """Return what these tests cost now, bought in this order."""
        if len(names) == 1:
            return self._basket.price(names[0])
        bill = self.after(names)._basket.bill
        return math.fsum(bill[name] for name in dict.fromkeys(names) if not self.owns(name))

    def allows(self, purchases: Sequence[Purchase]) -> bool:
        """Tell whether purchases made together keep to the budget, whichever of them have an answer."""
        if math.isinf(self.budget):
            return True
        names = [name for purchase in purchases for name in purchase.names]
        if len(purchases) > 1 and not self.costs.charge_missing:
            # A test without an answer is not paid and opens no discount: in each group the test that would
            # lose most may then have to pay in full. Bought first, it does.
            names.sort(key=self._discount, reverse=True)
        return self.spent + self.price(names) <= self.budget * (1 + ROUNDING)

    def _discount(self, name: str) -> float:
        test = self.costs.tests.get(name)
        return 0.0 if test is None or test.after is None else test.price - test.after
