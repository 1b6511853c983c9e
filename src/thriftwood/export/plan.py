"""A finished tree as a plan: what every writer of this room reads, and nothing that belongs to one language.

The plan names only the tests that the tree can ask, with numbers of its own. Ordered features are asked by
category like nominal ones, surrogates are questions of the node they belong to, and prices are those of the
tree's own list. A value is *encoded* before it is compared: a number stays one, a category becomes its
position in the list of the test, and what is neither is *missing* or *unseen*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.costs.compiled import PriceList
from thriftwood.models import Cascade, Tree
from thriftwood.models.conversion import as_model, cascade_of, is_ours, single_tree_of
from thriftwood.models.model import Model
from thriftwood.models.tree.branches import LEAF, THRESHOLD, branches_of
from thriftwood.models.tree.walk import ALL_BRANCHES, STOP, branch_shares
from thriftwood.table import MISSING, Column, Kind

__all__ = [
    "ALL_BRANCHES",
    "STOP",
    "Asked",
    "Ending",
    "Plan",
    "Question",
    "Step",
    "exported_of",
    "plan",
    "priced",
    "tree_of",
]


@dataclass(frozen=True, slots=True)
class Asked:
    """One test that the tree can ask.

    Parameters
    ----------
    name : str
        Its name.
    categories : tuple or None
        The values it can take, in the order of their codes; None for a number.
    unseen_is_missing : bool
        Whether a value outside `categories` counts as missing: so it is with an ordered feature.
    price, after : float and float or None
        Its own price, and its price once another test of its group was bought.
    group : int
        The number of its group; -1 for none.
    needs : tuple of int
        The numbers of the shared resources it needs.
    """

    name: str
    categories: tuple[Any, ...] | None
    unseen_is_missing: bool
    price: float
    after: float | None
    group: int
    needs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A test with what its answers mean at one node.

    Parameters
    ----------
    test : int
        Its number in the plan.
    cut : float or None
        Where a number is cut; None for categories.
    branches : tuple of int
        The branch of a number up to the cut and of one above it; or the branch of each category, -1 for a
        category that counts as missing here.
    """

    test: int
    cut: float | None
    branches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """An inner node.

    Parameters
    ----------
    questions : tuple of Question
        Its own, then those of its surrogates; the first that gives a branch decides.
    children : range
        The nodes its branches lead to.
    missing, unseen : int
        The branch of a case that no question decides, by what its own test gave; or ALL_BRANCHES or STOP.
    shares : tuple of float
        How a case is shared out when it goes down all branches.
    orders : tuple of int
        The tests that are ordered with its own test because that one is delayed, itself first; or none.
    """

    questions: tuple[Question, ...]
    children: range
    missing: int
    unseen: int
    shares: tuple[float, ...]
    orders: tuple[int, ...]

    def takes(self, route: int) -> list[tuple[int, float]]:
        """Give the children that a branch or ALL_BRANCHES leads to, each with its share of the case."""
        if route >= 0:
            return [(self.children[route], 1.0)]
        pairs = zip(self.children, self.shares, strict=True)
        return [(child, share) for child, share in pairs if share > 0] if route == ALL_BRANCHES else []


