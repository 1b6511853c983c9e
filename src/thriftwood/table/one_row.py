"""One row by itself: what a server is asked, many times a second, without the machinery for columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from thriftwood.table.columns import EXACT, MISSING, UNSEEN, Column, Kind
from thriftwood.table.encoded import Encoded

PLAIN = (float, int, str, bool, type(None))
"""Types whose values mean the same in a column and by themselves."""


def values_of(X: Any) -> dict[str, Any] | None:
    """Return the values of a pandas or polars frame of one row, by name; None of anything else.

    None, too, where a column needs a closer look: it repeats a name, or holds times or other objects.

    Examples
    --------
    >>> import polars as pl
    >>> values_of(pl.DataFrame({"age": [54], "smoker": ["yes"]}))
    {'age': 54, 'smoker': 'yes'}
    """
    library = type(X).__module__.partition(".")[0]
    if type(X).__name__ != "DataFrame" or library not in ("pandas", "polars") or len(X) != 1:
        return None
    names = list(X.columns)
    values = X.row(0) if library == "polars" else X.to_numpy(dtype=object)[0].tolist()
    row = dict(zip(names, values, strict=True))
    plain = len(row) == len(names) and all(
        type(value) in PLAIN and type(name) is str for name, value in row.items()
    )
    return row if plain and not any(map(_is_special, values)) else None


def _is_special(value: object) -> bool:
    """Tell whether a number is refused, or not kept as it is: infinities and very large integers."""
    if type(value) is float:
        return value in (math.inf, -math.inf)
    return type(value) is int and not -EXACT <= value <= EXACT


class RowEncoder:
    """Encodes rows one by one, by what was learnt about the columns.

    Parameters
    ----------
    columns : sequence of Column
        In the order of fit.
    names : sequence of str
        What a row calls them.

    Examples
    --------
    >>> smoker = Column(1, "smoker", Kind.NOMINAL, ("no", "yes"))
    >>> encoder = RowEncoder([Column(0, "age"), smoker], ["age", "smoker"])
    >>> encoder.numbers({"smoker": "yes", "age": 54})
    [54.0, 1]
    """

    def __init__(self, columns: Sequence[Column], names: Sequence[str]) -> None:
        self.columns = tuple(columns)
        self.names = tuple(names)
        self._known = set(names)
        # Texts are looked up at once, as most categories are, and numbers taken as they are; anything else,
        # and whatever has a rank, is asked of the column.
        self._nominal = [column.kind is Kind.NOMINAL for column in columns]
        lookups = [{} if column.kind is Kind.NUMERIC else column.lookup for column in columns]
        numeric = [column.kind is Kind.NUMERIC for column in columns]
        ranked = [column.kind is Kind.ORDERED for column in columns]
        self._plan = tuple(zip(self.names, self.columns, numeric, ranked, lookups, strict=True))

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row has these columns and no others."""
        return row.keys() == self._known

    def numbers(self, row: Mapping[str, Any]) -> list[float]:
        """Return the numbers and codes of a row, in the order of the columns.

        Raises
        ------
        ValueError
            If the row lacks a column, or a number is infinite.
        TypeError
            If a value is not what its column takes.
        """
        found = []
        try:
            for name, column, numeric, ranked, lookup in self._plan:
                value = row[name]
                if numeric and type(value) is float and value - value == 0.0:
                    found.append(value)
                elif type(value) is str and not ranked and (code := lookup.get(value)) is not None:
                    found.append(code)
                else:
                    found.append(column.encode(value))
        except KeyError:
            raise self._lacking(row) from None
        return found

    def encoded(self, row: Mapping[str, Any]) -> Encoded:
        """Return a row as an encoded table."""
        found = tuple(zip(self.numbers(row), self._nominal, strict=True))
        values = np.array([math.nan if nominal else number for number, nominal in found], dtype=np.float64)
        codes = np.array([number if nominal else MISSING for number, nominal in found], dtype=np.int32)
        arrays: list[Any] = [
            (codes if nominal else values)[j : j + 1] for j, (_, nominal) in enumerate(found)
        ]
        missing = any(number < 0 if nominal else number != number for number, nominal in found)
        return Encoded(1, len(arrays), missing, columns=arrays)

    def has_unseen(self, encoded: Encoded) -> bool:
        """Tell whether a row has a category that was not there at fit."""
        assert encoded.columns is not None  # as `encoded` makes it
        return any(array.dtype.kind == "i" and array[0] == UNSEEN for array in encoded.columns)

    def _lacking(self, row: Mapping[str, Any]) -> ValueError:
        lacking = [name for name in self.names if name not in row]
        return ValueError(
            f"The row has no value for {', '.join(map(repr, lacking[:5]))}. Give every feature a value, "
            "None where it is missing."
        )
