"""Everything of the harness that touches thriftwood's estimators."""

from __future__ import annotations

from typing import Any

import numpy as np

import thriftwood as tw
from benchmarks.speed.contestant import Job, Work
from benchmarks.speed.sample import Features, Sample
from thriftwood.datasets.published import shipped_costs


class Ours:
    """CostTreeClassifier with gini and no pruning: the tree that the peers grow."""

    def __init__(self) -> None:
        self.version = tw.__version__

    def fitter(self, sample: Sample, work: Work) -> Job:
        growth = tw.Growth(max_depth=work.depth, bins=work.bins)
        X = sample.frame() if sample.nominal else sample.X
        return lambda: tw.CostTreeClassifier(
            criterion="gini", growth=growth, pruning=None, n_jobs=work.threads
        ).fit(X, sample.y)

    def predictor(self, model: Any, sample: Sample, X: Features) -> Job:
        table = sample.frame(X) if sample.nominal else X
        return lambda: model.predict(table)

    def own_one_row(self, model: Any, X: Features) -> Job:
        tree, row = model.tree_, X[0]
        return lambda: tree.decide(row)


def evolving(learner: str, sample: Sample, work: Work, trees: int) -> Job:
    """A call that evolves a tree with Turney's prices of heart tests; a mistake costs 50."""
    frame = sample.frame()
    prices = shipped_costs("heart-cleveland")
    assert prices is not None  # the package has them
    tests = dict(zip(frame.columns, prices.tests.values(), strict=True))
    costs = tw.Costs(tests, shared=prices.shared, errors_default=50)
    settings = {} if work.depth is None else {"depth": work.depth}
    model = tw.algorithm(learner, costs=costs, trials=trees, random_state=0, n_jobs=work.threads, **settings)
    return lambda: model.fit(frame, sample.y)


def stacking(sample: Sample, work: Work) -> Job:
    """A call that learns CoCoST with the settings of the paper; prices as for LASC."""
    model = tw.CocostClassifier(costs=_flow_prices(sample), random_state=0, n_jobs=work.threads)
    return lambda: model.fit(sample.X, sample.y)


def _flow_prices(sample: Sample) -> tw.Costs:
    """Price the columns from 12 down to 0.1."""
    prices = np.linspace(0.1, 12.0, sample.X.shape[1])[::-1]
    return tw.Costs({column: float(price) for column, price in enumerate(prices)})


def looking_ahead(sample: Sample, work: Work) -> Job:
    """A call that grows LASC's tree."""
    costs = _flow_prices(sample)
    model = tw.algorithm("lasc", costs=costs, max_depth=work.depth, bins=work.bins, n_jobs=work.threads)
    return lambda: model.fit(sample.X, sample.y)


def many_small_fits(sample: Sample, work: Work, fits: int) -> Job:
    """A call that grows `fits` trees on the sample inside one native call."""
    model = tw.CostTreeClassifier(criterion="gini", growth=tw.Growth(max_depth=work.depth, bins=work.bins))
    rows = [np.arange(len(sample.y), dtype=np.uint32)] * fits
    return lambda: tw.fit_many(model, sample.X, sample.y, rows)


def priced_fit(sample: Sample, work: Work, *, blind: bool) -> Job:
    """A call that grows a tree on counts of function calls, watched at what each function's calls cost.

    Every feature needs its own function and three others, paid once by the tree. `blind`: the same tree by
    entropy alone.
    """
    calls = sample.X.mean(axis=0, dtype=np.float64)
    names = [f"x{feature}" for feature in range(len(calls))]
    others = np.random.default_rng(1).integers(0, len(calls), size=(len(calls), 3))
    tests = {
        name: tw.Test(0, needs=sorted({name, *(names[other] for other in others[feature])}))
        for feature, name in enumerate(names)
    }
    costs = tw.Costs(tests=tests, shared=dict(zip(names, calls.tolist(), strict=True)), payment="upfront")
    gamma = 1e-3 / float(np.median(calls))  # cheap enough to grow a whole tree
    growth = tw.Growth(max_depth=work.depth, bins=work.bins)
    if blind:
        model = tw.CostTreeClassifier("entropy", growth=growth, n_jobs=work.threads)
    else:
        model = tw.CostTreeClassifier(tw.CsGain(gamma=gamma), costs=costs, growth=growth, n_jobs=work.threads)
    return lambda: model.fit(sample.X, sample.y)
