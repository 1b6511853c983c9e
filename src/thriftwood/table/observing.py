"""`Observer`: what `Encoder.fit` learns from a whole table, learnt from a table that comes in batches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.table.columns import Column, Kind, arrange, label_of
from thriftwood.table.encoder import Encoder, chosen_columns
from thriftwood.table.raw import RawColumn, has_nan
from thriftwood.table.reading import read


class Observer:
    """Learns kinds and categories of a table from its batches.

    Parameters
    ----------
    owner : str
        Whose table it is, for messages.
    nominal : list of names or positions, "auto" or None
        As for `Encoder.fit`.

    Examples
    --------
    >>> observer = Observer("Example")
    >>> for batch in ([[54.0, "yes"]], [[61.0, "no"]]):
    ...     columns = observer.see(batch)
    >>> observer.encoder().columns[1].categories
    ('no', 'yes')
    """

    def __init__(self, owner: str, nominal: Iterable[str | int] | str | None = None) -> None:
        self.owner = owner
        self.nominal = nominal
        self.n_rows = 0
        self._names: tuple[str, ...] | None = None
        self._kinds: list[Kind] = []
        self._categories: list[dict[Any, None]] = []
        self._declared: list[bool] = []
        self.first_missing: tuple[int, int] | None = None
        """Row and column of a value that is missing; None: there is none."""

    def see(self, batch: Any) -> list[NDArray[Any] | None]:
        """Look at the next rows; give the numbers of every numeric or ordered column, None for others."""
        source = read(batch)
        raws = source.raw_columns()
        chosen = chosen_columns(self.nominal, source)
        for raw in raws:
            raw.first_row = self.n_rows
        kinds = [Kind.NOMINAL if j in chosen else raw.natural for j, raw in enumerate(raws)]
        if not self._kinds:
            self._names, self._kinds = source.names, kinds
            self._categories = [{} for _ in raws]
            self._declared = [False] * len(raws)
        if source.names != self._names or kinds != self._kinds:
            self._refuse(source.names, kinds)
        numbers = [self._see_column(j, raw) for j, raw in enumerate(raws)]
        self.n_rows += source.shape[0]
        return numbers

    def merge(self, later: Observer) -> None:
        """Add what another one saw of the rows that follow."""
        if not later.n_rows:
            return
        if not self._kinds:
            self._names, self._kinds = later._names, later._kinds
            self._categories = [{} for _ in later._kinds]
            self._declared = [False] * len(later._kinds)
        if later._names != self._names or later._kinds != self._kinds:
            self._refuse(later._names, later._kinds)
        for j, categories in enumerate(later._categories):
            self._add_categories(j, tuple(categories), declared=later._declared[j])
        if later.first_missing is not None:
            row, j = later.first_missing
            found = row + self.n_rows, j
            self.first_missing = found if self.first_missing is None else min(self.first_missing, found)
        self.n_rows += later.n_rows

    def encoder(self) -> Encoder:
        """Return the encoder that the whole table would have given."""
        coded = {}
        for j, kind in enumerate(self._kinds):
            if kind is Kind.NUMERIC:
                continue
            name = None if self._names is None else self._names[j]
            categories = arrange(self._categories[j], keep_order=self._declared[j])
            coded[j] = Column(j, name, kind, categories)
        return Encoder.learnt(self.owner, len(self._kinds), self._names, coded)

    def _see_column(self, j: int, raw: RawColumn) -> NDArray[Any] | None:
        if self._kinds[j] is Kind.NUMERIC:
            values = raw.numbers()
            if has_nan(values, raw.place):
                self._note_missing(np.isnan(values), j)
            return values
        found = raw.codes()
        codes = np.asarray(found.codes)
        known = arrange(found.categories, keep_order=True)
        self._add_categories(j, known, declared=found.declared)
        if codes.size and codes.min() < 0:
            self._note_missing(codes < 0, j)
        if self._kinds[j] is Kind.NOMINAL:
            return None
        ranks = codes.astype(np.float64)
        ranks[codes < 0] = np.nan
        return ranks

    def _add_categories(self, j: int, known: tuple[Any, ...], *, declared: bool) -> None:
        if self._kinds[j] is Kind.ORDERED and self._categories[j] and tuple(self._categories[j]) != known:
            raise ValueError(
                f"{self._label(j)} is ordered, and its categories are not the same throughout the table: "
                f"{', '.join(map(repr, known[:10]))} from row {self.n_rows} on."
            )
        self._declared[j] = self._declared[j] or declared
        self._categories[j].update(dict.fromkeys(known))

    def _label(self, j: int) -> str:
        return label_of(j, None if self._names is None else self._names[j])

    def _note_missing(self, missing: NDArray[np.bool_], j: int) -> None:
        row = self.n_rows + int(missing.argmax())
        if self.first_missing is None or (row, j) < self.first_missing:
            self.first_missing = row, j

    def _refuse(self, names: tuple[str, ...] | None, kinds: list[Kind]) -> None:
        if names != self._names:
            raise ValueError(f"From row {self.n_rows} on the table has other columns than before.")
        j = next(j for j, (now, before) in enumerate(zip(kinds, self._kinds, strict=True)) if now != before)
        raise ValueError(
            f"{self._label(j)} is {self._kinds[j]} at first and {kinds[j]} from row {self.n_rows} on. "
            "Give it one type, or declare it nominal."
        )
