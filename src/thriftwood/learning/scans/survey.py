"""The first pass over a scan: kinds, categories, classes, what cases count, a sample of the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets

from thriftwood import _core
from thriftwood.base.advice import advice_of, advised
from thriftwood.datasets.scans import Roles, Scan
from thriftwood.learning.targets import MOST_WEIGHT, finite_numbers
from thriftwood.models.labels import class_array
from thriftwood.table import Encoder, Kind
from thriftwood.table.frames import frame_columns
from thriftwood.table.observing import Observer
from thriftwood.table.raw import NumberColumn

SAMPLE_ROWS = 200_000
"""Rows whose values decide where bins are cut, evenly spaced: as the core has it."""

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Survey:
    """What the first pass found.

    Parameters
    ----------
    encoder : Encoder
        Kinds and categories.
    n_rows, n_cases : int
        All rows, and those that count something.
    classes : array or None
        The classes, sorted; None: numbers are predicted.
    totals : array
        What the cases of each class weigh together.
    largest : array or None
        The largest weight of a case of each class (one entry where numbers are predicted); None: all count 1,
        be it that their weights say so.
    edges : dict of int to array
        Of each numeric or ordered column, where it is cut into bins.
    first_missing : tuple of int or None
        Row and column of a missing value, if there is one.
    counts : array
        The cases of each class that count something.
    bounds : tuple of float or None
        The least and the largest number to predict, of cases that count something; None: classes.
    common : float
        A power of two that all weights are multiples of; 1 where there are none.
    """

    encoder: Encoder
    n_rows: int
    n_cases: int
    classes: NDArray[Any] | None
    totals: FloatArray
    largest: FloatArray | None
    edges: dict[int, FloatArray]
    first_missing: tuple[int, int] | None
    counts: NDArray[np.int64]
    bounds: tuple[float, float] | None
    common: float


class Labels(NamedTuple):
    """The classes of some cases."""

    names: list[Any]
    """Those that occur."""
    codes: NDArray[np.int64]
    """The number of each case's among them."""
    kind: np.dtype[Any] | None
    """Of a column of numbers; None: it holds something else."""


class Batch:
    """Some rows of a scan: what to learn from, what to predict, and what the cases count."""

    def __init__(self, roles: Roles, frame: Any, first_row: int, features: Any = None) -> None:
        self._frame = nw.from_native(frame, eager_only=True)
        self._roles, self.first_row, self.n_rows = roles, first_row, len(self._frame)
        self._features = features

    @property
    def features(self) -> Any:
        """The columns to learn from, as a frame of the library that it came from, or as they were given."""
        if self._features is not None:
            return self._features
        return self._frame.select(*self._roles.features).to_native()

    def labels(self) -> Labels:
        """The class of each case; a missing one is an error."""
        raw = frame_columns(self._frame.select(self._roles.target))[0]
        found = raw.codes()
        codes = np.asarray(found.codes).astype(np.int64)
        if codes.size and codes.min() < 0:
            row = self.first_row + int((codes < 0).argmax())
            raise ValueError(
                f"Column {self._roles.target!r} has no value in row {row}. Drop the row, or make 'unknown' a "
                "class of its own."
            )
        kind = raw.values.dtype if isinstance(raw, NumberColumn) else None
        return Labels(list(found.categories), codes, kind)

    def numbers(self) -> FloatArray:
        """The numbers to predict."""
        way_out = "For classes use CostTreeClassifier."
        numbers = self._numbers(self._roles.target, "numbers to predict", way_out)
        return finite_numbers(numbers, self.first_row)

    def weights(self) -> FloatArray | None:
        """What each case counts; None: all count 1."""
        if self._roles.weight is None:
            return None
        weights = self._numbers(self._roles.weight, "weights", "Name a column of numbers.")
        wrong = ~(np.isfinite(weights) & (weights >= 0))
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(
                f"Column {self._roles.weight!r} holds weights, which are finite and not negative. Got "
                f"{weights[row]} in row {self.first_row + row}."
            )
        _check_most(self._roles.weight, float(weights.max(initial=0.0)))
        return weights

    def _numbers(self, name: str, what: str, way_out: str) -> FloatArray:
        """Return a column of numbers that is not learnt from; text is an error."""
        raw = frame_columns(self._frame.select(name))[0]
        try:
            return np.ascontiguousarray(raw.numbers(), dtype=np.float64)
        except ValueError:
            texts = [value for value in raw.codes().categories if isinstance(value, str)]
            if not texts:
                raise
        raise ValueError(
            f"Column {name!r} is to hold {what}, and it holds texts such as {texts[0]!r}. {way_out}"
        )


