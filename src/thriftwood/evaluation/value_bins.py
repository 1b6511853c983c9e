"""What the values of a column are counted in: tenths of the reference for numbers, else categories."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.evaluation.statement import amount
from thriftwood.models.tree.conditions import category_text
from thriftwood.table import Column, Encoded, Kind
from thriftwood.table.unseen import Unseen

TENTHS = np.arange(1, 10) / 10

MISSING_BIN = "missing"


class ValueBins:
    """The bins of one column, made of a reference.

    Parameters
    ----------
    column : Column
        What the model has learnt about it.
    values : array
        The encoded values of the reference.

    Examples
    --------
    >>> bins = ValueBins(Column(0, "age"), np.array([20.0, 30.0, 40.0, np.nan]))
    >>> dict(bins.count(np.array([10.0, 35.0, np.nan, 99.0]), None))
    {'at most 20': 1, '30 to 40': 1, 'above 40': 1, 'missing': 1}
    """

    def __init__(self, column: Column, values: NDArray[Any]) -> None:
        self.column = column
        self.edges = np.zeros(0)
        if column.kind is Kind.NUMERIC:
            known = values[~np.isnan(values)].astype(np.float64)
            if len(known):
                tenths = np.quantile(known, [*TENTHS, 1.0], method="inverted_cdf")
                self.edges = np.unique(tenths)
        self._names = self._bin_names()

    def _bin_names(self) -> list[str]:
        if self.column.kind is not Kind.NUMERIC:
            return [category_text(category) for category in self.column.categories]
        cuts = [amount(edge) for edge in self.edges.tolist()]
        if not cuts:
            return ["any number"]
        between = [f"{low} to {high}" for low, high in pairwise(cuts)]
        return [f"at most {cuts[0]}", *between, f"above {cuts[-1]}"]

    def count(self, values: NDArray[Any], unseen: Unseen | None) -> Counter[str]:
        """Count encoded values; `unseen` are the categories that were not there when the model was learnt."""
        if self.column.kind is Kind.NUMERIC:
            missing = np.isnan(values)
            bins = np.searchsorted(self.edges, values[~missing])
        else:  # ranks of an ordered column are NaN where nothing is known, codes of a nominal one negative
            known = np.isfinite(values) & (values >= 0)
            bins = values[known].astype(np.intp)
            missing = ~known
        times = np.bincount(bins, minlength=len(self._names))
        # Two bins may have one name, where numbers differ by less than is written.
        found: Counter[str] = Counter()
        for name, number in zip(self._names, times.tolist(), strict=True):
            found[name] += number
        others = {} if unseen is None else unseen.times
        found[MISSING_BIN] += int(missing.sum()) - sum(others.values())
        for category, number in others.items():
            found[f"{category_text(category)} (new)"] += number
        return Counter({name: number for name, number in found.items() if number})


def unseen_in(encoded: Encoded, feature: int) -> Unseen | None:
    """Return the categories of a column that were not there when the model was learnt."""
    return next((found for found in encoded.unseen if found.column.index == feature), None)
