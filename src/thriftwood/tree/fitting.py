"""Many fits of one model at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from thriftwood import _core
from thriftwood.tree.base import CostTree
from thriftwood.tree.problem import Problem, Rows
from thriftwood.tree.pruning import Cutting
from thriftwood.tree.structure import Tree


def fit_many(model: CostTree, X: Any, y: Any, rows: Iterable[Any], sample_weight: Any = None) -> list[Tree]:
    """Fit the same model on many subsets of one table.

    The table is encoded and sorted once, and all trees are grown in one call of the core, on `n_jobs`
    threads, unless a row is drawn twice or the pruning rule acts before growth (ReducedError,
    CrossValidatedComplexity): then they are grown one after the other. Each tree is the one that
    ``model.fit(X[rows], y[rows])`` would give, except that all of them know the categories and the classes
    of the whole table.

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
    >>> from thriftwood.tree import CostTreeClassifier
    >>> X, y = [[1], [2], [3], [4]], [0, 0, 1, 1]
    >>> fit_many(CostTreeClassifier(), X, y, rows=[[0, 1, 2, 3], [0, 1]])
    [<Tree: 3 nodes, 2 leaves, depth 1, classes 0, 1>, <Tree: 1 node, 1 leaf, depth 0, classes 0, 1>]
    """
    if not isinstance(model, CostTree):
        raise TypeError(
            f"fit_many takes a CostTreeClassifier or a CostTreeRegressor, got {type(model).__name__}. "
            "tw.algorithm(name) makes one."
        )
    prepared = model._prepare(X, y, sample_weight)
    problem = prepared.problem
    subsets = [_subset(given, number, problem.n_rows) for number, given in enumerate(rows)]
    trees = _grown(model, problem, subsets)
    return [Tree(core, prepared.encoder, prepared.classes, model.costs) for core in trees]


def _grown(model: CostTree, problem: Problem, subsets: list[tuple[Rows, Any]]) -> list[_core.Tree]:
    pruning = model.pruning
    repeated = any(counts is not None for _, counts in subsets)
    if repeated or not (pruning is None or isinstance(pruning, Cutting)):
        return [model._grown(_only(problem, rows, counts)) for rows, counts in subsets]
    trees = problem.grow_many([rows for rows, _ in subsets])
    if pruning is None:
        return [problem.answered(tree) for tree in trees]
    pruning.check()
    pairs = zip(trees, subsets, strict=True)
    return [pruning.pruned(tree, _only(problem, rows, counts)) for tree, (rows, counts) in pairs]


def _only(problem: Problem, rows: Rows, counts: Any) -> Problem:
    """Return the problem in which only some rows have weight: pruning then sees no others either."""
    weights = np.zeros(problem.n_rows)
    weights[rows] = 1.0 if problem.weights is None else problem.weights[rows]
    if counts is not None:
        weights[rows] *= counts
    return replace(problem, weights=weights)


def _subset(given: Any, number: int, n_rows: int) -> tuple[Rows, Any]:
    """Return the rows of a tree in rising order, and how often each was drawn when any was drawn twice."""
    chosen = np.asarray(given)
    if chosen.dtype.kind == "b":
        if chosen.shape != (n_rows,):
            raise ValueError(
                f"rows[{number}] is a mask of shape {chosen.shape}; the table has {n_rows} rows."
            )
        chosen = np.flatnonzero(chosen)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or not len(chosen):
        raise ValueError(f"rows[{number}] must be a list of row numbers or a mask, with at least one row.")
    low, high = int(chosen.min()), int(chosen.max())
    if low < 0 or high >= n_rows:
        wrong = low if low < 0 else high
        raise ValueError(f"rows[{number}] has the row {wrong}; the table has rows 0 to {n_rows - 1}.")
    if len(chosen) == 1 or (chosen[1:] > chosen[:-1]).all():
        return chosen.astype(np.uint32), None
    distinct, counts = np.unique(chosen, return_counts=True)
    return distinct.astype(np.uint32), counts if counts.max() > 1 else None
