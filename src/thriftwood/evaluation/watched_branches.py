"""How many new cases go down every branch of a tree, against those of training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.evaluation.drift import (
    CELLS_AT_ONCE,
    BranchDifference,
    Counts,
    Deals,
    adjusted,
    new_category,
    p_values,
    whole,
)
from thriftwood.evaluation.watches import Check
from thriftwood.models.tree.confidence import M, case_weight
from thriftwood.models.tree.tree import Tree
from thriftwood.table import Encoded

if TYPE_CHECKING:
    from thriftwood.evaluation.watched_cases import WatchedCases

FloatArray = NDArray[np.float64]

DOUBT = 0.05
"""A column whose own difference is as unlikely as this may be the reason for others."""


class WatchedBranches:
    """The branches of a tree, and the cases that take them.

    Parameters
    ----------
    tree : Tree
        A tree of classes that counted every training case once.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.features = sorted({feature for feature in tree.flat.feature if feature >= 0})
        self.coded = [f for f in self.features if tree.columns[f].categories]
        self._weight = np.zeros(tree.n_nodes)

    @property
    def n_training(self) -> int:
        """How many cases it learnt from."""
        return round(float(self.tree.core.weight[0]))

    def add(self, encoded: Encoded) -> None:
        """Count further cases at the nodes they come to."""
        self._weight += came_to(self.tree, encoded)

    @property
    def n_checks(self) -> int:
        """How many differences are looked at."""
        return len(self.features) + len(self.coded)

    def checks(self, cases: WatchedCases, deals: Deals) -> list[Check]:
        """Compare the branches, column by column, and look for categories that are new."""
        usual, new, places = self._endings(cases.n)
        found = []
        if self.features:
            measure = self._measure(usual + new, places)
            chances = p_values(new, usual + new, measure, *deals)
            came, had = measure.totals(new[None])[0], measure.totals(usual[None])[0]
            for feature, chance in zip(self.features, chances.tolist(), strict=True):
                name = self.tree.feature_names[feature]
                found.append(Check(name, "branches", chance, self._largest(feature, came, had)))
        for feature in self.coded:
            found.append(self._new_categories(feature, cases))
        return found

    def explained(
        self, checks: list[Check], raw: list[Check], cases: WatchedCases, deals: Deals, rate: float
    ) -> list[Check]:
        """Say which columns may differ only because another column moved.

        Below a test of a column that moved come other cases than in training, so other columns differ there
        though they did not move themselves. The clearest column is taken for moved, of equal ones the one
        that is asked first; the others are compared again where no test of it is above them, and *follow* if
        they do not differ there; and so on. A column that is not clear enough for an alarm of its own is
        *suspected* if one that moved follows from it in this sense.

        Parameters
        ----------
        checks, raw : list of Check
            With p-values that are adjusted for their number, and without.
        cases : WatchedCases
            The new cases.
        deals : Deals
            The generator, and how many deals to make.
        rate : float
            Of false alarms.
        """
        again = self._again(cases, deals)
        own = {self.tree.feature_index[c.column]: c.p_value for c in checks if c.what == "branches"}
        alarmed = {feature: level for feature, level in own.items() if level <= rate}
        first = {f: self.tree.flat.depth[self.tree.flat.feature.index(f)] for f in own}
        taken: list[int] = []
        while alarmed:
            clearest = min(alarmed, key=lambda feature: (alarmed[feature], first[feature]))
            if alarmed[clearest] > rate:
                break
            taken.append(clearest)
            levels = again(taken)
            alarmed = {feature: levels[feature] for feature in alarmed if feature != clearest}
        doubtful = {
            self.tree.feature_index[c.column] for c in raw if c.what == "branches" and c.p_value <= DOUBT
        }
        suspected = (
            {
                feature
                for feature in doubtful - {f for f, level in own.items() if level <= rate}
                if any(level > rate for other, level in again([feature]).items() if other in taken)
            }
            if taken
            else set()
        )
        states = dict.fromkeys(alarmed, "follows") | dict.fromkeys(suspected, "suspected")
        found = {self.tree.feature_names[feature]: state for feature, state in states.items()}
        return [replace(c, state=found.get(c.column, c.state)) if c.what == "branches" else c for c in checks]

    def _again(self, cases: WatchedCases, deals: Deals) -> Callable[[list[int]], dict[int, float]]:
        """Return a function that compares columns where no test of some columns is above them."""
        usual, new, places = self._endings(cases.n)

        def levels(moved: list[int]) -> dict[int, float]:
            found = p_values(new, usual + new, self._measure(usual + new, places, moved), *deals)
            return dict(zip(self.features, adjusted(found).tolist(), strict=True))

        return levels

    def usual_costs(self, costs: Costs) -> tuple[float | None, float | None]:
        """Return what tests and answers of the training cases cost, by the leaves where they ended.

        What tests cost is not known where those without a value are free: a tree does not say how many were.
        """
        tree = self.tree.with_costs(costs)
        assert tree.payments is not None  # there are costs
        assert tree.classes is not None  # of classes
        ends = np.maximum(_ends(tree, np.asarray(tree.core.weight)), 0.0)
        share = ends / ends.sum()
        paid = None
        if costs.unavailable(lambda: share > 0) is None:
            paid = float(share @ np.array(tree.payments.bill))
        further = costs.further_answers(tree.classes)
        if not set(tree.further) <= set(further):
            return paid, None
        places = [*range(tree.core.width), *(tree.core.width + further.index(name) for name in tree.further)]
        hopeful = smoothed(tree)
        chances = np.array([hopeful.shares(node) for node in range(tree.n_nodes)])
        answered = np.array(places)[tree.core.label]
        expected = (chances @ costs.error_matrix(tree.classes))[np.arange(tree.n_nodes), answered]
        return paid, float(share @ expected)

    def leaves(self, cases: WatchedCases) -> dict[str, Any]:
        """Return the shares of new cases and of those of training that end in each place."""
        usual, new, places = self._endings(cases.n)
        shares = {"share": new / max(new.sum(), 1), "usual": usual / usual.sum()}
        return {"node": places} | shares

    def _endings(self, n: int) -> tuple[Counts, Counts, NDArray[np.intp]]:
        """Return how many cases of training, and new ones, end in which nodes; these last."""
        usual, new = _ends(self.tree, np.asarray(self.tree.core.weight)), _ends(self.tree, self._weight)
        leaf = np.array(self.tree.flat.feature) < 0
        places = np.flatnonzero(leaf | (usual > 0.5) | (new > 0.5))
        return whole(usual[places], self.n_training), whole(new[places], n), places

    def _measure(
        self, pooled: Counts, places: NDArray[np.intp], moved: Sequence[int] = ()
    ) -> BranchDifference:
        """Return the differences by column, but for tests of columns that moved, and all below them.

        Cases that end above a leaf are a branch of their own.
        """
        flat = self.tree.flat
        column = [self.features.index(f) if f >= 0 else -1 for f in flat.feature]
        below = [False] * len(column)
        for node, above in enumerate(flat.parent):  # a parent has a smaller number
            below[node] = flat.feature[node] in moved or (above >= 0 and below[above])
        column = [-1 if other else own for own, other in zip(column, below, strict=True)]
        parent, ends = list(flat.parent), []
        for node in places.tolist():
            if flat.feature[node] < 0:
                ends.append(node)
            else:
                ends.append(len(parent))
                parent.append(node)
                column.append(-1)
        return BranchDifference(parent, column, np.array(ends), pooled, len(self.features))

    def _largest(self, feature: int, came: Counts, had: Counts) -> str:
        """Say which branch of a column's tests changed most, by the cases that it is more or less."""
        flat, best = self.tree.flat, (-1.0, "")
        for node in (node for node, tested in enumerate(flat.feature) if tested == feature):
            if not came[node] or not had[node]:
                continue
            for child in flat.children(node):
                now, then = came[child] / came[node], had[child] / had[node]
                size = abs(now - then) * float(came[node])
                if size > best[0]:
                    of = "the cases" if node == 0 else f"{came[node]:,} that came there"
                    shares = f"{100 * now:.1f} % of {of}, {100 * then:.1f} % in training"
                    best = size, f"{self.tree.condition(child)}: {shares}"
        return best[1] or "no new case came there"

    def _new_categories(self, feature: int, cases: WatchedCases) -> Check:
        times, column = cases.unseen[feature], self.tree.columns[feature]
        name = self.tree.feature_names[feature]
        if not times:
            return Check(name, "categories", 1.0, "none that is new")
        category, most = max(times.items(), key=lambda pair: (pair[1], str(pair[0])))
        chance = new_category(most, cases.n, self.n_training, len(column.categories) + len(times))
        cells = f"{category!r} in {100 * most / cases.n:.1f} % of the cases, never in training"
        return Check(name, "categories", chance, cells)


