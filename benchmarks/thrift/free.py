"""Free tests and few cases: only mistakes cost, and doubt about tests saves nothing.

To miss the rarest class is 1, 5, 20 or 50 times as bad as any other mistake. 80, 150 and 250 cases are learnt
from, as far as a table has them, and up to 2,000 others judge. Figures are means over tables, in percent of
testing nobody. Where tests are taken: what folds said of what was taken, what `choice_` says, and what new
cases cost.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

import thriftwood as tw
from benchmarks.thrift.figure import Figure
from thriftwood.experiments.thrift.prices import RATIOS
from thriftwood.experiments.thrift.tables import LOOKED_AT, Setting, load_settings

NEW = (
    *("adult", "anneal", "bank-marketing", "churn-tv", "credit-default", "creditscoring1", "echocardiogram"),
    *("heart-statlog", "hypothyroid", "zoo"),
)
"""Tables that were not looked at while thrift was made, without those of many classes: panels of few cases
take long there."""
GROUPS = {"looked at": LOOKED_AT, "new": NEW}
CASES = 80, 150, 250
LEAST = 0.8
"""Of the cases wanted, a table must have so many to learn from."""
JUDGED = 2000


class Told(NamedTuple):
    """Costs in percent of testing nobody; what is said only where tests are taken."""

    thrift: float
    panel: float
    folds: float | None
    choice: float | None


def free(n_splits: int) -> Iterator[Figure]:
    for group, names in GROUPS.items():
        trials = {name: list(_trials(name, n_splits)) for name in names}
        told = {name: found for name, found in trials.items() if found}
        for what in ("thrift", "panel"):
            means = [fmean(getattr(one, what) for one in found) for found in told.values()]
            yield Figure.mean(f"{group}: {what}", means)
        saved = [fmean(one.panel - one.thrift for one in found) for found in told.values()]
        yield Figure.mean(f"{group}: thrift saves", saved)
        taken = [one for found in told.values() for one in found if one.folds is not None]
        for what in ("folds", "choice", "thrift") if taken else ():
            yield Figure(
                f"{group}, {len(taken)} with tests: {what}", fmean(getattr(one, what) for one in taken)
            )


def _trials(name: str, n_splits: int) -> Iterator[Told]:
    setting = load_settings((name,), 0, None)[0]
    for n_cases in CASES:
        n_learnt = min(n_cases, int(0.7 * len(setting.y)))
        if n_learnt < LEAST * n_cases and n_cases > min(CASES):
            continue
        for split in range(n_splits):
            found = divided(setting, n_cases, n_learnt, split)
            if found is not None:
                yield found


def divided(setting: Setting, n_cases: int, n_learnt: int, split: int) -> Told | None:
    """Learn from some cases and bill others; None where testing nobody makes no mistake there."""
    rng = np.random.default_rng([zlib.crc32(setting.table.encode()), n_cases, split])
    rows = rng.permutation(len(setting.y))
    learnt, judged = rows[:n_learnt], rows[n_learnt : n_learnt + JUDGED]
    costs = _costs(setting, int(rng.choice(RATIOS)))
    classes = np.unique(setting.y)
    errors, truth = costs.error_matrix(classes), np.searchsorted(classes, setting.y)
    nobody = float(errors[truth[judged], errors[truth[learnt]].sum(axis=0).argmin()].mean())
    if nobody <= 0.0:
        return None

    def cost(model: Any) -> float:
        given = np.searchsorted(classes, model.predict(setting.X.iloc[judged]))
        return 100.0 * float(errors[truth[judged], given].mean()) / nobody

    X, y = setting.X.iloc[learnt], setting.y[learnt]
    model = tw.ThriftClassifier(costs).fit(X, y)
    folds = choice = None
    said = re.search(r"It costs about (\S+)", model.choice_)
    if said is not None:
        constant, taken = (
            next(one.cost for one in model.candidates_ if one.name == name)
            for name in ("constant", model.chosen_)
        )
        folds, choice = 100.0 * taken / constant, 100.0 * float(said[1]) / constant
    return Told(cost(model), cost(tw.algorithm("fixed-panel", costs=costs).fit(X, y)), folds, choice)


def _costs(setting: Setting, ratio: int) -> tw.Costs:
    classes, counts = np.unique(setting.y, return_counts=True)
    errors = 1.0 - np.eye(len(classes))
    errors[counts.argmin()] *= ratio
    named = {
        one: {other: float(errors[i, j]) for j, other in enumerate(classes.tolist()) if i != j}
        for i, one in enumerate(classes.tolist())
    }
    return tw.Costs(dict.fromkeys(setting.X.columns, 0.0), errors=named)
