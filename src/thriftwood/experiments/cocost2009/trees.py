"""Single trees, and the SVM that the paper measures them by: Tables I and II."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from thriftwood.experiments.cocost2009.contest import Fold, Scored, scored
from thriftwood.experiments.cocost2009.published import ALPHAS, SIZES, SUBSET
from thriftwood.experiments.cocost2009.selecting import forward
from thriftwood.flowtype import FEATURES
from thriftwood.learners import algorithm

GREEDY = ("c45", "cs-id3", "eg2", "idx")
LASC, SVM = "lasc", "svm"
SETS = (*SIZES, 30, len(FEATURES))
"""Numbers of features chosen forward."""
PENALTIES = (1.0, 10.0, 100.0)
WIDTHS = (0.25, 1.0, 4.0)
"""What the SVM is tuned over: C, and gamma times the number of features."""
FOLDS = 3


def trees(fold: Fold) -> Iterator[Scored]:
    """Grow LASC, C4.5, CS-ID3, EG2 and IDX on sets of features, and LASC with every sensitivity."""
    chosen = chosen_features(fold)
    for size in SETS:
        names = chosen[:size]
        for learner in GREEDY:
            yield _tree(fold, learner, names)
        for alpha in fold.some(ALPHAS) if size in (SUBSET, len(FEATURES)) else (1.0,):
            yield _tree(fold, LASC, names, alpha=alpha)


def machines(fold: Fold) -> Iterator[Scored]:
    """Fit RBF-SVMs on the same sets; their C and gamma are tuned by source inside the part to learn from."""
    chosen = chosen_features(fold)
    for size in fold.some(SETS):
        names = chosen[:size]
        paid = fold.judge.bill_of_peer(tuned_machine(fold, names), names)
        yield scored(SVM, str(size), paid, fold.judge.all_features)


def tuned_machine(fold: Fold, names: Sequence[str]) -> Any:
    """Return an SVM on standardised columns, fitted to the part to learn from."""
    source = fold.learn.table.source
    grid = {
        "svc__C": fold.some(PENALTIES),
        "svc__gamma": [width / len(names) for width in (WIDTHS if not fold.few else WIDTHS[1:2])],
    }
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SVC()),
        grid,
        cv=GroupKFold(min(FOLDS, len(np.unique(source)))),
        n_jobs=fold.n_jobs,
    )
    return search.fit(fold.learn.values(names), fold.learn.y, groups=source)


def chosen_features(fold: Fold) -> list[str]:
    """Return all features in the order of forward selection; those beyond the largest set by their place."""
    learn = fold.learn
    first = forward(learn.values(), learn.y, FEATURES, learn.costs, SETS[-2])
    return [*first, *(name for name in FEATURES if name not in first)]


def _tree(fold: Fold, learner: str, names: Sequence[str], **settings: Any) -> Scored:
    costs = fold.learn.costs.only(names)
    model = algorithm(learner, costs=costs, **settings).set_params(n_jobs=fold.n_jobs)
    paid = fold.judge.bill(model.fit(fold.learn.only(names), fold.learn.y), names)
    setting = f"{len(names)}/{settings['alpha']:g}" if settings else str(len(names))
    return scored(learner, setting, paid, fold.judge.all_features)
