"""Entries of the learners that go by what mistakes cost, and look at no prices.

Two take these costs into the weights of the cases: they grow as C4.5 does and answer with the heaviest class;
C(j) is what the mistakes about class j cost together. Without error costs both are C4.5. CSDT splits where
the cost of mistakes falls.
"""

from __future__ import annotations

from dataclasses import replace

from thriftwood.learners.entries import BASE_LEARNERS, Entry, same
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.pruning import ReducedError

_C45 = next(entry for entry in BASE_LEARNERS if entry.name == "c45")
_TING = "Ting 1998, Inducing cost-sensitive trees via instance weighting, PKDD"


def _weighted(name: str, sentence: str, reference: str, loss_in_growth: str) -> Entry:
    return replace(
        _C45,
        name=name,
        sentence=sentence,
        reference=reference,
        formula="gain / split information, cases weighted by w(j) = C(j) N / sum_i C(i) N_i",
        settings=dict(_C45.settings) | {"loss_in_growth": loss_in_growth, "answer": "most_likely"},
    )


ERROR_LEARNERS: tuple[Entry, ...] = (
    _weighted(
        "c45cs",
        "C4.5 with cases that weigh as much as the mistakes about their class cost, in growing and in "
        "pruning. Made for two classes: with more it is lost which mistake costs how much.",
        _TING,
        "instance_weights",
    ),
    _weighted(
        "c45-priors",
        "C4.5 that grows with the weights of C4.5CS, which alter the priors of the classes, and prunes and "
        "answers with the cases as they are.",
        "Breiman, Friedman, Olshen & Stone 1984, Classification and regression trees; as C4.5(pi') in "
        f"{_TING}",
        "altered_priors",
    ),
    Entry(
        name="csdt",
        sentence="Splits in two where the cost of mistakes falls most, by a matrix of error costs or by "
        "fit(..., error_costs=...) for each row, while it falls by min_gain of itself; prunes by the cost of "
        "cases kept aside.",
        reference="Correa Bahnsen, Aouada & Ottersten 2015, Example-dependent cost-sensitive decision trees, "
        "Expert Systems with Applications 42",
        formula="(L - L_L - L_R) / L, L = min_j sum of what answer j costs beyond the cheapest for each case",
        estimator=CostTreeClassifier,
        settings={"criterion": "leaf-cost"},
        growth={"nominal": "binary", "min_relative_gain": 0.001},
        # The published rule cuts by the cases the tree was grown on, and so hardly ever.
        pruning=ReducedError(order="bottom_up"),
        names={"min_gain": same("growth__min_relative_gain")},
    ),
)