def batches(scan: Scan, tell: Callable[[int], None] | None = None) -> Iterable[Batch]:
    """Read a scan from its beginning; an error if it has another number of rows than before."""
    columns = [*scan.features, scan.target, *([] if scan.weight is None else [scan.weight])]
    seen = 0
    for frame in scan.source.batches(columns):
        batch = Batch(scan.roles, frame, seen)
        seen += batch.n_rows
        if seen > scan.n_rows:
            break
        yield batch
        if tell is not None:
            tell(seen)
    if seen != scan.n_rows:
        raise ValueError(
            f"{scan.source.name} had {scan.n_rows:,} rows and now has "
            f"{'more' if seen > scan.n_rows else f'{seen:,}'}. It must not change while it is learnt from."
        )


class Sample:
    """The numbers of the sampled rows, by column."""

    def __init__(self, n_rows: int) -> None:
        taken = min(n_rows, SAMPLE_ROWS)
        self._rows = np.arange(taken, dtype=np.int64) * n_rows // taken
        self._pieces: dict[int, list[NDArray[Any]]] = {}

    def merge(self, later: Sample) -> None:
        """Add the numbers of rows that follow."""
        for j, pieces in later._pieces.items():
            self._pieces.setdefault(j, []).extend(pieces)

    def add(self, numbers: list[NDArray[Any] | None], first_row: int, n_rows: int) -> None:
        """Keep the numbers of those of these rows that are sampled."""
        begin, end = np.searchsorted(self._rows, [first_row, first_row + n_rows])
        places = self._rows[begin:end] - first_row
        for j, values in enumerate(numbers):
            if values is not None:
                self._pieces.setdefault(j, []).append(values[places])

    def edges(self, cut: Callable[[FloatArray], FloatArray]) -> dict[int, FloatArray]:
        """Cut every column; its sample is let go."""
        found = {}
        while self._pieces:
            j, pieces = self._pieces.popitem()
            found[j] = cut(np.concatenate(pieces).astype(np.float64))
        return found


class Classes:
    """The classes, with what their cases weigh; added up row by row, as a table in memory would be."""

    def __init__(self) -> None:
        self.kinds: set[np.dtype[Any] | None] = set()
        self.totals: dict[Any, float] = {}
        self.largest: dict[Any, float] = {}
        self.counts: dict[Any, int] = {}

    def add(self, labels: Labels, weights: FloatArray | None) -> None:
        """Add the classes of the next rows."""
        classes, codes, kind = labels
        self.kinds.add(kind)
        totals = np.array([self.totals.get(name, 0.0) for name in classes])
        np.add.at(totals, codes, 1.0 if weights is None else weights)
        self.totals.update(zip(classes, totals.tolist(), strict=True))
        counted = codes if weights is None else codes[weights > 0]
        for name, more in zip(classes, np.bincount(counted, minlength=len(classes)).tolist(), strict=True):
            self.counts[name] = self.counts.get(name, 0) + more
        if weights is not None:
            largest = np.array([self.largest.get(name, 0.0) for name in classes])
            np.maximum.at(largest, codes, weights)
            self.largest.update(zip(classes, largest.tolist(), strict=True))

    def merge(self, later: Classes) -> None:
        """Add what was found in the rows that follow."""
        self.kinds |= later.kinds
        for name, total in later.totals.items():
            self.totals[name] = self.totals.get(name, 0.0) + total
        for name, count in later.counts.items():
            self.counts[name] = self.counts.get(name, 0) + count
        for name, largest in later.largest.items():
            self.largest[name] = max(self.largest.get(name, 0.0), largest)

    def names(self) -> NDArray[Any]:
        """Return the classes, sorted."""
        numbers = [kind for kind in self.kinds if kind is not None]
        try:
            names = class_array(sorted(self.totals))
        except TypeError:
            kinds = sorted({type(name).__name__ for name in self.totals})
            raise TypeError(
                f"The classes cannot be put in order: they are of types {', '.join(kinds)}. Make all "
                "text, or all numbers."
            ) from None
        if len(numbers) == len(self.kinds):
            names = names.astype(np.result_type(*numbers))
        check_classification_targets(names)
        return names


