"""Learners by the names that tables of experiments call them: of `algorithm`, and some with settings."""

from __future__ import annotations

from typing import Any

from thriftwood.costs import Costs
from thriftwood.learners import algorithm
from thriftwood.learning import ExpectedCost

OPTIMAL = "optimal "
"""Followed by the depth."""
CUT_BACK = "eg2, cut back"
"""EG2, pruned by what a case is expected to cost."""
BY_LEAVES = {"thrift, class": "class", "thrift, score": "score"}
"""Thrift that is told what answers."""


def learner_of(name: str, costs: Costs | None, seed: int, n_jobs: int = 1) -> Any:
    """Return the learner of a name.

    Examples
    --------
    >>> costs = Costs(default_price=1, errors_default=5)
    >>> learner_of("optimal 4", costs, seed=0).max_depth, learner_of("thrift, class", costs, seed=0).leaves
    (4, 'class')
    """
    if name.startswith(OPTIMAL):
        if not (depth := name.removeprefix(OPTIMAL)).isdecimal():
            raise ValueError(f"After 'optimal' comes the depth, as in 'optimal 3'. Got {name!r}.")
        return algorithm("optimal", costs=costs, max_depth=int(depth), bins=8, n_jobs=n_jobs)
    if name == CUT_BACK:
        return algorithm("eg2", costs=costs, pruning=ExpectedCost(), n_jobs=n_jobs)
    if name in BY_LEAVES:
        model = algorithm("thrift", costs=costs, leaves=BY_LEAVES[name])
    else:
        model = algorithm(name, costs=costs)
    settable = model.get_params()
    shared = {"random_state": seed, "n_jobs": n_jobs}
    return model.set_params(**{key: value for key, value in shared.items() if key in settable})
