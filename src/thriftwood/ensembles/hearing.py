"""A consultation of several trees: one test at a time, each asked and paid once.

What is charged follows `thriftwood.tree.consult`, with one basket for all trees: a test, or a resource, that
one tree had is free for the next. Trees are asked one after the other, and only those whose answer is needed;
in a tree the questions come in the order of its branches. So the running bill is that of
`thriftwood.evaluation.bill`, to the last test.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from thriftwood.costs import Costs
from thriftwood.ensembles.meeting import Chair, Said, Vote
from thriftwood.table import Kind
from thriftwood.table.values import is_missing
from thriftwood.tree.conditions import amount_text, category_text
from thriftwood.tree.explaining import why
from thriftwood.tree.given import GivenValues
from thriftwood.tree.parameters import Real, parameter_error
from thriftwood.tree.purse import Purchase, Purse
from thriftwood.tree.strategies import Refusal, Standing
from thriftwood.tree.structure import Tree
from thriftwood.tree.walking import Ending, endings

if TYPE_CHECKING:
    from thriftwood.ensembles.panel import Panel

_BUDGET = Real(0, none=True)


class _Answer(NamedTuple):
    feature: int
    code: float
    available: bool


class PanelConsultation:
    """One case, asked test by test across the trees of a panel. Made by ``panel.consult()``.

    While `finished` is False, run the test that `next_test` names and hand its value to `answer`.

    Parameters
    ----------
    panel : Panel
        Whom to ask.
    known : mapping from names to values, optional
        What is known already, free of charge.
    unavailable : list of names, optional
        Tests that cannot be had; they are not asked for.
    budget : float, optional
        The most that this case may cost. A tree whose test would exceed it ends where it stands.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.algorithm("boosting", costs=golf.costs, rounds=3).fit(golf.X, golf.y)
    >>> case = model.consult()
    >>> while not case.finished:
    ...     case = case.answer(golf.X.iloc[0][case.next_test])
    >>> case.result, [name for name, price in case.bought], case.bill
    ('No', ['Wind', 'Humidity', 'Outlook'], 6.5)
    """

    said: list[Said]
    """What the members asked so far said, in order."""

    _answers: list[_Answer]
    _known: dict[int, float]
    _purse: Purse
    _may_buy: bool  # False if the upfront price exceeds the budget
    _question: Purchase | None
    _standing: tuple[Tree, list[Ending]] | None  # of the member that is being asked
    _hearing: Generator[Purchase, None, tuple[int, list[float], str]]
    _verdict: tuple[int, list[float], str]  # once there is no question

    def __init__(
        self,
        panel: Panel,
        known: Any = None,
        unavailable: Iterable[str] = (),
        *,
        budget: float | None = None,
    ) -> None:
        if not _BUDGET.accepts(budget):
            raise parameter_error("consult", "budget", budget, _BUDGET)
        self.panel = panel
        self.budget = math.inf if budget is None else float(budget)
        self._costs = panel.costs or Costs()
        self._values = GivenValues(panel.members[0])
        self._given = self._values.at_start(known, unavailable)
        self._restart()

    # What to do next

    @property
    def finished(self) -> bool:
        """Whether nothing more is asked."""
        return self._question is None

    @property
    def next_test(self) -> str | None:
        """The test to run now; None when finished."""
        return None if self._question is None else self.panel.feature_names[self._question.asks]

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
        column = self.panel.members[0].columns[self._question.asks]
        return None if column.kind is Kind.NUMERIC else column.categories

    def answer(self, value: Any, *, allow_unseen: bool = False) -> Self:
        """Give the value of the next test.

        Parameters
        ----------
        value : object
            A number or a category; None or NaN when it is not available.
        allow_unseen : bool
            Whether a category that is not among `choices` is taken as it is in a table: as one that the trees
            have never seen. Otherwise it is an error, since most such values are slips.
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
    def consulted(self) -> tuple[str, ...]:
        """The trees that have answered so far, in order."""
        return tuple(self.panel.names[said.member] for said in self.said)

    @property
    def stopped(self) -> Literal["budget"] | None:
        """Whether a tree ended before a leaf, because a test exceeds what is left of the budget."""
        return "budget" if any(said.refused for said in self.said) else None

    @property
    def result(self) -> Any:
        """The answer; an error until the consultation is finished."""
        if self._question is not None:
            raise ValueError(
                f"The consultation is not finished: it asks for {self.next_test!r}. Give its value to "
                "answer(), or answer(None) if it is not available."
            )
        return self.panel.classes.tolist()[self._verdict[0]]

    @property
    def probabilities(self) -> dict[Any, float]:
        """Class -> share in what was decided, or so far: in the votes cast, where the first tree stands."""
        return dict(zip(self.panel.classes.tolist(), self._shares(), strict=True))

    @property
    def why(self) -> str:
        """What each tree asked so far said, and the way the case took through it, a line each."""
        lines = [f"{self.panel.names[said.member]}: {line}" for said in self.said for line in [said.why]]
        return "\n".join(lines if self._question is not None else [*lines, self._verdict[2]])

    def __repr__(self) -> str:
        bill = f"bill {amount_text(self.bill)}"
        if self.finished:
            stopped = f", stopped by {self.stopped}" if self.stopped else ""
            return f"<PanelConsultation: finished, answer {category_text(self.result)}, {bill}{stopped}>"
        return f"<PanelConsultation: next test {self.next_test} for {amount_text(self.price)}, {bill}>"

    # How it moves

    def _restart(self) -> None:
        self.said, self._answers, self._known = [], [], dict(self._given)
        self._purse, self._may_buy, self._standing = Purse(self._costs, self.budget), True, None
        if self._costs.payment == "upfront":
            index = self.panel.members[0].feature_index
            unknown = [name for name in self.panel.features_used if index[name] not in self._known]
            self._may_buy = self._purse.allows([Purchase(-1, tuple(unknown))])
            if self._may_buy:
                self._purse = self._purse.after(unknown)
        self._hearing = self._heard()
        self._go_on()

    def _take(self, answer: _Answer) -> None:
        question = self._question
        assert question is not None  # `answer` asks
        self._answers.append(answer)
        self._known[answer.feature] = answer.code
        charged = answer.available or self._costs.charge_missing
        paid = self._purse.after(question.names if charged else ())
        names = self.panel.feature_names
        self._purse = paid.settled({names[one.feature]: one.available for one in self._answers})
        self._go_on()

    def _go_on(self) -> None:
        try:
            self._question = next(self._hearing)
        except StopIteration as end:
            self._question, self._verdict = None, end.value

    def _heard(self) -> Generator[Purchase, None, tuple[int, list[float], str]]:
        rule = self.panel.rule
        return (yield from self._chaired(rule) if isinstance(rule, Chair) else self._voted(rule))

    def _voted(self, rule: Vote) -> Generator[Purchase, None, tuple[int, list[float], str]]:
        for done in range(1, len(self.panel.members) + 1):
            self.said.append((yield from self._consult(done - 1)))
            if rule.short_cut and rule.decided(rule.cast(self.said, len(self.panel.classes)), done):
                break
        cast = rule.cast(self.said, len(self.panel.classes))
        answer = rule.answer(cast)
        total = sum(rule.say[: len(self.said)])
        votes = amount_text(cast[answer]) + " of " + amount_text(total)
        name = category_text(self.panel.classes.tolist()[answer])
        return answer, [min(1.0, one / total) for one in cast], f"say of {name}: {votes}"

    def _chaired(self, chair: Chair) -> Generator[Purchase, None, tuple[int, list[float], str]]:
        told: dict[int, float] = {}
        while (asked := next((e for e in endings(chair.tree, told) if e.asks >= 0), None)) is not None:
            said = yield from self._consult(chair.member[asked.asks])
            self.said.append(said)
            told |= {
                column: said.label if of < 0 else said.shares[of]
                for column, (member, of) in enumerate(zip(chair.member, chair.share_of, strict=True))
                if member == said.member
            }
        ends = endings(chair.tree, told)
        return _label(chair.tree, ends), _shares(chair.tree, ends), why(chair.tree, told, ends)

    def _consult(self, member: int) -> Generator[Purchase, None, Said]:
        """Ask a member: its questions in the order of the branches, as far as the budget goes."""
        tree = self.panel.members[member]
        while True:
            found = endings(tree, self._known)
            self._standing = tree, found
            at = Standing(tree, self._known, self._purse, found)
            open_ones = (self._purchase(at, question) for question in at.questions)
            purchase = next((one for one in open_ones if self._may_buy and self._purse.allows([one])), None)
            if purchase is None:
                break
            yield purchase
        refused: Mapping[int, Refusal] = dict.fromkeys((end.node for end in at.questions), "budget")
        return Said(
            member,
            _label(tree, found),
            _shares(tree, found),
            why(tree, self._known, found, refused),
            bool(refused),
        )

    def _purchase(self, at: Standing, question: Ending) -> Purchase:
        """Say what is bought with an answer; a test that another tree has ordered brings nothing along."""
        owned = self._purse.owns(self.panel.feature_names[question.asks])
        return Purchase(question.asks) if owned else at.purchase(question)

    # What was said

    def _shares(self) -> list[float]:
        if self._question is None:
            return self._verdict[1]
        rule = self.panel.rule
        if isinstance(rule, Vote) and self.said:
            total = sum(rule.say[: len(self.said)])
            return [min(1.0, one / total) for one in rule.cast(self.said, len(self.panel.classes))]
        assert self._standing is not None  # there is a question, so somebody asked it
        return _shares(*self._standing)

    @property
    def _ordered(self) -> list[str]:
        """Name what the next answer will be charged for."""
        names = () if self._question is None else self._question.names
        index = self.panel.members[0].feature_index
        return [name for name in names if index[name] not in self._known and not self._purse.owns(name)]


def _label(tree: Tree, ends: list[Ending]) -> int:
    if len(ends) == 1:
        return tree.flat.label[ends[0].node]
    return tree.core.cheapest_answer(_shares(tree, ends))


def _shares(tree: Tree, ends: list[Ending]) -> list[float]:
    totals = [0.0] * tree.core.width
    for end in ends:
        totals = [
            total + end.share * share for total, share in zip(totals, tree.shares(end.node), strict=True)
        ]
    return [min(share, 1.0) for share in totals]  # as the core does
