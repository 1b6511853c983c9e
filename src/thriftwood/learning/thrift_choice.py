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

The best tree of three tests fits no chance, and the burden of proof is on the others: another tree must be
cheaper by three standard errors, and nobody is tested where that is cheaper by half of one, since a tree of
four fifths of the cases saves less than one of all. With one and a half, and half of one in favour of nobody,
what was taken instead cost 0.48 more than it on heart with dear mistakes and 0.64 on tictactoe; so 0.03 and
0.06.
"""

from __future__ import annotations

from collections.abc import Sequence

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


def chosen(
    results: list[Judged],
    weights: FloatArray | None,
    dearest: float,
    doubt: float = DOUBT_OF_TREES,
    doubt_of_scores: float = DOUBT_OF_SCORES,
    steady: Sequence[FloatArray] = (),
) -> int:
    """Return the place of the candidate to take.

    `dearest`: what the dearest mistake costs, of which one more is counted; 0 where there are many mistakes
    (never where losses differ by row: the dearest of those are few).

    That is the usual tree, the one after the constant, unless others are clearly cheaper, of which the
    cheapest is taken. Tests are bought only where they are clearly cheaper than the constant, too. Scores are
    taken if they are cheaper than what would be taken without them, than a tree by steady bills if there are,
    and than the constant: the tree of three tests may have been dearer.
    """
    if results[-1].name == SCORES:
        taken = chosen(results[:-1], weights, dearest, DOUBT)
        bills = steady if taken and steady else [one.bills for one in results]
        beaten = dict.fromkeys((0, taken), doubt_of_scores if taken else DOUBT_OF_TESTS)
        for other, doubts in beaten.items():
            saved, error = mean_bill(bills[other] - bills[-1], weights)
            if not saved > doubts * error:
                return taken
        return len(results) - 1
    constant, *trees = results
    of_others = DOUBT
    if trees and trees[0].name == THREE_TESTS:
        of_others, doubt = DOUBT_BESIDE_THREE, DOUBT_OF_THREE
    order = sorted(range(2, len(results)), key=lambda number: results[number].cost)
    clear = [number for number in order if _cheaper(results[number], trees[0], weights, of_others, dearest)]
    for number in (*clear[:1], *([1] if trees else [])):
        if _cheaper(results[number], constant, weights, doubt, dearest):
            return number
    return 0


def _cheaper(one: Judged, other: Judged, weights: FloatArray | None, doubt: float, dearest: float) -> bool:
    """Tell whether the same cases cost one less than the other, by more than so many standard errors.

    Where few cases tell, none may have had the dearest mistake by luck: one more such case is counted in the
    standard error. Where testing nobody costs forty of them that only hinders: on 444 trials of fifteen
    tables 70.9 % of testing nobody is paid without it and 71.1 with it.
    """
    differences = other.bills - one.bills
    saved, error = mean_bill(differences, weights)
    n_judged = int((~np.isnan(differences)).sum())
    return bool(n_judged) and saved > doubt * float(np.hypot(error, dearest / n_judged))
