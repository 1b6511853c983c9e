"""`AnswerRuleModel`: another model's tests, and answers of least expected cost by its shares."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs, cost_matrices
from thriftwood.costs.answers import cheapest
from thriftwood.models.ledger import Charged, FloatArray, Ledger
from thriftwood.models.model import Model
from thriftwood.models.tree import Tree


class RuleTable(NamedTuple):
    """A table as it came, and as the model inside read it."""

    X: Any
    inside: Any


class AnswerRuleModel(Model):
    """Answers by what they cost, for the tests that the model inside asks.

    Parameters
    ----------
    inside : Model
        Who asks for tests, and says how likely the classes are.
    classes : array
        Class labels, in the order of the shares.
    costs : Costs, optional
        What tests and mistakes cost.
    loss : array of shape (n_classes, n_classes), optional
        What answers cost, ``[actual, predicted]``, or such a matrix for each row of a table (`told`); None: 1
        for every mistake.
    further : tuple of str
        The answers that are no class, for which the loss has further columns.
    calibrated : classifier, optional
        Who says how likely the classes are instead, by the table as it came.
    """

    kind: ClassVar[str] = "answer rule"
    decides_by_name = False
    classes: NDArray[Any]

    def __init__(
        self,
        inside: Model,
        classes: NDArray[Any],
        costs: Costs | None = None,
        loss: FloatArray | None = None,
        calibrated: Any = None,
        *,
        further: tuple[str, ...] = (),
    ) -> None:
        self.inside = inside
        self.classes = classes
        self.costs = costs
        self.loss = loss
        self.calibrated = calibrated
        self.further = further

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the tests of the model inside."""
        return self.inside.feature_names

    @property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that the model inside tests."""
        return self.inside.tests

    @property
    def features_asked(self) -> tuple[str, ...]:
        """The features that the model inside may ask for."""
        return self.inside.features_asked

    @property
    def asking_tree(self) -> Tree | None:
        """The tree inside, if one alone asks for the tests."""
        return self.inside.asking_tree

    def table(self, X: Any) -> RuleTable:
        """Read a table, for the model inside too."""
        X = self.setup.prepared(X)
        return RuleTable(X, self.inside.table(X))

    def read(self, X: Any) -> tuple[Self, RuleTable]:
        """Read a table, whose names of columns are those of the tests where the model inside knows none."""
        X = self.setup.prepared(X)
        inside, table = self.inside.read(X)
        other = self.asked_with()
        other.__dict__.pop("feature_names", None)
        other.inside = inside
        return other, RuleTable(X, table)

    def shares_of(self, table: RuleTable, n_threads: int | None = None) -> FloatArray:
        """Give how likely each class is, for every row."""
        if self.calibrated is None:
            return self.inside.shares_of(table.inside, n_threads)
        return np.asarray(self.calibrated.predict_proba(table.X), dtype=np.float64)

    def answers_of(self, table: RuleTable, n_threads: int | None = None) -> NDArray[Any]:
        """Give the number of the class with the least expected cost, for every row."""
        return cheapest(self.shares_of(table, n_threads), self.loss)

    def ledger_of(self, table: RuleTable, costs: Costs, n_threads: int | None = None) -> Ledger:
        """Return what every row buys of the model inside."""
        return self.inside.ledger_of(table.inside, costs, n_threads)

    def charge(self, table: RuleTable, costs: Costs, n_threads: int | None = None) -> Charged:
        """Answer by the rule, and list what the model inside lets every row buy."""
        charged = self.inside.charge(table.inside, costs, n_threads)
        return charged._replace(answers=self.answers_of(table, n_threads))

    def told(self, error_costs: Any, n_rows: int) -> Self:
        """Return the rule for the rows of one table, where each has its own matrix [actual, predicted]."""
        other = self.asked_with()
        other.loss, other.further = cost_matrices(error_costs, n_rows, self.classes), ()
        return other

    def with_costs(self, costs: Costs | None) -> Self:
        """Return the same rule with other costs."""
        other = self.asked_with()
        other.costs = costs
        return other
