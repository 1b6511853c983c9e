"""A consultation: the tree asks for the tests it needs and keeps the running bill.

What is charged (`core/accounting/till.hpp` has the rules):

- sequential payment: each test when it is answered; a delayed test orders, and charges, every test of the
  subtree below it at once; a batch is charged as a whole, with its first answer;
- upfront payment: every test of the tree before the first question;
- a value given as known at the start is free, and opens no discount: the blood drawn last week saves nothing;
  a test said to be unavailable at the start is not asked, and free;
- a test that turns out to be unavailable is charged unless the costs say that missing values are free: then
  it is taken off the bill, whatever it was ordered with, and a delayed one takes along what was ordered with
  it;
- a surrogate is asked, and charged, only when the test it stands in for is unavailable.

A budget is kept whatever happens: what would take the bill above it is not bought, and the case ends at the
node it has reached, with that node's answer. That is so for a test with all that is ordered with it, for a
batch, and for the upfront price of the tree: if it exceeds the budget, nothing is bought at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thriftwood.base.parameters import parameter_error
from thriftwood.consult.batches import Batch, refusal, stopping_costs
from thriftwood.consult.budget import Budget, Purchase
from thriftwood.consult.consultation import Answer, Consultation
from thriftwood.consult.explaining import why
from thriftwood.consult.strategies import STRATEGIES, CaseState, Refusal, next_question
from thriftwood.costs import Costs
from thriftwood.models.strategy import Strategy
from thriftwood.models.tree.confidence import Confidence, joint_confidence
from thriftwood.models.tree.tree import Tree
from thriftwood.models.tree.walk import Ending, endings


class TreeConsultation(Consultation, of=Tree, shown_as="Consultation"):
    """One case, asked test by test or batch by batch. Made by ``tree.consult()`` or ``model.consult()``.

    While `finished` is False, run the test that `next_test` names and hand its value to `answer`; with
    batches, run all of `next_tests` and hand over their values by name. When a value cannot be had the case
    may follow several paths, each with a share; the questions of the path with the largest share come first.

    Parameters
    ----------
    tree : Tree
        The tree to ask.
    known : mapping from names to values, optional
        What is known already, free of charge: a dictionary, a pandas Series, or whatever else has items. A
        value that is missing (None, NaN, NA) is not known yet, and so will be asked for.
    unavailable : list of names, optional
        Tests that cannot be had; they are not asked for.
    strategy : {"sequential", "single_batch", "multiple_batch"}
        Which tests are run together. One at a time, down to a leaf; or one batch of all tests that are worth
        their price before anything is known; or batches until no further test is worth its price.
    budget : float, optional
        The most that this case may cost. What would exceed it is not bought: the case then ends where it
        stands, and `stopped` says "budget".

    Examples
    --------
    >>> import thriftwood as tw
    >>> model = tw.CostTreeClassifier(costs=tw.Costs({"x0": 3}), growth=tw.Growth(nominal="multiway"))
    >>> model.fit([["hot"], ["mild"], ["hot"], ["cold"]], ["yes", "no", "yes", "no"])
    CostTreeClassifier(costs=Costs(tests={'x0': 3}), growth=Growth(nominal='multiway'))
    >>> case = model.consult()
    >>> case.next_test, case.price, case.choices
    ('x0', 3.0, ('cold', 'hot', 'mild'))
    >>> case.answer("hot")
    <Consultation: finished, answer yes, bill 3>
    >>> case.result, case.why
    ('yes', 'x0 = hot: yes')

    Laboratory tests go together; a batch is asked for, paid and answered as one:

    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("c45", costs=golf.costs.replace(errors_default=100)).fit(golf.X, golf.y)
    >>> case = model.consult(strategy="single_batch")
    >>> case
    <Consultation: next tests Outlook, Wind, Humidity for 6.5, bill 0>
    >>> case.answer({"Outlook": "Rain", "Humidity": "High", "Wind": "Weak"})
    <Consultation: finished, answer Yes, bill 6.5>

    A whole table under a hard budget:

    >>> for row in golf.X[1:3].to_dict("records"):
    ...     case = model.consult(strategy="multiple_batch", budget=5)
    ...     while not case.finished:
    ...         case = case.answer({name: row[name] for name in case.next_tests})
    ...     print(case.result, case.bill, case.stopped)
    No 4.5 budget
    Yes 4.5 None
    """

    _endings: list[Ending]
    _before: Budget  # when the batch was planned
    _batch: tuple[Purchase, ...]  # charged with its first answer
    _refused: dict[int, Refusal]  # at the end, nodes whose test will not be run

    def __init__(
        self,
        tree: Tree,
        known: Any = None,
        unavailable: Iterable[str] = (),
        *,
        strategy: Strategy = "sequential",
        budget: float | None = None,
    ) -> None:
        if not STRATEGIES.accepts(strategy):
            raise parameter_error("consult", "strategy", strategy, STRATEGIES)
        self.tree = tree
        self.strategy = strategy
        self._misc = [] if strategy == "sequential" else stopping_costs(tree, tree.costs or Costs())
        super().__init__(tree, known, unavailable, budget)

    # Where it stands

    @property
    def stopped(self) -> Refusal | None:
        """Why the case ended before a leaf; None if it did not, or has not ended.

        "budget": a test exceeds what is left of the budget. "batch": the single batch is over, and a test
        that would be worth its price was not in it. "price": no further test is worth its price.
        """
        reasons: tuple[Refusal, ...] = ("budget", "batch", "price")
        return next((reason for reason in reasons if reason in self._refused.values()), None)

    def _result(self) -> Any:
        ends, tree = self._endings, self.tree
        if len(ends) == 1:
            return tree.answer(ends[0].node)
        if tree.regression:
            return sum(e.share * tree.answer(e.node) for e in ends) / sum(e.share for e in ends)
        return tree.cheapest_answer(list(self.probabilities.values()))

    @property
    def probabilities(self) -> dict[Any, float]:
        """Class -> share where the case stands now: at the end, or at the questions that are still open."""
        tree = self.tree
        if tree.classes is None:
            raise ValueError("A regression tree has no probabilities. See .result.")
        totals = dict.fromkeys(tree.classes.tolist(), 0.0)
        for ending in self._endings:
            for name, share in zip(totals, tree.shares(ending.node), strict=True):
                totals[name] += ending.share * share
        return {name: min(share, 1.0) for name, share in totals.items()}  # as the core does

    @property
    def confidence(self) -> Confidence | None:
        """How sure the answer is, smoothed for people, and the number of training cases it rests on.

        None for a regression tree, for an answer that is no class, and until the consultation is finished.

        Examples
        --------
        >>> import thriftwood as tw
        >>> tree = tw.CostTreeClassifier().fit([[1], [2], [3]], ["no", "no", "yes"]).tree_
        >>> case = tree.consult({"x0": 3})
        >>> print(case.result, case.probabilities["yes"], case.confidence)
        yes 1.0 confidence 55.6% by 1 case
        """
        if self.tree.classes is None or not self.finished or self.result in self.tree.further:
            return None
        label = self.tree.classes.tolist().index(self.result)
        return joint_confidence(self.tree, self._endings, label)

    @property
    def why(self) -> str:
        """The way the case took, in words; a line per path if it took several."""
        return why(self.tree, self._known, self._endings, self._refused)

    def _result_text(self) -> str:
        return f"{self.result:.6g}" if self.tree.regression else super()._result_text()

    # How it moves

    def _take(self, answer: Answer) -> None:
        self._open = [purchase for purchase in self._open if purchase.asks != answer.feature]
        self._note(answer)
        answers = {one.feature: one.available for one in self._answers}
        self._budget = self._before.settled(answers, self._batch)
        if self._open:
            self._endings = endings(self.tree, self._known)
        else:
            self._look()

    def _look(self) -> None:
        """Walk on as far as what is known leads, and plan what to run next."""
        self._endings = endings(self.tree, self._known)
        at = CaseState(self.tree, self._known, self._budget, self._endings)
        self._batch = self._plan(at) if self._may_buy else ()
        self._before, self._open = self._budget, list(self._batch)
        self._refused = {} if self._batch else {end.node: self._refusal(at, end) for end in at.questions}

    def _plan(self, at: CaseState) -> tuple[Purchase, ...]:
        if self.strategy == "sequential":
            return next_question(at)
        if self.strategy == "single_batch" and self._answers:
            return ()
        return Batch(at, self._misc).fill()

    def _refusal(self, at: CaseState, question: Ending) -> Refusal:
        if self.strategy == "sequential" or not self._may_buy:
            return "budget"
        return refusal(at, self._misc, question)
