"""What the candidate that `ThriftClassifier` took is believed to cost, after it was taken.

What folds say of a candidate is right on the mean, but not of one that was taken because they said so: luck
that made it look cheap is why it was taken. A belief from before does not mind who was taken. Over tables
tests save `USUAL` of what can be saved, give or take `SPREAD`; that and what folds say count by how sure
each is.
"""

from __future__ import annotations

import numpy as np

from thriftwood.learning.thrift_choice import Duels

USUAL, SPREAD = 0.15, 0.3
"""The mean of what score cards save, as a share of all that right answers would, and its standard deviation
over 129 settings of seven tables that were looked at, with prices and 80 or 200 cases. On those and 69 more
of four other tables folds said that what was taken costs 54.1 % of testing nobody, new cases cost 64.3, and
64.5 were believed."""


def believed(duels: Duels, taken: int, nobody: float, dearest: float) -> float:
    """Return what a candidate is believed to cost an unseen case.

    `nobody`: what testing nobody costs a case more than right answers would. `dearest`: what the dearest
    mistake costs where they are few, as in `chosen`; else 0.

    Examples
    --------
    Folds say that half of 100 is saved, with a standard error of 30: that counts as much as the belief that
    15 are.

    >>> duel = np.array([[0.0, -50.0], [50.0, 0.0]])
    >>> error = np.array([[0.0, 30.0], [30.0, 0.0]])
    >>> costs, tests = np.array([100.0, 50.0]), np.zeros(2)
    >>> duels = Duels(("constant", "much doubt"), costs, tests, duel, error, duel, error, 200)
    >>> believed(duels, 1, 100.0, 0.0)
    67.5
    """
    constant = float(duels.costs[0])
    if taken == 0 or not nobody > 0.0:
        return constant
    doubt = float(np.hypot(duels.error[taken, 0], dearest / max(duels.n_judged, 1))) / nobody
    said = float(duels.saved[taken, 0]) / nobody
    return constant - nobody * (said * SPREAD**2 + USUAL * doubt**2) / (SPREAD**2 + doubt**2)
