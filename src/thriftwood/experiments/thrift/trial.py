"""One division of one setting: every learner learns from one part, and the other pays."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from typing import Any

import numpy as np

from thriftwood.costs import Costs
from thriftwood.ensembles import CheapestAnswer
from thriftwood.evaluation import bill
from thriftwood.experiments.learners import BY_LEAVES, CUT_BACK, learner_of
from thriftwood.experiments.thrift.tables import Setting

NOBODY = "nobody"
THRIFT = "thrift"
PENALTIES = "lightgbm, penalties"
"""LightGBM that is charged the price of a column where it first splits by it."""
DEFAULT_LEARNERS = (
    *(THRIFT, *BY_LEAVES),
    *(NOBODY, "fixed-panel", "everything", "optimal 3", "min-total-cost", "cstree", CUT_BACK, "c45"),
    *("gradient-boosting", PENALTIES),
)
QUICK_LEARNERS = (THRIFT, NOBODY, "optimal 3", "min-total-cost", "c45")


def perform(setting: Setting, number: int, learners: tuple[str, ...], seed: int) -> dict[str, Any]:
    """Run one division.

    Returns
    -------
    dict
        The table, the shape, the level, and for each learner what a case of the judged part costs, in percent
        of what testing nobody costs there.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C.
    """
    costs = setting.costs(number)
    learnt, judged = setting.divided(number)
    classes = np.unique(setting.y)
    errors, truth = costs.error_matrix(classes), np.searchsorted(classes, setting.y)
    answer = int(errors[truth[learnt]].sum(axis=0).argmin())
    nobody = float(errors[truth[judged], answer].mean())
    found = {NOBODY: 100.0} if NOBODY in learners else {}
    for name in learners:
        if name == NOBODY:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = _fitted(name, setting, costs, learnt, seed)
            result = bill(model, setting.X.iloc[judged], costs=costs)
            given = np.searchsorted(classes, np.asarray(model.predict(setting.X.iloc[judged])))
        mistakes = float(errors[truth[judged], given].mean())
        found[name] = 100.0 * (result.mean_test_cost + mistakes) / nobody
    return {"table": setting.table, "shape": setting.shape, "level": setting.level, "cost": found}


def _fitted(name: str, setting: Setting, costs: Costs, learnt: Any, seed: int) -> Any:
    X, y = setting.X.iloc[learnt], setting.y[learnt]
    if name == PENALTIES:
        return _with_penalties(setting, costs, seed).fit(X, y)
    return learner_of(name, costs, seed).fit(X, y)


def has_lightgbm() -> bool:
    """Tell whether LightGBM is installed."""
    return find_spec("lightgbm") is not None


def _with_penalties(setting: Setting, costs: Costs, seed: int) -> Any:
    """Return LightGBM with the prices as penalties, in units of what testing nobody costs."""
    from lightgbm import LGBMClassifier

    classes, counts = np.unique(setting.y, return_counts=True)
    nobody = float((counts @ costs.error_matrix(classes)).min() / counts.sum())
    prices = [costs.effective_price(name) / nobody for name in setting.X.columns]
    booster = LGBMClassifier(
        n_estimators=50, random_state=seed, n_jobs=1, verbose=-1, cegb_penalty_feature_lazy=prices
    )
    return CheapestAnswer(booster, costs)
