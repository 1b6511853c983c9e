"""The learner that prices are followed by unless another is named: the best tree of a few tests on a path."""

from __future__ import annotations

import numpy as np

from thriftwood.costs import Costs
from thriftwood.evaluation.whatif.searched import Searched
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.optimal import OptimalTreeClassifier
from thriftwood.learning.problem import Problem
from thriftwood.learning.thrift_bills import mean_bill
from thriftwood.learning.thrift_candidates import Candidate, n_questions
from thriftwood.learning.thrift_judging import judged, sampled

FEE = 8.0
"""What a leaf costs, as a multiple of what the best answer for all costs a case. On 21 settings, seven tables
with three error costs each, trees of two and three tests then cost 78 and 79 % of testing nobody on unseen
cases, and more than testing nobody in 10 and 19 % of the settings; the usual tree of `ThriftClassifier`,
which is not limited to three tests and proves nothing, 78.5 and 19 %."""
SEARCHES = ((1, 16), (2, 16), (3, 8))
"""Tests on a path, and the quantiles that numbers are cut at."""
SEARCHED_WORK = 2e7
"""Cases times pairs of questions that a search of three tests may have, about half a second."""
DOUBT = 1.0
"""Standard errors by which trees of two tests must be cheaper than those of three."""


def usual_trees(
    prepared: Prepared, like: OptimalTreeClassifier, costs: Costs, folds: int, seed: int
) -> Searched:
    """Return the search of the best tree of three tests on a path, or of two.

    Of two, if that is cheaper by more than a standard error on unseen cases at today's costs, or if three
    cannot be searched in reasonable time; of one, if two cannot. A table of more than 600,000 cells is learnt
    from a sample of so many.
    """
    problem = sampled(prepared.problem, seed)
    if problem.n_classes == 1:
        raise ValueError("All cases are of one class: nothing has to be asked, whatever it costs.")
    found = searches(like, problem)[-2:]
    taken, n_fits = found[-1], 0
    if taken.searcher.max_depth == SEARCHES[-1][0]:
        judging = judged(found, problem, None, folds, seed, None)
        n_fits = len(found) * judging.parts
        two, three = judging.results
        saved, error = mean_bill(three.bills - two.bills, problem.weights)
        taken = found[0] if saved > DOUBT * error else taken
    made = Searched(prepared, costs, taken.searcher, taken.words, taken.fee, problem)
    made.n_fits = n_fits
    return made


def searches(like: OptimalTreeClassifier, problem: Problem) -> list[Candidate]:
    """Return the searches that end in reasonable time, that of one test first."""
    n_cases = problem.n_rows if problem.weights is None else np.count_nonzero(problem.weights)
    found = []
    for depth, bins in SEARCHES:
        if depth == 1 or n_cases * float(n_questions(problem, bins)) ** (depth - 1) <= SEARCHED_WORK:
            own = OptimalTreeClassifier(like.costs, max_depth=depth, nominal=like.nominal, bins=bins)
            own.part_of = like.part_of
            tests = "one test" if depth == 1 else f"{depth} tests"
            words = f"the best tree of at most {tests} on a path"
            found.append(Candidate(f"depth {depth}", words, own, FEE))
    return found
