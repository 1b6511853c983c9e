"""`BayesAnswersModel`: a tree asks for the tests, and naive Bayes answers by all that the case has paid for.

A tree answers by the sides of the cuts that a case came by. Naive Bayes goes by the values themselves: how
common each of them is in each class. It counts what the case has bought and what costs it nothing then, and
so is never asked for a test that was not paid.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs, cost_matrices
from thriftwood.costs.answers import cheapest
from thriftwood.models.asked import ColumnLedger
from thriftwood.models.files import bayes as files
from thriftwood.models.ledger import Charged, FloatArray, Ledger, Mask, asked_in
from thriftwood.models.model import FREE, Model
from thriftwood.models.tree.tree import Tree


class LeafBayes(NamedTuple):
    """Which densities count where a case ends."""

    bayes: _core.NaiveBayes
    group: NDArray[np.int32] | None = None
    """By node of the tree: the number of its densities, -1: the node answers by its counts; None: the same
    densities everywhere."""


class BayesAnswersModel(Model):
    """The tests of a tree, and answers by naive Bayes over what they cost.

    Parameters
    ----------
    inside : Tree
        Who asks for tests.
    leaves : LeafBayes
        How common values are in each class.
    costs : Costs, optional
        What tests and mistakes cost.
    loss : array of shape (n_classes, n_answers), optional
        What answers cost, ``[actual, predicted]``, or such a matrix for each row of a table (`told`); None: 1
        for every mistake.
    further : tuple of str
        The answers that are no class, for which the loss has further columns.
    """

    kind: ClassVar[str] = "tree with answers by naive Bayes"
    has_file: ClassVar[bool] = True
    classes: NDArray[Any]

    def __init__(
        self,
        inside: Tree,
        leaves: LeafBayes,
        costs: Costs | None = None,
        loss: FloatArray | None = None,
        *,
        further: tuple[str, ...] = (),
    ) -> None:
        assert inside.classes is not None  # a tree for classes
        self.inside = inside
        self.leaves = leaves
        self.classes = inside.classes
        self.encoder = inside.encoder
        self.costs = costs
        self.loss = loss
        self.further = further
        self.asks_by = costs  # which tests are free to ask was decided when it was learnt

    @property
    def _asks_by(self) -> Costs:
        return self.asks_by or FREE

    @property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that a case may be asked for: those of the tree, then free ones."""
        return np.concatenate([self.inside.tests, self._free])

    @cached_property
    def _free(self) -> NDArray[np.int32]:
        """The tests that cost nothing, once those of the tree are paid, and that it does not ask itself."""
        return self.free_after(self.inside.tests.tolist())

    def free_after(self, bought: list[int]) -> NDArray[np.int32]:
        """Return the tests that are asked of a case that has bought these: those that cost nothing then."""
        return self.prices_of(self._asks_by).free_after(bought)

    @property
    def features_asked(self) -> tuple[str, ...]:
        """The features that a case may be asked for, surrogates included."""
        free = (self.feature_names[test] for test in self._free.tolist())
        return tuple(dict.fromkeys((*self.inside.features_asked, *free)))

    @property
    def asking_tree(self) -> Tree:
        """The tree that asks for the tests."""
        return self.inside

    @property
    def how_it_answers(self) -> str:
        """What is asked and what is answered, in sentences."""
        return (
            "The tree asks for the tests; the answer is that of naive Bayes over the values that were paid, "
            "and over those that cost nothing."
        )

    def shares_of(self, table: Any, n_threads: int | None = None) -> FloatArray:
        """Give how likely each class is, for every row."""
        return self.shares_by(table, self.asked(table, self._asks_by, n_threads), n_threads)

    def answers_of(self, table: Any, n_threads: int | None = None) -> NDArray[Any]:
        """Give the number of the class with the least expected cost, for every row."""
        return cheapest(self.shares_of(table, n_threads), self.loss)

    def ledger_of(self, table: Any, costs: Costs, n_threads: int | None = None) -> Ledger:
        """Return what every row buys: the tests of its path, then those that are free."""
        return self.with_free(self.inside.ledger_of(table, costs, n_threads), costs)

    def charge(self, table: Any, costs: Costs, n_threads: int | None = None) -> Charged:
        """Answer every row and list what it buys."""
        ledger = self.ledger_of(table, costs, n_threads)
        if costs is not self._asks_by:  # other rules of payment do not change what is answered
            return Charged(self.answers_of(table, n_threads), ledger)
        shares = self.shares_by(table, asked_in(ledger, self.n_features), n_threads)
        return Charged(cheapest(shares, self.loss), ledger)

    def shares_by(self, table: Any, asked: Mask, n_threads: int | None = None) -> FloatArray:
        """Give how likely each class is where these tests were asked: an array of (n_rows, n_features).

        With densities of its own for each leaf, a case must have come to one.
        """
        bayes, group = self.leaves
        if group is None:
            return bayes.shares(table, asked.astype(np.uint8), np.zeros(len(asked), dtype=np.int32))
        own = group[self.inside.core.apply(table, self.threads(n_threads))]
        found = bayes.shares(table, asked.astype(np.uint8), own)
        by_counts = self.inside.shares_of(table, n_threads)
        return np.where(own[:, None] >= 0, found, by_counts)

    def with_free(self, ledger: Ledger, costs: Costs) -> Ledger:
        """Return a ledger of the tree with the tests that are free once those in it are bought.

        Which these are goes by the prices that the model was learnt with; what they cost by `costs`.
        """
        asked = asked_in(ledger, self.n_features)
        sets, which = np.unique(asked, axis=0, return_inverse=True)
        bought = [np.flatnonzero(own).tolist() for own in sets]
        free = [self.free_after(own) for own in bought]
        if not any(map(len, free)):
            return ledger
        charging = self.prices_of(costs)
        price = [charging.purchase([*own, *more])[len(own) :] for own, more in zip(bought, free, strict=True)]
        which = which.reshape(-1)
        more_of = np.array([len(more) for more in free], dtype=np.int64)[which]
        ends = np.repeat(np.asarray(ledger.starts[1:]), more_of)  # after what the row has bought so far
        test = np.insert(ledger.test, ends, np.concatenate([free[own] for own in which]))
        cost = np.insert(ledger.cost, ends, np.concatenate([price[own] for own in which]))
        return ColumnLedger(
            ledger.test_cost + np.array([own.sum() for own in price])[which],
            ledger.starts + np.concatenate([[0], np.cumsum(more_of)]),
            test.astype(np.int32),
            np.insert(ledger.share, ends, 1.0),
            cost,
        )

    def told(self, error_costs: Any, n_rows: int) -> Self:
        """Return the model for the rows of one table, where each has its own matrix [actual, predicted]."""
        other = self.asked_with()
        other.loss, other.further = cost_matrices(error_costs, n_rows, self.classes), ()
        return other

    def with_costs(self, costs: Costs | None) -> Self:
        """Return the same model with other costs; it asks for the same tests."""
        other = self.asked_with()
        other.costs = costs
        return other

    def text(self) -> str:
        """Print the tree that asks, and how it is answered."""
        return f"{self.inside.text()}\n{self.how_it_answers}"

    def __str__(self) -> str:
        return self.text()

    # Files

    def to_json(self) -> str:
        """Write it as JSON text (`thriftwood.models.files.bayes` describes it)."""
        return files.to_text(self)

    @classmethod
    def from_content(cls, content: Any) -> Self:
        """Read it from the JSON object that its file is."""
        found = files.parts_of(content)
        leaves = LeafBayes(found.bayes, found.group)
        model = cls(found.tree, leaves, found.asks_by, found.loss, further=found.further)
        return model.with_costs(found.costs)

    # Being a value

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, BayesAnswersModel) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.inside)

    def __repr__(self) -> str:
        return f"<BayesAnswersModel: {self.inside!r}, answered by naive Bayes>"
