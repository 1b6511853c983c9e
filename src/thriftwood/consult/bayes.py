"""A consultation of a tree whose answers are those of naive Bayes: what is free is asked at the end.

What is charged follows `thriftwood.consult.tree`. What was known at the start was not paid, but it is known,
and counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from thriftwood.consult.budget import Purchase
from thriftwood.consult.strategies import Refusal
from thriftwood.consult.tree import TreeConsultation
from thriftwood.costs.answers import cheapest
from thriftwood.models.bayes_answers import BayesAnswersModel
from thriftwood.models.tree.conditions import category_text
from thriftwood.models.tree.confidence import Confidence
from thriftwood.table import Encoded, Kind
from thriftwood.table.values import is_missing


class BayesConsultation(TreeConsultation, of=BayesAnswersModel, shown_as="Consultation"):
    """One case, asked by a tree and answered by naive Bayes. Made by ``model.consult()``.

    Parameters
    ----------
    model : BayesAnswersModel
        The model to ask.
    known, unavailable, budget
        As of `TreeConsultation`.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = tw.BayesAnswers(tw.algorithm("c45", costs=golf.costs)).fit(golf.X, golf.y)
    >>> case = model.consult().answer("Rain").answer("Weak")
    >>> case, case.why
    (<Consultation: finished, answer Yes, bill 4.5>, 'Outlook = Rain, Wind = Weak: Yes by naive Bayes')
    """

    def __init__(
        self,
        model: BayesAnswersModel,
        known: Any = None,
        unavailable: Iterable[str] = (),
        *,
        budget: float | None = None,
    ) -> None:
        self.model = model
        super().__init__(model.inside.with_costs(model.costs), known, unavailable, budget=budget)

    @property
    def stopped(self) -> Refusal | None:
        """Why the tree ended before a leaf; None if it did not, or has not ended."""
        return super().stopped if self.finished else None

    @property
    def probabilities(self) -> dict[Any, float]:
        """Class -> share by what is known now."""
        return dict(zip(self.model.classes.tolist(), self._shares()[0].tolist(), strict=True))

    @property
    def confidence(self) -> Confidence | None:
        """None: naive Bayes does not rest on the cases of one leaf."""
        return None

    @property
    def why(self) -> str:
        """What is known, and what naive Bayes makes of it; until it is finished, the way through the tree."""
        if not self.finished:
            return super().why
        known = [
            (self.model.feature_names[feature], self.model.columns[feature].decode(code))
            for feature, code in self._known.items()
        ]
        steps = [
            f"{category_text(name)} = {category_text(value)}"
            for name, value in known
            if not is_missing(value)
        ]
        return f"{', '.join(steps)}{': ' if steps else ''}{self._result_text()} by naive Bayes"

    def _result(self) -> Any:
        answers = self.model.answers
        assert answers is not None  # of a model for classes
        return answers[cheapest(self._shares(), self.model.loss)[0]].item()

    def _shares(self) -> Any:
        """Return the shares of the classes by what is known, a row."""
        if self.model.leaves.group is not None and self._refused:  # at no leaf: by the counts of the node
            return np.array([list(super().probabilities.values())])
        asked = np.zeros((1, self.model.n_features), dtype=bool)
        asked[0, list(self._known)] = True
        cells = []
        for column in self.model.columns:
            nominal = column.kind is Kind.NOMINAL
            value = self._known.get(column.index, -1 if nominal else np.nan)
            cells.append(np.array([value], dtype=np.int32 if nominal else np.float64))
        table = self.model.handed(Encoded(1, self.model.n_features, True, columns=cells))
        return self.model.shares_by(table, asked)

    def _look(self) -> None:
        super()._look()
        if self._open or not self._may_buy:
            return
        for test in self.model.free_after([test for test, _ in self._budget.bought]):
            purchase = Purchase(test, (test,))
            if test not in self._known and self._budget.allows([purchase]):
                self._batch, self._open = (purchase,), [purchase]
                return
