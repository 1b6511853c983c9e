"""Our trees in the form of the goldens, to be laid beside them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import thriftwood as tw
from benchmarks.agreement.goldens import Node, Size, Test
from benchmarks.agreement.tables import SEED, Table
from thriftwood import _core
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning.cost_complexity import mean_and_error
from thriftwood.learning.pruning.folds import rows_of

CP = 1e-8
"""With 0 rpart keeps splits that lower the risk by nothing but rounding."""
_THRESHOLD = 1
"""The kind of a node that tests numbers."""


def cart(table: Table, mode: str, *, by_one_se: bool = False) -> tw.CostTreeClassifier:
    """Return our CART in a mode: grown out as rpart with nearly no cp, or cut by cross-validation."""
    pruning = tw.CostComplexity(alpha=None if by_one_se else 0.0, cp=CP)
    model = tw.algorithm("cart", pruning=pruning, random_state=SEED, **table.settings(mode))
    return model.fit(table.X, table.y)


def tree_of(table: Table, mode: str) -> Node:
    """Return our CART's tree of a table in a mode."""
    model = cart(table, mode)
    return _Reader(model.tree_.core, model.prepare(table.X, table.y, None).problem).node()


def sizes_of(table: Table, mode: str) -> tuple[Size, ...]:
    """Return the table of our CART's complexity parameters, cross-validated as rpart does it.

    That is as `CostComplexity` does it but for two things: numbers equal to a cut go above it, and (release
    4.1.19) a mistake costs what the opposite mistake costs.
    """
    model = cart(table, mode)
    tree, problem = model.tree_.core, model.prepare(table.X, table.y, None).problem
    alphas, leaves, risks, betas = _core.ccp_path(tree)
    root = tree.risk[0] / tree.weight[0]
    cost = 1.0 - np.eye(problem.n_classes) if problem.loss is None else problem.loss.T
    losses = np.zeros((len(betas), problem.n_rows))
    held = [rows_of(table.folds == k) for k in range(table.folds.max() + 1)]
    grown = problem.grow_many([rows_of(table.folds != k) for k in range(len(held))])
    for grown_tree, rows in zip(grown, held, strict=True):
        whole, cases = _below_cuts(problem.answered(grown_tree)), problem.table_of(rows)
        for i, beta in enumerate(betas):
            # The price of a leaf is at least the cp that rpart has in the place of 0.
            pruned = _core.prune_ccp(whole, max(beta, CP * root), "loss")
            losses[i, rows] = cost[table.labels[rows], pruned.predict_labels(cases)]
    validated, errors = mean_and_error(losses, *problem.judged_cases)
    found = zip(alphas, leaves, risks, validated, errors, strict=True)
    return tuple(Size(a / root, int(n) - 1, r / root, v / root, e / root) for a, n, r, v, e in found)[::-1]


class _Reader:
    """Reads a tree of ours into `Node`."""

    def __init__(self, tree: _core.Tree, problem: Problem) -> None:
        self.tree = tree
        self.weights = np.ones(problem.n_rows) if problem.weights is None else problem.weights
        self.ends = tree.apply(problem.table)
        self.surrogates = tree.surrogates

    def node(self, number: int = 0) -> Node:
        """Return a node with all below it."""
        tree, first = self.tree, int(self.tree.first_child[number])
        if first < 0:
            return self._described(number, np.flatnonzero(self.ends == number))
        branches = self.node(first), self.node(first + 1)
        rows = np.concatenate([np.flatnonzero(self.ends == number), *(branch.rows for branch in branches)])
        improve = float(tree.gain[number] * self.weights[rows].sum())
        asked = tree.kind[number], tree.feature[number], tree.threshold[number], tree.map_offset[number]
        test, turned = self._test(*asked, improve)
        low = tree.first_surrogate[number]
        surrogates = tuple(self._surrogate(i, turned) for i in range(low, low + tree.n_surrogates[number]))
        return self._described(number, rows, test, surrogates, branches[::-1] if turned else branches)

    def _described(
        self,
        number: int,
        rows: NDArray[np.intp],
        test: Test | None = None,
        surrogates: tuple[Test, ...] = (),
        branches: tuple[Node, Node] | None = None,
    ) -> Node:
        risk, answer = float(self.tree.risk[number]), int(self.tree.label[number])
        return Node(len(rows), risk, answer, test, surrogates, branches, rows)

    def _surrogate(self, i: int, node_turned: bool) -> Test:
        found = self.surrogates
        asked = found["kind"][i], found["feature"][i], found["threshold"][i], found["map_offset"][i]
        test, turned = self._test(*asked, found["agreement"][i])
        flipped = bool(found["flipped"][i]) ^ turned ^ node_turned
        return Test(test.feature, test.cut, test.sets, flipped, test.value, float(found["adjusted"][i]))

    def _test(self, kind: int, feature: int, cut: float, offset: int, value: float) -> tuple[Test, bool]:
        """Return a test, and whether our branch 1 is its branch 0."""
        if kind == _THRESHOLD:
            return Test(int(feature), cut=float(cut), value=float(value)), False
        branch = self.tree.branch_map[offset:][: self.tree.feature_values[feature]]
        low, high = (tuple(np.flatnonzero(branch == b).tolist()) for b in (0, 1))
        turned = high[:1] < low[:1] if low and high else not low
        return Test(int(feature), sets=(high, low) if turned else (low, high), value=float(value)), turned


def _below_cuts(tree: _core.Tree) -> _core.Tree:
    """Return the tree with every cut so little lower that numbers equal to it go above."""
    arrays = tree.to_arrays()
    for tests in (arrays, arrays["surrogates"]):
        tests["threshold"] = np.nextafter(tests["threshold"], -np.inf)
    return _core.Tree.from_arrays(arrays)
