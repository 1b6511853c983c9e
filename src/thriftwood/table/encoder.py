"""The encoder: kinds and categories learnt at fit, the same encoding at predict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.spelling import close_names
from thriftwood.table import saving
from thriftwood.table.columns import UNSEEN, Column, Kind, arrange
from thriftwood.table.encoded import Encoded
from thriftwood.table.one_row import RowEncoder, values_of
from thriftwood.table.order import in_learnt_order
from thriftwood.table.raw import Codes, NumberColumn, RawColumn, as_floats, has_nan
from thriftwood.table.reading import Source, read
from thriftwood.table.unseen import Unseen, unseen_of


class Encoder:
    """Learns what the columns of a table are and turns tables into what the core accepts.

    Parameters
    ----------
    owner : str, default="Encoder"
        Whose table it is, for messages: the class name of the estimator.

    Notes
    -----
    Numbers and booleans are numeric (a boolean is 0 or 1); integers become float64, and those that would
    change by that, beyond 2**53, are refused. Text, unordered categories and other hashable values are
    nominal; numbers beside text in one column are nominal by value. Ordered pandas categoricals, ordered
    arrow dictionaries and polars Enums are ordered.

    Categories are sorted, or in order of first appearance when they cannot be; pandas categories, ordered
    arrow dictionaries and Enums keep the declared order, and declared categories that no row has are kept.

    At predict a number or a boolean is the category whose text it is, where all that were learnt are text,
    and the other way round: programs that read one file disagree about types. "True" and "False" are the
    numbers 1 and 0 where a column of numbers was learnt and nothing else stands in it.

    None, NaN, NA and NaT are missing; infinities, dates and complex numbers are refused.

    Examples
    --------
    >>> encoder = Encoder().fit([[54, "yes"], [61, "no"]])
    >>> [str(column.kind) for column in encoder.columns]
    ['numeric', 'nominal']
    >>> encoder.encode([[40, "maybe"], [None, "no"]]).columns
    [array([40., nan]), array([-2,  0], dtype=int32)]
    """

    def __init__(self, owner: str = "Encoder") -> None:
        self.owner = owner
        self.n_features = 0
        self.feature_names: tuple[str, ...] | None = None
        # Only columns that are not numeric: a profile with 100,000 numeric columns costs nothing here.
        self._coded: dict[int, Column] = {}

    def fit(self, X: Any, nominal: Iterable[str | int] | str | None = None) -> Self:
        """Learn kinds, categories and names.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows
            The table.
        nominal : list of names or positions, "auto" or None, default=None
            Columns to take as nominal besides those that are by type. ``"auto"`` and None: types decide.
        """
        self.fit_encode(X, nominal)
        return self

    def fit_encode(self, X: Any, nominal: Iterable[str | int] | str | None = None) -> Encoded:
        """Learn from a table and encode it in the same pass."""
        source = read(X)
        chosen = chosen_columns(nominal, source)
        if not chosen and source.columns is None:
            table = _numeric(source)
            coded: dict[int, Column] = {}
        else:
            raws = source.raw_columns()
            pairs = [_learn(j, raw, source, j in chosen) for j, raw in enumerate(raws)]
            coded = {column.index: column for column, _ in pairs if column.kind is not Kind.NUMERIC}
            table = _assemble(source.shape[0], [done for _, done in pairs], raws[0].first_row)
        self.n_features, self.feature_names, self._coded = source.shape[1], source.names, coded
        self.__dict__.pop("rows", None)
        return table

    def encode(self, X: Any) -> Encoded:
        """Encode a table by what was learnt.

        Columns with names are put in the order of fit; columns without names are taken by position.
        """
        if not self.n_features:
            raise ValueError(f"{self.owner} has not learnt a table yet. Call fit first.")
        alone = None if type(X) is np.ndarray or self.feature_names is None else values_of(X)
        if alone is not None and self.rows.fits(alone):
            with suppress(TypeError, ValueError):  # the columns say what is wrong with it
                encoded = self.rows.encoded(alone)
                if not self.rows.has_unseen(encoded):
                    return encoded
        source = in_learnt_order(read(X), self.feature_names, self.n_features, self.owner)
        if source.columns is None and not self._coded:
            return _numeric(source)
        raws = source.raw_columns()
        # One block for all codes: memory by the megabyte costs less than piece by piece.
        blocks = iter(np.empty((len(self._coded), source.shape[0]), dtype=np.int32))
        done = [
            _encode(self._coded.get(j), raw, next(blocks) if j in self._coded else None)
            for j, raw in enumerate(raws)
        ]
        return _assemble(source.shape[0], done, raws[0].first_row)

    def with_categories_of(self, other: Encoder) -> Encoder:
        """Return an encoder that also knows the categories of another one, which learnt the same columns.

        Examples
        --------
        >>> both = Encoder().fit([["b"]]).with_categories_of(Encoder().fit([["c"], ["a"]]))
        >>> both.columns[0].categories
        ('a', 'b', 'c')
        """
        coded = {}
        for index, column in self._coded.items():
            new = [value for value in other.columns[index].categories if column.code_of(value) == UNSEEN]
            ordered = column.kind is Kind.ORDERED
            known = arrange([*column.categories, *new], keep_order=ordered) if new else column.categories
            coded[index] = Column(index, column.name, column.kind, known)
        both = type(self)(self.owner)
        both.__dict__.update(n_features=self.n_features, feature_names=self.feature_names, _coded=coded)
        return both

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "rows"}

    @cached_property
    def rows(self) -> RowEncoder:
        """How rows are encoded one by one; columns without names are x0, x1, ..."""
        names = self.feature_names or [f"x{j}" for j in range(self.n_features)]
        return RowEncoder(self.columns, names)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Every column, in the order of fit."""
        return tuple(self._column(j) for j in range(self.n_features))

    @property
    def coded_columns(self) -> tuple[Column, ...]:
        """The columns that are not numeric; as quick to be had as there are few of them."""
        return tuple(self._coded.values())

    def index(self, feature: str | int) -> int:
        """Find the position of a feature given by name or position."""
        return _position(feature, self.n_features, self.feature_names)

    def encode_value(self, feature: str | int, value: object) -> float | int:
        """Encode one value of one feature.

        Examples
        --------
        >>> encoder = Encoder().fit([[54, "yes"], [61, "no"]])
        >>> encoder.encode_value(1, "yes"), encoder.encode_value(0, 50)
        (1, 50.0)
        """
        return self._column(self.index(feature)).encode(value)

    def decode_value(self, feature: str | int, code: float) -> Any:
        """Give the value behind a code, a rank or a number; None for a missing one.

        Examples
        --------
        >>> Encoder().fit([[54, "yes"], [61, "no"]]).decode_value(1, 0)
        'no'
        """
        return self._column(self.index(feature)).decode(code)

    def to_json(self) -> dict[str, Any]:
        """Save what was learnt, in types that JSON has.

        Examples
        --------
        >>> Encoder().fit([["b"], ["a"]]).to_json()["categorical"]
        {'0': {'kind': 'nominal', 'categories': ['a', 'b']}}
        """
        return saving.to_json(self.n_features, self.feature_names, self._coded)

    @classmethod
    def from_json(cls, content: Mapping[str, Any], owner: str = "Encoder") -> Self:
        """Load what `to_json` saved, checking everything: a ValueError names the key that is wrong."""
        encoder = cls(owner)
        encoder.n_features, encoder.feature_names, encoder._coded = saving.from_json(content)
        return encoder

    @classmethod
    def learnt(
        cls, owner: str, n_features: int, names: tuple[str, ...] | None, coded: Mapping[int, Column]
    ) -> Self:
        """Return an encoder that knows these columns; those that are not in `coded` are numeric."""
        encoder = cls(owner)
        encoder.n_features, encoder.feature_names, encoder._coded = n_features, names, dict(coded)
        return encoder

    def _column(self, index: int) -> Column:
        name = self.feature_names[index] if self.feature_names else None
        return self._coded.get(index) or Column(index, name)


