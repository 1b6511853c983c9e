"""The part of a price list that is about some columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from thriftwood.costs.names import CostError, column_name, got
from thriftwood.costs.test import Test

if TYPE_CHECKING:
    from thriftwood.costs.model import Costs


def selected(
    tests: Mapping[str, Test], shared: Mapping[str, float], columns: Iterable[str | int]
) -> tuple[dict[str, Test], dict[str, float]]:
    """Return the tests of these columns, and the resources they need; a group of one is no group.

    Examples
    --------
    >>> selected({"a": Test(7, group="g", after=5), "b": Test(9, group="g", after=5)}, {"bed": 3}, ["a"])
    ({'a': Test(7)}, {})
    """
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise CostError(f"columns must be a list of names, such as list(X.columns). {got(columns)}")
    wanted = {column_name(name) for name in columns}
    kept = {name: test for name, test in tests.items() if name in wanted}
    members = Counter(test.group for test in kept.values())
    kept = {name: _grouped(test, members[test.group]) for name, test in kept.items()}
    needed = {resource for test in kept.values() for resource in test.needs}
    return kept, {resource: price for resource, price in shared.items() if resource in needed}


def names_prices(costs: Costs | None) -> bool:
    """Tell whether costs say that any test costs something."""
    return costs is not None and bool(costs.tests or costs.default_price)


def _grouped(test: Test, members: int) -> Test:
    return Test(test.price, test.needs, test.delayed) if members == 1 else test
