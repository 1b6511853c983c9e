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
    first_row : int
        The number of the first row that it sees, for messages.

    Examples
    --------
    >>> observer = Observer("Example")
    >>> for batch in ([[54.0, "yes"]], [[61.0, "no"]]):
    ...     columns = observer.see(batch)
    >>> observer.encoder().columns[1].categories
    ('no', 'yes')
    """

    def __init__(
        self, owner: str, nominal: Iterable[str | int] | str | None = None, first_row: int = 0
    ) -> None:
        self.owner = owner
        self.nominal = nominal
        self.first_row = first_row
        self.n_rows = 0
        self._names: tuple[str, ...] | None = None
        self._kinds: list[Kind | None] = []
        """None: its type tells nothing, and every value so far is missing."""
        self._categories: list[dict[Any, None]] = []
        self._declared: list[bool] = []
        self.first_missing: tuple[int, int] | None = None
        """Row and column of a value that is missing; None: there is none."""

    def see(self, batch: Any) -> list[NDArray[Any] | None]:
        """Look at the next rows; give the numbers of every numeric or ordered column, None for others.

        A column that may yet turn out to be either gives its missing numbers.
        """
        source = read(batch)
        raws = source.raw_columns()
        chosen = chosen_columns(self.nominal, source)
        for raw in raws:
            raw.first_row = self._next_row
        kinds = [
            Kind.NOMINAL if j in chosen else None if raw.tells_nothing else raw.natural
            for j, raw in enumerate(raws)
        ]
        self._agree(source.names, kinds)
        numbers = [self._see_column(j, raw) for j, raw in enumerate(raws)]
        self.n_rows += source.shape[0]
        return numbers

    def merge(self, later: Observer) -> None:
        """Add what another one saw of the rows that follow."""
        if not later.n_rows:
            return
        self._agree(later._names, later._kinds)
        for j, categories in enumerate(later._categories):
            if later._kinds[j] is not None:
                self._add_categories(j, tuple(categories), declared=later._declared[j])
        if later.first_missing is not None:
            found = later.first_missing
            self.first_missing = found if self.first_missing is None else min(self.first_missing, found)
        self.n_rows += later.n_rows

    def encoder(self) -> Encoder:
        """Return the encoder that the whole table would have given."""
        coded = {}
        for j, kind in enumerate(self._kinds):
            if kind is None or kind is Kind.NUMERIC:
                continue
            name = None if self._names is None else self._names[j]
            categories = arrange(self._categories[j], keep_order=self._declared[j])
            coded[j] = Column(j, name, kind, categories)
        return Encoder.learnt(self.owner, len(self._kinds), self._names, coded)

    @property
    def _next_row(self) -> int:
        return self.first_row + self.n_rows

    def _agree(self, names: tuple[str, ...] | None, kinds: list[Kind | None]) -> None:
        """Take over what further rows say their columns are; raise unless it is what was known."""
        if not self._kinds:
            self._names, self._kinds = names, [None] * len(kinds)
            self._categories = [{} for _ in kinds]
            self._declared = [False] * len(kinds)
        if names != self._names or len(kinds) != len(self._kinds):
            raise ValueError(f"From row {self._next_row} on the table has other columns than before.")
        for j, (before, now) in enumerate(zip(self._kinds, kinds, strict=True)):
            if None not in (before, now) and before != now:
                raise ValueError(
                    f"{self._label(j)} is {before} at first and {now} from row {self._next_row} on. "
                    "Give it one type, or declare it nominal."
                )
            self._kinds[j] = now if before is None else before

    def _see_column(self, j: int, raw: RawColumn) -> NDArray[Any] | None:
        if self._kinds[j] in (None, Kind.NUMERIC):
            values = raw.numbers()
            if has_nan(values, raw.place):
                self._note_missing(np.isnan(values), j)
            return values
        found = raw.codes()
        codes = np.asarray(found.codes)
        if not raw.tells_nothing:
            self._add_categories(j, arrange(found.categories, keep_order=True), declared=found.declared)
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
                f"{', '.join(map(repr, known[:10]))} from row {self._next_row} on."
            )
        self._declared[j] = self._declared[j] or declared
        self._categories[j].update(dict.fromkeys(known))

    def _label(self, j: int) -> str:
        return label_of(j, None if self._names is None else self._names[j])

    def _note_missing(self, missing: NDArray[np.bool_], j: int) -> None:
        row = self._next_row + int(missing.argmax())
        if self.first_missing is None or (row, j) < self.first_missing:
            self.first_missing = row, j
