"""LightGBM, with and without penalties for reading a feature: the frontier to beat.

It has two kinds of penalties, in the units of its gains: lazy, for every case of a leaf that has not read the
feature, and coupled, once for the model. Neither knows that a spectrum serves twelve features. So prices come
in two forms: in full, each feature with all its steps, and shared, each step divided among its features.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from thriftwood.costs import Costs
from thriftwood.experiments.cocost2009.contest import Fold, Scored, scored
from thriftwood.flowtype import FEATURES

PLAIN, PENALISED = "lightgbm", "lightgbm penalised"

SETTINGS: tuple[tuple[str, str, float], ...] = (
    *(("lazy", "full", scale) for scale in (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)),
    *(("lazy", "shared", scale) for scale in (0.01, 0.03, 0.1, 0.3, 1.0)),
    *(("coupled", "full", scale) for scale in (1.0, 3.0, 10.0, 30.0, 100.0, 300.0)),
)
"""Kind of penalty, form of prices, gain that a microsecond must be worth."""

ROUNDS = 100


def has_lightgbm() -> bool:
    """Tell whether LightGBM is installed."""
    return find_spec("lightgbm") is not None


def boosters(fold: Fold) -> Iterator[Scored]:
    """Fit LightGBM without penalties, then with each of the settings."""
    yield _scored(fold, PLAIN, "", {})
    prices = {"full": full_prices(fold.learn.costs), "shared": shared_prices(fold.learn.costs)}
    for kind, form, scale in fold.some(SETTINGS):
        penalty = [scale * price for price in prices[form]]
        words = f"{kind} {form} {scale:g}"
        yield _scored(fold, PENALISED, words, {f"cegb_penalty_feature_{kind}": penalty})


def full_prices(costs: Costs) -> list[float]:
    """Return what each feature costs alone, with all steps it needs."""
    return [costs.total([name]) for name in FEATURES]


def shared_prices(costs: Costs) -> list[float]:
    """Return what each feature costs if every step is divided among the features that need it.

    They add up to what all features cost.
    """
    users = {step: sum(step in costs.tests[name].needs for name in FEATURES) for step in costs.shared}
    return [
        costs.tests[name].price + sum(costs.shared[step] / users[step] for step in costs.tests[name].needs)
        for name in FEATURES
    ]


def _scored(fold: Fold, learner: str, setting: str, penalties: dict[str, Any]) -> Scored:
    import lightgbm  # an optional dependency of this experiment

    # One thread: its sums, and so its trees, may differ with their number.
    model = lightgbm.LGBMClassifier(
        n_estimators=10 if fold.few else ROUNDS, n_jobs=1, verbose=-1, random_state=fold.seed, **penalties
    )
    paid = fold.judge.bill_of_peer(model.fit(fold.learn.values(), fold.learn.y))
    return scored(learner, setting, paid, fold.judge.all_features)
