"""Entries of the learners that search for trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thriftwood.learners.entries import Entry
from thriftwood.learning.optimal import OptimalTreeClassifier
from thriftwood.learning.thrift import ThriftClassifier


@dataclass(frozen=True, slots=True)
class OptimalEntry(Entry):
    """A learner that neither grows nor prunes."""

    def make(self) -> Any:
        """Return a new estimator with the published settings."""
        return self.estimator(**self.settings)


OPTIMAL_LEARNERS: tuple[Entry, ...] = (
    OptimalEntry(
        name="optimal",
        sentence="Searches all trees of a depth, 3 unless max_depth says otherwise, for the one that costs "
        "the training cases least, and proves that no other costs less.",
        reference="van der Linden, de Weerdt & Demirovic 2023, Necessary and sufficient conditions for "
        "optimal decision trees using dynamic programming, NeurIPS",
        formula="least cost of tests and mistakes over trees of a depth",
        estimator=OptimalTreeClassifier,
    ),
    OptimalEntry(
        name="thrift",
        sentence="The lowest bill on new cases, without settings: no test, the best small trees and deep "
        "trees by rollouts compete, judged by what cases cost that they were not learnt from.",
        reference="thriftwood's own, 2026",
        formula="least cost of tests and mistakes on held-out cases",
        estimator=ThriftClassifier,
    ),
)
