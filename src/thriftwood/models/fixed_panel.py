"""`FixedPanelModel`: the same tests for everybody, added up to a score, and the cheapest answer by it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs, cost_matrices
from thriftwood.costs.answers import cheapest
from thriftwood.costs.names import counted
from thriftwood.models.asked import AskedModel, Came
from thriftwood.models.coding import Coding
from thriftwood.models.ledger import FloatArray, Mask
from thriftwood.models.score_card import chances, column_of
from thriftwood.models.tree.conditions import list_text
from thriftwood.table import Encoded, Encoder
from thriftwood.table.reading import read


class Scores(Protocol):
    """What says how likely each class is."""

    def shares(self, encoded: Encoded) -> FloatArray:
        """Give the share of each class for every row."""


class LogisticScores(NamedTuple):
    """A logistic regression on coded columns."""

    coding: Coding
    features: tuple[int, ...]
    coefficients: FloatArray
    """Shape (1 + n_columns, n_classes); the first row is the intercept."""

    def shares(self, encoded: Encoded) -> FloatArray:
        """Give the share of each class for every row."""
        if self.coefficients.shape[1] == 1:
            return np.ones((encoded.n_rows, 1))
        coded = self.coding.of(encoded, self.features)
        return chances(self.coefficients[0] + coded @ self.coefficients[1:])


class BoosterScores(NamedTuple):
    """A classifier of LightGBM that learnt from class numbers; None: there was one class."""

    classifier: Any
    nominal: tuple[int, ...]
    """The features whose numbers are codes."""
    known: tuple[int, ...]
    """The classes that it learnt, by number."""
    n_classes: int

    def shares(self, encoded: Encoded) -> FloatArray:
        """Give the share of each class for every row."""
        shares = np.zeros((encoded.n_rows, self.n_classes))
        if self.classifier is None:
            shares[:, self.known[0]] = 1.0
        else:
            shares[:, list(self.known)] = self.classifier.predict_proba(plain_numbers(encoded, self.nominal))
        return shares


class ForestScores(NamedTuple):
    """A forest that learnt class numbers from the columns of a panel."""

    forest: Any
    features: tuple[int, ...]
    nominal: tuple[int, ...]
    """Those of the features whose numbers are codes."""
    known: tuple[int, ...]
    """The classes that it learnt, by number."""
    n_classes: int

    def numbers(self, encoded: Encoded) -> FloatArray:
        """Give the columns of the panel as numbers, codes too."""
        return plain_numbers(encoded, self.nominal)[:, list(self.features)]

    def shares(self, encoded: Encoded) -> FloatArray:
        """Give the share of each class for every row."""
        shares = np.zeros((encoded.n_rows, self.n_classes))
        shares[:, list(self.known)] = self.forest.predict_proba(self.numbers(encoded))
        return shares


class PanelTable(NamedTuple):
    """A table as it came, and encoded."""

    X: Any
    encoded: Encoded


class FixedPanelModel(AskedModel):
    """A model that asks every case the same tests.

    Parameters
    ----------
    scores : Scores
        Who says how likely the classes are.
    panel : sequence of int
        The numbers of the features that every case is asked.
    encoder : Encoder
        How tables are read.
    classes : array
        Class labels, in the order of the shares.
    costs : Costs, optional
        What tests and mistakes cost.
    loss : array of shape (n_classes, n_answers), optional
        What answers cost, ``[actual, predicted]``, or such a matrix for each row of a table (`told`).
    further : tuple of str
        The answers that are no class, for which the loss has further columns.
    """

    kind: ClassVar[str] = "fixed panel of tests"
    classes: NDArray[Any]

    def __init__(
        self,
        scores: Scores,
        panel: tuple[int, ...],
        encoder: Encoder,
        classes: NDArray[Any],
        costs: Costs | None = None,
        loss: FloatArray | None = None,
        *,
        further: tuple[str, ...] = (),
    ) -> None:
        self.scores = scores
        self.panel = panel
        self.encoder = encoder
        self.classes = classes
        self.costs = costs
        self.loss = loss
        self.further = further

    @cached_property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the tests that every case is asked, in the order of the columns."""
        return np.array(sorted(self.panel), dtype=np.int32)

    @property
    def how_it_answers(self) -> str:
        """What is answered, in sentences."""
        if not self.panel:
            return "Nobody is tested: all cases get the same answer."
        return "Every case is asked the same tests; the answer is the cheapest one by their score."

    def table(self, X: Any) -> PanelTable:
        """Read a table, to be asked about."""
        return PanelTable(self.setup.prepared(X), self.encode(X))

    def handed(self, encoded: Encoded) -> PanelTable:
        """Return an encoded table as it is asked about."""
        return PanelTable(None, encoded)

    def came(self, table: PanelTable) -> Came:
        """Return a table that was read as it came."""
        return Came(table.X, self.encoder.feature_names)

    def columns_read(self, table: PanelTable, delayed: Mask) -> Mask:
        """Tell which columns each case reads: those of the panel."""
        tested = np.isin(np.arange(self.n_features), self.tests)
        return np.tile(tested, (read(table.X).shape[0], 1))

    def shares_of(self, table: PanelTable, n_threads: int | None = None) -> FloatArray:
        """Give how likely each class is, for every row."""
        return self.scores.shares(table.encoded)

    def answers_of(self, table: PanelTable, n_threads: int | None = None) -> NDArray[Any]:
        """Give the number of the class with the least expected cost, for every row."""
        return cheapest(self.shares_of(table), self.loss)

    def told(self, error_costs: Any, n_rows: int) -> Self:
        """Return the model for the rows of one table, where each has its own matrix [actual, predicted]."""
        other = self.asked_with()
        other.loss, other.further = cost_matrices(error_costs, n_rows, self.classes), ()
        return other

    def __repr__(self) -> str:
        tests = counted(len(self.panel), "test")
        return f"<Fixed panel: {tests}, classes {list_text(tuple(self.classes.tolist()))}>"


def plain_numbers(encoded: Encoded, nominal: tuple[int, ...]) -> FloatArray:
    """Give every cell as a number, codes too; NaN where there is no value, or one unseen at fit."""
    columns = [column_of(encoded, feature).astype(np.float64) for feature in range(encoded.n_features)]
    for feature in nominal:
        columns[feature][columns[feature] < 0] = np.nan
    return np.column_stack(columns)
