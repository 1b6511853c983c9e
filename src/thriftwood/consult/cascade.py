"""A consultation of a cascade: the tests of a stage together, then the next stage if the answer is in doubt.

What is charged follows `thriftwood.consult.tree`: a stage is a batch, which is charged as a whole with its
first answer; a stage with a delayed test is ordered together with the later ones; upfront payment buys the
tests of all stages before the first question. So the running bill is that of `thriftwood.evaluation.bill`, to
the last test.

A budget that a stage would exceed ends the case: the card of the stage before answers, or that of the first
stage with all its unknown values missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np

from thriftwood.base.number_texts import rounded_text
from thriftwood.consult.budget import Budget, Purchase
from thriftwood.consult.consultation import Answer, Consultation
from thriftwood.models.cascade import Cascade
from thriftwood.models.ledger import FloatArray
from thriftwood.models.model import FREE
from thriftwood.models.tree.conditions import category_text
from thriftwood.table import Kind


class Counted(NamedTuple):
    """What a card says of the case."""

    stage: int
    scores: FloatArray
    shares: FloatArray
    expected: FloatArray
    """What each answer is expected to cost."""

    @property
    def answer(self) -> int:
        """The number of the answer that is expected to cost least."""
        return int(self.expected.argmin())

    @property
    def cost(self) -> float:
        """What that answer is expected to cost."""
        return float(self.expected.min())


class CascadeConsultation(Consultation, of=Cascade):
    """One case, asked stage by stage. Made by ``cascade.consult()`` or ``model.consult()``.

    While `finished` is False, run the tests that `next_tests` names, the batch of a stage, and hand their
    values to `answer`: one at a time, in this order, or several by name.

    Parameters
    ----------
    cascade : Cascade
        The model to ask.
    known : mapping from names to values, optional
        What is known already, free of charge.
    unavailable : list of names, optional
        Tests that cannot be had; they are not asked for.
    budget : float, optional
        The most that this case may cost. A stage that would exceed it is not bought: the stages bought so far
        answer, and `stopped` says "budget".

    Examples
    --------
    >>> import thriftwood as tw
    >>> table = tw.load_dataset("wisconsin-diagnostic")
    >>> model = tw.ThriftClassifier(table.costs, leaves="score").fit(table.X, table.y)
    >>> case = model.consult()
    >>> while not case.finished:
    ...     case = case.answer({name: table.X.iloc[0][name] for name in case.next_tests})
    >>> case.result, case.bill == tw.bill(model, table.X[:1]).total_test_cost
    ('malignant', True)
    """

    consulted: int
    """How many stages have been bought so far."""
    _before: Budget  # when the stage was begun
    _batch: tuple[Purchase, ...]  # charged with its first answer
    _counted: list[Counted]  # by the cards so far
    _stopped: Literal["sure", "budget"] | None

    def __init__(
        self,
        cascade: Cascade,
        known: Any = None,
        unavailable: Iterable[str] = (),
        *,
        budget: float | None = None,
    ) -> None:
        self.cascade = cascade
        super().__init__(cascade, known, unavailable, budget)

    # Where it stands

    @property
    def stopped(self) -> Literal["sure", "budget"] | None:
        """Why it ended before the last stage; None if it did not, or has not ended.

        "sure": the answer is expected to cost little enough. "budget": a stage exceeds what is left of the
        budget.
        """
        return None if self._open else self._stopped

    @property
    def probabilities(self) -> dict[Any, float]:
        """Class -> chance by the card of the last stage that was bought; before that, by the first card."""
        return dict(zip(self.cascade.classes.tolist(), self._last.shares.tolist(), strict=True))

    @property
    def why(self) -> str:
        """What each card so far came to, a line each, and why the case went on or ended there."""
        lines = [self._line(counted) for counted in self._counted]
        if self._open:
            lines.append(f"asks {', '.join(map(category_text, self.next_tests))}")
        elif self._stopped == "budget":
            refused = f"stage {self.consulted + 1} exceeds the budget, so {self._result_text()}"
            lines.append(refused if self._counted else f"{self._line(self._last)}; {refused}")
        return "\n".join(lines)

    def _line(self, counted: Counted) -> str:
        stop = self.cascade.stages[counted.stage].stop
        answer = category_text(self._answer_of(counted))
        said = f"stage {counted.stage + 1}: {self._scores(counted)}: {answer} is expected to cost "
        cost = rounded_text(counted.cost)
        if np.isinf(stop):
            return f"{said}least, {cost}, so {answer}"
        if counted.cost <= stop:
            return f"{said}{cost} <= {rounded_text(stop)}, so {answer}"
        return f"{said}{cost} > {rounded_text(stop)}"

    def _scores(self, counted: Counted) -> str:
        """Print the score, and where it comes from; of more than two classes the score of each."""
        cascade, card = self.cascade, self.cascade.stages[counted.stage].card
        if len(counted.scores) > 1:
            names = map(category_text, cascade.classes.tolist())
            pairs = zip(names, counted.scores.tolist(), strict=True)
            return "scores " + ", ".join(f"{name} {_points(score)}" for name, score in pairs)
        parts = [
            f"{category_text(cascade.feature_names[entry.feature])} {_points(points, '+')}"
            for entry, points in zip(card.entries, self._points(counted.stage), strict=True)
        ]
        began = f" ({_points(card.base[0])}, {', '.join(parts)})" if parts else ""
        return f"score {_points(counted.scores.item())}{began}"

    # How it moves

    def _restart(self) -> None:
        self._counted, self._stopped, self._batch, self.consulted = [], None, (), 0
        super()._restart()

    def _take(self, answer: Answer) -> None:
        self._open = [purchase for purchase in self._open if purchase.asks != answer.feature]
        self._note(answer)
        answers = {one.feature: one.available for one in self._answers}
        self._budget = self._before.settled(answers, self._batch)
        if not self._open:
            self._look()

    def _look(self) -> None:
        """Go on from stage to stage as far as what is known leads."""
        while True:
            self._before, self._batch = self._budget, self._purchases()
            if self._batch and not (self._may_buy and self._budget.allows(self._batch)):
                self._stopped, self._batch = "budget", ()
            self._open = list(self._batch)
            if self._batch or self._stopped:
                return
            counted = self._count(self.consulted)
            self._counted.append(counted)
            self.consulted += 1
            if counted.cost <= self.cascade.stages[counted.stage].stop:
                self._stopped = "sure" if self.consulted < len(self.cascade.stages) else None
                return

    def _purchases(self) -> tuple[Purchase, ...]:
        """List what the stage asks for; what was ordered before brings nothing along."""
        cascade, stages = self.cascade, self.cascade.stages
        costs = cascade.costs or FREE
        tests = stages[self.consulted].tests
        later = [test for stage in stages[self.consulted + 1 :] for test in stage.tests]
        found = []
        for place, test in enumerate(tests):
            if test in self._known:
                continue
            ordered = (test, *tests[place + 1 :], *later) if cascade.delays(test, costs) else (test,)
            paid = self._budget.has(test) or self._budget.till.upfront
            found.append(Purchase(test, () if paid else tuple(t for t in ordered if t not in self._known)))
        return tuple(found)

    # What the cards say

    @property
    def _last(self) -> Counted:
        return self._counted[-1] if self._counted else self._count(0)

    def _points(self, stage: int) -> list[float]:
        """Return what each entry of a card of one score adds; unknown values are missing ones."""
        card = self.cascade.stages[stage].card
        return [entry.of(self._column(entry.feature)).item() for entry in card.entries]

    def _column(self, feature: int) -> Any:
        column = self.cascade.columns[feature]
        code = self._known.get(feature, column.encode(None))
        return np.array([code], dtype=np.int32 if column.kind is Kind.NOMINAL else np.float64)

    def _count(self, stage: int) -> Counted:
        card = self.cascade.stages[stage].card
        columns = [self._column(entry.feature) for entry in card.entries]
        scores = card.scores(columns)
        shares = card.shares(columns)
        return Counted(stage, scores[0], shares[0], self.cascade.expected(shares)[0])

    def _result(self) -> Any:
        return self._answer_of(self._last)

    def _answer_of(self, counted: Counted) -> Any:
        return [*self.cascade.classes.tolist(), *self.cascade.further][counted.answer]


def _points(points: float, sign: str = "") -> str:
    """Print points for a reader: one decimal, if any."""
    return f"{points:{sign}.1f}".removesuffix(".0")
