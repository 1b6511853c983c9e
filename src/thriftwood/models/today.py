"""Models of today's practice: the answers that were given, and another model asked within a wider table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import CostError, Costs
from thriftwood.costs.names import class_name, nearest, quoted
from thriftwood.models.asked import ColumnLedger
from thriftwood.models.fixed_panel import FixedPanelModel, PanelTable
from thriftwood.models.ledger import FloatArray, Ledger
from thriftwood.models.model import Model
from thriftwood.table import Kind
from thriftwood.table.named import NamedColumns
from thriftwood.table.reading import read


class GivenAnswersModel(FixedPanelModel):
    """The answers that stand in a column of the table, after the same tests for everybody."""

    kind = "column of today's answers"
    column: str

    @property
    def how_it_answers(self) -> str:
        """What is answered, in sentences."""
        return f"The answers are those of column {self.column!r}."

    def answers_of(self, table: PanelTable, n_threads: int | None = None) -> NDArray[Any]:
        """Give the number of the answer that stands in the column, for every row."""
        assert self.answers is not None  # classes
        known = {class_name(label): number for number, label in enumerate(self.answers.tolist())}
        texts = texts_of(table.X, self.column)
        found = [-1 if text is None else known.get(text, -1) for text in texts]
        if -1 in found:
            row = found.index(-1)
            text = texts[row]
            came = "no answer" if text is None else f"the answer {text!r}"
            raise CostError(
                f"Column {self.column!r}, today's answers, has {came} in row {row + 1}. Answers are "
                f"{quoted(known)}."
            )
        return np.array(found, dtype=np.intp)

    def shares_of(self, table: PanelTable, n_threads: int | None = None) -> FloatArray:
        """Give 1 to the class answered; where that is no class, the same to all."""
        answers, n_classes = self.answers_of(table), len(self.classes)
        every = np.vstack([np.eye(n_classes), np.full((len(self.further), n_classes), 1 / n_classes)])
        return np.asarray(every[answers])


class WiderTable(NamedTuple):
    """A table of many columns, as the model inside takes it."""

    inner: Any


class SavedPracticeModel(Model):
    """A model that was learnt earlier, asked about a table that may have more columns and classes.

    Parameters
    ----------
    inner : Model
        Who answers.
    feature_names : sequence of str
        The columns of the tables.
    classes : array
        The classes of the table; those of the model inside must be among them.
    further : sequence of str
        The answers that are no class.
    costs : Costs, optional
        What tests and mistakes cost.
    """

    kind = "model of today's practice"
    classes: NDArray[Any]

    def __init__(
        self,
        inner: Model,
        feature_names: tuple[str, ...],
        classes: NDArray[Any],
        further: tuple[str, ...],
        costs: Costs | None,
    ) -> None:
        self.inner, self.classes, self.further, self.costs = inner, classes, further, costs
        self.encoder = inner.encoder
        self.feature_names = feature_names
        for name in inner.features_asked:
            if name not in feature_names:
                raise CostError(
                    f"Today's model asks for {name!r}, which the table does not have. "
                    f"{nearest(name, feature_names)}"
                )
        self._numbers = self._translated()

    def _translated(self) -> NDArray[np.intp]:
        assert self.answers is not None  # classes
        known = {class_name(label): number for number, label in enumerate(self.answers.tolist())}
        own = [] if self.inner.answers is None else [class_name(one) for one in self.inner.answers.tolist()]
        unknown = [name for name in own if name not in known]
        if unknown or not own:
            what = f"answers {quoted(unknown)}" if own else "answers numbers"
            raise CostError(f"Today's model {what}, and the answers here are {quoted(known)}.")
        return np.array([known[name] for name in own], dtype=np.intp)

    @property
    def tests(self) -> NDArray[np.int32]:
        """The numbers of the features that it tests, among those of the table."""
        return self._places[self.inner.tests]

    @property
    def _places(self) -> NDArray[np.int32]:
        place = {name: number for number, name in enumerate(self.feature_names)}
        return np.array([place.get(name, -1) for name in self.inner.feature_names], dtype=np.int32)

    def table(self, X: Any) -> WiderTable:
        """Read a table, to be asked about."""
        source = read(X)
        names = source.names or tuple(f"x{j}" for j in range(source.shape[1]))
        raws = dict(zip(names, source.raw_columns(), strict=True))
        lacking = [name for name in self.inner.feature_names if name not in raws]
        if lacking:
            raise CostError(f"Today's model was learnt with {quoted(lacking)}, which the table lacks.")
        chosen = [raws[name] for name in self.inner.feature_names]
        own = self.inner.encoder.feature_names
        return WiderTable(self.inner.table(NamedColumns(own, chosen, source.shape[0])))

    def answers_of(self, table: WiderTable, n_threads: int | None = None) -> NDArray[Any]:
        """Answer every row with the number of the answer among those of the table."""
        return np.asarray(self._numbers[self.inner.answers_of(table.inner, n_threads)])

    def shares_of(self, table: WiderTable, n_threads: int | None = None) -> FloatArray:
        """Give the share of each class of the table."""
        own = self.inner.shares_of(table.inner, n_threads)
        shares = np.zeros((len(own), len(self.classes)))
        shares[:, self._numbers[: own.shape[1]]] = own
        return shares

    def ledger_of(self, table: WiderTable, costs: Costs, n_threads: int | None = None) -> Ledger:
        """Return what every row buys, by the numbers of the columns of the table."""
        own = self.inner.ledger_of(table.inner, costs.only(self.inner.feature_names), n_threads)
        return ColumnLedger(own.test_cost, own.starts, self._places[own.test], own.share, own.cost)

    def with_costs(self, costs: Costs | None) -> SavedPracticeModel:
        """Return the same model with other costs."""
        return SavedPracticeModel(self.inner, self.feature_names, self.classes, self.further, costs)


def texts_of(X: Any, name: str) -> list[str | None]:
    """Return a column as texts, as classes are compared; None where missing."""
    source = read(X)
    names = source.names or tuple(f"x{j}" for j in range(source.shape[1]))
    if name not in names:
        raise CostError(
            f"Today's answers should stand in {name!r}, which is no column. {nearest(name, names)}"
        )
    column = source.raw_columns()[names.index(name)]
    if column.natural is Kind.NUMERIC:
        return [None if value != value else class_name(value) for value in column.numbers().tolist()]
    codes, categories, _ = column.codes()
    texts = [class_name(category) for category in categories]
    return [texts[code] if code >= 0 else None for code in codes.tolist()]
