"""The price list of one table as arrays, the form the native core reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import advised
from thriftwood.base.remedies import LeavePricesOut, Remedy
from thriftwood.costs.names import CostError, column_name, first_repeat, nearest, quoted
from thriftwood.costs.test import Test

T = TypeVar("T", bound=np.generic)


class MissingValues:
    """What prices say about tests that turn out to have no value."""

    charge_missing: bool

    def unavailable(self, missing: Callable[[], NDArray[np.bool_]]) -> NDArray[np.bool_] | None:
        """Return which tests cannot be had, of those without a value.

        They are neither ordered nor paid (`core/accounting/till.hpp` has the rules).

        Parameters
        ----------
        missing : callable
            Finds out which values are missing; called only where that matters.

        Returns
        -------
        array of bool or None
            What `missing` found; None where a test is ordered and paid whether it has a value or not.

        Examples
        --------
        >>> from thriftwood.costs import Costs
        >>> Costs(charge_missing=False).unavailable(lambda: np.array([True, False]))
        array([ True, False])
        """
        return None if self.charge_missing else missing()


@dataclass(frozen=True, eq=False)
class PriceList(MissingValues):
    """What every feature of one table costs, by position. The arrays cannot be written to.

    Feature i needs the resources ``needs_indices[needs_indptr[i]:needs_indptr[i + 1]]``: compressed sparse
    rows, so that 100,000 features that each need a few of 100,000 resources stay small.
    """

    features: tuple[str, ...]  # n names, in the order of the table's columns
    resources: tuple[str, ...]  # m names
    groups: tuple[str, ...]  # names of the group numbers
    price: NDArray[np.float64]  # [n] own price
    needs_indptr: NDArray[np.int32]  # [n + 1]
    needs_indices: NDArray[np.int32]  # [needs_indptr[n]] each in 0..m-1, in the order the test names them
    resource_price: NDArray[np.float64]  # [m]
    group: NDArray[np.int32]  # [n] group number, -1 for none
    after: NDArray[np.float64]  # [n] price once another feature of the group was bought, NaN for none
    delayed: NDArray[np.uint8]  # [n] 1 for delayed
    upfront: bool  # payment is upfront rather than sequential
    charge_missing: bool  # a test that was ordered is paid even if its value is missing

    def after_buying(self, tests: Sequence[int]) -> PriceList:
        """Return what tests still cost once others were bought.

        A test that is missing opens no discount: where that is free, no discount is counted on.

        Examples
        --------
        >>> from thriftwood import _core
        >>> from thriftwood.costs import Costs
        >>> listed = {"a": Test(5, group="g", after=2), "b": Test(7, ["blood"], group="g", after=3)}
        >>> prices = Costs(listed, {"blood": 4}).compile(["a", "b"])
        >>> prices.after_buying([0]).price, _core.Prices(prices.after_buying([1])).list_price()
        (array([0., 3.]), array([2., 0.]))
        """
        price, resource_price = self.price.copy(), self.resource_price.copy()
        after, group = self.after.copy(), self.group.copy()
        for test in tests:
            resource_price[self.needs_indices[self.needs_indptr[test] : self.needs_indptr[test + 1]]] = 0.0
            if self.charge_missing and self.group[test] >= 0:
                opened = (self.group == self.group[test]) & ~np.isnan(self.after)
                price[opened] = self.after[opened]
        bought = list(tests)
        price[bought], after[bought], group[bought] = 0.0, np.nan, -1
        return replace(self, price=price, resource_price=resource_price, after=after, group=group)


def compile_prices(
    feature_names: Iterable[str | int],
    tests: Mapping[str, Test],
    shared: Mapping[str, float],
    *,
    unnamed: Test | None,
    upfront: bool,
    charge_missing: bool,
) -> PriceList:
    """Return the price list of a table with these columns; `unnamed` stands for those without a price."""
    features = tuple(column_name(name) for name in feature_names)
    _check_columns(features, tests)
    if unnamed is None:
        _check_all_priced(features, tests)
    listed = [tests[name] if unnamed is None else tests.get(name, unnamed) for name in features]
    groups = tuple(dict.fromkeys(test.group for test in listed if test.group is not None))
    group_number = {group: index for index, group in enumerate(groups)}
    resource_number = {resource: index for index, resource in enumerate(shared)}
    indptr = np.zeros(len(listed) + 1, dtype=np.int32)
    np.cumsum([len(test.needs) for test in listed], out=indptr[1:])
    return PriceList(
        features=features,
        resources=tuple(shared),
        groups=groups,
        price=_fixed([test.price for test in listed], np.float64),
        needs_indptr=_fixed(indptr, np.int32),
        needs_indices=_fixed([resource_number[name] for test in listed for name in test.needs], np.int32),
        resource_price=_fixed(list(shared.values()), np.float64),
        group=_fixed([-1 if test.group is None else group_number[test.group] for test in listed], np.int32),
        after=_fixed([np.nan if test.after is None else test.after for test in listed], np.float64),
        delayed=_fixed([test.delayed for test in listed], np.uint8),
        upfront=upfront,
        charge_missing=charge_missing,
    )


def _check_columns(features: tuple[str, ...], tests: Mapping[str, Test]) -> None:
    twice = first_repeat(features)
    if twice is not None:
        raise CostError(f"The column {twice!r} occurs twice. Prices go by name: rename one of them.")
    columns = set(features)
    for name in tests:
        if name not in columns:
            raise advised(
                CostError,
                f"tests has a price for {name!r}, but the table has no such column. ",
                f"{nearest(name, features)} ",
                *_way_out(name, features),
            )


def _way_out(name: str, features: tuple[str, ...]) -> tuple[str | Remedy, ...]:
    """Say what usually helps when a price finds no column."""
    if features == tuple(f"x{j}" for j in range(len(features))) and not name[1:].isdigit():
        return (
            "The table came without names: pass a frame; in a pipeline, set_output(transform='pandas') "
            "makes the earlier steps keep the names.",
        )
    if any(feature.endswith(f"__{name}") for feature in features):
        return (
            "A ColumnTransformer puts the name of its step before the column's: "
            "verbose_feature_names_out=False, with set_output(transform='pandas'), keeps the names.",
        )
    return "If the table lacks it on purpose, ", LeavePricesOut(), "."


def _check_all_priced(features: tuple[str, ...], tests: Mapping[str, Test]) -> None:
    lacking = [name for name in features if name not in tests]
    if lacking:
        raise CostError(
            f"default_price=None says that every column has a price in tests; these have none: "
            f"{quoted(lacking)}. Add their prices, or give a default_price."
        )


def _fixed(values: object, dtype: type[T]) -> NDArray[T]:
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array
