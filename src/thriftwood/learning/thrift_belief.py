"""What the candidate that `ThriftClassifier` took is believed to cost, after it was taken.

What folds say of a candidate is right on the mean, but not of one that was taken because they said so: luck
that made it look cheap is why it was taken. A belief from before does not mind who was taken. Over tables
tests save `USUAL` of what can be saved, give or take `SPREAD`, before they are paid; that and what folds say
count by how sure each is.
"""

from __future__ import annotations

import numpy as np

from thriftwood.learning.thrift_choice import Duels

USUAL, SPREAD = 0.25, 0.3
"""The mean of what score cards save before tests are paid, as a share of all that right answers would save,
and its standard deviation, on the tables that were looked at: .22 +- .31 with prices (198 settings with 80 or
200 cases), .36 +- .36 with free tests (120 with 80 to 250)."""


def believed(duels: Duels, taken: int, nobody: float, dearest: float) -> float:
    """Return what a candidate is believed to cost an unseen case.

    `nobody`: what testing nobody costs a case more than right answers would. `dearest`: what the dearest
    mistake costs where they are few, as in `chosen`; else 0.

    Examples
    --------
    Folds say that half of 100 is saved, with a standard error of 30: that counts as much as the belief that
    25 are.

    >>> duel = np.array([[0.0, -50.0], [50.0, 0.0]])
    >>> error = np.array([[0.0, 30.0], [30.0, 0.0]])
    >>> costs, tests = np.array([100.0, 50.0]), np.zeros(2)
    >>> duels = Duels(("constant", "much doubt"), costs, tests, duel, error, duel, error, 200)
    >>> believed(duels, 1, 100.0, 0.0)
    62.5
    """
    constant = float(duels.costs[0])
    if taken == 0 or not nobody > 0.0:
        return constant
    doubt = float(np.hypot(duels.error[taken, 0], dearest / max(duels.n_judged, 1))) / nobody
    said = float(duels.saved[taken, 0]) / nobody
    usual = USUAL - float(duels.test_costs[taken]) / nobody
    return constant - nobody * (said * SPREAD**2 + usual * doubt**2) / (SPREAD**2 + doubt**2)
