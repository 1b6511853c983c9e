"""Columns that name the cases: a number of its own for each patient tells nothing about the next one."""

from __future__ import annotations

import warnings

from thriftwood.base.callers import callers_level
from thriftwood.table.columns import Kind
from thriftwood.table.encoder import Encoder

LEAST_CATEGORIES = 50
"""Fewer categories than this name nobody."""


class CaseNamesWarning(UserWarning):
    """A nominal column has a category for every case or two."""


def warn_of_case_names(encoder: Encoder, n_rows: int, *, many: int | None) -> None:
    """Warn of nominal columns that have a category for every case or two.

    Parameters
    ----------
    encoder : Encoder
        What was learnt about the columns.
    n_rows : int
        The number of cases.
    many : int or None
        From how many categories on a column must tell of new cases (`Growth.many_categories`).

    Examples
    --------
    >>> encoder = Encoder().fit([[f"patient {number}"] for number in range(60)])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_of_case_names(encoder, 60, many=32)
    >>> str(caught[0].message).split(":")[0]
    'column 0 has 60 categories in 60 rows, as names of cases have'
    """
    for column in encoder.coded_columns:
        n_categories = len(column.categories)
        if column.kind is not Kind.NOMINAL or n_categories < LEAST_CATEGORIES or 2 * n_categories < n_rows:
            continue
        came = f"{column.label} has {n_categories:,} categories in {n_rows:,} rows, as names of cases have"
        if many is None:
            advice = "it fits any table and tells nothing about new cases. Leave it out."
        else:
            advice = (
                "it tells nothing about new ones and is not tested. Leave it out, or keep it by "
                "many_categories=None of growth."
            )
        warnings.warn(f"{came}: {advice}", CaseNamesWarning, stacklevel=callers_level())
