"""`savings_score`: how much answers save against the best answer that is the same for all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from thriftwood.costs import CostError, answer_costs
from thriftwood.learning.targets import case_weights
from thriftwood.models.labels import class_numbers


def savings_score(
    y: Any, answers: Any, error_costs: Any, *, sample_weight: Any = None, classes: Any = None
) -> float:
    """Return the savings: 1 less what the answers cost, by what the cheapest constant answer costs.

    1 is the most that can be saved, 0 is no better than giving everybody the same answer, and answers that
    are worse than that score below 0. Where a constant answer costs nothing there is nothing to be saved: 0.

    Parameters
    ----------
    y, answers : array-like of shape (n_rows,)
        The true classes and the answers.
    error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes)
        What each answer costs each case, or a matrix [actual, predicted] for each case.
    sample_weight : array-like of shape (n_rows,), optional
        How much each case counts.
    classes : array-like of shape (n_classes,), optional
        The classes in the order of `error_costs`; None: those of `y` and `answers`, sorted.

    Returns
    -------
    float

    Examples
    --------
    A mistake costs the first case 4, the others 3, 3 and 2 (C13 of Correa Bahnsen's measure).

    >>> costs = [[0, 4], [3, 0], [3, 0], [0, 2]]
    >>> savings_score([0, 1, 1, 0], [0, 1, 0, 0], costs)
    0.5

    References
    ----------
    Correa Bahnsen, Aouada & Ottersten 2015, Example-dependent cost-sensitive decision trees, Expert Systems
    with Applications 42
    """
    truth, given = np.asarray(column_or_1d(y)), np.asarray(column_or_1d(answers))
    if len(truth) != len(given):
        raise ValueError(
            f"There are {len(truth)} true classes and {len(given)} answers. Give one of each per case."
        )
    known = np.unique(np.concatenate([truth, given])) if classes is None else np.asarray(classes)
    shape = np.shape(error_costs)
    if classes is None and len(shape) > 1 and shape[1] > len(known):
        raise CostError(
            f"error_costs is for {shape[1]} classes, of which y and the answers have {known.tolist()}. Pass "
            "classes=[...], all of them in the order of error_costs."
        )
    labels, answered = (class_numbers(column, known, len(truth)) for column in (truth, given))
    costs = answer_costs(error_costs, labels, known)
    weights = case_weights(sample_weight, len(truth))
    return saved(costs, answered, weights)


def saved(
    costs: NDArray[np.float64], answered: NDArray[np.integer[Any]], weights: NDArray[np.float64] | None
) -> float:
    """Return the savings of answers by number, from what each answer costs each case."""
    if weights is not None:
        costs = costs * weights[:, None]
    constant = float(costs.sum(axis=0).min())
    paid = float(costs[np.arange(len(costs)), answered].sum())
    return 1.0 - paid / constant if constant > 0.0 else 0.0
