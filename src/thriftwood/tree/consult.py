"""A consultation: the tree asks for one test at a time and keeps the running bill.

What is charged (`thriftwood.tree.paying` has the rules):

- sequential payment: each test when it is answered; a delayed test orders, and charges, every test of the
  subtree below it at once;
- upfront payment: every test of the tree before the first question;
- a value given as known at the start is free, and opens no discount: the blood drawn last week saves nothing;
  a test said to be unavailable at the start is not asked, and free;
- a test that turns out to be unavailable is charged unless ``Costs(charge_missing=False)``;
- a stand-in (surrogate) is asked, and charged, only when the test it stands in for is unavailable.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from thriftwood.costs import Costs
from thriftwood.table import Kind
from thriftwood.table.values import is_missing
from thriftwood.tree.conditions import amount_text, category_text, list_text
from thriftwood.tree.explaining import why
from thriftwood.tree.paying import copied, ordered_at
from thriftwood.tree.walking import Ending, endings

if TYPE_CHECKING:
    from thriftwood.tree.structure import Tree


class _Answer(NamedTuple):
    """An encoded answer."""

    feature: int
    code: float
    available: bool


class Consultation:
    """One case, asked test by test. Made by ``tree.consult()`` or ``model.consult()``.

    While `finished` is False, run the test that `next_test` names and hand its value to `answer`. When a
    value cannot be had the case may follow several paths, each with a share; the questions of the path with
    the largest share come first.

    Parameters
    ----------
    tree : Tree
        The tree to ask.
    known : mapping from names to values, optional
        What is known already, free of charge: a dictionary, a pandas Series, or whatever else has items. A
        value that is missing (None, NaN, NA) is not known yet, and so will be asked for.
    unavailable : list of names, optional
        Tests that cannot be had; they are not asked for.

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
    """

    def __init__(self, tree: Tree, known: Any = None, unavailable: Iterable[str] = ()) -> None:
        self.tree = tree
        self._costs = tree.costs or Costs()
        self._position = {name: feature for feature, name in enumerate(tree.feature_names)}
        self._given: dict[int, float] = {}
        for name, value in named_values(known):
            feature = self._index(name)
            if not is_missing(value):
                self._given[feature] = self._encode(feature, value, allow_unseen=False)
        for name in _names(unavailable):
            feature = self._index(name)
            if feature in self._given:
                raise ValueError(f"{name!r} is known and unavailable at once. Leave it out of one of them.")
            self._given[feature] = tree.columns[feature].encode(None)
        self._answers: list[_Answer] = []
        self._restart()

    # What to do next

    @property
    def finished(self) -> bool:
        """Whether nothing more is asked."""
        return self._question is None

    @property
    def next_test(self) -> str | None:
        """The test to run now; None when finished."""
        return None if self._question is None else self.tree.feature_names[self._question.asks]

    @property
    def price(self) -> float:
        """What the next test costs now, with everything that is ordered with it; 0 when finished."""
        if self._question is None:
            return 0.0
        basket = copied(self._costs, self._basket)
        return math.fsum(basket.buy(name) for name in self._order(self._question))

    @property
    def ordered_with(self) -> tuple[str, ...]:
        """The tests ordered, and paid, together with the next test because its answer is delayed."""
        if self._question is None:
            return ()
        paid = {self.next_test, *self._basket.bill}
        return tuple(name for name in self._order(self._question) if name not in paid)

    @property
    def choices(self) -> tuple[Any, ...] | None:
        """The categories the next test can answer with; None for a number, or when finished."""
        if self._question is None:
            return None
        column = self.tree.columns[self._question.asks]
        return None if column.kind is Kind.NUMERIC else column.categories

    def answer(self, value: Any, *, allow_unseen: bool = False) -> Self:
        """Give the value of the next test.

        Parameters
        ----------
        value : object
            A number or a category; None or NaN when it is not available.
        allow_unseen : bool
            Whether a category that is not among `choices` is taken as it is in a table: as one the tree has
            never seen. Otherwise it is an error, since most such values are slips.
        """
        if self._question is None:
            raise ValueError("Nothing more is asked: the consultation is finished. See .result.")
        feature = self._question.asks
        code = self._encode(feature, value, allow_unseen=allow_unseen)
        self._take(_Answer(feature, code, not is_missing(value)))
        return self

    def undo(self) -> Self:
        """Take back the last answer and what was paid for it."""
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
        return math.fsum(self._basket.bill.values())

    @property
    def bought(self) -> list[tuple[str, float]]:
        """What was bought so far, in order: (test, price)."""
        return list(self._basket.bill.items())

    @property
    def result(self) -> Any:
        """The answer; an error until the consultation is finished."""
        if self._question is not None:
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
            counts = tree.counts(ending.node)
            weight = 0.0
            for count in counts.values():
                weight += count
            if weight <= 0:
                totals[tree.answer(ending.node)] += ending.share
                continue
            for name, count in counts.items():
                totals[name] += ending.share * (count / weight)
        return totals

    @property
    def why(self) -> str:
        """The way the case took, in words; a line per path if it took several."""
        return why(self.tree, self._known, self._endings)

    def __repr__(self) -> str:
        bill = f"bill {amount_text(self.bill)}"
        if self.finished:
            answer = f"{self.result:.6g}" if self.tree.regression else category_text(self.result)
            return f"<Consultation: finished, answer {answer}, {bill}>"
        with_it = f" with {list_text(self.ordered_with)}" if self.ordered_with else ""
        return f"<Consultation: next test {self.next_test}{with_it} for {amount_text(self.price)}, {bill}>"

    # How it moves

    def _restart(self) -> None:
        self._known = dict(self._given)
        self._basket = self._costs.basket()
        if self._costs.payment == "upfront":
            for name in self._unknown(self.tree.features_used):
                self._basket.buy(name)
        self._answers = []
        self._look()

    def _take(self, answer: _Answer) -> None:
        assert self._question is not None  # answer() and undo() give answers only to questions
        if self._costs.charge_missing or answer.available:
            for name in self._order(self._question):
                self._basket.buy(name)
        self._answers.append(answer)
        self._known[answer.feature] = answer.code
        self._look()

    def _look(self) -> None:
        """Walk on as far as what is known leads."""
        self._endings = endings(self.tree, self._known)
        questions = [ending for ending in self._endings if ending.asks >= 0]
        # max keeps the first of equals: the order of the branches
        self._question = max(questions, key=lambda ending: ending.share, default=None)

    def _order(self, question: Ending) -> list[str]:
        """Name the tests that are bought when a question is answered."""
        if question.stand_in:
            return [self.tree.feature_names[question.asks]]
        if self._costs.payment == "upfront":
            return []
        return self._unknown(ordered_at(self.tree, self._costs, question.node))

    def _unknown(self, names: tuple[str, ...] | list[str]) -> list[str]:
        return [name for name in names if self._position[name] not in self._known]

    def _index(self, name: str) -> int:
        if name not in self._position:
            near = get_close_matches(str(name), self._position, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Tests: {list_text(self.tree.features_used)}."
            raise ValueError(f"There is no test {name!r} in this tree's table. {hint}")
        return self._position[name]

    def _encode(self, feature: int, value: Any, *, allow_unseen: bool) -> float:
        column = self.tree.columns[feature]
        code = column.encode(value)
        if column.kind is Kind.NUMERIC or is_missing(value) or allow_unseen or value in column.lookup:
            return code
        near = get_close_matches(str(value), map(str, column.categories), n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Categories: {list_text(column.categories)}."
        raise ValueError(
            f"{self.tree.feature_names[feature]!r} has no category {value!r}. {hint} Give None if it is not "
            "available, or pass allow_unseen=True if it is a new category."
        )


def named_values(known: Any) -> Iterator[tuple[str, Any]]:
    """Give the names and values of whatever maps one to the other; nothing for None.

    Examples
    --------
    >>> list(named_values({"age": 54}))
    [('age', 54)]
    """
    if known is None:
        return iter(())
    if getattr(known, "ndim", 1) == 1:  # a whole pandas frame has items, too
        if callable(getattr(known, "items", None)):
            return iter(known.items())
        if callable(getattr(known, "keys", None)):
            return ((name, known[name]) for name in known.keys())  # noqa: SIM118, it is no dictionary
    raise TypeError(
        f"known must map names of tests to values: a dictionary, or one row as a pandas Series. Got a "
        f"{type(known).__name__}."
    )


def _names(unavailable: Any) -> list[str]:
    if isinstance(unavailable, str) or not isinstance(unavailable, Iterable):
        raise TypeError(f"unavailable must be a list of names of tests. Got {unavailable!r}.")
    return list(unavailable)
