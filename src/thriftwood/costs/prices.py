"""The effective price: what a test still costs, given the tests paid before.

This is the reference for the same rule in the native core (`core/costs`):

1. a test that was paid costs nothing;
2. otherwise it costs its own price, or its price `after` if another test of its group was paid,
3. plus the price of every shared resource it needs that no paid test needed.
"""

from __future__ import annotations

from collections.abc import Mapping

from thriftwood.costs.names import CostError, column_name, nearest
from thriftwood.costs.test import Test


class Basket:
    """The tests bought for one case (or, when payment is upfront, for one model), in order.

    Made by `Costs.basket`. It grows by `buy`; `price` asks without buying.

    Examples
    --------
    >>> from thriftwood.costs import Costs
    >>> costs = Costs({"chol": Test(5, needs=["blood"]), "sugar": Test(3, needs=["blood"])}, {"blood": 2})
    >>> basket = costs.basket()
    >>> basket.buy("chol"), basket.price("sugar"), basket.buy("sugar"), basket.buy("sugar")
    (7.0, 3.0, 3.0, 0.0)
    >>> basket.bill
    {'chol': 7.0, 'sugar': 3.0}
    """

    def __init__(self, tests: Mapping[str, Test], shared: Mapping[str, float], default: Test | None) -> None:
        self._tests = tests
        self._shared = shared
        self._default = default
        self._resources: set[str] = set()
        self._groups: set[str] = set()
        self.bill: dict[str, float] = {}  # what each test cost when it was bought, in order of purchase

    def price(self, test: str | int) -> float:
        """Return what `test` costs now; 0 if it was bought."""
        name = column_name(test)
        if name in self.bill:
            return 0.0
        wanted = self._test(name)
        # A test that was not bought cannot itself have opened its group.
        discounted = wanted.after is not None and wanted.group in self._groups
        total = wanted.after if discounted and wanted.after is not None else wanted.price
        for resource in wanted.needs:
            if resource not in self._resources:
                total += self._shared[resource]
        return total

    def buy(self, test: str | int) -> float:
        """Add `test` and return what it cost; buying a test again costs nothing."""
        name = column_name(test)
        cost = self.price(name)
        if name not in self.bill:
            self.bill[name] = cost
            bought = self._test(name)
            self._resources.update(bought.needs)
            if bought.group is not None:
                self._groups.add(bought.group)
        return cost

    def copy(self) -> Basket:
        """Return a basket with the same purchases, to go on from here in another way."""
        other = Basket(self._tests, self._shared, self._default)
        other._resources, other._groups = set(self._resources), set(self._groups)
        other.bill = dict(self.bill)
        return other

    def _test(self, name: str) -> Test:
        test = self._tests.get(name, self._default)
        if test is None:
            raise CostError(
                f"{name!r} has no price, and default_price=None says that every test needs one. "
                f"{nearest(name, self._tests)}"
            )
        return test
