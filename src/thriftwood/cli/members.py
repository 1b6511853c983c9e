"""The trees of a panel or a booster, and the tests that they ask for, as rows to print or to hand over."""

from __future__ import annotations

from typing import NamedTuple

from thriftwood.cli.models import Model, trees_of
from thriftwood.models import Booster, Panel, Tree
from thriftwood.models.voting import StackedTree


class Member(NamedTuple):
    """A tree of a panel, or a stage of a booster."""

    number: int
    """Its number, from 1."""
    name: str
    asked: bool
    """Whether a case may come to it."""
    say: float | None
    """How much it counts in a vote."""
    price: float | None
    """Its price in the stacked tree, which asks the others."""
    depth: int
    n_leaves: int
    tests: tuple[str, ...]


class AskedTest(NamedTuple):
    """A test that a model may ask for."""

    test: str
    price: float | None
    """Its price if it is bought first, with all shared resources that it needs; None without a price list."""
    first: int
    """The number of the first tree or stage that asks for it."""
    n_trees: int
    """The number of trees or stages that ask for it."""


def members_of(model: Panel | Booster) -> list[Member]:
    """Describe the trees or stages of a model by their numbers."""
    if not isinstance(model, Panel):
        return [_member(number, f"stage {number}", tree) for number, tree in enumerate(trees_of(model), 1)]
    rule, asked = model.rule, set(model.members_asked)
    rows = []
    for place, (name, tree) in enumerate(zip(model.names, model.members, strict=True)):
        row = _member(place + 1, name, tree)._replace(asked=place in asked)
        if isinstance(rule, StackedTree):
            rows.append(row._replace(price=_price(rule, place)))
        else:
            rows.append(row._replace(say=rule.vote_weights[place]))
    return rows


def asked_tests(model: Model) -> list[AskedTest]:
    """List the tests that a model may ask for, tree by tree in the order a reader meets them."""
    places = model.members_asked if isinstance(model, Panel) else range(len(trees_of(model)))
    trees, costs = trees_of(model), model.costs
    by_test: dict[str, list[int]] = {}
    for place in places:
        for name in trees[place].features_used:
            by_test.setdefault(name, []).append(place + 1)
    return [
        AskedTest(name, None if costs is None else costs.total([name]), numbers[0], len(numbers))
        for name, numbers in by_test.items()
    ]


def _member(number: int, name: str, tree: Tree) -> Member:
    return Member(number, name, True, None, None, tree.depth, tree.n_leaves, tree.features_used)


def _price(upper: StackedTree, member: int) -> float | None:
    """Return what the stacked tree pays to ask a member; None if it has no column of it, or no prices."""
    columns = [column for column, whom in enumerate(upper.member) if whom == member]
    if upper.tree.costs is None or not columns:
        return None
    return upper.tree.costs.total([upper.tree.feature_names[columns[0]]])
