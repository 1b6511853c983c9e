"""A plan as comparisons with two ways out: the form of ONNX's tree ensembles.

Every node of the tree becomes a chain of comparisons, tried in turn, all of the one kind ``number <= cut``.
A node with categories has a column of its own, the *ways*: a table says for every category, for a missing
and for an unseen value which of the node's ways it takes. Missing numbers are told apart by a comparison
with minus infinity, which only they pass. Leaves are endings. A case that goes down several branches or to
surrogates has no place here: it is *undecided*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from thriftwood.base.advice import advised
from thriftwood.base.remedies import GrowWith, Pass, Setting
from thriftwood.export.plan import ALL_BRANCHES, STOP, Asked, Plan, Step
from thriftwood.export.quoting import plain

UNDECIDED = -1
"""In place of a node's number: the leaf of cases that have no ending."""


class Place(NamedTuple):
    """Where a comparison leads: to a comparison or to a leaf, by number."""

    number: int
    leaf: bool


@dataclass(slots=True)
class Comparison:
    """One comparison of the ensemble: a number up to the cut passes.

    Parameters
    ----------
    test : int
        The number of the test in the plan.
    column : int
        Which of the columns of ways that belong to the test; 0 for a number.
    cut : float
        What is compared with.
    missing : bool
        Whether a missing number passes.
    passed, failed : Place
        Where it leads.
    """

    test: int
    column: int
    cut: float
    missing: bool
    passed: Place
    failed: Place


class _Way(NamedTuple):
    """A comparison before its children have their places; `to` is a node of the tree, or a leaf."""

    cut: float
    missing: bool
    to: int | Place


