"""What the paper was run with. Its figures are pictures; what its text says of them is the order.

As the ratio grows, ECCO is more sensitive to it and costs less than ICET: on hepatitis in figure 4, with
tests that cost something, at depth 5 and pruned, and similarly on all four data sets, whether or not tests
cost anything. At ratios up to 5 (figure 5) ICET hardly reacts to the ratio, and pruning makes hardly any
difference.
"""

from __future__ import annotations

SICK = {
    "liver-disorders-drinks": "1",
    "heart-cleveland-2class": "1",
    "hepatitis": "DIE",
    "diabetes": "tested_positive",
}
"""By our names of the data sets: the class that it is dear to overlook."""

HIGH_RATIOS = (10.0, 50.0, 100.0, 500.0, 1000.0, 5000.0, 10000.0)
"""Cost ratios of figure 4."""
LOW_RATIOS = (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0)
"""Cost ratios of figure 5, whose text says "varied from 1.5 to 5"."""

DEPTHS = (5, 6, 7, 8, 9, 10, 11)
"""Levels of trees; figure 4 has the least."""
