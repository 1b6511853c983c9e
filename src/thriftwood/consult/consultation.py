"""What every consultation is: tests asked for and answered, a running bill, and a way back.

A subclass (for a tree, several trees, the stages of a booster, score cards) says in `_look` which purchases
are open now; questions, answers and payment are the same for all. `thriftwood.consult.tree` says what is
charged.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple, Self

from thriftwood import _core
from thriftwood.base.number_texts import amount_text
from thriftwood.base.parameters import Real, parameter_error
from thriftwood.consult.budget import Budget, Purchase
from thriftwood.consult.given import GivenValues, maps_names, named_values
from thriftwood.models.model import Model
from thriftwood.models.tree.conditions import category_text, list_text
from thriftwood.models.tree.confidence import Confidence
from thriftwood.table import Kind
from thriftwood.table.values import is_missing

_BUDGET = Real(0, none=True)


class Answer(NamedTuple):
    """An encoded answer."""

    feature: int
    code: float
    available: bool


class Consultation(ABC):
    """One case, asked for its tests: the common part of consultations.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> case = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y).consult()
    >>> case.next_test, case.price
    ('Outlook', 4.0)
    >>> case.answer("Overcast").result, case.bill
    ('Yes', 4.0)
    """

    asking: Model
    """The model that asks: a tree, a panel, a booster."""
    _shown_as: ClassVar[str] = ""
    """What its repr calls it; the name of the class unless given."""
    _kinds: ClassVar[dict[type, type[Consultation]]] = {}
    """The consultation of each kind of model."""

    def __init_subclass__(cls, *, of: type, shown_as: str = "") -> None:
        cls._shown_as = shown_as
        Consultation._kinds[of] = cls

    @staticmethod
    def of(
        model: Model, known: Any = None, *, unavailable: Iterable[str] = (), **options: Any
    ) -> Consultation:
        """Start the consultation of a model.

        Parameters
        ----------
        model : Tree, Panel, Booster or Cascade
            The model to ask.
        known : mapping from names to values, optional
            What is known already, free of charge.
        unavailable : list of names, optional
            Tests that cannot be had; they are not asked for.
        **options
            ``budget``, the most that the case may cost; for a tree also ``strategy``, which tests are run
            together.

        Examples
        --------
        >>> import thriftwood as tw
        >>> golf = tw.load_dataset("golf-nominal")
        >>> tree = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y).tree_
        >>> tw.Consultation.of(tree, budget=4).answer("Rain")
        <Consultation: finished, answer Yes, bill 4, stopped by budget>
        """
        start: Any = next((own for kind, own in Consultation._kinds.items() if isinstance(model, kind)), None)
        if start is None:
            raise TypeError(
                f"A consultation asks a Tree, a Panel, a Booster or a Cascade. Got {type(model).__name__}. "
                "Of a fitted estimator use its own consult()."
            )
        consultation: Consultation = start(model, known, unavailable, **options)
        return consultation

    _answers: list[Answer]
    _known: dict[int, float]
    _may_buy: bool  # False if the upfront price exceeds the budget
    _budget: Budget
    _open: list[Purchase]  # what is asked for now

    def __init__(self, asking: Model, known: Any, unavailable: Iterable[str], budget: float | None) -> None:
        if not _BUDGET.accepts(budget):
            raise parameter_error("consult", "budget", budget, _BUDGET)
        self.budget = math.inf if budget is None else float(budget)
        self.asking = asking
        self._values = GivenValues(asking)
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
        return tuple(self.asking.feature_names[purchase.asks] for purchase in self._open)

    @property
    def next_test(self) -> str | None:
        """The test to run now, of a batch the first one not yet answered; None when finished."""
        return self.next_tests[0] if self._open else None

    @property
    def price(self) -> float:
        """What the next tests cost now, with everything that is ordered with them; 0 when finished.

        A batch is paid with its first answer: the rest of it costs nothing more.
        """
        return self._budget.price(self._ordered)

    @property
    def ordered_with(self) -> tuple[str, ...]:
        """The tests ordered, and paid, together with the next tests because an answer is delayed."""
        asked = {purchase.asks for purchase in self._open}
        return tuple(self.asking.feature_names[test] for test in self._ordered if test not in asked)

    @property
    def choices(self) -> tuple[Any, ...] | None:
        """The categories the next test can answer with; None for a number, or when finished."""
        if not self._open:
            return None
        column = self.asking.columns[self._open[0].asks]
        return None if column.kind is Kind.NUMERIC else column.categories

    def answer(self, value: Any, *, allow_unseen: bool = False) -> Self:
        """Give the value of the next test, or those of several tests of a batch.

        Parameters
        ----------
        value : object
            A number or a category; None or NaN when it is not available. For several tests of `next_tests`,
            a mapping from names to such values; those left out are still asked for.
        allow_unseen : bool
            Whether a category that is not among `choices` is taken as it is in a table: as one that was
            never seen. Otherwise it is an error, since most such values are slips.
        """
        if not self._open:
            raise ValueError("Nothing more is asked: the consultation is finished. See .result.")
        named = list(named_values(value)) if maps_names(value) else [(self.next_tests[0], value)]
        if not named:
            raise ValueError(f"No answer was given. Tests asked for: {list_text(self.next_tests)}.")
        answers: dict[int, Answer] = {}
        for name, one in named:  # all are read before any is taken: a slip changes nothing
            feature = self._values.feature(name)
            if name not in self.next_tests:
                raise ValueError(f"{name!r} is not asked for now. Asked for: {list_text(self.next_tests)}.")
            code = self._values.code(feature, one, allow_unseen=allow_unseen)
            answers[feature] = Answer(feature, code, not is_missing(one))
        for answer in answers.values():
            self._take(answer)
        return self

    def take(self, answer: Answer) -> Self:
        """Take an answer that is encoded, to a test that is asked for; for programs that ask many cases."""
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
        return self._budget.spent

    @property
    def bought(self) -> list[tuple[str, float]]:
        """What was bought so far, in order: (test, price)."""
        return [(self.asking.feature_names[test], price) for test, price in self._budget.bought]

    @property
    @abstractmethod
    def stopped(self) -> str | None:
        """Why the case ended early; None if it did not, or has not ended."""

    @property
    @abstractmethod
    def probabilities(self) -> dict[Any, float]:
        """Class -> share where the case stands now; an error if the answers are numbers."""

    @property
    def confidence(self) -> Confidence | None:
        """How sure the answer is, smoothed for people, and the number of training cases it rests on.

        Of a single tree for classes; None for others, and until the consultation is finished.
        """
        return None

    @property
    @abstractmethod
    def why(self) -> str:
        """The way the case took, in words."""

    @property
    def result(self) -> Any:
        """The answer; an error until the consultation is finished."""
        if self._open:
            raise ValueError(
                f"The consultation is not finished: it asks for {self.next_test!r}. Give its value to "
                "answer(), or answer(None) if it is not available."
            )
        return self._result()

    def __repr__(self) -> str:
        name, bill = self._shown_as or type(self).__name__, f"bill {amount_text(self.bill)}"
        if self.finished:
            stopped = f", stopped by {self.stopped}" if self.stopped else ""
            return f"<{name}: finished, answer {self._result_text()}, {bill}{stopped}>"
        tests = f"next test{'s' if len(self._open) > 1 else ''} {list_text(self.next_tests)}"
        with_it = f" with {list_text(self.ordered_with)}" if self.ordered_with else ""
        return f"<{name}: {tests}{with_it} for {amount_text(self.price)}, {bill}>"

    # How it moves

    @abstractmethod
    def _look(self) -> None:
        """Walk on as far as what is known leads, and set what is open now."""

    @abstractmethod
    def _result(self) -> Any:
        """Give the answer, now that nothing is open."""

    def _result_text(self) -> str:
        return category_text(self.result)

    def _restart(self) -> None:
        self._answers, self._known = [], dict(self._given)
        till = _core.Till(self.asking.prices)
        till.give(list(self._given))
        self._budget, self._may_buy = Budget(till, self.budget), True
        if till.upfront:
            everything = self.asking.tests.tolist()
            self._may_buy = self._budget.allows([Purchase(-1, tuple(everything))])
            if self._may_buy:
                self._budget = self._budget.after(everything)
        self._look()

    def _take(self, answer: Answer) -> None:
        """Take the answer to the one test that is open, and go on."""
        self._note(answer)
        self._budget = self._budget.settled({answer.feature: answer.available}, self._open)
        self._look()

    def _note(self, answer: Answer) -> None:
        self._answers.append(answer)
        self._known[answer.feature] = answer.code

    @property
    def _ordered(self) -> list[int]:
        """List the tests that the next answer will be charged for."""
        tests = dict.fromkeys(test for purchase in self._open for test in purchase.tests)
        return [test for test in tests if test not in self._known and not self._budget.has(test)]