@dataclass(frozen=True, slots=True)
class Ending:
    """What is answered where a walk ends: an answer with the shares of all classes, or a number."""

    label: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class Plan:
    """A tree, ready to be written in another language. Made by `plan`.

    Parameters
    ----------
    tests : tuple of Asked
        What can be asked, in the order a reader meets it; then what only surrogates ask.
    steps : dict of int to Step
        Inner nodes by their number.
    endings : dict of int to Ending
        Where walks can end: leaves, and inner nodes that keep a case without an answer.
    classes : tuple or None
        The class labels; None for a regression tree.
    further : tuple of str
        The answers that are no class; their numbers follow those of the classes.
    loss : tuple of float
        What answers cost, ``[actual][answer]`` row by row; empty: 1 for a mistake.
    resources : tuple of float
        The prices of shared resources.
    upfront : tuple of int
        The tests that are bought before anything is asked.
    charge_missing : bool
        Whether a test without a value is paid.
    """

    tests: tuple[Asked, ...]
    steps: dict[int, Step]
    endings: dict[int, Ending]
    classes: tuple[Any, ...] | None
    further: tuple[str, ...]
    loss: tuple[float, ...]
    resources: tuple[float, ...]
    upfront: tuple[int, ...]
    charge_missing: bool

    @property
    def answers(self) -> tuple[Any, ...]:
        """The classes, then the answers that are none; nothing for a regression tree."""
        return (*(self.classes or ()), *self.further)

    def preorder(self) -> Iterator[int]:
        """Number the nodes, each before its branches, the branches in order."""
        open_nodes = [0]
        while open_nodes:
            node = open_nodes.pop()
            yield node
            if node in self.steps:
                open_nodes.extend(reversed(self.steps[node].children))

    @cached_property
    def most_open(self) -> int:
        """How many branches can wait at once while a case that was shared out is followed."""
        most = dict.fromkeys(self.endings, 0)
        for node in sorted(self.steps, reverse=True):  # children have larger numbers
            step = self.steps[node]
            last = len(step.children) - 1
            spread = ALL_BRANCHES in (step.missing, step.unseen)
            waiting = (most[c] + (last - place if spread else 0) for place, c in enumerate(step.children))
            most[node] = max(waiting)
        return most[0] + 1


def exported_of(model: Any) -> Tree | Cascade:
    """Return the tree or the cascade of a fitted estimator or search, or what it is itself.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> exported_of(CostTreeClassifier().fit([[1], [2]], ["no", "yes"]))
    <Tree: 3 nodes, 2 leaves, depth 1, classes no, yes>
    """
    model = getattr(model, "best_estimator_", model)
    name = type(model).__name__
    if not isinstance(model, Model) and getattr(model, "steps", None):
        raise TypeError(
            f"A {name} with its earlier steps cannot be exported. Export its last step, model[-1]: the tests "
            "are then the columns that this step sees."
        )
    found = cascade_of(model) or single_tree_of(model, "exporting it")
    asked = as_model(model) if found is None and is_ours(model) else None
    if asked is not None and asked.asking_tree is not None:
        raise TypeError(
            f"This is {asked.description}; its answers cannot be exported. The tree that asks for its tests "
            "can, and answers by its own counts: model_.asking_tree (of a stream learner, tree_)."
        )
    if found is None:
        raise TypeError(f"A fitted tree estimator, a Tree or a Cascade can be exported. Got {name}.")
    return found


def tree_of(model: Any, wanted: str) -> Tree:
    """Return the tree of a fitted estimator or search, or the tree itself, for what score cards have not."""
    found = exported_of(model)
    if isinstance(found, Cascade):
        raise TypeError(
            f"{wanted} can be made of a tree, and this is {found.description}, which answers by score cards. "
            "Those can be exported to Python, C, SQL, JavaScript, a page, a spreadsheet and JSON: "
            "export_python, export_c, export_sql, export_javascript, export_html, export_xlsx, export_json."
        )
    return found


def plan(tree: Tree) -> Plan:
    """Make the plan of a tree.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> made = plan(CostTreeClassifier().fit([[1.0], [2.0]], ["no", "yes"]).tree_)
    >>> made.steps[0].questions
    (Question(test=0, cut=1.5, branches=(0, 1)),)
    >>> made.endings[2]
    Ending(label=1, values=(0.0, 1.0))
    """
    costs = tree.costs or Costs()
    surrogates = tree.core.surrogates["feature"].tolist()
    own = dict.fromkeys(tree.flat.feature[node] for node in tree.preorder())
    features = [f for f in dict.fromkeys([*own, *surrogates]) if f >= 0]
    number = {feature: test for test, feature in enumerate(features)}
    prices = costs.compile(tree.feature_names)
    tests, resources = priced(tree, prices, features)
    inner = [node for node in range(tree.n_nodes) if tree.flat.kind[node] != LEAF]
    steps = {node: _step(tree, prices, node, number) for node in inner}
    stops = [n for n in range(tree.n_nodes) if n not in steps or STOP in (steps[n].missing, steps[n].unseen)]
    upfront = costs.payment == "upfront"
    return Plan(
        tests=tests,
        steps=steps,
        endings={node: _ending(tree, node) for node in stops},
        classes=None if tree.classes is None else tuple(tree.classes.tolist()),
        further=tree.further,
        loss=tuple(tree.core.loss.tolist()),
        resources=resources,
        upfront=tuple(number[test] for test in tree.tests.tolist()) if upfront else (),
        charge_missing=costs.charge_missing,
    )


