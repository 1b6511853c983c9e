"""What values new cases have in the columns that a model may ask for, against those of a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.evaluation.drift import Counts, Deals, difference, p_values
from thriftwood.evaluation.value_bins import ValueBins, unseen_in
from thriftwood.evaluation.watched_cases import WatchedCases
from thriftwood.evaluation.watches import Check
from thriftwood.models.model import Model
from thriftwood.models.score_card import column_of
from thriftwood.models.tree.conditions import category_text
from thriftwood.table import Encoded


class WatchedValues:
    """The values of a reference and of new cases, counted column by column.

    Parameters
    ----------
    model : Model
        Whose columns they are.
    reference : iterable of Encoded
        The cases to compare with; tenths of their numbers are what numbers are counted in.
    """

    def __init__(self, model: Model, reference: Iterable[Encoded]) -> None:
        self.model = model
        self.asked = tuple(model.feature_index[name] for name in model.features_asked)
        parts = list(reference)
        if not sum(part.n_rows for part in parts):
            raise ValueError("The reference has no cases to compare with.")
        self.bins: dict[int, ValueBins] = {}
        self.usual: dict[int, Counter[str]] = {}
        self.new: dict[int, Counter[str]] = {feature: Counter() for feature in self.asked}
        for feature in self.asked:
            columns: list[NDArray[Any]] = [column_of(part, feature) for part in parts]
            self.bins[feature] = ValueBins(model.columns[feature], np.concatenate(columns))
            self.usual[feature] = Counter()
            for part, column in zip(parts, columns, strict=True):
                self.usual[feature].update(self.bins[feature].count(column, unseen_in(part, feature)))

    @property
    def n_checks(self) -> int:
        """How many differences are looked at."""
        return len(self.asked) + (self.model.answers is not None)

    def add(self, encoded: Encoded) -> None:
        """Count further new cases."""
        for feature in self.asked:
            found = self.bins[feature].count(column_of(encoded, feature), unseen_in(encoded, feature))
            self.new[feature].update(found)

    def checks(self, cases: WatchedCases, usual: WatchedCases, deals: Deals) -> list[Check]:
        """Compare every column, and what is answered."""
        names = self.model.feature_names
        found = [
            _check(names[feature], "values", self.new[feature], self.usual[feature], deals)
            for feature in self.asked
        ]
        if self.model.answers is not None:
            found.append(_check("the answers", "answers", cases.answers, usual.answers, deals))
        return found


def _check(
    name: str,
    what: str,
    new: Counter[Any],
    usual: Counter[Any],
    deals: Deals,
) -> Check:
    cells: list[Hashable] = sorted({*usual, *new}, key=str)  # in whatever parts the cases came
    now: Counts = np.array([new[cell] for cell in cells], dtype=np.int64)
    then: Counts = np.array([usual[cell] for cell in cells], dtype=np.int64)
    pooled = now + then
    (chance,) = p_values(now, pooled, lambda dealt: difference(dealt, pooled), *deals).tolist()
    shares, usually = now / now.sum(), then / then.sum()
    place = int(np.abs(shares - usually).argmax())
    text = f"{category_text(name)} {category_text(cells[place])}"
    largest = f"{text}: {100 * shares[place]:.1f} % of the cases, {100 * usually[place]:.1f} % usually"
    return Check(name, what, chance, largest)
