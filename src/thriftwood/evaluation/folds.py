"""Which cases are held out: in turn, fold by fold, or once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from thriftwood.evaluation.splits import splits_of

Labels = NDArray[np.int32]


def folds_of(labels: Labels, cv: int, random_state: Any) -> NDArray[np.intp]:
    """Deal cases into folds of equal size, each class spread evenly as far as its number allows.

    Parameters
    ----------
    labels : array of int
        The class number of every case.
    cv : int
        The number of folds, from 2 to the size of the largest class.
    random_state : int, RandomState or None
        Shuffles the cases.

    Returns
    -------
    ndarray of int
        The number of the fold of every case.

    Examples
    --------
    >>> np.bincount(folds_of(np.array([0, 0, 0, 1, 1, 1], dtype=np.int32), 3, random_state=0))
    array([2, 2, 2])
    """
    fold = np.zeros(len(labels), dtype=np.intp)
    for number, split in enumerate(splits_of(cv, labels, None, random_state)):
        fold[split.judge] = number
    return fold


def check_share(share: float) -> None:
    """Refuse to hold out nobody, everybody, or what is no share.

    Examples
    --------
    >>> check_share(1.5)
    Traceback (most recent call last):
    ...
    ValueError: The share to hold out must lie between 0 and 1. Got 1.5.
    """
    if not 0 < share < 1:
        raise ValueError(f"The share to hold out must lie between 0 and 1. Got {share:g}.")


def held_out(labels: Labels, share: float, random_state: Any) -> NDArray[np.bool_]:
    """Mark a share of the cases of every class, to be held out.

    Examples
    --------
    >>> held_out(np.array([0, 0, 0, 0, 1, 1], dtype=np.int32), 0.5, random_state=0).tolist().count(True)
    3
    """
    check_share(share)
    rng = check_random_state(random_state)
    marked = np.zeros(len(labels), dtype=bool)
    for label in np.unique(labels):
        own = rng.permutation(np.flatnonzero(labels == label))
        marked[own[: round(share * len(own))]] = True
    if not marked.any() or marked.all():
        raise ValueError(
            f"Holding out {share:g} of {len(labels)} cases leaves one part empty. Give more cases, or "
            "another share."
        )
    return marked
