"""A table of named columns that needs no frame library."""

from __future__ import annotations

from collections.abc import Sequence

from thriftwood.table.raw import RawColumn


class NamedColumns:
    """Raw columns with their names, as a table: what a file holds when no frame library is at hand.

    Unlike an array it keeps kinds and the declared order of categories.

    Parameters
    ----------
    names : sequence of str or None
        All different; None: columns go by their position.
    columns : sequence of RawColumn
        One for each name, all of `n_rows` entries.
    n_rows : int
        The number of rows.
    first_row : int
        The number of its first row, for messages: more than 0 in a part of a larger table.

    Examples
    --------
    >>> import numpy as np
    >>> from thriftwood.table import Encoder
    >>> from thriftwood.table.raw import NumberColumn
    >>> table = NamedColumns(["age"], [NumberColumn(np.array([54.0, 61.0]), "column 'age'")], 2)
    >>> Encoder().fit(table).feature_names
    ('age',)
    """

    def __init__(
        self, names: Sequence[str] | None, columns: Sequence[RawColumn], n_rows: int, first_row: int = 0
    ) -> None:
        self.names = None if names is None else tuple(names)
        self.columns = list(columns)
        for column in self.columns:
            column.first_row = first_row
        self.n_rows = n_rows

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n_rows, len(self.columns)
