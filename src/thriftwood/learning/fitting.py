"""Many fits of one model at once."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.interrupts import ending_all, keeping
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.estimator import CostTree, Prepared
from thriftwood.learning.problem import Problem, Rows
from thriftwood.learning.pruning import Cutting
from thriftwood.learning.targets import are_shares, case_weights, counting_cases
from thriftwood.models.tree.tree import Tree

FloatArray = NDArray[np.float64]


class Subset(NamedTuple):
    """The rows of one tree."""

    rows: Rows
    """In rising order, each once."""
    counts: NDArray[np.intp] | None
    """How often each was drawn; None: once."""

    @property
    def size(self) -> int:
        """The number of cases that ``X[rows]`` has."""
        return len(self.rows) if self.counts is None else int(self.counts.sum())

    def only(self, weights: FloatArray | None, n_rows: int) -> FloatArray:
        """Return what each case of the table counts when no others than these do."""
        own = np.zeros(n_rows)
        own[self.rows] = 1.0 if weights is None else weights[self.rows]
        if self.counts is not None:
            own[self.rows] *= self.counts
        return own


def fit_many(model: CostTree, X: Any, y: Any, rows: Iterable[Any], sample_weight: Any = None) -> list[Tree]:
    """Fit the same model on many subsets of one table.

    The table is encoded and sorted once, and all trees are grown in one call of the core, on `n_jobs`
    threads. They are grown one after the other when a row is drawn twice, when the pruning rule acts before
    growth (ReducedError, CrossValidatedComplexity), and when the weight of a class depends on how common it
    is in the subset (`priors`, or error costs with `loss_in_growth`).

    Each tree is the one that ``model.fit(X[rows], y[rows])`` would give, except that

    - all of them know the categories and the classes of the whole table;
    - ``Growth(bins="auto")`` goes by the size of the largest subset, and the edges of bins, where there are
      any, are those of the whole table.

    Parameters
    ----------
    model : CostTreeClassifier or CostTreeRegressor
        The settings; it is not changed.
    X, y, sample_weight
        As for ``fit``.
    rows : iterable of arrays
        For each tree the numbers of its rows, or a mask of all rows. A row drawn twice counts twice.

    Returns
    -------
    list of Tree

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    >>> fit_many(CostTreeClassifier(), X, y, rows=[[0, 1, 2, 3], [0, 1]])
    [<Tree: 3 nodes, 2 leaves, depth 1, classes 0, 1>, <Tree: 1 node, 1 leaf, depth 0, classes 0, 1>]
    """
    if not isinstance(model, CostTree):
        raise TypeError(
            f"fit_many takes a CostTreeClassifier or a CostTreeRegressor, got {type(model).__name__}. "
            "tw.algorithm(name) makes one."
        )
    return fitted_subsets(model, model.prepare(X, y, sample_weight), rows, sample_weight)


def fitted_subsets(
    model: CostTree,
    prepared: Prepared,
    rows: Iterable[Any],
    sample_weight: Any = None,
    seeds: Sequence[int] | None = None,
    *,
    keep_done: bool = False,
) -> list[Tree]:
    """Fit a model on many subsets of a table that is prepared already; see `fit_many`.

    With `seeds` each tree has its own, in the place of the model's `random_state`. With `keep_done` Ctrl-C
    leaves the trees that are done, and a warning; else it is raised.
    """
    n_rows = prepared.problem.n_rows
    subsets = [_subset(given, number, n_rows) for number, given in enumerate(rows)]
    weights = case_weights(sample_weight, n_rows)
    for number, subset in enumerate(subsets):
        if weights is not None and not weights[subset.rows].any():
            raise ValueError(f"rows[{number}] has only cases of sample_weight 0, so none of them counts.")
    if model.grows_one_tree:
        prepared = prepared._replace(problem=_sized(model, prepared.problem, subsets))
    if model.weighs_classes():
        problems = _reweighed(model, prepared, subsets, weights)
        trees: Iterator[_core.Tree] = (model.grow_tree(problem) for problem in _seeded(problems, seeds))
    else:
        trees = _grown(model, prepared.problem, subsets, weights, seeds, keep_done=keep_done)
    classes = prepared.classes
    finished: list[Tree] = []
    with keeping(finished, len(subsets)) if keep_done else ending_all():
        for core in trees:
            finished.append(Tree(core, prepared.encoder, classes, model.costs))
            classes = finished[-1].classes
    return finished


def _sized(model: CostTree, problem: Problem, subsets: list[Subset]) -> Problem:
    """Return the problem with as many bins as a table of the largest subset's size has."""
    settings = copy.copy(problem.settings)
    settings.bins = model.core_settings(max((subset.size for subset in subsets), default=1)).bins
    return replace(problem, settings=settings)


