"""Columns that name the cases: a number of its own for each patient tells nothing about the next one."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from thriftwood.base.callers import callers_level
from thriftwood.table.columns import MISSING, Column, Kind
from thriftwood.table.encoded import Encoded
from thriftwood.table.encoder import Encoder

LEAST_CATEGORIES = 50
"""Fewer categories than this name nobody."""


class CaseNamesWarning(UserWarning):
    """A nominal column has a category for every case or two."""


def names_cases(column: Column, n_rows: int) -> bool:
    """Tell whether a nominal column has a category for every case or two."""
    n_categories = len(column.categories)
    return column.kind is Kind.NOMINAL and n_categories >= LEAST_CATEGORIES and 2 * n_categories >= n_rows


def hide_case_names(encoder: Encoder, encoded: Encoded, n_rows: int | None = None) -> Encoded:
    """Return a table in which no case has a value in the columns that name cases: nothing can ask for it.

    `n_rows`: of the table that the encoder has seen; None: this one, else this is a sample of it.

    Examples
    --------
    >>> encoder = Encoder()
    >>> table = encoder.fit_encode([[number, f"patient {number}"] for number in range(60)])
    >>> hidden = hide_case_names(encoder, table)
    >>> [column[:3].tolist() for column in hidden.columns]
    [[0.0, 1.0, 2.0], [-1, -1, -1]]
    """
    n_rows = encoded.n_rows if n_rows is None else n_rows
    naming = {column.index for column in encoder.coded_columns if names_cases(column, n_rows)}
    if not naming or encoded.columns is None:
        return encoded
    columns = [
        np.full_like(column, MISSING) if place in naming else column
        for place, column in enumerate(encoded.columns)
    ]
    return replace(encoded, columns=columns, has_missing=True)


def warn_of_case_names(encoder: Encoder, n_rows: int, *, many: int | None, hidden: bool = False) -> None:
    """Warn of nominal columns that have a category for every case or two.

    Parameters
    ----------
    encoder : Encoder
        What was learnt about the columns.
    n_rows : int
        The number of cases.
    many : int or None
        From how many categories on a column must tell of new cases (`Growth.many_categories`).
    hidden : bool
        Whether the learner hides them (`hide_case_names`).

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
        if not names_cases(column, n_rows):
            continue
        n_categories = len(column.categories)
        came = f"{column.label} has {n_categories:,} categories in {n_rows:,} rows, as names of cases have"
        if hidden:
            advice = (
                "it tells nothing about new ones and is not asked. Leave it out, put groups of cases in its "
                "place, or keep it by case_names=True."
            )
        elif many is None:
            advice = "it fits any table and tells nothing about new cases. Leave it out."
        else:
            advice = (
                "it tells nothing about new ones and is not tested. Leave it out, or keep it by "
                "many_categories=None of growth."
            )
        warnings.warn(f"{came}: {advice}", CaseNamesWarning, stacklevel=callers_level())