def survey(
    scan: Scan,
    owner: str,
    nominal: Any,
    *,
    regression: bool,
    cut: Callable[[FloatArray], FloatArray] | None,
    tell: Callable[[int], None] | None = None,
) -> Survey:
    """Read a scan for the first time; `cut` makes edges of a sample of numbers; None: there are no bins."""
    sample, seen = Sample(scan.n_rows), Seen(owner, nominal, regression=regression)
    for batch in batches(scan, tell):
        try:
            numbers = seen.see(batch)
        except ValueError as error:
            raise _with_file(error, scan, batch.first_row) from None
        if cut is not None:
            sample.add(numbers, batch.first_row, batch.n_rows)
    return seen.survey({} if cut is None else sample.edges(cut), scan.weight)


class Seen:
    """What a pass over some rows found: columns, classes and weights."""

    def __init__(self, owner: str, nominal: Any, *, regression: bool, first_row: int = 0) -> None:
        self.observer, self.classes = Observer(owner, nominal, first_row), Classes()
        self.regression = regression
        self.total = self.largest = 0.0
        self.n_cases = 0
        self.lowest, self.highest, self.common = np.inf, -np.inf, np.inf

    def see(self, batch: Batch) -> list[NDArray[Any] | None]:
        """Look at the next rows; give the numbers of the columns that have some."""
        numbers = self.observer.see(batch.features)
        weights = batch.weights()
        if self.regression:
            self._bound(batch.numbers(), weights)
        else:
            self.classes.add(batch.labels(), weights)
        self.n_cases += batch.n_rows if weights is None else int(np.count_nonzero(weights))
        if weights is not None and batch.n_rows:
            self.total += float(weights.sum())
            self.largest = max(self.largest, float(weights.max()))
            self.common = min(self.common, _core.common_step(weights))
        return numbers

    def _bound(self, targets: FloatArray, weights: FloatArray | None) -> None:
        counted = targets if weights is None else targets[weights > 0]
        if counted.size:
            self.lowest = min(self.lowest, float(counted.min()))
            self.highest = max(self.highest, float(counted.max()))

    def merge(self, later: Seen) -> None:
        """Add what was found in the rows that follow."""
        self.observer.merge(later.observer)
        self.classes.merge(later.classes)
        self.total, self.largest = self.total + later.total, max(self.largest, later.largest)
        self.n_cases += later.n_cases
        self.lowest, self.highest = min(self.lowest, later.lowest), max(self.highest, later.highest)
        self.common = min(self.common, later.common)

    def survey(self, edges: dict[int, FloatArray], weight: str | None) -> Survey:
        """Return what is known when all rows were seen; `weight`: what messages call the weights."""
        if weight is not None:
            _check_total(weight, self.total)
        found = self.classes
        classes = None if self.regression else found.names()
        names = [] if classes is None else classes.tolist()
        by_class = [self.largest] if classes is None else [found.largest.get(name, 0.0) for name in names]
        # As in memory, where whole cases are counted then: gains of classes differ in their last digits else.
        ones = self.n_cases == self.observer.n_rows and self.largest == self.common == 1.0
        encoder = self.observer.encoder()
        # The first rows of such a column may have told nothing: they could have been numbers.
        nominal = {column.index for column in encoder.coded_columns if column.kind is Kind.NOMINAL}
        return Survey(
            encoder,
            self.observer.n_rows,
            self.n_cases,
            classes,
            np.array([found.totals[name] for name in names]),
            None if weight is None or ones else np.array(by_class),
            {j: own for j, own in edges.items() if j not in nominal},
            self.observer.first_missing,
            np.array([found.counts[name] for name in names], dtype=np.int64),
            (self.lowest, self.highest) if self.regression else None,
            1.0 if weight is None else self.common,
        )


def _with_file(error: ValueError, scan: Scan, first_row: int) -> ValueError:
    """Return an error about the rows of a batch with the file that has them; rows are counted through all."""
    place = scan.source.place(first_row)
    if place is None:
        return error
    told = f"\nThat is in {place.path}, whose first row is row {place.first_row} of the table."
    return advised(ValueError, advice_of(error), told)


def _check_total(column: str, total: float) -> None:
    if total == 0.0:
        raise ValueError(f"Column {column!r} is zero in every row, so no case counts.")
    if total <= 1.0 + 1e-9:
        raise ValueError(
            f"The weights in column {column!r} add up to {total:g}, and they are to say how many cases each "
            "row stands for. Multiply them until a case counts about 1."
        )
    _check_most(column, total)


def _check_most(column: str, total: float) -> None:
    if total > MOST_WEIGHT:
        raise ValueError(
            f"The weights in column {column!r} add up to {total:g} or more, and squares of it to what no "
            f"float64 holds. Scale them to {MOST_WEIGHT:g} in all at most, for example to a mean of 1."
        )
