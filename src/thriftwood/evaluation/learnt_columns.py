"""Which columns of a table models learn from: all but that of today's answers."""

from __future__ import annotations

from typing import Any

from thriftwood.costs import Costs
from thriftwood.table.rows import without_column


def learnt_columns(X: Any, costs: Costs | None) -> Any:
    """Return a table without the column of today's answers, which no model learns from."""
    answered = None if costs is None or costs.today is None else costs.today.answers
    return X if answered is None else without_column(X, answered)
