"""Which cases are kept aside: folds and validation parts, by class and in random order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from thriftwood.learning.problem import Problem, Rows


def folds(problem: Problem, n_folds: int, random_state: Any) -> NDArray[np.intp]:
    """Return the fold of each case, -1 for cases of weight 0: random, and every class spread evenly."""
    cases = _shuffled(problem, random_state)
    fold = np.full(problem.n_rows, -1, dtype=np.intp)
    fold[cases] = np.arange(len(cases)) % min(n_folds, len(cases))
    together = _first_votes(problem)
    return fold if together is None else fold[together]


def validation_part(problem: Problem, share: float, random_state: Any) -> tuple[Rows, Rows]:
    """Return the rows to grow on and the rows kept aside, about `share` of every class.

    Raises
    ------
    ValueError
        When the share is so small that none of the cases would be kept. A single case is grown on: its tree
        is a leaf, so there is nothing to prune.
    """
    cases = _shuffled(problem, random_state)
    # A case is kept aside when the rounded number of cases to keep rises: evenly along the classes.
    kept = np.diff(np.round(np.arange(len(cases) + 1) * share)) > 0
    if len(cases) > 1 and not kept.any():
        raise ValueError(
            f"validation={share:g} keeps none of the {len(cases)} cases aside, so there is nothing to prune "
            f"by. Set validation to {1 / len(cases):.2g} or more."
        )
    kept[0] &= not kept.all()  # something must be left to grow on
    together = _first_votes(problem)
    if together is None:
        return _ascending(cases[~kept]), _ascending(cases[kept])
    part = np.full(problem.n_rows, -1)
    part[cases] = kept
    part = part[together]
    return rows_of(part == 0), rows_of(part == 1)


def rows_of(mask: NDArray[np.bool_]) -> Rows:
    """Return the numbers of the rows that are marked."""
    return np.flatnonzero(mask).astype(np.uint32)


def _shuffled(problem: Problem, random_state: Any) -> NDArray[np.intp]:
    """Return the cases that count, in random order within each class (or by rising target)."""
    rng = check_random_state(random_state)
    counting = np.arange(problem.n_rows) if problem.weights is None else np.flatnonzero(problem.weights > 0)
    together = _first_votes(problem)
    if together is not None:
        counting = np.unique(together[counting])
    cases = rng.permutation(counting)
    target = problem.labels if problem.labels is not None else problem.numbers
    assert target is not None  # a problem has one of the two
    return np.asarray(cases[np.argsort(target[cases], kind="stable")])


def _first_votes(problem: Problem) -> NDArray[np.intp] | None:
    """Return for each vote the first one of its case, so that they stay together; None: one vote each."""
    if problem.votes is None or problem.votes.case_of is None:
        return None
    _, first, inverse = np.unique(problem.votes.case_of, return_index=True, return_inverse=True)
    return np.asarray(first[inverse])


def _ascending(cases: NDArray[np.intp]) -> Rows:
    return np.sort(cases).astype(np.uint32)
