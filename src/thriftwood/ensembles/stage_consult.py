"""A consultation of a booster: one test at a time, until the answer is sure.

What is charged follows `thriftwood.tree.consult`: a test, or a shared step, is paid once, whichever stage
asks for it first; a delayed test is ordered with those below it in its stage; upfront payment buys all tests
of the booster before the first question. The walk is that of the core (`ask` in `core/boosting/booster.hpp`),
so the running bill is that of `thriftwood.evaluation.bill`, to the last test.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np

from thriftwood.costs import Costs
from thriftwood.ensembles.answers import cheapest
from thriftwood.table import MISSING, Kind
from thriftwood.table.values import is_missing
from thriftwood.tree.branches import LEAF, THRESHOLD
from thriftwood.tree.conditions import amount_text, category_text
from thriftwood.tree.given import GivenValues
from thriftwood.tree.parameters import Real, parameter_error
from thriftwood.tree.purse import Purchase, Purse

if TYPE_CHECKING:
    from thriftwood.ensembles.booster import Booster, Stage

_BUDGET = Real(0, none=True)


class _Answer(NamedTuple):
    feature: int
    code: float
    available: bool


class BoosterConsultation:
    """One case, asked test by test across the stages of a booster. Made by ``model.consult()``.

    While `finished` is False, run the test that `next_test` names and hand its value to `answer`.

    Parameters
    ----------
    booster : Booster
        Whom to ask.
    known : mapping from names to values, optional
        What is known already, free of charge.
    unavailable : list of names, optional
        Tests that cannot be had; they are not asked for.
    budget : float, optional
        The most that this case may cost. What would exceed it is not bought: the stages finished so far
        answer, and `stopped` says "budget".

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.CostGradientBoostingClassifier(costs=golf.costs, min_leaf_weight=2, stop=0.8)
    >>> case = model.fit(golf.X, golf.y).consult()
    >>> while not case.finished:
    ...     case = case.answer(golf.X.iloc[2][case.next_test])
    >>> case
    <BoosterConsultation: finished, answer Yes, bill 6.5, stopped by sure>
    """

    _answers: list[_Answer]
    _known: dict[int, float]
    _free: frozenset[int]  # what was known before the first question
    _purse: Purse
    _may_buy: bool  # False if the upfront price exceeds the budget
    _question: Purchase | None
    _stopped: Literal["sure", "budget"] | None
    _scores: list[float]
    consulted: int
    """How many stages have answered so far."""

    def __init__(
        self,
        booster: Booster,
        known: Any = None,
        unavailable: Iterable[str] = (),
        *,
        budget: float | None = None,
    ) -> None:
        if not _BUDGET.accepts(budget):
            raise parameter_error("consult", "budget", budget, _BUDGET)
        self.booster = booster
        self.budget = math.inf if budget is None else float(budget)
        self._costs = booster.costs or Costs()
        self._values = GivenValues(booster)
        self._given = self._values.at_start(known, unavailable)
        self._free = frozenset(self._values.at_start(known, ()))
        self._restart()

    # What to do next

    @property
    def finished(self) -> bool:
        """Whether nothing more is asked."""
        return self._question is None

    @property
    def next_test(self) -> str | None:
        """The test to run now; None when finished."""
        return None if self._question is None else self.booster.feature_names[self._question.asks]

    @property
    def next_tests(self) -> tuple[str, ...]:
        """The test to run now as a tuple; empty when finished."""
        return () if self.next_test is None else (self.next_test,)

    @property
    def price(self) -> float:
        """What the next test costs now, with everything that is ordered with it; 0 when finished."""
        return self._purse.price(self._ordered)

    @property
    def ordered_with(self) -> tuple[str, ...]:
        """The tests ordered, and paid, together with the next one because its answer is delayed."""
        return tuple(name for name in self._ordered if name != self.next_test)

    @property
    def choices(self) -> tuple[Any, ...] | None:
        """The categories the next test can answer with; None for a number, or when finished."""
        if self._question is None:
            return None
        column = self.booster.columns[self._question.asks]
        return None if column.kind is Kind.NUMERIC else column.categories

    def answer(self, value: Any, *, allow_unseen: bool = False) -> Self:
        """Give the value of the next test.

        Parameters
        ----------
        value : object
            A number or a category; None or NaN when it is not available.
        allow_unseen : bool
            Whether a category that is not among `choices` is taken as it is in a table: as one that the
            stages have never seen. Otherwise it is an error, since most such values are slips.
        """
        if self._question is None:
            raise ValueError("Nothing more is asked: the consultation is finished. See .result.")
        feature = self._question.asks
        code = self._values.code(feature, value, allow_unseen=allow_unseen)
        self._take(_Answer(feature, code, not is_missing(value)))
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
    def stopped(self) -> Literal["sure", "budget"] | None:
        """Why it ended before the last stage; None if it did not, or has not ended.

        "sure": the leader's share is enough. "budget": a test exceeds what is left of the budget.
        """
        return self._stopped

    @property
    def result(self) -> Any:
        """The answer; an error until the consultation is finished."""
        if self._question is not None:
            raise ValueError(
                f"The consultation is not finished: it asks for {self.next_test!r}. Give its value to "
                "answer(), or answer(None) if it is not available."
            )
        return self._leading

    @property
    def probabilities(self) -> dict[Any, float]:
        """Class -> share, by the stages that have answered so far."""
        return dict(zip(self.booster.classes.tolist(), _shares(self._scores), strict=True))

    @property
    def why(self) -> str:
        """How far the case came, and why it ended there."""
        share = self.probabilities[self._leading]
        leader = f"{category_text(self._leading)} has {100 * share:.3g}%"
        after = f"after {self.consulted} of {self.booster.n_stages} stages {leader}"
        if self._question is not None:
            return f"{after}: asks {category_text(self.next_test)}"
        if self._stopped == "sure":
            return f"{after}, and {100 * self.booster.threshold:.3g}% is enough"
        return f"{after}: the next test exceeds the budget" if self._stopped else after

    def __repr__(self) -> str:
        bill = f"bill {amount_text(self.bill)}"
        if self.finished:
            stopped = f", stopped by {self.stopped}" if self.stopped else ""
            return f"<BoosterConsultation: finished, answer {category_text(self.result)}, {bill}{stopped}>"
        return f"<BoosterConsultation: next test {self.next_test} for {amount_text(self.price)}, {bill}>"

    # How it moves

    def _restart(self) -> None:
        self._answers, self._known = [], dict(self._given)
        self._purse, self._may_buy = Purse(self._costs, self.budget), True
        if self._costs.payment == "upfront":
            index = self.booster.feature_index
            unknown = [name for name in self.booster.features_used if index[name] not in self._known]
            self._may_buy = self._purse.allows([Purchase(-1, tuple(unknown))])
            if self._may_buy:
                self._purse = self._purse.after(unknown)
        self._look()

    def _take(self, answer: _Answer) -> None:
        assert self._question is not None  # answers are given to questions
        self._answers.append(answer)
        self._known[answer.feature] = answer.code
        paid = self._question.names if answer.available or self._costs.charge_missing else ()
        names = self.booster.feature_names
        purse = self._purse.after(paid)
        self._purse = purse.settled({names[one.feature]: one.available for one in self._answers})
        self._look()

    def _look(self) -> None:
        """Walk as far as what is known leads, from the first stage on: the core's `ask`."""
        booster = self.booster
        may_stop = booster.stop is not None and self._costs.payment != "upfront"
        self._scores, self._question, self._stopped = list(booster.core.start), None, None
        had = set(self._free)
        for number, stage in enumerate(booster.stages):
            self.consulted, node = number, 0
            while stage.kind[node] != LEAF:
                feature = stage.feature[node]
                if feature not in had:
                    if may_stop and max(_shares(self._scores)) >= booster.threshold:
                        self._stopped = "sure"
                        return
                    had.update([feature] if self._cannot_be_had(feature) else self._ordered_at(stage, node))
                if feature not in self._known:
                    self._ask(stage, node)
                    return
                node = stage.first_child[node] + _branch(stage, node, self._known[feature])
            self._scores = [score + step for score, step in zip(self._scores, stage.steps[node], strict=True)]
        self.consulted = booster.n_stages

    def _cannot_be_had(self, feature: int) -> bool:
        """Tell whether a test orders nothing, because it is known to have no answer and so is not charged."""
        if self._costs.charge_missing or feature not in self._known:
            return False
        code, column = self._known[feature], self.booster.columns[feature]
        return math.isnan(code) if column.kind is Kind.NUMERIC else code == MISSING

    def _ask(self, stage: Stage, node: int) -> None:
        """Put the question of a node; a test that was bought with another brings nothing along."""
        names, feature = self.booster.feature_names, stage.feature[node]
        ordered = [] if self._purse.owns(names[feature]) else self._ordered_at(stage, node)
        purchase = Purchase(feature, tuple(names[one] for one in ordered if one not in self._known))
        if self._may_buy and self._purse.allows([purchase]):
            self._question = purchase
        else:
            self._stopped = "budget"

    def _ordered_at(self, stage: Stage, start: int) -> list[int]:
        """List the tests that are ordered at a node: its own, and with a delayed one those below it."""
        test = self._costs.tests.get(self.booster.feature_names[stage.feature[start]])
        if test is None or not test.delayed:
            return [stage.feature[start]]
        found: dict[int, None] = {}
        nodes = [start]
        while nodes:
            node = nodes.pop()
            if stage.kind[node] != LEAF:
                found[stage.feature[node]] = None
                nodes += [stage.first_child[node] + 1, stage.first_child[node]]
        return list(found)

    @property
    def _leading(self) -> Any:
        shares = np.array([_shares(self._scores)])
        return self.booster.classes.tolist()[int(cheapest(shares, self.booster.loss)[0])]

    @property
    def _ordered(self) -> list[str]:
        """Name what the next answer will be charged for."""
        names = () if self._question is None else self._question.names
        return [name for name in names if not self._purse.owns(name)]


def _shares(scores: list[float]) -> list[float]:
    """Turn scores into shares, in the core's order of operations."""
    top = max(scores)
    raised = [math.exp(score - top) for score in scores]
    total = 0.0
    for one in raised:
        total += one
    return [one / total for one in raised]


def _branch(stage: Stage, node: int, value: float) -> int:
    """Give the branch that a case with this value takes."""
    if stage.kind[node] == THRESHOLD:
        return stage.missing_route[node] if math.isnan(value) else int(value > stage.threshold[node])
    code = int(value)
    if code < 0:
        return stage.missing_route[node] if code == MISSING else stage.unseen_route[node]
    branch = stage.branch_map[stage.map_offset[node] + code]
    return stage.missing_route[node] if branch < 0 else branch
