"""Sequential forward selection: features by what they tell, over what they still cost.

The paper does not say how a set of features is scored. Here: by the separation of the classes, the trace of
(scatter within classes)^-1 (scatter between classes), of the ranks of the values. Ranks, because some of the
features have very long tails.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from thriftwood.costs import Costs

FloatArray = NDArray[np.float64]

RIDGE = 1e-6
"""Keeps features that say the same from making the scatter singular."""


def forward(
    values: FloatArray, y: NDArray[np.str_], names: Sequence[str], costs: Costs, count: int
) -> list[str]:
    """Choose so many features, one after the other.

    Parameters
    ----------
    values : array of shape (n_cases, n_features)
        The cases.
    y : array
        Their classes.
    names : sequence of str
        Of the features.
    costs : Costs
        A feature is weighed by what it adds to the price of those chosen before.
    count : int
        How many.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.array(["a", "b"] * 50)
    >>> signal = (y == "a") + rng.normal(size=100) / 3
    >>> values = np.c_[rng.normal(size=100), signal, signal + rng.normal(size=100) / 9]
    >>> forward(values, y, ["noise", "dear", "cheap"], Costs({"noise": 1, "dear": 9, "cheap": 1}), 1)
    ['cheap']
    """
    within, between = _scatters(rankdata(values, axis=0) / len(values), y)
    chosen: list[int] = []
    separation = 0.0
    for _ in range(min(count, len(names))):
        paid = [names[feature] for feature in chosen]
        best, best_worth, best_separation = -1, (-math.inf, -math.inf), 0.0
        for feature in range(len(names)):
            if feature in chosen:
                continue
            found = _separation(within, between, [*chosen, feature])
            price = costs.effective_price(names[feature], paid=paid)
            gain = found - separation
            worth = (gain / price if price > 0 else math.inf, gain)
            if worth > best_worth:
                best, best_worth, best_separation = feature, worth, found
        chosen.append(best)
        separation = best_separation
    return [names[feature] for feature in chosen]


def _scatters(values: FloatArray, y: NDArray[np.str_]) -> tuple[FloatArray, FloatArray]:
    """Return the scatter within and between the classes."""
    mean = values.mean(axis=0)
    within = np.zeros((values.shape[1], values.shape[1]))
    between = np.zeros_like(within)
    for label in np.unique(y):
        own = values[y == label]
        apart = own.mean(axis=0) - mean
        between += len(own) * np.outer(apart, apart)
        within += (own - own.mean(axis=0)).T @ (own - own.mean(axis=0))
    within += RIDGE * len(values) * np.eye(len(within))
    return within, between


def _separation(within: FloatArray, between: FloatArray, features: list[int]) -> float:
    place = np.ix_(features, features)
    return float(np.trace(np.linalg.solve(within[place], between[place])))
