"""`fit_dask`: an estimator of trees learns from Dask collections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.remedies import InPython
from thriftwood.dask import counting
from thriftwood.dask.groups import Partitions, partitions_of
from thriftwood.dask.tasks import compute, delayed, persist
from thriftwood.learning.estimator import CostTree
from thriftwood.learning.scans import fitting
from thriftwood.learning.scans.coding import Coder
from thriftwood.learning.scans.counted import CountedTable
from thriftwood.learning.scans.survey import Sample, Seen, Survey

Model = TypeVar("Model", bound=CostTree)


@dataclass(frozen=True, slots=True)
class DaskTable(CountedTable):
    """Coded cases on a cluster."""

    counter: counting.DaskCounter | None = None

    def grow(self, settings: _core.Settings, prices: _core.Prices | None) -> _core.Tree:
        """Grow a tree, asking the cluster to count."""
        limits, counter = self.limits, self.counter
        assert counter is not None
        if self.n_cases <= limits.gathered_node:  # nothing would be counted: growth is that of `fit_scan`
            whole = CountedTable(self.coding, counter.shards(self.coding), self.n_cases, limits)
            return whole.grow(settings, prices)
        return _core.grow_elsewhere(
            self.coding,
            self.n_cases,
            settings,
            counter,
            prices,
            limits.gathered_node,
            limits.gathered_rows,
            limits.counted_cells,
        )


def fit_dask(model: Model, X: Any, y: Any, sample_weight: Any = None, *, memory: int | str = "2GB") -> Model:
    """Let an estimator of trees learn from Dask collections.

    Parameters
    ----------
    model : CostTreeClassifier, CostTreeRegressor, or what ``tw.algorithm`` gives for a single tree
        Its settings; what counts cannot do is refused, see ``fit_scan``.
    X : Dask DataFrame or Array
        The cases.
    y, sample_weight : Dask Series or Array
        With the partitions of X.
    memory : int or str
        About how much the process that calls this may hold at once.

    Returns
    -------
    model
        Fitted. The tree is the one that ``fit`` grows by bins from the same rows in memory, to the last bit,
        however they are divided into partitions.

    Examples
    --------
    >>> import dask.dataframe as dd, pandas as pd, thriftwood as tw
    >>> table = dd.from_pandas(pd.DataFrame({"age": [54, 61, 37, 41], "sick": [1, 1, 0, 0]}), npartitions=2)
    >>> model = fit_dask(tw.CostTreeClassifier(), table[["age"]], table["sick"])
    >>> model.predict(pd.DataFrame({"age": [50]}))
    array([1])
    """
    budget = fitting.bytes_of(memory)
    if not isinstance(model, CostTree):
        raise ValueError(
            f"fit_dask takes estimators of a single tree, such as CostTreeClassifier, and "
            f"{type(model).__name__} is none. Fit it on a sample in memory."
        )
    if type(model).fit_scan is not CostTree.fit_scan:
        raise advised(
            ValueError,
            f"{type(model).__name__} learns large tables from a sample, and draws none from a collection. ",
            InPython("Use fit_scan(tw.scan(...)) where the files are, or fit on a sample in memory."),
        )
    bins = fitting.checked_bins(model)
    partitions = partitions_of(X, y, sample_weight)
    sizes = list(compute(*[delayed(len)(y) for _, y, _ in partitions.parts]))
    survey = _surveyed(model, partitions, sizes, bins)
    fitting.refuse(model, survey)
    roles, coder = partitions.roles, Coder(survey)
    (told,) = persist(delayed(survey, traverse=False))
    coded = persist(*[delayed(counting.code)(part, roles, told) for part in partitions.parts])
    codes = counting.Codes(list(coded), sizes)
    del coded  # they go when they have been put together
    limits = fitting.limits_of(model, coder, budget)
    fitting.check_fits(model, survey, limits)

    def counted(class_weights: NDArray[np.float64] | None) -> CountedTable:
        plan = counting.CodingPlan(
            coder.columns(),
            0 if survey.classes is None else len(survey.classes),
            survey.largest is not None,
            class_weights,
            fitting.grid_of(survey, class_weights),
            fitting.number_grid_of(survey),
            survey.n_cases,
        )
        counter = counting.DaskCounter(codes, plan)
        return DaskTable(plan.coding(), [], survey.n_cases, limits, counter=counter)

    prepared = model.prepare_counted(survey.encoder, survey.n_rows, survey.classes, survey.totals, counted)
    model.set_fitted(prepared, model.grow_tree(prepared.problem))
    return model


def _surveyed(model: CostTree, partitions: Partitions, sizes: list[int], bins: int) -> Survey:
    """Look at every partition, and sample the rows that decide about bins."""
    roles, regression, n_rows = partitions.roles, model.predicts_numbers, sum(sizes)
    if not n_rows:
        raise ValueError("The collection has no rows.")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).tolist()
    looks = [
        delayed(counting.look)(part, roles, model.owner, model.nominal_features, regression, start, n_rows)
        for part, start in zip(partitions.parts, starts, strict=True)
    ]
    taken = Sample(n_rows)
    whole = Seen(model.owner, model.nominal_features, regression=regression)
    for seen, sampled in compute(*looks):
        whole.merge(seen)
        taken.merge(sampled)
    return whole.survey(
        taken.edges(lambda s: _core.bin_edges(s, bins)), "sample_weight" if partitions.weighted else None
    )
