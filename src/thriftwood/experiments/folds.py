"""`deal`: the folds of a cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def deal(
    labels: NDArray[np.int32], n_folds: int, stratified: bool, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return the fold of each case: dealt in random order, class by class when stratified.

    Examples
    --------
    >>> labels = np.array([0, 0, 0, 0, 1, 1], dtype=np.int32)
    >>> fold = deal(labels, 2, True, np.random.default_rng(0))
    >>> sorted(fold[:4].tolist()), sorted(fold[4:].tolist())
    ([0, 0, 1, 1], [0, 1])
    """
    cases = rng.permutation(len(labels))
    if stratified:
        cases = cases[np.argsort(labels[cases], kind="stable")]
    folds = np.empty(len(labels), dtype=np.intp)
    folds[cases] = np.arange(len(labels)) % n_folds
    return folds
