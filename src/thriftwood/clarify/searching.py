"""The cheapest tree that is accurate enough: the published greedy search, and a better one of ours.

Greedy (Davis et al. 2006): csgain at several gammas; the cheapest accurate one counts. Greedy growth buys
what tells most at the moment, and a dear function bought near the root is never given back.

Ours gives functions back, the dearest first. Watching the dearest resource of the best tree is forbidden,
with all that cost as much or more, and trees are grown anew from what is left. If one of them is accurate
enough, it is cheaper and takes the place of the best; if none is, the resource is *kept*: it counts as paid
from then on, and the next dearest is tried. Afterwards each resource of the best tree is forbidden by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from thriftwood.clarify.judging import GAMMAS, Columns, Evaluator, JudgedTree

SPARE_GAMMAS = (0.0, *(10.0**step for step in range(-5, 2)))
"""A coarser grid for the many trials of the search."""
MOST_ROUNDS = 60
SLACK = 0.05
"""Of trees that cost so little more than the cheapest, as a share, the most accurate is chosen."""
ProgressCallback = Callable[[str], object]
Second = Callable[[JudgedTree], bool]


def greedy(evaluator: Evaluator, columns: Columns, least: float) -> tuple[JudgedTree, list[JudgedTree]]:
    """Return the cheapest csgain tree of at least this accuracy, and all that were tried.

    If none is accurate enough, the most accurate one.
    """
    tried = evaluator.weighed(columns, GAMMAS)
    best = cheapest(tried, least)
    return best or min(tried, key=lambda one: (-one.accuracy, *one.order)), tried


def thrifty(
    evaluator: Evaluator,
    columns: Columns,
    least: float,
    known: Iterable[JudgedTree],
    *,
    second: Second | None = None,
    tell: ProgressCallback | None = None,
) -> tuple[JudgedTree | None, list[JudgedTree]]:
    """Search for the cheapest tree of at least this accuracy.

    Parameters
    ----------
    evaluator : Evaluator
        What trees are judged by.
    columns : array of int
        What they may test.
    least : float
        The accuracy that must be reached.
    known : iterable of JudgedTree
        Trees judged before, to set out from.
    second : callable, optional
        Looks again at a tree that would be the best: whether it is accurate enough on other folds too. A
        search tries hundreds of trees on the same folds, and some are accurate there by luck alone.
    tell : callable, optional
        Called with what is under way.

    Returns
    -------
    JudgedTree or None
        The best tree, None if no tree is accurate enough.
    list of JudgedTree
        All trees tried, `known` included.
    """
    search = _Search(evaluator, columns, least, list(known), second, tell or (lambda what: None))
    search.try_trees(columns, frozenset(), "best first", order="best")
    search.give_back()
    search.swap()
    return search.chosen(), search.tried


def enough(accuracy: float, least: float) -> bool:
    """Tell whether an accuracy is no smaller than another, but for the rounding of sums and differences.

    Examples
    --------
    >>> 0.7 >= 0.8 - 0.1, enough(0.7, 0.8 - 0.1), enough(0.699, 0.8 - 0.1)
    (False, True, False)
    """
    return accuracy >= least - 1e-12


def cheapest(
    tried: Iterable[JudgedTree], least: float, second: Callable[[JudgedTree], bool] | None = None
) -> JudgedTree | None:
    """Return the cheapest of those that are accurate enough, also at a second look."""
    good = sorted((one for one in tried if enough(one.accuracy, least)), key=lambda one: one.order)
    return next((one for one in good if second is None or second(one)), None)


class _Search:
    """The state of one search."""

    def __init__(
        self,
        evaluator: Evaluator,
        columns: Columns,
        least: float,
        tried: list[JudgedTree],
        second: Second | None,
        tell: ProgressCallback,
    ) -> None:
        self.evaluator, self.columns, self.least = evaluator, columns, least
        self.tried, self.second, self.tell = tried, second, tell
        self.looked: dict[int, bool] = {}
        self.rounds = 0

    @property
    def best(self) -> JudgedTree | None:
        return cheapest(self.tried, self.least, self.holds)

    def chosen(self) -> JudgedTree | None:
        """Return the most accurate of those that cost hardly more than the best."""
        best = self.best
        if best is None:
            return None
        near = [one for one in self.tried if one.cost <= best.cost * (1.0 + SLACK)]
        near.sort(key=lambda one: (-one.accuracy, *one.order))
        return next(one for one in near if self.holds(one))

    def holds(self, tree: JudgedTree) -> bool:
        """Look a second time, once at each tree."""
        if self.second is None:
            return True
        if id(tree) not in self.looked:  # all trees live as long as the search
            self.looked[id(tree)] = self.second(tree)
        return self.looked[id(tree)]

    def give_back(self) -> None:
        """Forbid the dearest resource and all that cost as much, keep it if it is missed, go on below it."""
        kept: frozenset[int] = frozenset()
        limit = np.inf
        while (best := self.best) is not None and self.rounds < MOST_ROUNDS:
            spare = [r for r in self._resources(best) - kept if self._price(r) < limit]
            if not spare or not self._price(max(spare, key=self._price)):
                return
            limit = self._price(max(spare, key=self._price))
            allowed = self._allowed(limit, kept)
            if not self.try_trees(allowed, kept, f"functions below {limit:.3g} calls"):
                kept |= {r for r in spare if self._price(r) == limit}
            else:
                limit = np.inf  # the new best tree may have other dear resources, cheaper than those kept

    def swap(self) -> None:
        """Forbid one resource after the other, until none can be missed."""
        missed: set[int] = set()
        while (best := self.best) is not None and self.rounds < MOST_ROUNDS:
            spare = sorted(self._resources(best) - missed, key=lambda r: (-self._price(r), r))
            spare = [r for r in spare if self._price(r)]
            if not spare:
                return
            forbidden, rest = spare[0], frozenset(self._resources(best) - {spare[0]})
            limit = self._price(forbidden)
            # What replaces a resource must cost less than it; what is watched already is free.
            allowed = self._allowed(limit, rest, forbidden)
            if not self.try_trees(allowed, rest, f"without {limit:.3g} calls"):
                missed.add(forbidden)

    def try_trees(self, columns: Columns, free: frozenset[int], what: str, **settings: str) -> bool:
        """Judge trees that may test these columns; tell whether the best tree became cheaper."""
        before = self.best
        self.rounds += 1
        self.tell(what)
        gammas = GAMMAS if settings else SPARE_GAMMAS
        self.tried += self.evaluator.weighed(columns, gammas, free=free, **settings)
        if len(columns) and not settings:
            self.tried.append(self.evaluator.blind(columns, f"c45, {what}"))
        after = self.best
        return after is not None and (before is None or after.cost < before.cost * (1.0 - 1e-9))

    def _allowed(self, limit: float, kept: frozenset[int], forbidden: int = -1) -> Columns:
        """Return the columns whose resources are all kept or below a price."""
        prices = self.evaluator.prices
        may = prices.resources < limit
        may[sorted(kept)] = True
        if forbidden >= 0:
            may[forbidden] = False
        return np.array([c for c in self.columns if may[prices.needed[c]].all()], dtype=np.intp)

    def _resources(self, tree: JudgedTree) -> frozenset[int]:
        return frozenset(int(r) for column in tree.columns for r in self.evaluator.prices.needed[column])

    def _price(self, resource: int) -> float:
        return float(self.evaluator.prices.resources[resource])
