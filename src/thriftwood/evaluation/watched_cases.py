"""Cases that a model decides, added up: what they cost, and what is missing or new in them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.evaluation.billing import charged_answers
from thriftwood.evaluation.watched_branches import smoothed
from thriftwood.models.model import Model
from thriftwood.models.panel import Panel
from thriftwood.models.score_card import column_of
from thriftwood.models.tree.training_cases import whole_counts
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoded, Kind

FloatArray = NDArray[np.float64]


class WatchedCases:
    """The cases of one or more tables, of which only sums are kept.

    Parameters
    ----------
    model : Model
        Who decides.
    costs : Costs
        What is charged.
    """

    def __init__(self, model: Model, costs: Costs) -> None:
        self.model, self.costs = model, costs
        self.n = 0
        self._test_cost = self._error_cost = 0.0
        self.asked = tuple(model.feature_index[name] for name in model.features_asked)
        self._missing: Counter[int] = Counter()
        self.unseen: dict[int, Counter[Any]] = {feature: Counter() for feature in self.asked}
        self.answers: Counter[Any] = Counter()
        self.why_no_errors = _why_no_errors(model, costs)
        chances = smoothed(model) if isinstance(model, Tree) else model
        self._chances = None if self.why_no_errors else chances

    def add(self, X: Any) -> Encoded:
        """Count further cases; return them as the model reads them."""
        model = self.model
        encoded, table = model.encode(X), model.table(X)
        charged = model.charge(table, self.costs)
        self.n += encoded.n_rows
        self._test_cost += float(charged.ledger.test_cost.sum())
        if self._chances is not None:
            assert model.classes is not None  # why_no_errors
            answered = charged_answers(model, self.costs, charged.answers, truth=True)[1]
            expected = self._chances.shares_of(table) @ self.costs.error_matrix(model.classes)
            self._error_cost += float(expected[np.arange(encoded.n_rows), answered].sum())
        if model.answers is not None:
            numbers, times = np.unique(charged.answers, return_counts=True)
            self.answers.update(dict(zip(model.answers[numbers].tolist(), times.tolist(), strict=True)))
        for feature in self.asked:
            self._missing[feature] += missing_in(model, encoded, feature)
        for found in encoded.unseen:
            if found.column.index in self.unseen:
                self.unseen[found.column.index].update(found.times)
                self._missing[found.column.index] -= found.n_cells
        return encoded

    @property
    def mean_test_cost(self) -> float:
        """What the tests of a case cost."""
        return self._test_cost / max(self.n, 1)

    @property
    def mean_error_cost(self) -> float | None:
        """What the answer to a case is expected to cost; None where nothing says so."""
        return None if self._chances is None else self._error_cost / max(self.n, 1)

    @property
    def missing(self) -> dict[str, float]:
        """The share of missing values in each column that may be asked for."""
        names = self.model.feature_names
        return {names[feature]: self._missing[feature] / max(self.n, 1) for feature in self.asked}


def missing_in(model: Model, encoded: Encoded, feature: int) -> int:
    """Count the cells of a column that are missing, or have a category which was not there in training."""
    values = column_of(encoded, feature)
    nominal = model.columns[feature].kind is Kind.NOMINAL
    return int(np.count_nonzero(values < 0 if nominal else np.isnan(values)))


def _why_no_errors(model: Model, costs: Costs) -> str:
    """Say why nothing can be said about the cost of mistakes; empty if something can."""
    if model.classes is None:
        return "the model answers with numbers"
    if isinstance(model, Panel):
        return "votes of several trees are no probabilities"
    if model.single_tree is not None and not whole_counts(model.single_tree):
        return "the tree learnt from weighted cases, so that its shares are no probabilities"
    unknown = set(model.further) - set(costs.further_answers(model.classes))
    return f"the costs do not say what the answer {sorted(unknown)[0]!r} costs" if unknown else ""
