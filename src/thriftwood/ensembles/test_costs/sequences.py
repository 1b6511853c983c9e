"""Trees learnt one after the other, each from what the one before it got wrong, or right.

*Boosting* makes cases that were answered wrongly count more, so later trees specialise in the hard cases;
*inverse boosting* makes those count more that were answered rightly, so later trees specialise in the easy
ones, and become cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.ensembles import rounds
from thriftwood.ensembles.prepared import TreeWorkshop
from thriftwood.models import Tree

FloatArray = NDArray[np.float64]
Stopped = Literal["chance", "perfect"]


class Course(NamedTuple):
    """A sequence of trees, in the order learnt."""

    trees: list[Tree]
    say: list[float]
    """How much each counts in a vote; none for inverse boosting, which has no vote."""
    stopped: Stopped | None
    """Why it ended early: a tree no better than chance, or without a mistake."""


def boosted(shop: TreeWorkshop, weights: FloatArray, seeds: Sequence[int], variant: str) -> Course:
    """Learn trees by AdaBoost.M1 or SAMME, one for each seed at most.

    Parameters
    ----------
    shop : TreeWorkshop
        The base learner at its table.
    weights : array
        What each case counts at first; 0: not at all.
    seeds : list of int
        The chance of each tree.
    variant : {"m1", "samme"}
        The rule.
    """
    n_classes = len(shop.classes)
    total, n_cases = float(weights.sum()), int(np.count_nonzero(weights))
    most = rounds.most_error(variant, n_classes)
    trees: list[Tree] = []
    say: list[float] = []
    for seed in seeds:
        tree = shop.learn(weights * (total / weights.sum()), seed)
        right = shop.answers(tree) == shop.labels
        e = rounds.error(weights, right)
        if e >= most:  # left out, unless there is no other
            return Course(trees or [tree], say or [1.0], "chance")
        trees.append(tree)
        if e == 0.0:
            least = 0.5 / max(n_cases, 2)  # a tree of a lone case has a say, too
            return Course(trees, [*say, rounds.log_odds(least, variant, n_classes)], "perfect")
        say.append(rounds.log_odds(e, variant, n_classes))
        weights = rounds.eased(weights, right, say[-1])
    return Course(trees, say, None)


def inverse_boosted(shop: TreeWorkshop, weights: FloatArray, seeds: Sequence[int], track: int) -> Course:
    """Learn trees by inverse boosting, one for each seed at most; see `boosted`.

    `track` says by which power cases that were right gain: 1, 2 (squared) or 3 (the root).
    """
    total, n_cases = float(weights.sum()), int(np.count_nonzero(weights))
    trees: list[Tree] = []
    for seed in seeds:
        trees.append(shop.learn(weights * (total / weights.sum()), seed))
        right = shop.answers(trees[-1]) == shop.labels
        if rounds.error(weights, right) == 0.0:
            return Course(trees, [], "perfect")
        weights = rounds.inverse(weights, right, track, n_cases)
    return Course(trees, [], None)
