"""Which tests to run next: one at a time, or several together.

- *sequential*: at a test that is not known yet, buy it and go on, down to a leaf.
- *single batch*: all results come back together, and once, as when a sample is sent to a laboratory. Choose
  all tests before anything is known, run them, and answer with the node where the next test was not among
  them.
- *multiple batch*: as single batch, then again from where the case stands, until a leaf is reached or no test
  is worth its price.

The sequential strategy follows the tree and does not ask whether a test is worth its price: that was weighed
when the tree was grown. A batch weighs it again, since some of its tests will have been run in vain
(`thriftwood.consult.batches`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from thriftwood.base.parameters import Choice
from thriftwood.consult.budget import Budget, Purchase
from thriftwood.models.tree.walk import Ending

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

STRATEGIES = Choice(("sequential", "single_batch", "multiple_batch"))

Refusal = Literal["budget", "batch", "price"]
"""Why a test is not run: it exceeds the budget, the one batch is over, or it is not worth its price."""


@dataclass(frozen=True, slots=True)
class CaseState:
    """The state of a case: what is known about it, what it has bought, and where its walk has come to.

    Parameters
    ----------
    tree : Tree
        The tree.
    known : mapping of int to float
        Feature -> its encoded value.
    budget : Budget
        What was bought, with the limit.
    endings : sequence of Ending
        Where the walk ends or waits.
    """

    tree: Tree
    known: Mapping[int, float]
    budget: Budget
    endings: Sequence[Ending]

    @property
    def questions(self) -> list[Ending]:
        """The endings that wait for a test."""
        return [ending for ending in self.endings if ending.asks >= 0]

    def purchase(self, question: Ending) -> Purchase:
        """Say what is bought when a question is answered; what is known, or was paid upfront, is not."""
        ordered = self.budget.till.ordered_at(self.tree.core, question.node, question.asks)
        return Purchase(question.asks, tuple(ordered))


def next_question(at: CaseState) -> tuple[Purchase, ...]:
    """Plan the test of the path with the largest share, of those that the budget allows; or none."""
    allowed = [question for question in at.questions if at.budget.allows([at.purchase(question)])]
    # max keeps the first of equals: the order of the branches
    question = max(allowed, key=lambda question: question.share, default=None)
    return () if question is None else (at.purchase(question),)
