"""A consultation of several trees: one test at a time, each asked and paid once.

What is charged follows `thriftwood.consult.tree`, with one basket for all trees: a test, or a resource, that
one tree had is free for the next. Trees are asked one after the other, and only those whose answer is needed;
in a tree the questions come in the order of its branches. So the running bill is that of
`thriftwood.evaluation.bill`, to the last test.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any, Literal

from thriftwood.base.number_texts import amount_text
from thriftwood.consult.budget import Purchase
from thriftwood.consult.consultation import Consultation
from thriftwood.consult.explaining import why
from thriftwood.consult.strategies import CaseState, Refusal
from thriftwood.models.panel import Panel
from thriftwood.models.tree.conditions import category_text
from thriftwood.models.tree.tree import Tree
from thriftwood.models.tree.walk import Ending, endings
from thriftwood.models.voting import MemberAnswer, StackedTree, Vote


class PanelConsultation(Consultation, of=Panel):
    """One case, asked test by test across the trees of a panel. Made by ``panel.consult()``.

    While `finished` is False, run the test that `next_test` names and hand its value to `answer`.

    Parameters
    ----------
    panel : Panel
        The model to ask.
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
    >>> base = tw.algorithm("lasc", max_depth=1)
    >>> model = tw.algorithm("boosting", estimator=base, costs=golf.costs, rounds=3).fit(golf.X, golf.y)
    >>> case = model.consult()
    >>> while not case.finished:
    ...     case = case.answer(golf.X.iloc[0][case.next_test])
    >>> case.result, [name for name, price in case.bought], case.bill
    ('No', ['Wind', 'Humidity', 'Outlook'], 6.5)
    """

    said: list[MemberAnswer]
    """The answers of the members asked so far, in order."""

    _asked_now: tuple[Tree, list[Ending]] | None  # of the member that is being asked
    _asking: Generator[Purchase, None, tuple[int, list[float], str]]
    _verdict: tuple[int, list[float], str]  # once there is no question

    def __init__(
        self,
        panel: Panel,
        known: Any = None,
        unavailable: Iterable[str] = (),
        *,
        budget: float | None = None,
    ) -> None:
        self.panel = panel
        super().__init__(panel, known, unavailable, budget)

    # Where it stands

    @property
    def consulted(self) -> tuple[str, ...]:
        """The trees that have answered so far, in order."""
        return tuple(self.panel.names[said.member] for said in self.said)

    @property
    def stopped(self) -> Literal["budget"] | None:
        """Whether a tree ended before a leaf, because a test exceeds what is left of the budget."""
        return "budget" if any(said.refused for said in self.said) else None

    @property
    def probabilities(self) -> dict[Any, float]:
        """Class -> share in what was decided, or so far: in the votes cast, where the first tree stands."""
        return dict(zip(self.panel.classes.tolist(), self._shares(), strict=True))

    @property
    def heard(self) -> str:
        """What each tree asked so far said, and the way the case took through it, a line each."""
        return "\n".join(f"{self.panel.names[said.member]}: {said.why}" for said in self.said)

    @property
    def verdict(self) -> str | None:
        """How what the trees said was made an answer: the votes, or the way through the tree that decides.

        None until the consultation is finished.
        """
        return None if self._open else self._verdict[2]

    @property
    def why(self) -> str:
        """What each tree asked so far said, and how that was made an answer."""
        return "\n".join(filter(None, (self.heard, self.verdict)))

    # How it moves

    def _restart(self) -> None:
        self.said, self._asked_now, self._asking = [], None, self._ask_members()
        super()._restart()

    def _look(self) -> None:
        try:
            self._open = [next(self._asking)]
        except StopIteration as end:
            self._open, self._verdict = [], end.value

    def _ask_members(self) -> Generator[Purchase, None, tuple[int, list[float], str]]:
        rule = self.panel.rule
        return (
            yield from self._by_stacked_tree(rule) if isinstance(rule, StackedTree) else self._voted(rule)
        )

    def _voted(self, rule: Vote) -> Generator[Purchase, None, tuple[int, list[float], str]]:
        for done in range(1, len(self.panel.members) + 1):
            self.said.append((yield from self._consult(done - 1)))
            if rule.short_cut and rule.decided(rule.cast(self.said, len(self.panel.classes)), done):
                break
        cast = rule.cast(self.said, len(self.panel.classes))
        answer = rule.answer(cast)
        total = sum(rule.vote_weights[: len(self.said)])
        votes = amount_text(cast[answer]) + " of " + amount_text(total)
        name = category_text(self.panel.classes.tolist()[answer])
        return answer, [min(1.0, one / total) for one in cast], f"votes of {name}: {votes}"

    def _by_stacked_tree(self, upper: StackedTree) -> Generator[Purchase, None, tuple[int, list[float], str]]:
        told: dict[int, float] = {}
        while (asked := next((e for e in endings(upper.tree, told) if e.asks >= 0), None)) is not None:
            said = yield from self._consult(upper.member[asked.asks])
            self.said.append(said)
            told |= {
                column: said.label if of < 0 else said.shares[of]
                for column, (member, of) in enumerate(zip(upper.member, upper.share_of, strict=True))
                if member == said.member
            }
        ends = endings(upper.tree, told)
        return _label(upper.tree, ends), _shares(upper.tree, ends), why(upper.tree, told, ends)

    def _consult(self, member: int) -> Generator[Purchase, None, MemberAnswer]:
        """Ask a member: its questions in the order of the branches, as far as the budget goes."""
        tree = self.panel.members[member]
        while True:
            found = endings(tree, self._known)
            self._asked_now = tree, found
            at = CaseState(tree, self._known, self._budget, found)
            open_ones = (self._purchase(at, question) for question in at.questions)
            purchase = next((one for one in open_ones if self._may_buy and self._budget.allows([one])), None)
            if purchase is None:
                break
            yield purchase
        refused: Mapping[int, Refusal] = dict.fromkeys((end.node for end in at.questions), "budget")
        return MemberAnswer(
            member,
            _label(tree, found),
            _shares(tree, found),
            why(tree, self._known, found, refused),
            bool(refused),
        )

    def _purchase(self, at: CaseState, question: Ending) -> Purchase:
        """Say what is bought with an answer; a test that another tree has ordered brings nothing along."""
        return Purchase(question.asks) if self._budget.has(question.asks) else at.purchase(question)

    # What was answered

    def _result(self) -> Any:
        return self.panel.classes.tolist()[self._verdict[0]]

    def _shares(self) -> list[float]:
        if self.finished:
            return self._verdict[1]
        rule = self.panel.rule
        if isinstance(rule, Vote) and self.said:
            total = sum(rule.vote_weights[: len(self.said)])
            return [min(1.0, one / total) for one in rule.cast(self.said, len(self.panel.classes))]
        assert self._asked_now is not None  # there is a question, so some member asked it
        return _shares(*self._asked_now)


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