def _numeric(source: Source) -> Encoded:
    """Encode a table of numbers in one array."""
    n_rows, n_features = source.shape
    if source.sparse is not None:
        missing = has_nan(source.sparse.data, source.place)
        return Encoded(n_rows, n_features, missing, sparse=source.sparse)
    assert source.array is not None  # a source without columns has one or the other
    dense = as_floats(source.array, source.place)
    return Encoded(n_rows, n_features, has_nan(dense, source.place), dense=dense)


class _Done(NamedTuple):
    """An encoded column."""

    values: NDArray[Any]
    missing: bool
    unseen: Unseen | None = None


def _learn(index: int, raw: RawColumn, source: Source, chosen: bool) -> tuple[Column, _Done]:
    """Learn what a raw column is, and encode it."""
    name = source.names[index] if source.names else None
    if raw.natural is Kind.NUMERIC and not chosen:
        return Column(index, name), _numbers(raw)
    codes = raw.codes()
    kind = Kind.NOMINAL if chosen else raw.natural
    column = Column(index, name, kind, arrange(codes.categories, keep_order=codes.declared))
    out = np.empty(len(codes.codes), dtype=np.int32)
    lowest = _translate(column, codes, out)
    return column, _Done(_finished(column, out), lowest < 0)


def _encode(column: Column | None, raw: RawColumn, out: NDArray[np.int32] | None) -> _Done:
    """Encode a raw column by what was learnt; codes are written to `out`."""
    if column is None or out is None:
        return _numbers(raw)
    known = column.whole_numbers
    if isinstance(raw, NumberColumn) and raw.readable and known is not None:
        lowest = _core.code_numbers(raw.values, known.first, known.code_of, out)
        if lowest > UNSEEN:  # unseen and infinite numbers take a closer look, below
            return _Done(_finished(column, out), lowest < 0)
    given = raw.codes()
    lowest = _translate(column, given, out)
    unseen = unseen_of(column, out, given) if lowest == UNSEEN else None
    return _Done(_finished(column, out), lowest < 0, unseen)