class Ensemble:
    """The comparisons and leaves of a plan.

    Parameters
    ----------
    plan : Plan
        The tree.
    allow_undecided : bool
        Whether cases may remain undecided; if not, a tree that needs it is refused with a ValueError.

    Attributes
    ----------
    comparisons : list of Comparison
        The first is the root; empty if nothing needs to be asked.
    leaves : list of int
        The node of the tree behind each leaf, or UNDECIDED; several leaves may have the same.
    ways : dict of int to list of list of int
        Test with categories -> its columns: for every category, for a missing and for an unseen value, the
        way that is taken.

    Examples
    --------
    >>> from thriftwood.export.plan import plan
    >>> from thriftwood.learning import CostTreeClassifier, Growth
    >>> model = CostTreeClassifier(growth=Growth(missing="majority")).fit([["no"], ["yes"]], [0, 1])
    >>> made = Ensemble(plan(model.tree_), allow_undecided=False)
    >>> made.ways  # no, yes, missing, unseen
    {0: [[0, 1, 0, 0]]}
    >>> made.comparisons[0].cut, made.comparisons[0].passed, made.leaves
    (0.5, Place(number=0, leaf=True), [1, 2])
    """

    def __init__(self, plan: Plan, *, allow_undecided: bool) -> None:
        self.plan = plan
        self.allow_undecided = allow_undecided
        self.comparisons: list[Comparison] = []
        self.leaves: list[int] = []
        self.ways: dict[int, list[list[int]]] = {}
        waiting: list[tuple[int, Comparison | None, bool]] = [(0, None, False)]
        while waiting:
            node, parent, passed = waiting.pop()
            place, links = self._place(node)
            if parent is not None:
                _link(parent, passed, place)
            waiting.extend(reversed(links))

    def _place(self, node: int) -> tuple[Place, list[tuple[int, Comparison | None, bool]]]:
        """Write a node; give its place, and the children to write next with what leads to them."""
        to: int | Place = node
        while not isinstance(to, Place) and to in self.plan.steps:
            step = self.plan.steps[to]
            ways, otherwise = self._ways(to, step)
            if ways:
                return Place(len(self.comparisons), False), self._write(step, ways, otherwise)
            to = otherwise  # all cases go on there
        return to if isinstance(to, Place) else self._leaf(to), []

    def _leaf(self, node: int) -> Place:
        """Add a leaf; every edge has one of its own, since an ensemble must not share them."""
        self.leaves.append(node)
        return Place(len(self.leaves) - 1, True)

    def _write(
        self, step: Step, ways: list[_Way], otherwise: int | Place
    ) -> list[tuple[int, Comparison | None, bool]]:
        test = step.questions[0].test
        column = len(self.ways[test]) - 1 if test in self.ways else 0
        links: list[tuple[int, Comparison | None, bool]] = []
        for number, way in enumerate(ways):
            following = Place(len(self.comparisons) + 1, False)
            made = Comparison(test, column, way.cut, way.missing, following, following)
            self.comparisons.append(made)
            last = [(False, otherwise)] if number + 1 == len(ways) else []
            for passed, to in [(True, way.to), *last]:
                if isinstance(to, Place):
                    _link(made, passed, to)
                else:
                    links.append((to, made, passed))
        return links

    def _ways(self, node: int, step: Step) -> tuple[list[_Way], int | Place]:
        """Give the comparisons of a node, and where a case goes that passes none of them."""
        question = step.questions[0]
        if len(step.questions) > 1:
            self._refuse(node, "has surrogates for cases without a value")
        missing = self._route(node, step, step.missing, "missing values")
        test = self.plan.tests[question.test]
        if question.cut is not None:
            low, high = (step.children[branch] for branch in question.branches)
            apart = [] if missing in (low, high) else [_Way(-math.inf, True, missing)]
            return [*apart, _Way(question.cut, missing == low, low)], high
        unseen = missing
        if not test.unseen_is_missing:
            unseen = self._route(node, step, step.unseen, "unseen categories")
        taken = [step.children[branch] if branch >= 0 else missing for branch in question.branches]
        number = {to: way for way, to in enumerate(dict.fromkeys([*taken, missing, unseen]))}
        *ways, otherwise = number
        if ways:
            columns = self.ways.setdefault(question.test, [])
            columns.append([number[to] for to in (*taken, missing, unseen)])
        return [_Way(way + 0.5, False, to) for way, to in enumerate(ways)], otherwise

    def _route(self, node: int, step: Step, route: int, what: str) -> int | Place:
        if len(step.questions) > 1:
            return self._leaf(UNDECIDED)
        if route == STOP:
            return self._leaf(node)
        taken = step.takes(route)
        if len(taken) == 1:
            return taken[0][0]
        assert route == ALL_BRANCHES  # a branch is taken alone
        self._refuse(node, f"sends cases with {what} down several branches")
        return self._leaf(UNDECIDED)

    def _refuse(self, node: int, reason: str) -> None:
        if self.allow_undecided:
            return
        test = self.plan.tests[self.plan.steps[node].questions[0].test].name
        raise advised(
            ValueError,
            f"Node {node} of this tree asks {test!r} and {reason}, which ONNX has no form for. ",
            GrowWith(tuple(Setting("missing", way, of="Growth") for way in ("majority", "branch"))),
            "; or, if every value will be there, ",
            Pass("undecided", "nan"),
            ": a case that such a node cannot decide then gets NaN.",
        )


def category_numbers(test: Asked) -> list[float] | None:
    """Give the categories of a test as doubles; None if they are text."""
    categories = [plain(value, f"The test {test.name!r}") for value in test.categories or ()]
    texts = sum(isinstance(value, str) for value in categories)
    if texts == len(categories):
        return None
    if texts:
        raise ValueError(
            f"The test {test.name!r} has both text and numbers for categories, which an input of ONNX cannot "
            "hold. Turn its values into text before fit."
        )
    numbers = [float(value) for value in categories]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"The test {test.name!r} has categories too large for a double to tell apart.")
    return numbers


def _link(comparison: Comparison, passed: bool, place: Place) -> None:
    if passed:
        comparison.passed = place
    else:
        comparison.failed = place
