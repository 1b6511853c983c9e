"""CoCoST and what it is made of: boosted and inverse-boosted LASC, and forests that stop voting when sure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal

from thriftwood.ensembles import (
    BoostedTreesClassifier,
    CocostClassifier,
    InverseBoostedTreesClassifier,
    ShortcutForestClassifier,
)
from thriftwood.experiments.cocost2009.contest import Clock, Fold, Scored, scored
from thriftwood.experiments.cocost2009.published import ALPHAS
from thriftwood.experiments.cocost2009.trees import LASC
from thriftwood.flowtype import FEATURES
from thriftwood.learners import algorithm

COCOST, COCOST_IMPROVED = "cocost", "cocost improved"
BOOSTED, INVERSE, FOREST = "boosted lasc", "inverse-boosted lasc", "short-cut forest"

SENSITIVITIES = (0.1, 0.5, 1.0, 4.0)
"""Of the forests."""
SIZES = (11, 31, 101)
"""The numbers of their trees."""


def cocost(fold: Fold) -> Iterator[Scored]:
    """Fit CoCoST as published."""
    yield _scored(fold, COCOST, "as published", made_cocost(fold, told="answers"))


def improved(fold: Fold) -> Iterator[Scored]:
    """Fit CoCoST whose upper tree is told the shares of the types, and not the answers alone."""
    yield _scored(fold, COCOST_IMPROVED, "shares", made_cocost(fold, told="shares"))


def made_cocost(fold: Fold, told: Literal["answers", "shares"]) -> CocostClassifier:
    """Return CoCoST with the paper's settings, not fitted."""
    return CocostClassifier(
        costs=fold.learn.costs,
        alphas=tuple(fold.some(ALPHAS)),
        rounds=2 if fold.few else 10,
        told=told,
        random_state=fold.seed,
        n_jobs=fold.n_jobs,
    )


def sequences(fold: Fold) -> Iterator[Scored]:
    """Let ten boosted trees vote, and the last of ten inverse-boosted trees answer."""
    how: dict[str, Any] = {
        "costs": fold.learn.costs,
        "n_estimators": 2 if fold.few else 10,
        "random_state": fold.seed,
        "n_jobs": fold.n_jobs,
    }
    for alpha in (0.1, 1.0):
        base = algorithm(LASC, alpha=alpha)
        yield _scored(fold, BOOSTED, f"{alpha:g}", BoostedTreesClassifier(base, **how))
        yield _scored(fold, INVERSE, f"{alpha:g}", InverseBoostedTreesClassifier(base, **how))


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
    clock = Clock()
    clock.of(partial(model.fit, fold.learn.X, fold.learn.y))
    paid = fold.judge.bill(model)
    return scored(learner, setting, paid, fold.judge.costs.total(FEATURES), clock.seconds)