def _numbers(raw: RawColumn) -> _Done:
    values = raw.numbers()
    return _Done(values, has_nan(values, raw.place))


def _translate(column: Column, raw: Codes, out: NDArray[np.int32]) -> int:
    """Write codes by a raw column's own categories as codes by the learnt ones; return the smallest."""
    if tuple(raw.categories) == column.categories:
        out[:] = raw.codes
        return int(np.minimum.reduce(raw.codes))  # of bytes, more often than not
    return _core.translate_codes(raw.codes, column.codes_for(raw.categories)[:-1], out)


def _finished(column: Column, codes: NDArray[np.int32]) -> NDArray[Any]:
    """Turn the codes of an ordered column into ranks."""
    if column.kind is Kind.NOMINAL:
        return codes
    ranks = codes.astype(np.float64)
    ranks[codes < 0] = np.nan
    return ranks


def _assemble(n_rows: int, done: list[_Done], first_row: int) -> Encoded:
    return Encoded(
        n_rows,
        len(done),
        any(column.missing for column in done),
        columns=[column.values for column in done],
        unseen=tuple(column.unseen for column in done if column.unseen is not None),
        first_row=first_row,
    )


def chosen_columns(nominal: Iterable[str | int] | str | None, source: Source) -> set[int]:
    """Find the columns that `nominal` names."""
    if nominal is None or (isinstance(nominal, str) and nominal == "auto"):
        return set()
    if isinstance(nominal, str) or not isinstance(nominal, Iterable):
        raise ValueError(
            f"nominal_features must be a list of column names or positions, 'auto' or None, got {nominal!r}."
        )
    return {_position(feature, source.shape[1], source.names) for feature in nominal}


def _position(feature: object, n_features: int, names: tuple[str, ...] | None) -> int:
    if isinstance(feature, str):
        if names is None:
            raise ValueError(
                f"There is no column {feature!r}: the table has no column names. Give its position."
            )
        if feature not in names:
            near = close_names(feature, names)
            hint = f"Did you mean {near[0]!r}?" if near else f"Columns: {', '.join(map(repr, names[:20]))}."
            raise ValueError(f"There is no column {feature!r}. {hint}")
        return names.index(feature)
    if isinstance(feature, bool | np.bool_) or not isinstance(feature, int | np.integer):
        raise TypeError(f"A column is given by its name or its position, got {feature!r}.")
    if not 0 <= feature < n_features:
        raise ValueError(f"There is no column {feature}. Positions: 0 to {n_features - 1}.")
    return int(feature)
