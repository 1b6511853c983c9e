"""Everything of the harness that touches thriftwood's estimators."""

from __future__ import annotations

from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import thriftwood as tw
from benchmarks.speed.contestant import Job, Work
from benchmarks.speed.sample import Features, Sample, make
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


def predicting_codes(grown_on: Sample, X: Features, work: Work) -> Job:
    """A call that predicts an array of codes, which the model was told are nominal."""
    growth = tw.Growth(max_depth=work.depth, bins=work.bins)
    model = tw.CostTreeClassifier("gini", growth=growth, nominal_features=list(grown_on.nominal))
    model.fit(grown_on.X, grown_on.y)
    return lambda: model.predict(X)


def deciding(model: Any, sample: Sample) -> Job:
    """A call that answers for the first row of a sample, as a dictionary."""
    row = sample.frame(sample.X[:1]).astype(object).iloc[0].to_dict()
    return lambda: model.decide(row)


ROWS_WRITTEN = 250_000
"""Rows of a large file that are made at a time."""


def write_file(folder: Path, name: str, rows: int, work: Work) -> int:
    """Write a model and a Parquet file of so many rows; return the number of columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    grown_on = make(name, min(rows, 100_000), seed=1)
    Ours().fitter(grown_on, work)().save(folder / "model.json")
    with ExitStack() as stack:
        writer: Any = None
        for start in range(0, rows, ROWS_WRITTEN):
            part = make(name, min(ROWS_WRITTEN, rows - start), seed=2 + start)
            frame = part.frame()
            frame = frame.astype({frame.columns[j]: str for j in part.nominal})
            table = pa.Table.from_pandas(frame, preserve_index=False)
            writer = writer or stack.enter_context(pq.ParquetWriter(folder / "table.parquet", table.schema))
            writer.write_table(table)
    return grown_on.X.shape[1]


def streaming(folder: Path) -> Job:
    """A call of the command that predicts the file of a folder; all that it needs is imported before."""
    from thriftwood.cli import app

    for name in ("inputs", "machine", "parquet"):
        import_module(f"thriftwood.cli.{name}")
    names = ("model.json", "table.parquet", "answers.parquet")
    model, table, answers = (str(folder / name) for name in names)
    return lambda: app(["predict", model, table, "-o", answers], standalone_mode=False)


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