def _reweighed(
    model: CostTree, prepared: Prepared, subsets: list[Subset], weights: FloatArray | None
) -> Iterator[Problem]:
    """Give the problem of each subset, its classes weighed by how common they are there."""
    problem, classes = prepared.problem, prepared.classes
    assert isinstance(model, CostTreeClassifier)  # no other weighs classes
    assert classes is not None
    assert problem.labels is not None
    for subset in subsets:
        own = subset.only(weights, problem.n_rows)
        yield problem.reweighed(model.rescaled_weights(classes, problem.labels, counting_cases(own)))


def _seeded(problems: Iterator[Problem], seeds: Sequence[int] | None) -> Iterator[Problem]:
    """Give each problem its own random seed."""
    return problems if seeds is None else map(Problem.seeded, problems, seeds)


def _grown(
    model: CostTree,
    problem: Problem,
    subsets: list[Subset],
    weights: FloatArray | None,
    seeds: Sequence[int] | None,
    *,
    keep_done: bool,
) -> Iterator[_core.Tree]:
    pruning = model.pruning
    # One after the other: all their weights at once could be more than memory holds.
    weighed = (
        replace(problem, weights=counting_cases(subset.only(weights, problem.n_rows))) for subset in subsets
    )
    problems = _seeded(weighed, seeds)
    repeated = any(subset.counts is not None for subset in subsets)
    # Shares are scaled to the number of cases of each subset.
    shared = weights is not None and any(are_shares(weights[subset.rows]) for subset in subsets)
    # One call of the core has one seed.
    drawn = seeds is not None and (model.draws_features() or problem.sampled is not None)
    alone = repeated or shared or drawn or not model.grows_one_tree
    if alone or not (pruning is None or isinstance(pruning, Cutting)):
        yield from map(model.grow_tree, problems)
        return
    trees, interrupted = problem.grow_first([subset.rows for subset in subsets])
    if interrupted and not keep_done:
        raise KeyboardInterrupt
    if pruning is None:
        yield from map(problem.answered, trees)
    else:
        pruning.check()
        yield from map(pruning.pruned, trees, problems)
    if interrupted:
        raise KeyboardInterrupt


def _subset(given: Any, number: int, n_rows: int) -> Subset:
    """Read the rows of one tree."""
    chosen = np.asarray(given)
    if chosen.dtype.kind == "b":
        if chosen.shape != (n_rows,):
            raise ValueError(
                f"rows[{number}] is a mask of shape {chosen.shape}; the table has {n_rows} rows."
            )
        chosen = np.flatnonzero(chosen)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or not len(chosen):
        raise ValueError(f"rows[{number}] must be a list of row numbers or a mask, with at least one row.")
    rising = np.count_nonzero(chosen[1:] > chosen[:-1]) == len(chosen) - 1
    low, high = (chosen[0], chosen[-1]) if rising else (chosen.min(), chosen.max())
    if low < 0 or high >= n_rows:
        wrong = low if low < 0 else high
        raise ValueError(f"rows[{number}] has the row {wrong}; the table has rows 0 to {n_rows - 1}.")
    if rising:
        return Subset(np.ascontiguousarray(chosen, dtype=np.uint32), None)
    distinct, counts = np.unique(chosen, return_counts=True)
    return Subset(distinct.astype(np.uint32), counts if counts.max() > 1 else None)
