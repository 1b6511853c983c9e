"""`OwnAnswers`: a model whose estimator answers in its own way, for the tests that the model asks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.models.answer_rule import AnswerRuleModel, RuleTable
from thriftwood.models.labels import class_numbers
from thriftwood.models.ledger import FloatArray
from thriftwood.models.model import Model


class OwnAnswers(AnswerRuleModel):
    """The answers of a subclass that has a `predict` of its own, and the tests of the model it inherits.

    Parameters
    ----------
    estimator : fitted estimator
        Who answers.
    inside : Model
        Its model, which asks for the tests.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> class Cautious(CostTreeClassifier):
    ...     def predict(self, X):
    ...         return np.full(len(X), "yes")
    >>> cautious = Cautious().fit([[1], [2]], ["no", "yes"])
    >>> answers = OwnAnswers(cautious, cautious.model_)
    >>> answers.answers_of(answers.table([[1], [2]])).tolist(), cautious.model_.predict([[1], [2]]).tolist()
    ([1, 1], ['no', 'yes'])
    """

    def __init__(self, estimator: Any, inside: Model) -> None:
        super().__init__(inside, inside.classes, inside.costs)  # type: ignore[arg-type]  # None: of numbers
        self.further = inside.further
        self.estimator = estimator

    def shares_of(self, table: RuleTable, n_threads: int | None = None) -> FloatArray:
        """Give the shares that the estimator gives."""
        return np.asarray(self.estimator.predict_proba(table.X), dtype=np.float64)

    def answers_of(self, table: RuleTable, n_threads: int | None = None) -> NDArray[Any]:
        """Answer every row as the estimator does: with the number of a class, or with a number."""
        answers = np.asarray(self.estimator.predict(table.X))
        if self.answers is None:
            return answers
        try:
            return class_numbers(answers, self.answers, len(answers))
        except ValueError as error:
            predict = f"{type(self.estimator).__name__}.predict"
            raise ValueError(f"In the answers of {predict}: {error}") from None


def answers_itself(estimator: Any) -> bool:
    """Tell whether a class that is not of thriftwood overrides `predict` below the `model_` it inherits.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> class Named(CostTreeClassifier): ...
    >>> answers_itself(Named()), answers_itself(CostTreeClassifier())
    (False, False)
    """
    for kind in type(estimator).__mro__:
        if kind.__module__.split(".")[0] == __name__.split(".")[0] or "model_" in vars(kind):
            return False
        if "predict" in vars(kind):
            return True
    return False
