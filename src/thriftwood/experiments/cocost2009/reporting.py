"""From means over splits to tables, a picture and plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from thriftwood.experiments.cocost2009.contest import EDGES
from thriftwood.experiments.cocost2009.ensembles import COCOST, FOREST
from thriftwood.experiments.cocost2009.lightgbm import PENALISED, PLAIN
from thriftwood.experiments.cocost2009.ours import OURS
from thriftwood.experiments.cocost2009.published import ACCURACY, ALL_FEATURES, ALPHAS, COST, SUBSET
from thriftwood.experiments.cocost2009.speed import ALL
from thriftwood.experiments.cocost2009.summing import Mean, Means, standard_error
from thriftwood.experiments.cocost2009.trees import GREEDY, LASC, SETS, SVM
from thriftwood.experiments.comparison import Comparison
from thriftwood.experiments.tradeoffs import Tradeoffs, Tried
from thriftwood.flowtype import FEATURES

TITLE = "CoCoST 2009"
LEVELS = tuple(round(0.80 + 0.01 * step, 2) for step in range(14))
"""Accuracies from .80 to .93."""
WHOLE = str(len(FEATURES))

Figures = dict[str, dict[str, float | None]]
Times = Sequence[Mapping[str, float]]


def rows_of_table_3(means: Means) -> dict[str, Mean]:
    """Return whom Table III compares, each with one setting.

    Single trees have all features, LASC the sensitivity 1; the forest is the most accurate of all tried, as
    the paper chose it; LightGBM and ours are the cheapest that is as accurate as the SVM, or else the most
    accurate.
    """
    svm = means.get(SVM, WHOLE)
    wanted = {name: means.get(name, WHOLE) for name in GREEDY}
    wanted[LASC] = means.get(LASC, f"{WHOLE}/1") or means.best(LASC)
    wanted |= {FOREST: means.best(FOREST), COCOST: means.best(COCOST), SVM: svm, PLAIN: means.best(PLAIN)}
    for name in (PENALISED, OURS):
        wanted[name] = (means.cheapest(svm.accuracy, name) if svm else None) or means.best(name)
    return {name: mean for name, mean in wanted.items() if mean is not None}


def comparisons(means: Means, times: Times, whole: float) -> tuple[Comparison, ...]:
    """Return Tables I to III, figure 5, what accuracies cost, and times."""
    tables = [*_table_1(means), _table_2(means), _table_3(means, whole), _figure_5(means)]
    if means.of_learners(PENALISED):
        tables.append(_levels(means))
    return (*tables, _times(times))


def tradeoffs(means: Means) -> Tradeoffs:
    """Return every setting on all features by cost and accuracy."""
    settings = {}
    for name in (OURS, PENALISED, PLAIN, FOREST, LASC, COCOST, SVM):
        own = Means(tuple(mean for mean in means.of_learners(name) if _has_all_features(mean)))
        best = own.line(name)
        settings[name] = tuple(
            Tried(mean.setting, mean.cost, mean.accuracy, mean in best) for mean in own.known
        )
    known = {name: tried for name, tried in settings.items() if tried}
    return Tradeoffs(
        f"{TITLE}: what telling the type of a stream costs", "microseconds a case", "accuracy", known
    )


def _has_all_features(mean: Mean) -> bool:
    """Tell whether a setting may ask every feature; those of Tables I and II say how many."""
    return mean.learner not in (LASC, SVM, *GREEDY) or mean.setting.partition("/")[0] == WHOLE


def _table_1(means: Means) -> list[Comparison]:
    learners = (LASC, *GREEDY, SVM)
    found = {
        str(size): {
            learner: means.get(learner, f"{size}/1" if learner == LASC else str(size)) for learner in learners
        }
        for size in SETS
    }
    accuracy: Figures = {
        row: {name: 100 * mean.accuracy if mean else None for name, mean in means_of.items()}
        for row, means_of in found.items()
    }
    cost: Figures = {
        row: {name: mean.cost if mean else None for name, mean in means_of.items()}
        for row, means_of in found.items()
    }
    rows, row_title = tuple(found), "features"
    title = f"{TITLE}, Table I: features chosen forward"
    right = Comparison(title, "accuracy, %", row_title, rows, learners, {}, accuracy, digits=1)
    paid = Comparison(title, "microseconds a case", row_title, rows, learners, {}, cost, digits=1)
    return [right, paid]


def _table_2(means: Means) -> Comparison:
    figures: Figures = {}
    for alpha in ALPHAS:
        row: dict[str, float | None] = {}
        for size in (SUBSET, len(FEATURES)):
            mean = means.get(LASC, f"{size}/{alpha:g}")
            row[f"{size}: right, %"] = 100 * mean.accuracy if mean else None
            row[f"{size}: cost"] = mean.cost if mean else None
        figures[f"{alpha:g}"] = row
    columns = tuple(figures[f"{ALPHAS[0]:g}"])
    return Comparison(
        f"{TITLE}, Table II: LASC by its sensitivity to prices",
        f"on {SUBSET} and {WHOLE} features: accuracy, %, and microseconds a case",
        *("alpha", tuple(figures), columns, {}, figures),
        digits=1,
    )


def _table_3(means: Means, whole: float) -> Comparison:
    right, share, paid = "right, %", "cost, % of all", "microseconds"
    rows = rows_of_table_3(means)
    figures: Figures = {
        name: {right: 100 * mean.accuracy, share: 100 * mean.cost / whole, paid: mean.cost}
        for name, mean in rows.items()
    }
    errors: Figures = {
        name: {
            right: None if mean.accuracy_error is None else 100 * mean.accuracy_error,
            share: None if mean.cost_error is None else 100 * mean.cost_error / whole,
            paid: mean.cost_error,
        }
        for name, mean in rows.items()
    }
    published: Figures = {
        name: {right: 100 * ACCURACY[name], share: 100 * COST[name] / ALL_FEATURES} for name in ACCURACY
    }
    return Comparison(
        f"{TITLE}, Table III",
        "accuracy, and the mean cost of a case",
        *("learner", tuple(rows), (right, share, paid), published, figures, errors),
        digits=1,
    )


def _figure_5(means: Means) -> Comparison:
    rows = rows_of_table_3(means)
    shown = [name for name in (COCOST, FOREST, PENALISED, OURS) if name in rows]
    bins = [f"{low:g}-{high:g}" for low, high in pairwise(EDGES)]
    figures: Figures = {
        row: {name: 100 * rows[name].spread[place] / sum(rows[name].spread) for name in shown}
        for place, row in enumerate(bins)
    }
    return Comparison(
        f"{TITLE}, figure 5: how costs are spread",
        "% of the cases",
        *("cost, % of all", tuple(bins), tuple(shown), {}, figures),
        digits=1,
    )


def _levels(means: Means) -> Comparison:
    """What each accuracy costs, with the same number of settings on both sides."""
    share = "ours, % of it"
    figures: Figures = {}
    for level in LEVELS:
        ours, theirs = means.cost_at(level, OURS), means.cost_at(level, PENALISED)
        figures[f"{level:.2f}"] = {
            OURS: ours,
            PENALISED: theirs,
            share: 100 * ours / theirs if ours is not None and theirs else None,
        }
    return Comparison(
        f"{TITLE}: what an accuracy costs",
        "microseconds a case",
        *("accuracy", tuple(figures), (OURS, PENALISED, share), {}, figures),
        digits=1,
    )


def _times(times: Times) -> Comparison:
    column, ratio = "microseconds", "times quicker"
    names = tuple(times[0])
    figures: Figures = {}
    errors: Figures = {}
    for name in names:
        values = [one[name] for one in times]
        figures[name] = {column: fmean(values), ratio: fmean(one[ALL] / one[name] for one in times)}
        errors[name] = {column: standard_error(values)}
    return Comparison(
        f"{TITLE}: processor time to tell the type of a chunk",
        "microseconds, Python and all; how many times quicker than computing all features",
        *("by", names, (column, ratio), {}, figures, errors),
        digits=1,
        drawn=False,
    )
