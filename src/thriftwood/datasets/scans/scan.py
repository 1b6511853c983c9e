"""`scan`: a table that need not fit in memory, with what is to be predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, NamedTuple

from thriftwood.datasets.files.table import no_column
from thriftwood.datasets.scans.engines import open_object
from thriftwood.datasets.scans.files import open_files
from thriftwood.datasets.scans.source import Source


class Roles(NamedTuple):
    """What the columns of a table are for."""

    features: tuple[str, ...]
    """To learn from, in their order."""
    target: str
    """To be predicted."""
    weight: str | None
    """How much each case counts; None: all count 1."""


@dataclass(frozen=True, slots=True)
class Scan:
    """A table to be read a part at a time; `scan` makes one.

    Parameters
    ----------
    source : Source
        Who has the rows.
    target : str
        The column that is to be predicted.
    weight : str or None
        The column that says how much each case counts.
    features : tuple of str
        The columns to learn from, in their order.

    Examples
    --------
    >>> import thriftwood as tw, polars as pl
    >>> table = tw.scan(pl.LazyFrame({"age": [54, 61], "sick": [1, 0]}), target="sick")
    >>> table.target, table.features
    ('sick', ('age',))
    """

    source: Source
    target: str
    weight: str | None
    features: tuple[str, ...]

    @property
    def roles(self) -> Roles:
        """What its columns are for."""
        return Roles(self.features, self.target, self.weight)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.source.n_rows

    def __repr__(self) -> str:
        return (
            f"<Scan of {self.source.name}: {self.n_rows:,} rows, {len(self.features)} features, "
            f"target {self.target!r}>"
        )


def scan(
    data: Any,
    *,
    target: str,
    weight: str | None = None,
    leave_out: Sequence[str] = (),
) -> Scan:
    """Say where a table lies that is to be read a part at a time.

    Parameters
    ----------
    data : path, Arrow dataset, polars LazyFrame, DuckDB relation or frame
        A Parquet file, a folder of them, a pattern such as ``"cases/*.parquet"``, or one CSV or TSV file,
        also packed by gzip. Of a folder, names that begin with a dot or an underscore are passed over. What
        is no file must give its rows in the same order each time it is read.
    target : str
        The column that is to be predicted.
    weight : str, optional
        The column that says how much each case counts, as ``sample_weight`` does.
    leave_out : list of str
        Columns that are not to be learnt from.

    Returns
    -------
    Scan
        To be learnt from by ``fit_scan`` of an estimator.

    Examples
    --------
    >>> import thriftwood as tw, polars as pl
    >>> cases = pl.LazyFrame({"age": [54, 61, 37], "smoker": ["yes", "no", "no"], "sick": [1, 1, 0]})
    >>> tw.scan(cases, target="sick")
    <Scan of The LazyFrame: 3 rows, 2 features, target 'sick'>
    """
    if isinstance(data, str) and "://" in data:
        raise ValueError(
            f"A scan reads files of this machine. Got the address {data!r}: pass "
            "pyarrow.dataset.dataset(...) or a relation of DuckDB, which read addresses."
        )
    source = open_files(fspath(data)) if isinstance(data, str | PathLike) else open_object(data)
    if source is None:
        raise TypeError(
            "A scan reads paths of files, Arrow datasets, polars LazyFrames, DuckDB relations and frames. "
            f"Got {type(data).__name__}{_of_dask(data)}."
        )
    return scan_of(source, target=target, weight=weight, leave_out=leave_out)


def _of_dask(data: Any) -> str:
    """Say who learns from a collection of Dask, which is called as a frame of pandas is."""
    if not type(data).__module__.startswith("dask"):
        return ""
    return " of Dask, which thriftwood.dask.DaskCostTreeClassifier and fit_dask learn from"


def scan_of(source: Source, *, target: str, weight: str | None = None, leave_out: Sequence[str] = ()) -> Scan:
    """Say what the columns of a source are for; see `scan`."""
    if isinstance(leave_out, str):
        raise TypeError(f"leave_out is a list of columns. Got the text {leave_out!r}: write [{leave_out!r}].")
    if target == weight:
        raise ValueError(f"Both target and weight are {target!r}. Name another column for one of them.")
    for name in (target, *leave_out, *([] if weight is None else [weight])):
        if name not in source.names:
            raise no_column(source.name, source.names, name)
    kept = {target, weight, *leave_out}
    features = tuple(name for name in source.names if name not in kept)
    if not features:
        raise ValueError(f"{source.name} has no column left to learn from.")
    if not source.n_rows:
        raise ValueError(f"{source.name} has columns but no rows.")
    return Scan(source, target, weight, features)
