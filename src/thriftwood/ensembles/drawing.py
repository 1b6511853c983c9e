"""Random draws of ensembles: samples of the cases, and seeds for their members.

Samples and seeds are drawn before anything is learnt, so one process and many learn the same. A base
estimator with a `random_state` of its own keeps it in all members. A sample of one class answers that
class; members know all classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from thriftwood.base.advice import advised
from thriftwood.base.parameters import Real, Whole
from thriftwood.base.remedies import SetParameter
from thriftwood.table.values import is_missing

FloatArray = NDArray[np.float64]
Rows = NDArray[np.intp]

MOST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class SampleSize:
    """A number of cases, a share of them, or None for as many as there are."""

    def accepts(self, value: Any) -> bool:
        """Tell whether the value is one of those."""
        return Whole(1, none=True).accepts(value) or (
            isinstance(value, float | np.floating) and Real(0, 1, above=True).accepts(value)
        )

    def wanted(self) -> str:
        """Say what is accepted."""
        return "a whole number of at least 1, a share in the range (0, 1] or None"


def sample_size(given: float | None, n_rows: int) -> int:
    """Return how many cases a sample has.

    Examples
    --------
    >>> sample_size(None, 200), sample_size(50, 200), sample_size(0.5, 200)
    (200, 50, 100)
    """
    if given is None:
        return n_rows
    return max(1, round(given * n_rows)) if isinstance(given, float | np.floating) else int(given)


def bootstraps(n_samples: int, size: int, n_rows: int, rng: RandomState) -> list[Rows]:
    """Draw samples with replacement; each is a list of row numbers, in rising order.

    Examples
    --------
    >>> [len(rows) for rows in bootstraps(2, 5, 3, RandomState(0))]
    [5, 5]
    """
    return [np.sort(rng.randint(0, n_rows, size)).astype(np.intp) for _ in range(n_samples)]


def acceptance(importance: FloatArray) -> FloatArray:
    """Return the probability with which rejection sampling keeps each case: its importance over the largest.

    Examples
    --------
    >>> acceptance(np.array([1.0, 2.0, 4.0, 10.0]))
    array([0.1, 0.2, 0.4, 1. ])
    """
    return np.asarray(importance / importance.max())


def rejection_samples(n_samples: int, importance: FloatArray, rng: RandomState) -> list[Rows]:
    """Draw samples that keep each case at most once, with a probability in proportion to its importance.

    No sample is empty: the most important cases are in every one.

    Examples
    --------
    >>> [rows.tolist() for rows in rejection_samples(2, np.array([0.0, 3.0, 3.0]), RandomState(0))]
    [[1, 2], [1, 2]]
    """
    kept = acceptance(importance)
    return [np.flatnonzero(rng.random_sample(len(kept)) < kept) for _ in range(n_samples)]


def held_out(labels: NDArray[Any], share: float, groups: Any, rng: RandomState) -> NDArray[np.bool_]:
    """Draw the cases to hold out: a share of every class, or of the groups where there are any.

    At least one case is held out and one is left to learn from; without groups, one of every class is left.

    Examples
    --------
    >>> held_out(np.array([0, 0, 1, 1, 1, 1]), 0.5, None, RandomState(0))
    array([False,  True,  True, False,  True, False])
    >>> held_out(np.array([0, 0, 1, 1]), 0.5, ["a", "b", "a", "b"], RandomState(0))
    array([False,  True, False,  True])
    """
    apart = np.zeros(len(labels), dtype=bool)
    if groups is not None:
        of = case_groups(groups, len(labels))
        names = np.unique(of)
        if len(names) < 2:
            raise ValueError(
                "groups has one group, so none can be held out. Give several, or leave groups out."
            )
        count = min(max(round(share * len(names)), 1), len(names) - 1)
        return np.isin(of, rng.permutation(names)[:count])
    for label in np.unique(labels):
        own = rng.permutation(np.flatnonzero(labels == label))
        apart[own[: min(round(share * len(own)), len(own) - 1)]] = True
    if not apart.any():
        raise advised(
            ValueError,
            f"validation={share} of {len(labels)} cases leaves no case to hold out. Hold out a larger share, "
            "or ",
            SetParameter("early_stopping", (None,)),
            ".",
        )
    return apart


def case_groups(given: Any, n_rows: int) -> NDArray[Any]:
    """Return the group of every case; an error unless each has one.

    Examples
    --------
    >>> case_groups(["a", "b", "a"], 3).tolist()
    ['a', 'b', 'a']
    """
    groups = np.asarray(given)
    if groups.shape != (n_rows,):
        raise ValueError(f"groups must have one entry per case, shape {(n_rows,)}. Got {groups.shape}.")
    for row, group in enumerate(groups if groups.dtype.kind in "fO" else ()):
        if is_missing(group):
            raise ValueError(
                f"groups has {group!r} in row {row}. Give every case a group; one that belongs to no other "
                "has a group of its own."
            )
    return groups


def seeds(number: int, rng: RandomState) -> list[int]:
    """Draw a seed for each member.

    Examples
    --------
    >>> len(set(seeds(3, RandomState(0))))
    3
    """
    return [int(seed) for seed in rng.randint(MOST_SEED, size=number)]


def seeded(estimator: Any, seed: int) -> Any:
    """Set every `random_state` of an estimator that is None, those of its parts too, and return it.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded(DecisionTreeClassifier(), 7), seeded(DecisionTreeClassifier(random_state=1), 7)
    (DecisionTreeClassifier(random_state=7), DecisionTreeClassifier(random_state=1))
    """
    open_places = {
        name: seed
        for name, value in estimator.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    }
    return estimator.set_params(**open_places)
