"""Entries of what one would do without a tree."""

from __future__ import annotations

from thriftwood.baselines.everything import EverythingClassifier
from thriftwood.baselines.fixed_panel import FixedPanelClassifier
from thriftwood.baselines.nobody import NobodyClassifier
from thriftwood.learners.ensembles import EnsembleEntry
from thriftwood.learners.entries import Entry

_OWN = "thriftwood's own, 2026"

BASELINES: tuple[Entry, ...] = (
    EnsembleEntry(
        name="nobody",
        sentence="Tests nobody: all cases get the answer that costs them least.",
        reference=_OWN,
        formula="argmin_a sum_i W_i cost(i, a)",
        estimator=NobodyClassifier,
    ),
    EnsembleEntry(
        name="everything",
        sentence="Buys all tests for everybody, and answers what costs least by logistic regression, or by "
        "LightGBM (learner='lightgbm').",
        reference=_OWN,
        formula="argmin_a sum_j P(j | x) cost(j, a), P of all columns",
        estimator=EverythingClassifier,
    ),
    EnsembleEntry(
        name="fixed-panel",
        sentence="Asks everybody the same tests, chosen one by one, or by shared resource and group, as long "
        "as the bill of cases kept aside falls, and answers what costs least by logistic regression.",
        reference=_OWN,
        formula="least price of the panel + cost of mistakes, on held-out cases, by forward selection",
        estimator=FixedPanelClassifier,
    ),
)
