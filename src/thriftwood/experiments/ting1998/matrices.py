"""Error costs: drawn at random, or those of the Statlog project for its two data sets.

A matrix is [actual, predicted]; the paper prints the transpose. Draws are the paper's: every mistake costs a
whole number from 1 to 10, at least one of them 1. Which draws satisfy the second condition is read so:
the whole matrix is drawn again until one of its mistakes costs 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

DEAREST = 10
"""What a mistake costs at most."""

FIVE = {"heart-statlog": ("absent", "present"), "credit-g": ("good", "bad")}
"""By data set of the Statlog project: who is called what, when the mistake costs 5; the other one costs 1.

The paper has cost(1, 2) = 1 and cost(2, 1) = 5, the predicted class first. So a healthy patient who is called
sick costs 5, and a good debtor who is called bad. The Statlog project says the opposite; but the paper's
C4.5CS calls nearly every debtor good and pays 1 for each of the 30 in 100 who are bad: that is what it used.
"""


def draw(n_classes: int, rng: np.random.Generator) -> Matrix:
    """Draw what mistakes cost.

    Examples
    --------
    >>> draw(3, np.random.default_rng(0))
    array([[0., 7., 6.],
           [3., 0., 1.],
           [1., 1., 0.]])
    """
    mistakes = ~np.eye(n_classes, dtype=bool)
    while True:
        costs = rng.integers(1, DEAREST + 1, (n_classes, n_classes))
        if (costs[mistakes] == 1).any():
            return np.where(mistakes, costs, 0).astype(np.float64)


def of_statlog(data_set: str, classes: Sequence[str], turned: bool) -> Matrix | None:
    """Return the matrix of a data set of the Statlog project; None for all others.

    Parameters
    ----------
    data_set : str
    classes : sequence of str
        In the order of the matrix.
    turned : bool
        Whether the 5 stands where the Statlog project has it, instead of where the paper has it.

    Examples
    --------
    >>> of_statlog("credit-g", ["bad", "good"], turned=False)
    array([[0., 1.],
           [5., 0.]])
    """
    if data_set not in FIVE:
        return None
    actual, predicted = (classes.index(name) for name in FIVE[data_set])
    matrix = 1.0 - np.eye(2)
    matrix[actual, predicted] = 5.0
    return matrix.T.copy() if turned else matrix
