"""What both questions begin with: the table, the learner, and the cases that are held out in turn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from thriftwood.base.parameters import Whole, parameter_error
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation.learnt_columns import learnt_columns
from thriftwood.evaluation.whatif.refitted import Refitted
from thriftwood.evaluation.whatif.searched import Searched, is_searched
from thriftwood.evaluation.whatif.trees import Trees
from thriftwood.evaluation.whatif.usual import usual_trees
from thriftwood.learners import algorithm
from thriftwood.learning.class_tree import ClassTree, FloatArray
from thriftwood.learning.optimal import OptimalTreeClassifier
from thriftwood.learning.regressor import CostTreeRegressor
from thriftwood.learning.thrift_judging import parts

FOLDS = Whole(2)
SEED = Whole(0)


class Held(NamedTuple):
    """A part of the cases, and what the others count when trees are learnt without it."""

    rows: NDArray[np.intp]
    weights: FloatArray


def trees_of(
    X: Any, y: Any, costs: Costs, learner: Any, kind: str, folds: int, random_state: int, sample_weight: Any
) -> Trees:
    """Return the learner of a table, as trees at any price.

    `kind`: what is varied, "price", "shared" or "error".
    """
    X = learnt_columns(X, costs)
    if learner is None:
        like = OptimalTreeClassifier(costs, nominal="value")
        like.part_of = "what_if"
        return usual_trees(like.prepare(X, y, sample_weight), like, costs, folds, random_state)
    given = _single_tree(learner).set_params(costs=costs)
    encoding = given.fit_encoder(X)
    prepared = given.prepare(X, y, sample_weight, encoding)
    if is_searched(given, kind):
        assert isinstance(given, OptimalTreeClassifier)
        tests = counted(given.max_depth, "test")
        words = f"the best tree of at most {tests} on a path"
        return Searched(prepared, costs, given, words, None, prepared.problem)
    return Refitted(prepared, costs, given, y, sample_weight, encoding)


def held_out_parts(trees: Trees, folds: int, random_state: int) -> list[Held]:
    """Deal the cases that count into parts; of more than 3,000 cases a quarter is the only one."""
    counting = np.flatnonzero(trees.weights)
    found = []
    for part in parts(trees.labels[counting], folds, random_state):
        if len(part) < len(counting):
            weights = trees.weights.copy()
            weights[counting[part]] = 0.0
            found.append(Held(counting[part], weights))
    return found


def check_numbers(owner: str, folds: Any, random_state: Any) -> None:
    """Refuse a number of folds, or a seed, that is none."""
    for name, given, rule in (("folds", folds, FOLDS), ("random_state", random_state, SEED)):
        if not rule.accepts(given):
            raise parameter_error(owner, name, given, rule)


def _single_tree(learner: Any) -> ClassTree:
    found = algorithm(learner) if isinstance(learner, str) else learner
    if isinstance(found, CostTreeRegressor):
        raise TypeError(
            "What a mistake costs is said of classes, and a CostTreeRegressor predicts numbers. Give a "
            "learner of classes, such as tw.algorithm('min-total-cost')."
        )
    if not isinstance(found, ClassTree) or not found.always_a_tree:
        named = f"{learner!r}" if isinstance(learner, str) else f"{type(learner).__name__}"
        raise TypeError(
            f"learner={named} does not learn a single tree, and a single tree is followed from price to "
            "price. Leave learner out, or give one that does, such as 'min-total-cost', 'c45' or "
            "tw.ThriftClassifier(leaves='class')."
        )
    own: ClassTree = clone(found)
    if own.get_params(deep=False).get("random_state", 0) is None:
        own.set_params(random_state=0)  # chance would flip the tree as well
    return own
