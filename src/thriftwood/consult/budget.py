"""The money of one case: what was bought, what more would cost, and whether the budget allows it."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

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

    It does not change: `after` gives the purse that has bought more, `settled` the one that knows which of
    its tests had an answer.

    Parameters
    ----------
    costs : Costs
        The prices.
    budget : float
        The most that may be spent.
    bought : iterable of str
        What was bought, in order.
    answered : container of str
        The tests that have had their answer: they stay paid.

    Examples
    --------
    >>> from thriftwood.costs import Costs, Test
    >>> costs = Costs({"chol": Test(5, needs=["blood"]), "sugar": Test(3, needs=["blood"])}, {"blood": 2})
    >>> purse = Purse(costs, budget=9).after(["chol"])
    >>> purse.spent, purse.price(["sugar"]), purse.allows([Purchase(1, ("sugar",))])
    (7.0, 3.0, False)
    """

    def __init__(
        self,
        costs: Costs,
        budget: float = math.inf,
        bought: Iterable[str] = (),
        answered: Container[str] = (),
    ) -> None:
        self.costs = costs
        self.budget = budget
        self._answered = answered
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
        grown = Purse(self.costs, self.budget, answered=self._answered)
        grown._basket = self._basket.copy()
        for name in names:
            grown._basket.buy(name)
        return grown

    def settled(self, answers: Mapping[str, bool]) -> Purse:
        """Give the purse when it is known of some tests whether they could be had.

        With ``Costs(charge_missing=False)`` a test that could not is taken off the bill, whatever it was
        bought with, and the discount it gave to others with it.
        """
        kept = (name for name in self._basket.bill if self.costs.charge_missing or answers.get(name, True))
        return Purse(self.costs, self.budget, kept, answers)

    def price(self, names: Sequence[str]) -> float:
        """Return what these tests cost now, bought in this order."""
        if len(names) == 1:
            return self._basket.price(names[0])
        bill = self.after(names)._basket.bill
        return math.fsum(bill[name] for name in dict.fromkeys(names) if not self.owns(name))

    def allows(self, purchases: Sequence[Purchase]) -> bool:
        """Tell whether purchases made together keep to the budget, whichever of the tests have an answer."""
        if math.isinf(self.budget):
            return True
        names = [name for purchase in purchases for name in purchase.names]
        most = self.spent + self.price(names) if self.costs.charge_missing else self._most(names)
        return most <= self.budget * (1 + ROUNDING)

    def _most(self, names: Sequence[str]) -> float:
        """Bound the bill with these tests, whichever turn out to be unavailable, and so are not paid."""
        bought = list(dict.fromkeys([*self._basket.bill, *names]))
        firm = list(takewhile(self._answered.__contains__, bought))
        # A test without an answer opens no discount either: in each group the test that would lose most may
        # then have to pay in full. Bought first, it does.
        open_tests = sorted(bought[len(firm) :], key=self._discount, reverse=True)
        return Purse(self.costs, bought=[*firm, *open_tests]).spent

    def _discount(self, name: str) -> float:
        test = self.costs.tests.get(name)
        return 0.0 if test is None or test.after is None else test.price - test.after
