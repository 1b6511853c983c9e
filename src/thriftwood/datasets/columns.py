"""Columns: the form every data set has before it becomes a frame.

Words used in this folder:

column
    one measured thing: a name, a kind and one entry per row.
kind
    ``numeric`` (float64, NaN is missing), ``nominal`` (int32 codes into ``categories``, -1 is missing) or
    ``ordered`` (the same, and the categories have an order).
table
    the columns of one data set, all of the same length; the target is one of them until it is taken out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

Kind = Literal["numeric", "nominal", "ordered"]
KINDS: tuple[Kind, ...] = ("numeric", "nominal", "ordered")


@dataclass(frozen=True, eq=False)
class Column:
    """One named column.

    Examples
    --------
    >>> wind = Column.nominal("wind", ["weak", None, "strong"])
    >>> wind.categories, wind.values.tolist(), wind.n_missing
    (('strong', 'weak'), [1, -1, 0], 1)
    """

    name: str
    kind: Kind
    values: npt.NDArray[np.float64] | npt.NDArray[np.int32]
    categories: tuple[str, ...] = ()

    @classmethod
    def numeric(cls, name: str, values: npt.ArrayLike) -> Column:
        """Make a numeric column; NaN is missing."""
        return cls(name, "numeric", np.asarray(values, dtype=np.float64))

    @classmethod
    def nominal(
        cls, name: str, values: Sequence[str | None], categories: Sequence[str] = (), kind: Kind = "nominal"
    ) -> Column:
        """Make a column of codes from texts; None is missing.

        Without declared categories those that occur are taken, in the order of :func:`sorted_categories`.
        """
        known = tuple(categories) or sorted_categories(value for value in values if value is not None)
        code: dict[str | None, int] = {value: number for number, value in enumerate(known)}
        code[None] = -1
        try:
            codes = np.fromiter((code[value] for value in values), dtype=np.int32, count=len(values))
        except KeyError as error:
            raise ValueError(
                f"Column {name!r} holds the value {error.args[0]!r}, which is not one of its declared "
                f"values: {', '.join(map(repr, known))}. Add it to the declared values, or mend the cell."
            ) from None
        return cls(name, kind, codes, known)

    @property
    def missing(self) -> npt.NDArray[np.bool_]:
        """True for the rows without a value."""
        return np.isnan(self.values) if self.kind == "numeric" else self.values < 0

    @property
    def n_missing(self) -> int:
        """Number of rows without a value."""
        return int(self.missing.sum())

    def take(self, rows: npt.NDArray[np.bool_]) -> Column:
        """Return the column with only the rows marked True."""
        return Column(self.name, self.kind, self.values[rows], self.categories)

    def texts(self) -> npt.NDArray[np.object_]:
        """Return the entries of a nominal or ordered column as texts, None where missing."""
        return np.array([*self.categories, None], dtype=object)[self.values.astype(np.intp)]


def sorted_categories(values: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct values, sorted as numbers when every one is a number, else as texts.

    >>> sorted_categories(["10", "9", "10"]), sorted_categories(["b", "a", "10"])
    (('9', '10'), ('10', 'a', 'b'))
    """
    distinct = sorted(set(values))
    try:
        return tuple(sorted(distinct, key=float))
    except ValueError:
        return tuple(distinct)


def parse_column(name: str, kind: str, cells: Sequence[str], categories: Sequence[str] = ()) -> Column:
    """Turn the cells of a CSV file into a column; an empty cell is missing."""
    if kind not in KINDS:
        raise ValueError(f"Column {name!r} has the type {kind!r}. Types: {', '.join(map(repr, KINDS))}.")
    if kind == "numeric":
        return Column.numeric(name, _numbers(name, cells))
    texts = [cell or None for cell in cells]
    return Column.nominal(name, texts, categories, cast(Kind, kind))


def _numbers(name: str, cells: Sequence[str]) -> npt.NDArray[np.float64]:
    try:
        return np.array([cell or "nan" for cell in cells], dtype=np.float64)
    except ValueError:
        pass
    row, cell = next((row, cell) for row, cell in enumerate(cells, start=1) if not _is_number(cell or "nan"))
    raise ValueError(
        f"Column {name!r} is numeric, but data row {row} holds {cell!r}. Mend the cell (empty means "
        "missing), or declare the column as nominal."
    )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
