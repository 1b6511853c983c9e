"""What learners leave behind and files hold: a tree, a panel or a booster."""

from __future__ import annotations

from typing import TypeAlias

from thriftwood.costs.names import counted
from thriftwood.ensembles import (
    CostGradientBoostingClassifier,
    InverseBoostedTreesClassifier,
    MetaCostClassifier,
)
from thriftwood.ensembles.test_costs.panel_classifier import PanelClassifier
from thriftwood.learning.class_tree import ClassTree
from thriftwood.models import Booster, Panel, Tree

Model: TypeAlias = Tree | Panel | Booster

TreeLearner: TypeAlias = ClassTree | InverseBoostedTreesClassifier | MetaCostClassifier
"""Learners of which one tree answers, however many they learn on the way."""

SavedLearner: TypeAlias = TreeLearner | PanelClassifier | CostGradientBoostingClassifier
"""Learners whose model has a file."""

SEVERAL = "bagging, boosting, shortcut-forest, cocost and gradient-boosting"
"""The names of the learners of several trees whose model has a file."""


def finished(learner: SavedLearner) -> Model:
    """Return what a fitted learner answers with, and with the learner's price list."""
    if isinstance(learner, CostGradientBoostingClassifier):
        return learner.booster_
    if isinstance(learner, PanelClassifier):
        return learner.panel_
    return learner.tree_.with_costs(learner.costs)


def kind_of(model: Model) -> str:
    """Return what it is called.

    >>> import thriftwood as tw
    >>> kind_of(tw.CostTreeClassifier().fit([[1], [2]], ["no", "yes"]).tree_)
    'tree'
    """
    if isinstance(model, Tree):
        return "tree"
    return "panel" if isinstance(model, Panel) else "booster"


def trees_of(model: Model) -> list[Tree]:
    """Return the trees it is made of; those of a booster are its stages, which add to scores."""
    if isinstance(model, Tree):
        return [model]
    return list(model.members) if isinstance(model, Panel) else model.trees


def size_of(model: Panel | Booster) -> str:
    """Say how many trees or stages it has."""
    if isinstance(model, Panel):
        return counted(len(model.members), "tree")
    return counted(model.n_stages, "stage")


def described(model: Model) -> str:
    """Say what it is, as part of a sentence.

    >>> import thriftwood as tw
    >>> described(tw.algorithm("bagging", bags=3, random_state=0).fit([[1], [2]], ["no", "yes"]).panel_)
    'a panel of 3 trees'
    """
    return "a tree" if isinstance(model, Tree) else f"a {kind_of(model)} of {size_of(model)}"


def tree_number(model: Model, number: int) -> Tree:
    """Return a tree of a panel, or a stage of a booster, by its number from 1."""
    if isinstance(model, Tree):
        raise ValueError("--member chooses one of several trees, and this is a single one. Leave it out.")
    trees = trees_of(model)
    if not trees:
        raise ValueError(f"There is no --member {number}: this is {described(model)}. It asks for no test.")
    if not 1 <= number <= len(trees):
        raise ValueError(
            f"There is no --member {number}: this is {described(model)}. "
            f"Give a number from 1 to {len(trees)}."
        )
    return trees[number - 1]


def single_tree(model: Model, member: int | None) -> Tree:
    """Return the tree to export: the model, or that of a panel which was chosen."""
    if isinstance(model, Booster):
        raise ValueError(
            f"A single tree can be exported, and this is {described(model)}, which answer only together. In "
            "Python tw.load reads it; a learner of one tree makes one for other languages."
        )
    if member is not None:
        return tree_number(model, member)
    if isinstance(model, Tree):
        return model
    raise ValueError(
        f"A single tree can be exported, and this is {described(model)}. --member N exports one of them, "
        f"whose answers are not those of all: a number from 1 to {len(model.members)}."
    )
