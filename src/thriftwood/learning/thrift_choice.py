"""Which of the candidates of `ThriftClassifier` is taken, by what `thrift_judging` says they cost.

Cross-validation tells large differences and not small ones: the tree of lowest estimate, or testing nobody,
costs 76.9 % of testing nobody on 226 settings of 15 tables (dearer than nobody in 9.7 % of them). So the
usual tree is taken unless another is cheaper by more than one and a half standard errors. Where testing
nobody costs less than forty of the dearest mistakes few cases tell, so one more of them is counted in the
standard error (without it 83.2 and 3.8 % instead of 80.7 and 1.3 % on 78 settings of eight small tables).

Against testing nobody half a standard error is enough where trees compete alone: on 104 settings of eleven
tables 76.9 %, dearer than nobody in 1.9 %; with one and a half, 77.8 and 1.0 %. Scores are judged as one
candidate, so nothing was chosen by the cases that judge them. They are taken where they save half a standard
error against a tree, which is easier to read, and two against testing nobody. Where mistakes are few, the
former is judged by steady bills (`thrift_bills`).

Against testing nobody the doubt about scores counts by the fourth root of the share of what tests save that
is paid for them: whoever has free tests risks nothing that is sure. On 80 to 250 cases of fifteen tables with
free tests 67.0 % of testing nobody is paid so instead of 72.1, and on 198 settings with prices and 80 or 200
cases 82.9 instead of 84.1 (dearer than nobody in 2.0 % both times; by the square root 82.7 and 2.5 %). Trees
keep all their doubt, for several of them were compared by the cases that judge them: by the square root 82.4,
but dearer than nobody in 3.0 %.

The best tree of three tests fits no chance, and the burden of proof is on the others: another tree must be
cheaper by three standard errors, and nobody is tested where that is cheaper by half of one, since a tree of
four fifths of the cases saves less than one of all. With one and a half, and half of one in favour of nobody,
what was taken instead cost 0.48 more than it on heart with dear mistakes and 0.64 on tictactoe; so 0.03 and
0.06.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from thriftwood.learning.class_tree import FloatArray
from thriftwood.learning.thrift_bills import mean_bill
from thriftwood.learning.thrift_candidates import SCORES, THREE_TESTS
from thriftwood.learning.thrift_judging import Judged

DOUBT = 1.5
"""Standard errors by which another tree must be cheaper than the usual one, and trees than testing nobody."""
DOUBT_BESIDE_THREE = 3.0
"""Those by which it must be cheaper than the best tree of three tests."""
DOUBT_OF_TREES = 0.5
"""Those by which a tree must be cheaper than testing nobody where scores do not compete."""
DOUBT_OF_THREE = -0.5
"""The same where three tests compete: it may seem dearer by so much."""
DOUBT_OF_SCORES = 0.5
"""Those by which scores must be cheaper than a tree; none where losses differ by row: some are so large that
half a standard error is more than scores ever save."""
DOUBT_OF_TESTS = 2.0
"""Those by which scores must be cheaper than testing nobody where no tree is."""


class Duels(NamedTuple):
    """What candidates save against each other on the same cases: rows save, columns are what they replace."""

    names: tuple[str, ...]
    costs: FloatArray
    test_costs: FloatArray
    """What of `costs` is for tests."""
    saved: FloatArray
    error: FloatArray
    """The standard errors of `saved`."""
    steady_saved: FloatArray
    """By steady bills; where mistakes are many by the others."""
    steady_error: FloatArray
    n_judged: int

    def without_last(self) -> Duels:
        """Leave the last candidate out."""
        return Duels(
            self.names[:-1],
            self.costs[:-1],
            self.test_costs[:-1],
            self.saved[:-1, :-1],
            self.error[:-1, :-1],
            self.steady_saved[:-1, :-1],
            self.steady_error[:-1, :-1],
            self.n_judged,
        )


def duels(results: Sequence[Judged], weights: FloatArray | None, steady: Sequence[FloatArray] = ()) -> Duels:
    """Compare every two candidates by the cases that were judged."""
    own = _squares([one.bills for one in results], weights)
    return Duels(
        tuple(one.name for one in results),
        np.array([one.cost for one in results]),
        np.array([one.test_cost for one in results]),
        *own,
        *(_squares(steady, weights) if len(steady) else own),
        int((~np.isnan(results[0].bills)).sum()),
    )


def _squares(bills: Sequence[FloatArray], weights: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    saved, error = np.zeros((2, len(bills), len(bills)))
    for one, other in combinations(range(len(bills)), 2):
        saved[one, other], error[one, other] = mean_bill(bills[other] - bills[one], weights)
        saved[other, one], error[other, one] = -saved[one, other], error[one, other]
    return saved, error


def chosen(
    duels: Duels, dearest: float, doubt: float = DOUBT_OF_TREES, doubt_of_scores: float = DOUBT_OF_SCORES
) -> int:
    """Return the place of the candidate to take.

    `dearest`: what the dearest mistake costs, of which one more is counted; 0 where there are many mistakes
    (never where losses differ by row: the dearest of those are few).

    That is the usual tree, the one after the constant, unless others are clearly cheaper, of which the
    cheapest is taken. Tests are bought only where they are clearly cheaper than the constant, too. Scores are
    taken if they are cheaper than what would be taken without them, than a tree by steady bills if there are,
    and than the constant: the tree of three tests may have been dearer.
    """
    if duels.names[-1] == SCORES:
        return _beside_scores(duels, dearest, doubt_of_scores)
    of_others = DOUBT
    n_trees = len(duels.names) - 1
    if n_trees and duels.names[1] == THREE_TESTS:
        of_others, doubt = DOUBT_BESIDE_THREE, DOUBT_OF_THREE
    order = sorted(range(2, n_trees + 1), key=lambda number: float(duels.costs[number]))
    clear = [number for number in order if _cheaper(duels, number, 1, of_others, dearest)]
    for number in (*clear[:1], *([1] if n_trees else [])):
        if _cheaper(duels, number, 0, doubt, dearest):
            return number
    return 0


def _beside_scores(duels: Duels, dearest: float, doubt_of_scores: float) -> int:
    """Return the place of the scores, or of what would be taken without them."""
    scores = len(duels.names) - 1
    taken = chosen(duels.without_last(), dearest, DOUBT)
    saved, error = (duels.steady_saved, duels.steady_error) if taken else (duels.saved, duels.error)
    doubt = doubt_of_scores if taken else DOUBT_OF_TESTS
    paid = _share_paid(float(saved[scores, 0]), float(duels.test_costs[scores]))
    clear = saved[scores, 0] > doubt * paid**0.25 * error[scores, 0]
    if clear and (not taken or saved[scores, taken] > doubt * error[scores, taken]):
        return scores
    return taken


def _share_paid(saved: float, test_cost: float) -> float:
    """Return what share of what tests save is paid for them; 1 where that is all or more.

    That they save is doubtful, that they are paid is not.

    Examples
    --------
    >>> _share_paid(30.0, 10.0), _share_paid(30.0, 0.0), _share_paid(-1.0, 0.0)
    (0.25, 0.0, 1.0)
    """
    return test_cost / (saved + test_cost) if saved > 0.0 else 1.0


def _cheaper(duels: Duels, one: int, other: int, doubt: float, dearest: float) -> bool:
    """Tell whether the same cases cost one less than the other, by more than so many standard errors.

    Where few cases tell, none may have had the dearest mistake by luck: one more such case is counted in the
    standard error. Where testing nobody costs forty of them that only hinders: on 444 trials of fifteen
    tables 70.9 % of testing nobody is paid without it and 71.1 with it.
    """
    luck = dearest / max(duels.n_judged, 1)
    return bool(duels.saved[one, other] > doubt * np.hypot(duels.error[one, other], luck))
