"""What a tree says about the cases it learnt from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from thriftwood.models.tree.tree import Tree

CLOSE = 1e-6
"""Weights of cases that are counted add up to whole numbers but for so much, as a share."""


def whole_counts(tree: Tree) -> bool:
    """Tell whether a tree counted every training case once: the classes at its root are whole numbers.

    Altered priors that are taken back, and values spread over branches, leave the root as it was; weights
    of cases or classes do not.
    """
    root = tree.core.values[0]
    total = float(root.sum())
    if tree.core.cases and abs(total - tree.core.cases) > CLOSE * total:
        return False
    return total > 0.0 and bool((np.abs(root - root.round()) <= CLOSE * max(total, 1.0)).all())


def class_shares(tree: Tree) -> NDArray[np.float64] | None:
    """Return the shares of the classes among the training cases; None of weighted cases, and of numbers."""
    if tree.regression or not whole_counts(tree):
        return None
    root = np.asarray(tree.core.values[0], dtype=np.float64)
    return np.asarray(root / root.sum())