def smoothed(tree: Tree) -> Tree:
    """Return a tree that gives the chances of the classes: one that does not smooth them, smoothed."""
    if tree.smooths:
        return tree
    arrays = tree.core.to_arrays()
    arrays["smoothing"] = M * case_weight(tree) * np.array(tree.shares(0))
    return Tree(_core.Tree.from_arrays(arrays), tree.encoder, tree.classes, tree.costs, tree.further)


def came_to(tree: Tree, encoded: Encoded) -> FloatArray:
    """Return how many cases come to each node; one that a missing value spreads counts with its shares."""
    starts, nodes = tree.core.decision_path(tree.handed(encoded), tree.threads(None))
    came = np.bincount(nodes, minlength=tree.n_nodes).astype(float)
    # A case that is in one place at a time has visited as many nodes as its deepest one has above it.
    depth, rows = np.array(tree.flat.depth), np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    deepest = np.zeros(len(starts) - 1, dtype=np.int64)
    np.maximum.at(deepest, rows, depth[nodes])
    spread = np.flatnonzero(np.diff(starts) > deepest + 1)
    for some in np.array_split(spread, 1 + len(spread) * tree.n_nodes // CELLS_AT_ONCE):
        visited = np.zeros((len(some), tree.n_nodes), dtype=bool)
        for place, row in enumerate(some.tolist()):
            visited[place, nodes[starts[row] : starts[row + 1]]] = True
        came += _shares(tree, visited).sum(axis=0) - visited.sum(axis=0)
    return came


def _shares(tree: Tree, visited: NDArray[np.bool_]) -> FloatArray:
    """Return how much of each case comes to each node, of the nodes that it visits: by training weight."""
    weight, shares = np.asarray(tree.core.weight), np.zeros(visited.shape)
    shares[:, 0] = 1.0
    for node in range(tree.n_nodes):
        children = np.array(tree.flat.children(node))
        if not len(children):
            continue
        parts = visited[:, children] * weight[children]
        none = parts.sum(axis=1) <= 0.0  # no training case went there: all alike
        parts[none] = visited[none][:, children]
        whole_part = np.maximum(parts.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        shares[:, children] = shares[:, node : node + 1] * parts / whole_part
    return shares


def _ends(tree: Tree, weight: FloatArray) -> FloatArray:
    """Return how much weight ends in each node: what comes there less what goes on."""
    ends = weight.astype(np.float64)
    parent = np.array(tree.flat.parent[1:], dtype=np.intp)
    np.subtract.at(ends, parent, weight[1:])
    return ends
