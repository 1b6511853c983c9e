"""The parameters of `Costs`, checked one by one when it is built."""

from __future__ import annotations

from collections.abc import Mapping

from thriftwood.costs.frozen import FrozenDict
from thriftwood.costs.names import CostError, column_name, got, nearest, number
from thriftwood.costs.test import Test

PAYMENTS = ("sequential", "upfront")


def checked_tests(tests: object) -> FrozenDict[Test]:
    """Return a Test for every column named; numbers become tests, positions become names."""
    if not isinstance(tests, Mapping):
        raise CostError(f"tests must be a dictionary name -> price. {got(tests)}")
    checked: dict[str, Test] = {}
    for key, value in tests.items():
        name = column_name(key)
        if name in checked:
            raise CostError(f"tests names {name!r} twice: the position {name[1:]} is the column {name!r}.")
        if isinstance(value, Test):
            checked[name] = value
        else:
            checked[name] = Test(number(value, f"The price of test {name!r} (a number or a Test)"))
    return FrozenDict(checked)


def checked_shared(shared: object) -> FrozenDict[float]:
    """Return the price of every shared resource."""
    if not isinstance(shared, Mapping):
        raise CostError(f"shared must be a dictionary resource -> price. {got(shared)}")
    for name in shared:
        if not isinstance(name, str):
            raise CostError(f"A shared resource is named by a string. {got(name)}")
    return FrozenDict({str(name): number(price, f"shared[{name!r}]") for name, price in shared.items()})


def checked_needs(tests: Mapping[str, Test], shared: Mapping[str, float]) -> None:
    """Raise if a test needs a resource that has no price."""
    for name, test in tests.items():
        for resource in test.needs:
            if resource not in shared:
                raise CostError(
                    f"The test {name!r} needs {resource!r}, which has no price in shared. "
                    f"{nearest(resource, shared)}"
                )


def checked_payment(payment: object) -> str:
    """Return the way of paying."""
    if not isinstance(payment, str) or payment not in PAYMENTS:
        raise CostError(f"There is no payment {payment!r}. {nearest(str(payment), PAYMENTS)}")
    return str(payment)
