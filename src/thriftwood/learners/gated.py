"""Entry of the learner that finds gates."""

from __future__ import annotations

from thriftwood.learners.entries import C45_NAMES, Entry
from thriftwood.learning.gated import GatedTreeClassifier
from thriftwood.learning.pruning import Pessimistic

GATED_LEARNERS: tuple[Entry, ...] = (
    Entry(
        name="gated",
        sentence="Asks tests that tell nothing by themselves, but which others to ask, where answers to "
        "cases kept aside become better; between them a tree that splits on the largest gain.",
        reference="by rollouts: Tesauro & Galperin 1996, On-line policy improvement using Monte-Carlo "
        "search, NIPS",
        formula="largest saving by trees below a test, on cases kept aside, less margin standard errors",
        estimator=GatedTreeClassifier,
        settings={"criterion": "entropy"},
        growth={"min_branch_weight": 4.0, "min_split_weight": 8.0, "nominal": "multiway"},
        pruning=Pessimistic(),
        names=C45_NAMES,
    ),
)
