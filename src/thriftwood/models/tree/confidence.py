"""How sure an answer is, as people are told: no leaf of one case is sure of it.

A share of the training cases is smoothed by two cases of the whole training table: (W_c + 2 w p_c) /
(W + 2 w), where W_c is the weight of the answer's class at the node, W that of all classes, p_c the class's
share at the root, and w the mean weight of a training case (an m-estimate with m = 2; Cestnik 1990,
Estimating probabilities, ECAI). So the scale of weights does not matter, and a single case is one case
whatever it weighs. A tree that smooths its shares itself is taken at its word. `predict_proba` gives the
shares of the tree, without this.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from thriftwood.costs.names import counted
from thriftwood.models.tree.text import weight_text

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree
    from thriftwood.models.tree.walk import Ending

M = 2.0
"""So many cases of the whole training table are added to every node."""


class Confidence(NamedTuple):
    """How sure an answer is.

    Examples
    --------
    >>> print(Confidence(0.5, 1.0))
    confidence 50% by 1 case
    """

    share: float
    """Of the answer's class, smoothed."""
    cases: float
    """The training weight it rests on: with no weights given, the number of cases."""

    def __str__(self) -> str:
        return f"confidence {100 * self.share:.3g}% by {counted(weight_text(self.cases), 'case')}"


def smoothed_share(tree: Tree, node: int, label: int) -> float:
    """Return the share of a class at a node, smoothed for people."""
    weights = tree.core.values[node].tolist()
    total = sum(weights)
    if tree.smooths or node == 0:
        return tree.shares(node)[label]
    added = M * case_weight(tree)
    return float((weights[label] + added * tree.shares(0)[label]) / (total + added))


def case_weight(tree: Tree) -> float:
    """Return the mean weight of a training case; 1 where none were given, as in files of earlier versions."""
    return sum(tree.core.values[0].tolist()) / tree.core.cases if tree.core.cases else 1.0


def joint_confidence(tree: Tree, ends: Iterable[Ending], label: int) -> Confidence:
    """Return how sure an answer is where a case ends in several nodes, each with its share of the case."""
    share = cases = whole = 0.0
    for end in ends:
        share += end.share * smoothed_share(tree, end.node, label)
        cases += tree.flat.weight[end.node]
        whole += end.share
    return Confidence(share / whole, cases)
