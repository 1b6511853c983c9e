"""A consultation: the tree asks for the tests it needs and keeps the running bill.

What is charged (`thriftwood.tree.paying` has the rules):

- sequential payment: each test when it is answered; a delayed test orders, and charges, every test of the
  subtree below it at once; a batch is charged as a whole, with its first answer;
- upfront payment: every test of the tree before the first question;
- a value given as known at the start is free, and opens no discount: the blood drawn last week saves nothing;
  a test said to be unavailable at the start is not asked, and free;
- a test that turns out to be unavailable is charged unless ``Costs(charge_missing=False)``: then it is taken
  off the bill, whatever it was ordered with, and a delayed one takes along what was ordered with it;
- a stand-in (surrogate) is asked, and charged, only when the test it stands in for is unavailable.

A budget is kept whatever happens: what would take the bill above it is not bought, and the case ends at the
node it has reached, with that node's answer. That is so for a test with all that is ordered with it, for a
batch, and for the upfront price of the tree: if it exceeds the budget, nothing is bought at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from thriftwood.costs import Costs
from thriftwood.table import Kind
from thriftwood.table.values import is_missing
from thriftwood.tree.batches import Batch, refusal, stopping_costs
from thriftwood.tree.conditions import amount_text, category_text, list_text
from thriftwood.tree.explaining import why
from thriftwood.tree.given import GivenValues, maps_names, named_values
from thriftwood.tree.parameters import Real, parameter_error
from thriftwood.tree.purse import Purchase, Purse
from thriftwood.tree.strategies import STRATEGIES, Refusal, Standing, Strategy, next_question
from thriftwood.tree.walking import Ending, endings

if TYPE_CHECKING:
    from thriftwood.tree.structure import Tree

_BUDGET = Real(0, none=True)


class _Answer(NamedTuple):
    """An encoded answer."""

    feature: int
    code: float
    available: bool


class Consultation:
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

    _answers: list[_Answer]
    _known: dict[int, float]
    _endings: list[Ending]
    _may_buy: bool  # False if the upfront price exceeds the budget
    _before: Purse  # when the batch was planned
    _purse: Purse  # now
    _paid: list[Purchase]  # the batch, without what need not be paid; charged with its first answer
    _open: list[Purchase]  # the batch, without what was answered
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
        if not _BUDGET.accepts(budget):
            raise parameter_error("consult", "budget", budget, _BUDGET)
        self.tree = tree
        self.strategy = strategy
        self.budget = math.inf if budget is None else float(budget)
        self._costs = tree.costs or Costs()
        self._misc = [] if strategy == "sequential" else stopping_costs(tree, self._costs)
        self._values = GivenValues(tree)
        self._given = self._values.at_start(known, unavailable)
        self._restart()

    # What to do next

    @property
    def finished(self) -> bool:
        """Whether nothing more is asked."""
        return not self._open

    @property
    def next_tests(self) -> tuple[str, ...]:
        """The tests to run now, together: a batch, without those answered already; empty when finished."""
        return tuple(self.tree.feature_names[purchase.asks] for purchase in self._open)

    @property
    def next_test(self) -> str | None:
        """The test to run now, of a batch the first one not yet answered; None when finished."""
        return self.next_tests[0] if self._open else None

    @property
    def price(self) -> float:
        """What the next tests cost now, with everything that is ordered with them; 0 when finished.

        A batch is paid with its first answer: the rest of it costs nothing more.
        """
        return self._purse.price(self._ordered)

    @property
    def ordered_with(self) -> tuple[str, ...]:
        """The tests ordered, and paid, together with the next tests because an answer is delayed."""
        return tuple(name for name in self._ordered if name not in self.next_tests)

    @property
    def choices(self) -> tuple[Any, ...] | None:
        """The categories the next test can answer with; None for a number, or when finished."""
        if not self._open:
            return None
        column = self.tree.columns[self._open[0].asks]
        return None if column.kind is Kind.NUMERIC else column.categories

    def answer(self, value: Any, *, allow_unseen: bool = False) -> Self:
        """Give the value of the next test, or those of several tests of a batch.

        Parameters
        ----------
        value : object
            A number or a category; None or NaN when it is not available. For several tests of `next_tests`,
            a mapping from names to such values; those left out are still asked for.
        allow_unseen : bool
            Whether a category that is not among `choices` is taken as it is in a table: as one the tree has
            never seen. Otherwise it is an error, since most such values are slips.
        """
        if not self._open:
            raise ValueError("Nothing more is asked: the consultation is finished. See .result.")
        named = list(named_values(value)) if maps_names(value) else [(self.next_tests[0], value)]
        if not named:
            raise ValueError(f"No answer was given. Tests asked for: {list_text(self.next_tests)}.")
        answers: dict[int, _Answer] = {}
        for name, one in named:  # all are read before any is taken: a slip changes nothing
            feature = self._values.feature(name)
            if name not in self.next_tests:
                raise ValueError(f"{name!r} is not asked for now. Asked for: {list_text(self.next_tests)}.")
            code = self._values.code(feature, one, allow_unseen=allow_unseen)
            answers[feature] = _Answer(feature, code, not is_missing(one))
        for answer in answers.values():
            self._take(answer)
        return self

    def undo(self) -> Self:
        """Take back the last answer, and what was paid with it."""
        if not self._answers:
            raise ValueError("There is no answer to take back.")
        answers = self._answers[:-1]
        self._restart()
        for answer in answers:
            self._take(answer)
        return self

    # Where it stands

    @property
    def bill(self) -> float:
        """What has been paid so far."""
        return self._purse.spent

    @property
    def bought(self) -> list[tuple[str, float]]:
        """What was bought so far, in order: (test, price)."""
        return list(self._purse.bill.items())

    @property
    def stopped(self) -> Refusal | None:
        """Why the case ended before a leaf; None if it did not, or has not ended.

        "budget": a test exceeds what is left of the budget. "batch": the single batch is over, and a test
        that would be worth its price was not in it. "price": no further test is worth its price.
        """
        reasons: tuple[Refusal, ...] = ("budget", "batch", "price")
        return next((reason for reason in reasons if reason in self._refused.values()), None)

    @property
    def result(self) -> Any:
        """The answer; an error until the consultation is finished."""
        if self._open:
            raise ValueError(
                f"The consultation is not finished: it asks for {self.next_test!r}. Give its value to "
                "answer(), or answer(None) if it is not available."
            )
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
    def why(self) -> str:
        """The way the case took, in words; a line per path if it took several."""
        return why(self.tree, self._known, self._endings, self._refused)

    def __repr__(self) -> str:
        bill = f"bill {amount_text(self.bill)}"
        if self.finished:
            answer = f"{self.result:.6g}" if self.tree.regression else category_text(self.result)
            stopped = f", stopped by {self.stopped}" if self.stopped else ""
            return f"<Consultation: finished, answer {answer}, {bill}{stopped}>"
        tests = f"next test{'s' if len(self._open) > 1 else ''} {list_text(self.next_tests)}"
        with_it = f" with {list_text(self.ordered_with)}" if self.ordered_with else ""
        return f"<Consultation: {tests}{with_it} for {amount_text(self.price)}, {bill}>"

    # How it moves

    def _restart(self) -> None:
        tree = self.tree
        self._answers = []
        self._known = dict(self._given)
        self._purse = Purse(self._costs, self.budget)
        self._may_buy = True
        if self._costs.payment == "upfront":
            unknown = [name for name in tree.features_used if tree.feature_index[name] not in self._known]
            self._may_buy = self._purse.allows([Purchase(-1, tuple(unknown))])
            if self._may_buy:
                self._purse = self._purse.after(unknown)
        self._look()

    def _take(self, answer: _Answer) -> None:
        self._answers.append(answer)
        self._known[answer.feature] = answer.code
        self._open = [purchase for purchase in self._open if purchase.asks != answer.feature]
        if not answer.available and not self._costs.charge_missing:
            self._paid = [purchase for purchase in self._paid if purchase.asks != answer.feature]
        names = self.tree.feature_names
        paid = self._before.after(name for purchase in self._paid for name in purchase.names)
        self._purse = paid.settled({names[one.feature]: one.available for one in self._answers})
        if self._open:
            self._endings = endings(self.tree, self._known)
        else:
            self._look()

    def _look(self) -> None:
        """Walk on as far as what is known leads, and plan what to run next."""
        self._endings = endings(self.tree, self._known)
        at = Standing(self.tree, self._known, self._purse, self._endings)
        batch = self._plan(at) if self._may_buy else ()
        self._before = self._purse
        self._paid, self._open = list(batch), list(batch)
        self._refused = {} if batch else {end.node: self._refusal(at, end) for end in at.questions}

    def _plan(self, at: Standing) -> tuple[Purchase, ...]:
        if self.strategy == "sequential":
            return next_question(at)
        if self.strategy == "single_batch" and self._answers:
            return ()
        return Batch(at, self._misc).fill()

    def _refusal(self, at: Standing, question: Ending) -> Refusal:
        if self.strategy == "sequential" or not self._may_buy:
            return "budget"
        return refusal(at, self._misc, question)

    @property
    def _ordered(self) -> list[str]:
        """Name what the next answer will be charged for."""
        names = dict.fromkeys(name for purchase in self._open for name in purchase.names)
        index = self.tree.feature_index
        return [name for name in names if index[name] not in self._known and not self._purse.owns(name)]
