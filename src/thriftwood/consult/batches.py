"""Batches: tests chosen to be run together, before the answer of any of them is known.

The rule is that of Ling, Sheng and Yang (2006). Starting with no test, a batch takes the test that is worth
most, of those that the case would meet next, again and again, as long as one is worth more than nothing:

    worth(i) = p(i) * [misc(i) - sum over r of p(r|i) misc(r)] - price(i)

misc(n) is what the answer of node n costs on average, p the share of the training cases, r the leaves and the
unknown tests met next below i; the price is what i still costs after the tests already in the batch. The
factor p(i), the probability that i is needed at all, stands there because a batch pays whatever the outcome.

The rule looks one test ahead: a test whose answer alone changes nothing is not worth its price to it,
whatever lies below. So it suits trees whose every test pays for itself, such as those grown for minimal total
cost.

How we read it where the papers are silent:

- What is in the batch counts as known: where the tree asks a test of the batch once more, the case passes.
- A test that costs nothing more (it is free, or was paid upfront or with a delayed test) is in every batch
  that may meet it.
- A delayed test brings the tests of its subtree: it is worth what all of them tell, for the price of all.
- A case that follows several paths weighs the tests of all of them, by the shares of the paths.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thriftwood.consult.budget import ROUNDING, Purchase
from thriftwood.consult.strategies import CaseState, Refusal
from thriftwood.costs import Costs
from thriftwood.costs.further import matrix_of
from thriftwood.models.tree.walk import Ending, endings

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree


def stopping_costs(tree: Tree, costs: Costs) -> list[float]:
    """Give misc(n) of every node: what its answer costs on average for the training cases there.

    Without error costs that is the share of mistakes. A node without training cases gives no reason to run
    another test, so it gets 0.
    """
    if tree.classes is None:
        raise ValueError(
            "A batch weighs prices against the costs of wrong answers, and a regression tree has no such "
            "costs. Use strategy='sequential', with a budget if there is one."
        )
    weights = np.asarray(tree.core.values)
    loss = matrix_of(costs, tree.classes.tolist(), tree.further, tree.owner)
    paid = (weights * loss.T[np.asarray(tree.core.label)]).sum(axis=1)
    total = weights.sum(axis=1)
    costs_there: list[float] = np.divide(paid, total, out=np.zeros_like(paid), where=total > 0).tolist()
    return costs_there


class _Gain(NamedTuple):
    """What a question's answer changes. It stays so until the batch takes what is waited for below it."""

    purchase: Purchase
    before: float
    """What wrong answers cost where the question stands."""
    after: float
    """What they cost where its answer leads to."""
    waits_for: frozenset[int]
    """The features of the questions met there, and -1 for ends."""


class Batch:
    """A batch in the making.

    Parameters
    ----------
    at : CaseState
        The state of the case.
    misc : sequence of float
        What each node's answer costs on average, from `stopping_costs`.
    """

    def __init__(self, at: CaseState, misc: Sequence[float]) -> None:
        self.at = at
        self.misc = misc
        self.purchases: list[Purchase] = []
        self._awaited: set[int] = set()
        self._budget = at.budget  # as it will be when the batch is paid
        self._questions = at.questions
        self._gains: dict[Ending, _Gain] = {}

    def fill(self) -> tuple[Purchase, ...]:
        """Take tests as long as one is worth its price and the budget allows it."""
        while self._take_free() or self._take_best():
            self._questions = list(self._still_open())
        return tuple(self.purchases)

    def _still_open(self) -> Iterator[Ending]:
        """Walk on from the questions that are in the batch."""
        for question in self._questions:
            if question.asks not in self._awaited:
                yield question
            else:
                yield from (end for end in self._walk([question]) if end.asks >= 0)

    def worth(self, question: Ending) -> float:
        """Return what the answer of a question saves in wrong answers, on average, beyond its price."""
        gain = self._gains.get(question)
        if gain is None or not self._awaited.isdisjoint(gain.waits_for):
            gain = self._gains[question] = self._gain(question)
        price = self._budget.price(gain.purchase.tests)
        worth = gain.before - gain.after - price
        return worth if abs(worth) > ROUNDING * max(abs(gain.before), abs(gain.after), price) else 0.0

    def _gain(self, question: Ending) -> _Gain:
        purchase = self.at.purchase(question)
        ends = self._walk([question], {purchase.asks, *purchase.tests})
        after = math.fsum(end.share * self.misc[end.node] for end in ends)
        waits_for = frozenset(end.asks for end in ends)
        return _Gain(purchase, question.share * self.misc[question.node], after, waits_for)

    def _take_free(self) -> bool:
        """Take every test that costs nothing more."""
        before = len(self.purchases)
        for purchase in map(self.at.purchase, self._questions):
            if purchase.asks not in self._awaited and self._budget.price(purchase.tests) == 0:
                self._take(purchase)
        return len(self.purchases) > before

    def _take_best(self) -> bool:
        """Take the test that is worth most."""
        best, most = None, 0.0
        # Equals go to the lowest feature, then to the uppermost node.
        for question in sorted(self._questions, key=lambda question: (question.asks, question.node)):
            worth = self.worth(question)
            if worth > most * (1 + ROUNDING) and self._allows(self.at.purchase(question)):
                best, most = question, worth
        return best is not None and self._take(self.at.purchase(best))

    def _take(self, purchase: Purchase) -> bool:
        """Take a test if the budget allows it, and tell whether it did."""
        if not self._allows(purchase):
            return False
        self.purchases.append(purchase)
        self._awaited.add(purchase.asks)
        self._budget = self._budget.after(purchase.tests)
        return True

    def _allows(self, purchase: Purchase) -> bool:
        return self.at.budget.allows([*self.purchases, purchase])

    def _walk(self, start: Sequence[Ending], told: Set[int] = frozenset()) -> list[Ending]:
        awaited = self._awaited | told
        return endings(self.at.tree, self.at.known, awaited, [(end.node, end.share) for end in start])


def refusal(at: CaseState, misc: Sequence[float], question: Ending) -> Refusal:
    """Say why no batch, or no further one, holds a test that the case waits for."""
    purchase = at.purchase(question)
    if at.budget.price(purchase.tests) > 0 and Batch(at, misc).worth(question) <= 0:
        return "price"
    return "batch" if at.budget.allows([purchase]) else "budget"