def priced(
    model: Model, prices: PriceList, features: list[int]
) -> tuple[tuple[Asked, ...], tuple[float, ...]]:
    """Describe the tests with their prices; groups and resources are numbered as they are met."""
    groups: dict[int, int] = {}
    resources: dict[int, int] = {}
    tests = []
    for feature in features:
        column, group, after = model.columns[feature], int(prices.group[feature]), prices.after[feature]
        start, end = prices.needs_indptr[feature : feature + 2].tolist()
        needed = prices.needs_indices[start:end].tolist()
        tests.append(
            Asked(
                name=model.feature_names[feature],
                categories=None if column.kind is Kind.NUMERIC else column.categories,
                unseen_is_missing=column.kind is Kind.ORDERED,
                price=float(prices.price[feature]),
                after=None if np.isnan(after) else float(after),
                group=-1 if group < 0 else groups.setdefault(group, len(groups)),
                needs=tuple(resources.setdefault(resource, len(resources)) for resource in needed),
            )
        )
    return tuple(tests), tuple(float(prices.resource_price[resource]) for resource in resources)


def _step(tree: Tree, prices: PriceList, node: int, number: dict[int, int]) -> Step:
    flat, core = tree.flat, tree.core
    own = _question(tree, flat.kind[node], flat.feature[node], core.threshold[node], core.map_offset[node])
    first = int(core.first_surrogate[node])
    questions = [own, *(_surrogate(tree, s) for s in range(first, first + int(core.n_surrogates[node])))]
    column = tree.columns[flat.feature[node]]
    missing = flat.missing_route[node]
    delayed = bool(prices.delayed[flat.feature[node]])
    return Step(
        questions=tuple(Question(number[q.test], q.cut, q.branches) for q in questions),
        children=flat.children(node),
        missing=missing,
        # a number, or a rank, cannot be unseen
        unseen=flat.unseen_route[node] if column.kind is Kind.NOMINAL else missing,
        shares=tuple(share for _, share in branch_shares(tree, node)),
        orders=tuple(number[test] for test in _core.tests_of(tree.core, node).tolist()) if delayed else (),
    )


def _surrogate(tree: Tree, surrogate: int) -> Question:
    place = {name: tree.core.surrogates[name][surrogate] for name in ("kind", "threshold", "map_offset")}
    feature = int(tree.core.surrogates["feature"][surrogate])
    question = _question(tree, int(place["kind"]), feature, place["threshold"], place["map_offset"])
    if not tree.core.surrogates["flipped"][surrogate]:
        return question
    return Question(feature, question.cut, tuple(1 - b if b >= 0 else MISSING for b in question.branches))


def _question(tree: Tree, kind: int, feature: int, cut: Any, offset: Any) -> Question:
    """Say what a test means, with the number of its feature in place of the plan's."""
    column: Column = tree.columns[feature]
    if kind != THRESHOLD:
        return Question(feature, None, tuple(branches_of(tree, int(offset), len(column.categories))))
    if column.kind is Kind.NUMERIC:
        return Question(feature, float(cut), (0, 1))
    ranks = range(len(column.categories))
    return Question(feature, None, tuple(int(rank > float(cut)) for rank in ranks))


def _ending(tree: Tree, node: int) -> Ending:
    values = tree.core.values[node].tolist() if tree.classes is None else tree.shares(node)
    return Ending(tree.flat.label[node], tuple(values))
