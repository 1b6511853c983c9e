"""The classes that a column of a file holds, decided by all of its rows, though it be read in parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from thriftwood.base.advice import advised
from thriftwood.base.remedies import InPython
from thriftwood.costs.names import class_name

if TYPE_CHECKING:
    from thriftwood.datasets.files.table import FileTable

MOST_CLASSES = 50
"""A target of whole numbers is a class label if there are at most so many different ones."""


class LabelReader:
    """Reads classes as text: a column of numbers by their value, any other by its texts.

    Parameters
    ----------
    tables : iterable of FileTable
        The file, or its parts in their order: whether all cells are numbers, the last one may tell.
    target : str
        The column.

    Attributes
    ----------
    numeric : bool
        Whether all cells are numbers.
    unrepeated : str or None
        The first class, if none comes a second time.

    Raises
    ------
    ValueError
        If a row has no class, or the column holds amounts.

    Examples
    --------
    >>> from thriftwood.datasets.files.table import FileTable, TextColumn
    >>> parts = [FileTable("t.csv", (TextColumn("y", cells),), 1) for cells in (["1.0"], ["1"])]
    >>> reader = LabelReader(parts, "y")
    >>> [reader.labels(part).tolist() for part in parts]
    [['1'], ['1']]
    """

    def __init__(self, tables: Iterable[FileTable], target: str) -> None:
        self.target = target
        self.numeric = True
        numbers, first = np.zeros(0), None
        n_missing, row, source = 0, 0, ""
        seen: dict[str | None, None] | None = {}
        for table in tables:
            source = table.source
            column = table[target].column()
            if column.n_missing:
                row = row or table.first_row + int(column.missing.argmax()) + 1
                n_missing += column.n_missing
            if seen is not None:  # until a class comes again, which is soon
                texts = table[target].texts()
                n_different = len(seen) + len(texts)
                seen.update(dict.fromkeys(texts))
                seen = seen if len(seen) == n_different else None
            self.numeric &= column.kind == "numeric"
            if self.numeric:
                first = column.values[0] if first is None else first
                numbers = np.union1d(numbers, column.values)
        self.unrepeated = next(iter(seen or ()), None)
        if n_missing:
            raise _missing_error(source, target, n_missing, row)
        if self.numeric and not are_labels(numbers):
            raise advised(
                ValueError,
                f"Column {target!r} of {source} holds {len(numbers)} different numbers, such as {first:g}, "
                "where classes were wanted. Cut them into classes (low, high)",
                InPython(", or learn numbers with tw.CostTreeRegressor"),
                ".",
            )

    def labels(self, table: FileTable) -> npt.NDArray[np.str_]:
        """Give the class of every row of the file, or of a part of it."""
        column = table[self.target].column()
        if self.numeric:
            return np.array([class_name(value) for value in column.values.tolist()], dtype=np.str_)
        if column.kind == "numeric":  # this part alone
            column = table[self.target].nominal()
        return column.texts().astype(np.str_)


def _missing_error(source: str, target: str, n_missing: int, row: int) -> ValueError:
    if n_missing == 1:
        return ValueError(
            f"{source}: 1 row has no class in column {target!r}, data row {row}. Fill it in, or take this "
            "row out."
        )
    return ValueError(
        f"{source}: {n_missing:,} rows have no class in column {target!r}, first data row {row}. Fill them "
        "in, or take these rows out."
    )


def are_labels(numbers: npt.NDArray[Any]) -> bool:
    """Tell whether numbers can be class labels: whole, and few different ones.

    >>> are_labels(np.array([0.0, 1.0, 1.0])), are_labels(np.array([0.5, 1.0]))
    (True, False)
    """
    distinct = np.unique(numbers)
    return len(distinct) <= MOST_CLASSES and bool(np.isfinite(distinct).all() and not (distinct % 1).any())
