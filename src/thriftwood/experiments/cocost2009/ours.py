"""Our boosted trees: a feature costs every case what is still to be paid, and who is sure asks no more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from thriftwood.ensembles import CostGradientBoostingClassifier
from thriftwood.experiments.cocost2009.contest import Clock, Fold, Scored, scored
from thriftwood.flowtype import FEATURES

OURS = "boosted, ours"

WEIGHTS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
"""Of prices: the loss that a microsecond must take away."""
STOPS = (0.9, 0.99, None)
"""The share of the leading type that is enough to ask nothing more."""
SETTINGS = tuple((weight, stop) for weight in WEIGHTS for stop in STOPS)
"""As many as LightGBM has."""

STAGES = 100


def boosted(fold: Fold) -> Iterator[Scored]:
    """Fit each of the settings."""
    for weight, stop in fold.some(SETTINGS):
        clock = Clock()
        model = made(fold, weight, stop)
        clock.of(partial(model.fit, fold.learn.X, fold.learn.y))
        paid = fold.judge.bill(model)
        setting = f"{weight:g}, stop {'never' if stop is None else f'{stop:g}'}"
        yield scored(OURS, setting, paid, fold.judge.costs.total(FEATURES), clock.seconds)


def made(fold: Fold, weight: float, stop: float | None) -> CostGradientBoostingClassifier:
    """Return the booster of a setting, not fitted."""
    return CostGradientBoostingClassifier(
        costs=fold.learn.costs,
        cost_weight=weight,
        stop=stop,
        n_estimators=10 if fold.few else STAGES,
        random_state=fold.seed,
        n_jobs=fold.n_jobs,
    )


def to_be_timed(fold: Fold) -> CostGradientBoostingClassifier:
    """Return the booster whose time is taken: of a middling weight of prices, and rather sure."""
    return made(fold, 0.01, 0.99)
