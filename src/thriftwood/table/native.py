"""Encoded tables as tables of the core, and seeds of its random numbers."""

from __future__ import annotations

from typing import Any

from sklearn.utils import check_random_state

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.remedies import LeaveOut, SetParameter, TreatMissing
from thriftwood.table import Encoded, Encoder
from thriftwood.table.columns import Kind
from thriftwood.table.missing import first_missing

MOST_CATEGORIES, MOST_GROUPED = 0xFFF0, 500
"""Of a nominal column, and of one whose categories are merged: as the core has it, which knows no names."""

OWN_WAYS = {
    "IncrementalTreeClassifier": ("id5r", ("stay",)),
    "OptimalTreeClassifier": ("optimal", ("branch", "stay")),
}
"""Learners that treat missing values in ways of their own: a published one of the kind, and the ways."""


def core_table(encoded: Encoded, encoder: Encoder) -> _core.Table:
    """Hand an encoded table to the core, without a copy.

    Examples
    --------
    >>> encoder = Encoder()
    >>> core_table(encoder.fit_encode([[1.0, "a"], [2.0, "b"]]), encoder).feature_values
    array([0, 2], dtype=int32)
    """
    if encoded.dense is not None:
        return _core.Table.from_dense(encoded.dense)
    if encoded.sparse is not None:
        indptr, indices, data = encoded.sparse
        return _core.Table.from_csc(indptr, indices, data, encoded.n_rows)
    assert encoded.columns is not None  # an encoded table has one of the three
    columns: list[Any] = list(encoded.columns)
    for column in encoder.coded_columns:
        if column.kind is Kind.NOMINAL:
            columns[column.index] = columns[column.index], len(column.categories)
    return _core.Table.from_columns(columns)


def _treatment(owner: str) -> TreatMissing:
    """Say how a learner may treat missing values: as trees grow, or by its own ways."""
    if owner in OWN_WAYS:
        return TreatMissing(owner, *OWN_WAYS[owner], of_growth=False)
    return TreatMissing(owner, "id3", ("fractional", "surrogate", "branch", "majority"))


def refuse_missing(encoded: Encoded, encoder: Encoder) -> None:
    """Raise if a value is missing; an unseen category is not missing."""
    place = first_missing(encoded) if encoded.has_missing else None
    if place is None:
        return
    row, feature = place
    row += encoded.first_row
    raise advised(
        ValueError,
        f"Input X contains NaN.\n{encoder.columns[feature].label} has no value in row {row}, and ",
        _treatment(encoder.owner),
        ".",
    )


def refuse_many_categories(encoder: Encoder, *, grouped: bool) -> None:
    """Raise if a nominal column has more categories than the core takes."""
    most = MOST_GROUPED if grouped else MOST_CATEGORIES
    for column in encoder.coded_columns:
        if column.kind is not Kind.NOMINAL or len(column.categories) <= most:
            continue
        came = f"{column.label} has {len(column.categories):,} categories, and "
        leave_out = LeaveOut(column.index if column.name is None else column.name)
        if not grouped:
            raise advised(ValueError, f"{came}at most {most:,} can be told apart. ", leave_out, ".")
        raise advised(
            ValueError,
            f"{came}tests that merge them take at most {most:,}: their time grows with the cube. ",
            SetParameter("nominal", ("binary", "multiway")),
            ", or ",
            leave_out,
            ".",
        )


def core_seed(random_state: Any) -> int:
    """Draw a seed for the core.

    Examples
    --------
    >>> core_seed(0) == core_seed(0) != core_seed(1)
    True
    """
    return int(check_random_state(random_state).randint(2**31 - 1))
