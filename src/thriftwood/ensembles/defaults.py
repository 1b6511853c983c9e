"""The base estimators that ensembles learn with unless another is given."""

from __future__ import annotations

from thriftwood.tree import CostTreeClassifier, Growth, Pessimistic
from thriftwood.tree.entries import C45_GROWTH

BOOSTED_DEPTH = 3


def c45() -> CostTreeClassifier:
    """Return C4.5.

    Examples
    --------
    >>> c45().pruning
    Pessimistic()
    """
    return CostTreeClassifier("gain_ratio", growth=Growth(**C45_GROWTH), pruning=Pessimistic())


def shallow_tree(depth: int = BOOSTED_DEPTH) -> CostTreeClassifier:
    """Return a tree of little depth: boosting wants models that leave something to learn.

    Examples
    --------
    >>> shallow_tree()
    CostTreeClassifier(growth=Growth(max_depth=3))
    """
    return CostTreeClassifier(growth=Growth(max_depth=depth))


def probability_tree() -> CostTreeClassifier:
    """Return a tree that estimates probabilities: C4.5, not pruned, its leaves smoothed by Laplace.

    Examples
    --------
    >>> probability_tree().pruning, probability_tree().smoothing
    (None, 'laplace')
    """
    return CostTreeClassifier("gain_ratio", growth=Growth(**C45_GROWTH), smoothing="laplace")
