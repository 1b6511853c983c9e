"""Which tree of a model is meant on the command line, and which learners leave a model with a file."""

from __future__ import annotations

from thriftwood.models import Cascade, Tree
from thriftwood.models.model import Model

SEVERAL = "bagging, boosting, shortcut-forest, cocost and gradient-boosting"
"""The names of the learners of several trees whose model has a file."""


def tree_number(model: Model, number: int) -> Tree:
    """Return a tree of a panel, or a stage of a booster, by its number from 1."""
    if model.single_tree is not None:
        raise ValueError("--member chooses one of several trees, and this is a single one. Leave it out.")
    parts = model.parts
    if isinstance(model, Cascade):
        raise ValueError(f"--member chooses one of several trees; this is {model.description}. Leave it out.")
    if not parts:
        raise ValueError(f"There is no --member {number}: this is {model.description}. It asks for no test.")
    if not 1 <= number <= len(parts):
        raise ValueError(
            f"There is no --member {number}: this is {model.description}. "
            f"Give a number from 1 to {len(parts)}."
        )
    return parts[number - 1].tree


def exported(model: Model, member: int | None) -> Tree | Cascade:
    """Return what to export: the model, or the tree of a panel which was chosen."""
    if isinstance(model, Cascade) and member is None:
        return model
    if not model.parts_answer and not isinstance(model, Cascade):
        raise ValueError(
            f"A single tree can be exported, and this is {model.description}, which answer only together. In "
            "Python tw.load reads it; a learner of one tree makes one for other languages."
        )
    if member is not None:
        return tree_number(model, member)
    if model.single_tree is not None:
        return model.single_tree
    raise ValueError(
        f"A single tree can be exported, and this is {model.description}. --member N exports one of them, "
        f"whose answers are not those of all: a number from 1 to {len(model.parts)}."
    )
