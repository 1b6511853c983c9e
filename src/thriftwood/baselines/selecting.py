"""Which tests to ask everybody: forward selection by the whole bill of cases that were kept aside.

At each step the test, or the whole set of tests with a common resource or group, is added that makes the bill
lowest: the price of the panel, with what is shared, and the mistakes of the cheapest answers. As one test may
pay only together with the next, a few steps that do not pay are taken before it ends, and the best panel on
the way is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.baselines.logistic import fit_logistic
from thriftwood.costs import Costs
from thriftwood.costs.answers import cheapest
from thriftwood.learning.thrift_bills import mean_bill
from thriftwood.learning.thrift_judging import parts
from thriftwood.models.asked import ColumnLedger
from thriftwood.models.coding import Coding
from thriftwood.models.score_card import chances
from thriftwood.table import Encoded

FloatArray = NDArray[np.float64]
Panel = tuple[int, ...]

PATIENCE = 3
"""Steps that may not pay before the selection ends."""
MOST_CASES = 1500
"""Of more cases a sample chooses the panel."""
ROUGHLY = 1e-5
"""How exactly the fits of the selection are made, in log loss of a case."""


class Step(NamedTuple):
    """A step of the selection.

    Examples
    --------
    >>> Step(("score", "arrears"), 21.5, 1.25)
    <+ score, arrears: 21.5 +- 1.25 an unseen case>
    """

    added: tuple[str, ...]
    """The tests that it added; none: those that cost nothing."""
    cost: float
    """Of an unseen case: the tests of the panel, and mistakes."""
    error: float
    """The standard error of `cost`."""

    def __repr__(self) -> str:
        added = ", ".join(self.added) if self.added else "nothing that costs"
        return f"<+ {added}: {self.cost:.6g} +- {self.error:.6g} an unseen case>"


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases that choose: coded, with what answers cost each."""

    encoded: Encoded
    coding: Coding
    labels: NDArray[np.int32]
    weights: FloatArray
    loss: FloatArray
    """What answers are chosen by, [actual, predicted]."""
    answer_costs: FloatArray
    """What each answer costs each case."""
    missing: NDArray[np.bool_] | None
    """Where missing values are free: which are missing."""


@dataclass(frozen=True, slots=True)
class Offers:
    """What tests cost, and which come together."""

    prices: _core.Prices
    together: tuple[Panel, ...]
    """Tests that share a resource, or are of one group."""
    budget: float = np.inf

    @classmethod
    def of(cls, costs: Costs, names: Sequence[str], prices: _core.Prices, budget: float | None) -> Offers:
        """Find out which tests come together."""
        sets: dict[tuple[str, str], list[int]] = {}
        for place, name in enumerate(names):
            test = costs.tests.get(name)
            if test is None:
                continue
            for resource in test.needs:
                sets.setdefault(("needs", resource), []).append(place)
            if test.group is not None:
                sets.setdefault(("group", test.group), []).append(place)
        together = dict.fromkeys(tuple(tests) for tests in sets.values() if len(tests) > 1)
        return cls(prices, tuple(together), np.inf if budget is None else budget)

    def price(self, panel: Panel) -> float:
        """Return what a panel costs a case that misses no value."""
        return float(self.prices.purchase(sorted(panel)).sum())

    def allows(self, panel: Panel) -> bool:
        """Tell whether a panel is within the budget."""
        return self.budget == np.inf or self.price(panel) <= self.budget * (1.0 + _core.BUDGET_ROUNDING)

    def paid(self, panel: Panel, cases: Cases) -> FloatArray:
        """Return what the tests of a panel cost each case."""
        if cases.missing is None:
            return np.full(len(cases.labels), self.price(panel))
        asked = np.isin(np.arange(cases.missing.shape[1]), panel) & ~cases.missing
        return ColumnLedger.of(asked, self.prices).test_cost


