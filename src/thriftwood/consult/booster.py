"""A consultation of a booster: one test at a time, until the answer is sure.

What is charged follows `thriftwood.consult.tree`: a test, or a shared step, is paid once, whichever stage
asks for it first; a delayed test is ordered with those below it in its stage; upfront payment buys all tests
of the booster before the first question. The walk is that of the core (`ask` in `core/boosting/asking.hpp`),
so the running bill is that of `thriftwood.evaluation.bill`, to the last test.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

from thriftwood import _core
from thriftwood.consult.budget import Purchase
from thriftwood.consult.consultation import Consultation
from thriftwood.consult.given import GivenValues
from thriftwood.costs.answers import cheapest
from thriftwood.models.booster import Booster, Stage
from thriftwood.models.tree.branches import LEAF, THRESHOLD
from thriftwood.models.tree.conditions import category_text
from thriftwood.table import MISSING


class BoosterConsultation(Consultation, of=Booster):
    """One case, asked test by test across the stages of a booster. Made by ``model.consult()``.

    While `finished` is False, run the test that `next_test` names and hand its value to `answer`.

    Parameters
    ----------
    booster : Booster
        The model to ask.
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

    _free: frozenset[int]  # what was known before the first question
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
        self.booster = booster
        self._free = frozenset(GivenValues(booster).at_start(known, ()))
        super().__init__(booster, known, unavailable, budget)

    # Where it stands

    @property
    def stopped(self) -> Literal["sure", "budget"] | None:
        """Why it ended before the last stage; None if it did not, or has not ended.

        "sure": the leader's share is enough. "budget": a test exceeds what is left of the budget.
        """
        return self._stopped

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
        if self._open:
            return f"{after}: asks {category_text(self.next_test)}"
        if self._stopped == "sure":
            return f"{after}, and {100 * self.booster.threshold:.3g}% is enough"
        return f"{after}: the next test exceeds the budget" if self._stopped else after

    # How it moves

    def _look(self) -> None:
        """Walk as far as what is known leads, from the first stage on: the core's `ask`."""
        booster = self.booster
        may_stop = booster.stop is not None and not self._budget.till.upfront
        self._scores, self._open, self._stopped = list(booster.core.start), [], None
        asked = self._till_of_start()
        for number, stage in enumerate(booster.stages):
            self.consulted, node = number, 0
            while stage.kind[node] != LEAF:
                feature, tree = stage.feature[node], booster.trees[number].core
                if not asked.had(feature):
                    if may_stop and max(_shares(self._scores)) >= booster.threshold:
                        self._stopped = "sure"
                        return
                    asked.ask(tree, node, feature)
                if feature not in self._known:
                    self._ask(tree, node, feature)
                    return
                node = stage.first_child[node] + _branch(stage, node, self._known[feature])
            self._scores = [score + step for score, step in zip(self._scores, stage.steps[node], strict=True)]
        self.consulted = booster.n_stages

    def _till_of_start(self) -> _core.Till:
        """Give a till that knows what was known at the start, and which tests have no value."""
        till = _core.Till(self.booster.prices)
        till.give(list(self._free))
        for feature, code in self._known.items():
            if self.booster.columns[feature].is_missing(code):
                till.answer(feature, has_value=False)
        return till

    def _ask(self, tree: _core.Tree, node: int, feature: int) -> None:
        """Put the question of a node; a test that was bought with another brings nothing along."""
        owned = self._budget.has(feature)
        ordered = [] if owned else self._budget.till.ordered_at(tree, node, feature)
        purchase = Purchase(feature, tuple(ordered))
        if self._may_buy and self._budget.allows([purchase]):
            self._open = [purchase]
        else:
            self._stopped = "budget"

    @property
    def _leading(self) -> Any:
        shares = np.array([_shares(self._scores)])
        return self.booster.classes.tolist()[int(cheapest(shares, self.booster.loss)[0])]

    def _result(self) -> Any:
        return self._leading


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
