"""The trees of a panel or a booster, and the tests that they ask for, as rows to print or to hand over."""

from __future__ import annotations

from typing import NamedTuple

from thriftwood.models import Cascade
from thriftwood.models.model import Model


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


def members_of(model: Model) -> list[Member]:
    """Describe the trees or stages of a model by their numbers."""
    asked = set(model.parts_asked)
    return [
        Member(
            number=place + 1,
            name=part.name,
            asked=place in asked,
            say=part.vote_weight,
            price=part.price,
            depth=part.tree.depth,
            n_leaves=part.tree.n_leaves,
            tests=part.tree.features_used,
        )
        for place, part in enumerate(model.parts)
    ]


def asked_tests(model: Model) -> list[AskedTest]:
    """List the tests that a model may ask for, tree by tree in the order a reader meets them."""
    parts, costs = model.parts, model.costs
    by_test: dict[str, list[int]] = {}
    if isinstance(model, Cascade):
        for number, stage in enumerate(model.stages, 1):
            by_test |= {model.feature_names[test]: [number] for test in stage.tests}
    for place in model.parts_asked:
        for name in parts[place].tree.features_used:
            by_test.setdefault(name, []).append(place + 1)
    return [
        AskedTest(name, None if costs is None else costs.total([name]), numbers[0], len(numbers))
        for name, numbers in by_test.items()
    ]
