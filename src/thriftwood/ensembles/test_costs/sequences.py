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

from thriftwood.base.interrupts import keeping
from thriftwood.ensembles import rounds
from thriftwood.ensembles.base_learner import TreeBaseLearner
from thriftwood.models import Tree

FloatArray = NDArray[np.float64]
Stopped = Literal["chance", "perfect", "interrupt"]


class TreeSequence(NamedTuple):
    """A sequence of trees, in the order learnt."""

    trees: list[Tree]
    vote_weights: list[float]
    """How much each counts in a vote; none for inverse boosting, which has no vote."""
    stopped: Stopped | None
    """Why it ended early: a tree no better than chance, or without a mistake, or Ctrl-C."""


def boosted(
    learner: TreeBaseLearner, weights: FloatArray, seeds: Sequence[int], variant: str
) -> TreeSequence:
    """Learn trees by AdaBoost.M1 or SAMME, one for each seed at most.

    Parameters
    ----------
    learner : TreeBaseLearner
        The base learner at its table.
    weights : array
        What each case counts at first; 0: not at all.
    seeds : list of int
        The random seed of each tree.
    variant : {"m1", "samme"}
        The rule.
    """
    n_classes = len(learner.classes)
    total, n_cases = float(weights.sum()), int(np.count_nonzero(weights))
    most = rounds.most_error(variant, n_classes)
    done: list[tuple[Tree, float]] = []  # the trees, and how much each counts
    stopped: Stopped | None = "interrupt"
    with keeping(done, len(seeds)):
        for seed in seeds:
            tree = learner.learn(weights * (total / weights.sum()), seed)
            right = learner.answers(tree) == learner.labels
            e = rounds.error(weights, right)
            if e >= most:  # left out, unless there is no other
                if not done:
                    done.append((tree, 1.0))
                stopped = "chance"
                break
            if e == 0.0:
                least = 0.5 / max(n_cases, 2)  # a tree of a lone case counts, too
                done.append((tree, rounds.log_odds(least, variant, n_classes)))
                stopped = "perfect"
                break
            alpha = rounds.log_odds(e, variant, n_classes)
            done.append((tree, alpha))
            weights = rounds.eased(weights, right, alpha)
        else:
            stopped = None
    return TreeSequence([tree for tree, _ in done], [alpha for _, alpha in done], stopped)


def inverse_boosted(
    learner: TreeBaseLearner, weights: FloatArray, seeds: Sequence[int], track: int
) -> TreeSequence:
    """Learn trees by inverse boosting, one for each seed at most; see `boosted`.

    `track` is the power by which right cases gain weight: 1 (as it is), 2 (squared) or 3 (the root).
    """
    total, n_cases = float(weights.sum()), int(np.count_nonzero(weights))
    trees: list[Tree] = []
    stopped: Stopped | None = "interrupt"
    with keeping(trees, len(seeds)):
        for seed in seeds:
            trees.append(learner.learn(weights * (total / weights.sum()), seed))
            right = learner.answers(trees[-1]) == learner.labels
            if rounds.error(weights, right) == 0.0:
                stopped = "perfect"
                break
            weights = rounds.inverse(weights, right, track, n_cases)
        else:
            stopped = None
    return TreeSequence(trees, [], stopped)
