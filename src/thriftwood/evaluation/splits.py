"""Which cases a tree is grown on and which it is judged by, fold after fold."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from thriftwood.base.advice import advised
from thriftwood.base.remedies import PassSmaller
from thriftwood.evaluation.sweep import Split

FloatArray = NDArray[np.float64]

APART = (
    "groups were given, and this cv does not keep them together. Give a splitter that does, such as "
    "cv=GroupKFold(5) of scikit-learn."
)


def splits_of(
    cv: Any,
    labels: NDArray[np.int32],
    weights: FloatArray | None,
    random_state: Any = None,
    groups: Any = None,
) -> list[Split]:
    """Return the folds, checked.

    Parameters
    ----------
    cv : int, splitter or list of (rows to grow on, rows to judge)
        A number means stratified folds, shuffled by `random_state`.
    labels : array of int
        The class number of each case.
    weights : array, optional
        How much each case counts.
    groups : array, optional
        Which cases belong together; it is an error if a fold judges a group that was grown on.

    Examples
    --------
    >>> splits_of([([0, 1], [2]), ([1, 2], [0])], np.array([0, 1, 0], dtype=np.int32), None)[1].judge
    array([0], dtype=uint32)
    """
    if groups is not None and len(groups) != len(labels):
        raise ValueError(f"groups must have one entry per case. Got {len(groups)} for {len(labels)} cases.")
    if isinstance(cv, numbers.Integral) and not isinstance(cv, bool):
        if groups is not None:
            raise ValueError(APART)
        if cv < 2:
            raise ValueError(f"cv must be a number of folds of at least 2. Got {cv}.")
        largest = int(np.bincount(labels).max())
        if int(cv) > largest:
            raise advised(
                ValueError,
                f"The number of folds must be from 2 to the number of cases of the largest class, {largest}. "
                f"Got {cv}. ",
                PassSmaller("cv"),
                ".",
            )
        cv = StratifiedKFold(int(cv), shuffle=True, random_state=random_state)
    elif isinstance(cv, str) or not (hasattr(cv, "split") or isinstance(cv, Iterable)):
        raise TypeError(
            f"cv must be a number of folds, a splitter of scikit-learn, or a list of pairs (rows to grow on, "
            f"rows to judge). Got {cv!r}."
        )
    found = []
    # Folds depend on class and group at most, so X is not looked at.
    with warnings.catch_warnings():
        # A class with fewer cases than folds is absent from some; trees of one call know it all the same.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        pairs = list(cv.split(np.zeros((len(labels), 1)), labels, groups) if hasattr(cv, "split") else cv)
    for number, pair in enumerate(pairs):
        try:
            grow, judge = pair
        except (TypeError, ValueError):
            raise ValueError(
                f"Fold {number} of cv must be a pair (rows to grow on, rows to judge). Got {pair!r}."
            ) from None
        found.append(
            Split(
                np.sort(_rows(grow, "grow on", number, weights, len(labels))),
                _rows(judge, "judge", number, weights, len(labels)).astype(np.uint32),
            )
        )
    if groups is not None and any(_share_a_group(split, np.asarray(groups)) for split in found):
        raise ValueError(APART)
    if not found:
        raise ValueError("cv has no folds. Give at least one pair (rows to grow on, rows to judge).")
    return found


def _share_a_group(split: Split, groups: NDArray[Any]) -> bool:
    return bool(np.isin(groups[split.judge], groups[split.grow]).any())


def _rows(given: Any, purpose: str, number: int, weights: FloatArray | None, n_rows: int) -> NDArray[np.intp]:
    """Read one half of a fold: row numbers, or a mask."""
    rows = np.asarray(given)
    if rows.dtype.kind == "b" and rows.shape == (n_rows,):
        rows = np.flatnonzero(rows)
    where = f"The rows to {purpose} of fold {number} of cv"
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or not len(rows):
        raise ValueError(
            f"{where} must be row numbers or a mask of all {n_rows} rows, with at least one row."
        )
    low, high = int(rows.min()), int(rows.max())
    if low < 0 or high >= n_rows:
        raise ValueError(
            f"{where} have the row {low if low < 0 else high}; the table has rows 0 to {n_rows - 1}."
        )
    if weights is not None and not weights[rows].any():
        raise ValueError(f"{where} are all of sample_weight 0, so none of them counts.")
    return rows.astype(np.intp)
