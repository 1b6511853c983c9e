"""Entries of the learners that evolve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from thriftwood.evolution.ecco import EccoClassifier
from thriftwood.evolution.evolution import Evolution
from thriftwood.evolution.icet import GROWTH, IcetClassifier
from thriftwood.learners.entries import C45_NAMES, Entry
from thriftwood.learning.growth import Growth


@dataclass(frozen=True, slots=True)
class EvolvedEntry(Entry):
    """A learner that has an `Evolution`, and no pruning rule."""

    def make(self) -> Any:
        """Return a new estimator with the published settings."""
        growth = {"growth": Growth(**self.growth)} if self.growth else {}
        return self.estimator(**self.settings, **growth, evolution=Evolution())


EVOLVED_LEARNERS: tuple[Entry, ...] = (
    EvolvedEntry(
        name="icet",
        sentence="Evolves the prices by which EG2 grows trees, its exponent and the confidence factor of "
        "C4.5's pruning: 1,000 trees, each grown on a random half of the cases and judged by its whole bill "
        "on the other half. Leaves answer the commonest class, as C4.5's do; answer='cheapest': what costs "
        "least.",
        reference="Turney 1995, Cost-sensitive classification: empirical evaluation of a hybrid genetic "
        "decision tree induction algorithm, JAIR 2",
        formula="least mean bill over strings (b_1, ..., b_n, w, cf) of the tree that maximises "
        "(2^G - 1) / (b + 1)^w",
        estimator=IcetClassifier,
        growth=GROWTH,
        names=C45_NAMES,
    ),
    EvolvedEntry(
        name="ecco",
        sentence="Evolves whole trees: 1,000 of them, with a question for every node of a complete tree, "
        "judged by the mean bill of the training cases, with the answers that cost least; the best is pruned "
        "by it. Many trials of deep trees fit few cases too closely.",
        reference="Omielan & Vadera 2012, ECCO: a new evolutionary classifier with cost optimisation, IIP",
        formula="least mean bill over trees of depth 5 to 11",
        estimator=EccoClassifier,
    ),
)
