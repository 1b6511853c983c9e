"""Which columns of a table models learn from: all but that of today's answers."""

from __future__ import annotations

from typing import Any

from thriftwood.costs import Costs
from thriftwood.models.model import Model
from thriftwood.table.rows import without_column


def asked_columns(X: Any, model: Model, costs: Costs | None) -> Any:
    """Return a table without the column of today's answers, unless a model learnt from it all the same."""
    plain = learnt_columns(X, costs)
    if plain is X or costs is None or costs.today is None:
        return X
    return X if costs.today.answers in model.feature_names else plain


def learnt_columns(X: Any, costs: Costs | None) -> Any:
    """Return a table without the column of today's answers, which no model learns from."""
    answered = None if costs is None or costs.today is None else costs.today.answers
    return X if answered is None else without_column(X, answered)
