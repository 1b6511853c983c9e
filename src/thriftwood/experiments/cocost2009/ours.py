"""Our boosted trees: a feature costs every case what is still to be paid, and who is sure asks no more."""

from __future__ import annotations

from collections.abc import Iterator

from thriftwood.ensembles import CostGradientBoostingClassifier
from thriftwood.experiments.cocost2009.contest import Fold, Scored, scored

OURS = "boosted, ours"

WEIGHTS = (0.0005, 0.001, 0.003, 0.006, 0.01, 0.03, 0.06, 0.1, 0.2)
"""Weights of prices: the loss that a microsecond must take away."""
STOPS = (0.9, 0.95)
"""The share of the leading type that is enough to ask nothing more."""
SETTINGS = tuple((weight, stop) for weight in WEIGHTS for stop in STOPS)
"""As many settings as LightGBM has."""


TIMED = (0.01, 0.9)
"""The setting whose time is taken: the defaults."""


def boosted(fold: Fold) -> Iterator[Scored]:
    """Fit each of the settings."""
    for weight, stop in fold.some(SETTINGS):
        model = made(fold, weight, stop).fit(fold.learn.X, fold.learn.y)
        yield scored(OURS, named(weight, stop), fold.judge.bill(model), fold.judge.all_features)


def named(weight: float, stop: float) -> str:
    """Return what a setting is called.

    Examples
    --------
    >>> named(*TIMED)
    '0.01, sure at 0.9'
    """
    return f"{weight:g}, sure at {stop:g}"


def made(fold: Fold, weight: float, stop: float) -> CostGradientBoostingClassifier:
    """Return the booster of a setting, not fitted."""
    return CostGradientBoostingClassifier(
        costs=fold.learn.costs,
        cost_weight=weight,
        stop=stop,
        random_state=fold.seed,
        n_jobs=fold.n_jobs,
        **({"n_estimators": 10} if fold.few else {}),
    )
