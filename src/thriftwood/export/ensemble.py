"""A plan as comparisons with two ways out: the form of ONNX's tree ensembles.

Every node of the tree becomes a chain of comparisons with a cut or with a set of categories, tried in turn;
missing values are told apart by a comparison with minus infinity, which only they pass. Leaves are
endings. A case that goes down several branches or to stand-ins has no place here: it is *undecided*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

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
    """One comparison of the ensemble; a value passes that is up to the cut, or among the members.

    Parameters
    ----------
    test : int
        The number of the test in the plan.
    cut : float or None
        None if `members` decide.
    members : tuple of float
        Codes of categories.
    missing : bool
        Whether a missing value passes.
    passed, failed : Place
        Where it leads.
    """

    test: int
    cut: float | None
    members: tuple[float, ...]
    missing: bool
    passed: Place
    failed: Place


class _Way(NamedTuple):
    """A comparison before its children have their places; `to` is a node of the tree, or a leaf."""

    cut: float | None
    members: tuple[float, ...]
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
        The first is the root; empty if the tree asks nothing.
    leaves : list of int
        The node of the tree behind each leaf, or UNDECIDED.

    Examples
    --------
    >>> from thriftwood.export.plan import plan
    >>> from thriftwood.tree import CostTreeClassifier, Growth
    >>> model = CostTreeClassifier(growth=Growth(missing="majority")).fit([[1.0], [2.0]], ["no", "yes"])
    >>> made = Ensemble(plan(model.tree_), allow_undecided=False)
    >>> made.comparisons[0].cut, made.comparisons[0].passed, made.leaves
    (1.5, Place(number=0, leaf=True), [1, 2])
    """

    def __init__(self, plan: Plan, *, allow_undecided: bool) -> None:
        self.plan = plan
        self.allow_undecided = allow_undecided
        self.comparisons: list[Comparison] = []
        self.leaves: list[int] = []
        self._leaf_of: dict[int, Place] = {}
        if not plan.steps:
            self._leaf(0)
            return
        waiting: list[tuple[int, Comparison | None, bool]] = [(0, None, False)]
        while waiting:
            node, parent, passed = waiting.pop()
            links: list[tuple[int, Comparison | None, bool]] = []
            if node in plan.steps:
                place = Place(len(self.comparisons), False)
                self._write(node, plan.steps[node], links)
            else:
                place = self._leaf(node)
            if parent is not None:
                _link(parent, passed, place)
            waiting.extend(reversed(links))

    def _leaf(self, node: int) -> Place:
        if node not in self._leaf_of:
            self._leaf_of[node] = Place(len(self.leaves), True)
            self.leaves.append(node)
        return self._leaf_of[node]

    def _write(self, node: int, step: Step, links: list[tuple[int, Comparison | None, bool]]) -> None:
        """Add a node's comparisons; `links` takes the children to write next, with what leads to them."""
        ways, otherwise = self._ways(node, step)
        for number, way in enumerate(ways):
            last = number + 1 == len(ways)
            following = Place(len(self.comparisons) + 1, False)
            made = Comparison(step.questions[0].test, way.cut, way.members, way.missing, following, following)
            self.comparisons.append(made)
            for passed, to in [(True, way.to), (False, otherwise)] if last else [(True, way.to)]:
                if isinstance(to, Place):
                    _link(made, passed, to)
                else:
                    links.append((to, made, passed))

    def _ways(self, node: int, step: Step) -> tuple[list[_Way], int | Place]:
        """Give the comparisons of a node, and where a case goes that passes none of them."""
        question = step.questions[0]
        if len(step.questions) > 1:
            self._refuse(node, "has stand-ins for cases without a value")
        missing = self._route(node, step, step.missing, "missing values")
        test = self.plan.tests[question.test]
        if question.cut is not None:
            low, high = (step.children[branch] for branch in question.branches)
            apart = [] if missing in (low, high) else [_Way(-math.inf, (), True, missing)]
            return [*apart, _Way(question.cut, (), missing == low, low)], high
        if test.unseen_is_missing:
            unseen = missing
        else:
            unseen = self._route(node, step, step.unseen, "unseen categories")
        groups: dict[int | Place, list[float]] = {missing: []}
        for code, branch in zip(category_codes(test), question.branches, strict=True):
            groups.setdefault(step.children[branch] if branch >= 0 else missing, []).append(code)
        ways = [
            _Way(None if codes else -math.inf, tuple(codes), to == missing, to)
            for to, codes in groups.items()
            if to != unseen
        ]
        # All ways lead to the same child: a comparison stands here that nothing passes.
        return ways or [_Way(-math.inf, (), False, self._leaf(UNDECIDED))], unseen

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
        raise ValueError(
            f"Node {node} of this tree asks {test!r} and {reason}, which ONNX has no form for. Grow the tree "
            "with Growth(missing='majority') or Growth(missing='branch'); or, if every value will be there, "
            "pass undecided='nan': a case that such a node cannot decide then gets NaN."
        )


def category_codes(test: Asked) -> list[float]:
    """Give the double that stands for each category: a number is itself, a text its place in the list."""
    categories = [plain(value, f"The test {test.name!r}") for value in test.categories or ()]
    texts = sum(isinstance(value, str) for value in categories)
    if texts == len(categories):
        return [float(code) for code in range(len(categories))]
    if texts:
        raise ValueError(
            f"The test {test.name!r} has both text and numbers for categories, which an input of ONNX cannot "
            "hold. Turn its values into text before fit."
        )
    codes = [float(value) for value in categories]
    if len(set(codes)) < len(codes):
        raise ValueError(f"The test {test.name!r} has categories too large for a double to tell apart.")
    return codes


def _link(comparison: Comparison, passed: bool, place: Place) -> None:
    if passed:
        comparison.passed = place
    else:
        comparison.failed = place
