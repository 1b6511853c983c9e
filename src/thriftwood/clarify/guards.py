"""Guards: what is watched besides the tree's own tests, so that a cause nobody recorded is noticed.

A tree asks as little as tells the labels apart; one label is often what remains when nothing was seen, and
there every new cause ends, too. A guard of a label is something whose values in all runs of the label are
such as runs of other labels do not have. Labels stand for each other here: what keeps the known ones out of
a label keeps out others as well. Every run of another label is to be kept out by several guards, each
counting half as much as the one before; what is dear counts less, and so does a range that rests on single
runs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thriftwood.clarify.pricing import Prices

PER_LABEL = 4
LEAST_GAIN = 0.02
AGAIN = 0.5
"""How much keeping a run out once more is worth, by what it was worth before."""
LONELY = 5.0
"""What a bound that one run alone has costs, in units of the share of runs that it is."""
DEAREST = 0.05
"""What a guard that costs all that guards may cost must gain."""
FREE_SHARE = 0.005
"""Of the price of watching everything, which guards may cost."""


def guards_of(
    values: NDArray[np.float64], labels: NDArray[np.str_], prices: Prices, columns: tuple[int, ...]
) -> tuple[int, ...]:
    """Choose guards for the labels of some runs.

    Parameters
    ----------
    values : array of shape (n_runs, n_columns)
        Counts and signs.
    labels : array of str
        One per run.
    prices : Prices
        Of the columns.
    columns : tuple of int
        What the tree asks: it is watched in any case.

    Returns
    -------
    tuple of int
        Columns, sorted; those of the tree may be among them.
    """
    budget = FREE_SHARE * prices.total
    paid = np.zeros(len(prices.resources), dtype=bool)
    for column in columns:
        paid[prices.needed[column]] = True
    price = np.array([prices.resources[needed[~paid[needed]]].sum() for needed in prices.needed])
    found: set[int] = set()
    spent = 0.0
    for label in np.unique(labels).tolist():
        for column in _of_label(values, labels == label, labels, price / max(budget, 1e-12)):
            more = float(prices.resources[[r for r in prices.needed[column] if not paid[r]]].sum())
            if column in found or spent + more > budget:
                continue
            spent += more
            paid[prices.needed[column]] = True
            found.add(column)
    return tuple(sorted(found))


def _of_label(
    values: NDArray[np.float64], mine: NDArray[np.bool_], labels: NDArray[np.str_], price: NDArray[np.float64]
) -> list[int]:
    """List the guards of one label, the best first."""
    low, high = values[mine].min(axis=0), values[mine].max(axis=0)
    lonely = (values[mine] == low).sum(axis=0).clip(max=2) + (values[mine] == high).sum(axis=0).clip(max=2)
    risk = (4 - lonely) * LONELY / mine.sum()
    out = (values[~mine] < low) | (values[~mine] > high)
    names, place, counts = np.unique(labels[~mine], return_inverse=True, return_counts=True)
    weight = 1.0 / (len(names) * counts[place])
    found: list[int] = []
    for _ in range(PER_LABEL):
        gain = (1.0 - AGAIN) * (weight @ out) - risk - DEAREST * price
        gain[price > 1.0] = -1.0
        best = int(np.argmax(gain))
        if gain[best] < LEAST_GAIN:
            break
        found.append(best)
        weight = np.where(out[:, best], AGAIN * weight, weight)
        out[:, best] = False
    return found