def selected(
    cases: Cases, offers: Offers | None, names: Sequence[str], folds: int, seed: int
) -> tuple[Panel, list[Step]]:
    """Return the best panel, and the steps to it and beyond; all tests where none has a price."""
    n_features = len(names)
    if offers is None:
        return tuple(range(n_features)), []
    list_price = offers.prices.list_price()
    panel: Panel = tuple(np.flatnonzero(list_price <= 0.0).tolist())
    if len(cases.loss) == 1:
        return panel, []  # there is no other answer to test for
    trial = _Trial(cases, offers, folds, seed)
    cost, error = trial.bill(panel)
    best, least, waited, steps = panel, cost, 0, [Step((), cost, error)]
    trial.keep(panel)
    while waited < PATIENCE:
        widened = _widened(panel, offers, n_features)
        if not widened or np.isnan(cost):
            break
        bills = [trial.bill(one) for one in widened]
        place = int(np.argmin([one_cost for one_cost, _ in bills]))
        added = tuple(names[test] for test in widened[place] if test not in panel)
        panel, (cost, error) = widened[place], bills[place]
        trial.keep(panel)
        steps.append(Step(added, cost, error))
        waited += 1
        if cost < least * (1.0 - 1e-12):
            best, least, waited = panel, cost, 0
    return tuple(sorted(best)), steps


def _widened(panel: Panel, offers: Offers, n_features: int) -> list[Panel]:
    """Return the panels with one test more, or with all that come together."""
    sets = [(test,) for test in range(n_features)] + list(offers.together)
    found = dict.fromkeys(panel + tuple(test for test in tests if test not in panel) for tests in sets)
    return [one for one in found if len(one) > len(panel) and offers.allows(one)]


class _Trial:
    """Panels, judged by cases that the score was not learnt from."""

    def __init__(self, cases: Cases, offers: Offers, folds: int, seed: int) -> None:
        self.cases, self.offers = cases, offers
        self.coded = cases.coding.of(cases.encoded, range(cases.encoded.n_features))
        widths = [column.width for column in cases.coding.columns]
        ends = np.cumsum(widths)
        self.places = [np.arange(end - width, end) for width, end in zip(widths, ends, strict=True)]
        counted = np.flatnonzero(cases.weights)
        dealt = [counted[part] for part in parts(cases.labels[counted], folds, seed)]
        self.parts = [(part, np.setdiff1d(counted, part)) for part in dealt if len(part) < len(counted)]
        self.kept: list[FloatArray | None] = [None] * len(self.parts)
        self.last: dict[Panel, list[FloatArray]] = {}

    def bill(self, panel: Panel) -> tuple[float, float]:
        """Return what a panel costs an unseen case, and the standard error of that; NaN if none is unseen."""
        cases, places = self.cases, self._places(panel)
        bills, fitted = np.full(len(cases.labels), np.nan), []
        for (unseen, seen), before in zip(self.parts, self.kept, strict=True):
            found = fit_logistic(
                self.coded[np.ix_(seen, places)],
                cases.labels[seen],
                len(cases.loss),
                cases.weights[seen],
                start=_widened_start(before, len(places), len(cases.loss)),
                tolerance=ROUGHLY,
            )
            shares = chances(found[0] + self.coded[np.ix_(unseen, places)] @ found[1:])
            bills[unseen] = cases.answer_costs[unseen, cheapest(shares, cases.loss)]
            fitted.append(found)
        self.last[panel] = fitted
        bills += self.offers.paid(panel, cases)
        return mean_bill(bills, cases.weights)

    def keep(self, panel: Panel) -> None:
        """Begin the next fits where those of this panel ended."""
        self.kept, self.last = list(self.last[panel]), {}

    def _places(self, panel: Panel) -> NDArray[np.intp]:
        chosen = [self.places[test] for test in panel]
        return np.concatenate(chosen).astype(np.intp) if chosen else np.zeros(0, dtype=np.intp)


def _widened_start(before: FloatArray | None, n_columns: int, n_classes: int) -> FloatArray | None:
    """Return the coefficients of a smaller panel, 0 for what was added to its end."""
    if before is None:
        return None
    start = np.zeros((1 + n_columns, n_classes))
    start[: len(before)] = before
    return start
