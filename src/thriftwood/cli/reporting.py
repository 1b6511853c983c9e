"""The report that commands write, with the frontier where it takes no more than some seconds."""

from __future__ import annotations

from pathlib import Path

from thriftwood.cli.inputs import Cases
from thriftwood.cli.printing import note
from thriftwood.cli.progress import progress
from thriftwood.cli.writing import check_folder
from thriftwood.evaluation import Frontier, frontier
from thriftwood.evaluation.comparisons import Learner
from thriftwood.learning import CostTreeClassifier
from thriftwood.learning.criteria import facts_of, weight_of
from thriftwood.report.page import html_path

MOST_CELLS = 1_000_000
"""Rows times columns up to which the trees of a frontier, more than a hundred, are grown in seconds."""
FOLDS = 5


def check_report(path: Path | None) -> None:
    """Refuse a file name that no browser would open, before anything is computed."""
    if path is not None:
        check_folder(html_path(path))


def frontier_of(learner: Learner, cases: Cases, seed: int) -> Frontier | None:
    """Return what accuracy costs this learner on these cases; None where nothing weighs prices.

    Where it would take long the report goes without, and a note says how to get it.
    """
    if not isinstance(learner, CostTreeClassifier):
        return None
    criterion = learner.checked_criterion()
    if weight_of(criterion) is None or learner.costs is None:
        return None
    if facts_of(criterion).samples or len(cases) * len(cases.columns) > MOST_CELLS:
        note("The report has no frontier, which would take long here. `thriftwood frontier` makes one.")
        return None
    with progress("trees of the frontier") as tell:
        return frontier(learner, cases.X, cases.y, cv=FOLDS, random_state=seed, n_jobs=-1, progress=tell)
