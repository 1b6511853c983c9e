"""Pairs of a case and an answer, as rows of a table with one more column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs.names import class_name
from thriftwood.table.columns import Kind
from thriftwood.table.named import NamedColumns
from thriftwood.table.order import in_learnt_order
from thriftwood.table.raw import CategoryColumn, Codes
from thriftwood.table.reading import Source, read
from thriftwood.table.rows import take_rows

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """How cases and answers become rows: first all cases with the first answer, then with the second, ...

    Parameters
    ----------
    owner : str
        Whose table it is, for messages.
    answers : tuple of str
        The classes.
    nominal : bool
        Whether the answer is one nominal column; False: a column of 0 and 1 for each class, and all numbers.
    n_features : int
        The number of columns of the cases.
    names : tuple of str or None
        Their names.

    Examples
    --------
    >>> pairs = Pairs.of([[5.0], [7.0]], np.array(["no", "yes"]), "LpCsbClassifier", nominal=False)
    >>> pairs.table([[5.0], [7.0]])
    array([[5., 1., 0.],
           [7., 1., 0.],
           [5., 0., 1.],
           [7., 0., 1.]])
    """

    owner: str
    answers: tuple[str, ...]
    nominal: bool
    n_features: int
    names: tuple[str, ...] | None

    @classmethod
    def of(cls, X: Any, classes: NDArray[Any], owner: str, *, nominal: bool) -> Self:
        """Learn the columns of a training table."""
        source = read(X)
        return cls(owner, tuple(map(class_name, classes)), nominal, source.shape[1], source.names)

    def table(self, X: Any) -> Any:
        """Return the pairs of a table's cases with all answers; columns with names in the order of fit."""
        source = read(X)
        if source.sparse is not None:
            raise ValueError(
                f"{self.owner} adds a column to the table and takes no sparse matrix. Pass X.toarray()."
            )
        source, n_rows = in_learnt_order(source, self.names, self.n_features, self.owner), source.shape[0]
        cases = np.tile(np.arange(n_rows), len(self.answers))
        answers = np.repeat(np.arange(len(self.answers), dtype=np.int32), n_rows)
        if not self.nominal:
            return np.hstack([self._numbers(source)[cases], np.eye(len(self.answers))[answers]])
        taken = take_rows(NamedColumns(None, source.raw_columns(), n_rows), cases)
        answer = CategoryColumn(Codes(answers, self.answers, declared=True), "the answer")
        names = None if self.names is None else (*self.names, self._answer_name())
        return NamedColumns(names, [*taken.columns, answer], len(cases))

    def by_case(self, values: FloatArray) -> FloatArray:
        """Arrange one value per pair as a row per case and a column per answer."""
        return values.reshape(len(self.answers), -1).T

    def by_pair(self, values: NDArray[Any]) -> NDArray[Any]:
        """Arrange a row per case and a column per answer as one value per pair."""
        return np.ascontiguousarray(values.T).reshape(-1)

    def _answer_name(self) -> str:
        name = "answer"
        while name in (self.names or ()):
            name += "_"
        return name

    def _numbers(self, source: Source) -> FloatArray:
        if source.array is not None:
            return np.asarray(source.array, dtype=np.float64)
        columns = source.raw_columns()
        for column in columns:
            if column.natural is not Kind.NUMERIC:
                raise ValueError(
                    f"could not convert {column.label} to numbers, which this base estimator of {self.owner} "
                    "needs. Encode it, or let the estimator be a CostTreeClassifier."
                )
        return np.column_stack([np.asarray(column.numbers(), dtype=np.float64) for column in columns])
