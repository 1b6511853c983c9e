"""CoCoST, and forests of LASC that stop voting when no type can catch the leader: Table III."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thriftwood.ensembles import CocostClassifier, ShortcutForestClassifier
from thriftwood.experiments.cocost2009.contest import Fold, Scored, scored
from thriftwood.experiments.cocost2009.published import ALPHAS
from thriftwood.experiments.cocost2009.trees import LASC
from thriftwood.learners import algorithm

COCOST, FOREST = "cocost", "short-cut forest"

SENSITIVITIES = (0.1, 0.5, 1.0, 4.0)
"""Sensitivities of the forests."""
SIZES = (11, 31, 101)
"""The numbers of their trees."""


def cocost(fold: Fold) -> Iterator[Scored]:
    """Fit CoCoST as published."""
    model = CocostClassifier(
        costs=fold.learn.costs,
        alphas=tuple(fold.some(ALPHAS)),
        rounds=2 if fold.few else 10,
        random_state=fold.seed,
        n_jobs=fold.n_jobs,
    )
    yield _scored(fold, COCOST, "as published", model)


def forests(fold: Fold) -> Iterator[Scored]:
    """Grow forests of LASC of every sensitivity and size."""
    for alpha in fold.some(SENSITIVITIES):
        for size in (3,) if fold.few else SIZES:
            model = ShortcutForestClassifier(
                size,
                algorithm(LASC, alpha=alpha),
                costs=fold.learn.costs,
                random_state=fold.seed,
                n_jobs=fold.n_jobs,
            )
            yield _scored(fold, FOREST, f"{alpha:g}/{size}", model)


def _scored(fold: Fold, learner: str, setting: str, model: Any) -> Scored:
    paid = fold.judge.bill(model.fit(fold.learn.X, fold.learn.y))
    return scored(learner, setting, paid, fold.judge.all_features)
