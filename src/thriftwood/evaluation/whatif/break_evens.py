"""`break_even`: the most that one should pay for each test, and what the bill would be without it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from thriftwood.base.progress import Progress, reported
from thriftwood.costs import CostError, Costs
from thriftwood.costs.names import column_name, nearest
from thriftwood.evaluation.intervals import UNSEEN, UNSEEN_DIFFERENCE, Interval, Spread, fold_interval
from thriftwood.evaluation.whatif.paying import asks, paid_at_most, wide
from thriftwood.evaluation.whatif.setting import Held, check_numbers, held_out_parts, trees_of
from thriftwood.evaluation.whatif.trees import Learnt, Trees
from thriftwood.evaluation.whatif.varied import Varied, check_prices
from thriftwood.evaluation.whatif.worths import BreakEvens, Worth
from thriftwood.learning.class_tree import FloatArray
from thriftwood.learning.thrift_bills import mean_bill


def break_even(
    X: Any,
    y: Any,
    costs: Costs,
    *,
    tests: Iterable[Any] | None = None,
    learner: Any = None,
    folds: int = 5,
    random_state: int = 0,
    progress: bool | Callable[[int, int], object] = False,
    sample_weight: Any = None,
) -> BreakEvens:
    """Say for each test the most that one should pay for it, and what the bill would be without it.

    Parameters
    ----------
    X, y, costs, learner, folds, random_state, sample_weight
        As for `what_if`.
    tests : iterable of str or int, optional
        The tests, or shared resources, to look at; None: all that the price list names.
    progress : bool or callable
        True: a bar on standard error. A callable is called with the prices done and all of them.

    Returns
    -------
    BreakEvens
        After Ctrl-C: of the tests that were done, with ``interrupted`` set and a warning.

    Notes
    -----
    The other prices stay as they are, so break-even prices of several tests do not hold at once: of two tests
    that tell the same, each is worth little as long as the other is cheap. The break-even price of a shared
    resource is that of all tests that need it.

    Where the tree of the least cost is learnt (see `what_if`), break-even prices are exact: at each step the
    price goes to where the tree that buys costs as much as the best one that does not, until no tree is
    cheaper there. Of any other learner it is the largest price, of 17 up to the dearest mistake, at which the
    test is bought, halved up to 12 digits.

    Examples
    --------
    Ten cases, mistakes cost 10: a test that is right about everybody saves the 4 a case that testing nobody
    costs, and so is worth 4. One that is always 0 is worth nothing.

    >>> import thriftwood as tw
    >>> X, y = [[0, 0]] * 6 + [[1, 0]] * 4, ["well"] * 6 + ["sick"] * 4
    >>> costs = tw.Costs({"x0": 1, "x1": 1}, errors_default=10)
    >>> found = tw.break_even(X, y, costs, learner=tw.OptimalTreeClassifier(max_depth=1), folds=2)
    >>> [(worth.name, worth.break_even, worth.saves) for worth in found]
    [('x0', 4.0, 3.0), ('x1', 0.0, 0.0)]
    """
    check_numbers("break_even", folds, random_state)
    prices = check_prices(costs, "break_even")
    trees = trees_of(X, y, prices, learner, "price", folds, random_state, sample_weight)
    asked = _asked(tests, prices, trees.columns)
    held = held_out_parts(trees, folds, random_state)
    found: list[Worth] = []
    interrupted = False
    with reported(progress, "prices") as tell:
        today = _Today(trees, wide(asked[0], trees), held)
        try:
            for number, varied in enumerate(asked):
                if tell is not None:
                    tell(number, len(asked))
                found.append(today.worth(varied))
            _finish(tell, len(asked))
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
    if interrupted:
        warnings.warn(
            f"Ctrl-C was pressed; kept are the {len(found)} of {len(asked)} prices that were done.",
            stacklevel=2,
        )
    found.sort(key=lambda worth: (-worth.saves, -worth.break_even))
    cost = mean_bill(today.bills, trees.weights)[0]
    low, high = today.interval(today.bills)
    untested = mean_bill(today.untested, trees.weights)[0]
    counts = today.n_fits, len(held), interrupted
    return BreakEvens(tuple(found), prices, cost, low, high, untested, trees.words, *counts)


class _Today:
    """The trees at today's prices: of all cases, and of those that remain when a part is held out."""

    def __init__(self, trees: Trees, any_price: Varied, held: list[Held]) -> None:
        self.trees, self.held = trees, held
        # What is varied does not matter at today's prices, so the trees serve for all.
        self.all = self._learnt(trees, any_price, trees.weights)
        self.parts = [self._learnt(trees, any_price, part.weights) for part in held]
        self.bills = self._unseen(self.parts)
        self.untested = np.full(len(self.bills), np.nan)
        for part in held:
            self.untested[part.rows] = trees.untested(trees.costs, part.weights)[part.rows]
        self.others = 0

    @property
    def n_fits(self) -> int:
        return self.trees.n_fits + self.others

    def worth(self, varied: Varied) -> Worth:
        """Say what a test or a resource is worth."""
        trees, own = self.trees, wide(varied, self.trees)
        names = varied.needed_by(trees.costs)
        columns = tuple(place for place, name in enumerate(trees.columns) if name in names)
        bare = trees.without(columns)
        begin = trees.billed(self.all.tree, own, self.all.weights)
        without = begin
        if asks(begin, columns) or not trees.exact:
            without = self._learnt(bare, own, trees.weights)
        most = paid_at_most(trees, own, columns, begin, without)
        bills = self._unseen([self._without(bare, own, part, columns) for part in self.parts])
        self.others += bare.n_fits
        saves = mean_bill(bills - self.bills, trees.weights)[0] + 0.0
        ends = self.interval(bills - self.bills, difference=True)
        share = trees.buyers(begin, columns)
        now = varied.value(trees.costs, trees.classes)
        cost = mean_bill(bills, trees.weights)[0]
        return Worth(varied.name, varied.kind, now, most, share, cost, saves, *ends)

    def interval(self, bills: FloatArray, *, difference: bool = False) -> Interval:
        """Return the 95 % interval of the mean bill of unseen cases, or of a difference of bills."""
        own = np.concatenate([bills[held.rows] for held in self.held]) if self.held else np.zeros(0)
        if len(own) < 2:
            return Interval(math.nan, math.nan)
        if difference and not own.any():  # the same trees
            return Interval(0.0, 0.0)
        weights = np.concatenate([self.trees.weights[held.rows] for held in self.held])
        if len(self.held) == 1:
            loss = self.trees.costs.error_matrix(self.trees.classes)
            least, most = float(loss.min()), float(loss.max()) + self.trees.costs.total(self.trees.columns)
            if difference:
                least, most = least - most, most - least
            unseen = UNSEEN_DIFFERENCE if difference else UNSEEN
            return Spread.of(own, weights, least=least, most=most, unseen=unseen).interval
        fold = np.repeat(np.arange(len(self.held)), [len(held.rows) for held in self.held])
        floor = -math.inf if difference else min(0.0, float(own.min()))
        return fold_interval(own, fold, weights, least=floor)

    def _without(self, bare: Trees, varied: Varied, part: Learnt, columns: tuple[int, ...]) -> Learnt:
        """Return the tree of a part that has none of these tests: itself, if it is best and asks for none."""
        if bare.exact and not asks(part, columns):
            return part
        return self._learnt(bare, varied, part.weights)

    def _learnt(self, trees: Trees, varied: Varied, weights: FloatArray) -> Learnt:
        return trees.learnt(varied, varied.value(trees.costs, trees.classes), weights)

    def _unseen(self, parts: list[Learnt]) -> FloatArray:
        """Return what each case costs at today's prices by the tree that was learnt without it."""
        found = np.full(len(self.trees.labels), np.nan)
        for held, part in zip(self.held, parts, strict=True):
            found[held.rows] = self.trees.bills(part.tree, self.trees.costs)[held.rows]
        return found


def _asked(tests: Iterable[Any] | None, costs: Costs, columns: tuple[str, ...]) -> list[Varied]:
    """Return the prices to look at."""
    named = [name for name in costs.tests if name in columns]
    needed = {resource for name in named for resource in costs.tests[name].needs}
    known: dict[str, Varied] = {
        name: Varied("shared", (name,), 0.0, 1.0) for name in costs.shared if name in needed
    }
    known |= {name: Varied("price", (name,), 0.0, 1.0) for name in named}
    if not known:
        raise CostError(
            "What are tests worth? The price list has no price of any test of this table. Give each test "
            "that costs something its price."
        )
    if isinstance(tests, str):
        tests = [tests]
    if tests is None:
        order = [*named, *(name for name in known if name not in named)]
    else:
        order = [str(one) if one in costs.shared else column_name(one) for one in tests]
    for name in order:
        if name not in known:
            raise CostError(
                f"There is no price of {name!r} in the price list of this table. {nearest(name, known)}"
            )
    if not order:
        raise ValueError("tests names nothing to look at. Leave it out for all tests that have a price.")
    return [known[name] for name in order]


def _finish(tell: Progress | None, total: int) -> None:
    if tell is not None:
        tell(total, total)
