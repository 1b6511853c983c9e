"""`ReducedError`: cut what does not help on cases kept aside."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from thriftwood import _core
from thriftwood.base.parameters import Choice, Real, Rule
from thriftwood.learning.problem import Problem, Rows
from thriftwood.learning.pruning.folds import validation_part
from thriftwood.learning.pruning.rule import Pruning


class ReducedError(Pruning):
    """Reduced-error pruning: grow on one part of the cases, prune while the other part is answered no worse.

    With error costs the cost of the mistakes on the kept cases takes the place of their number (Knoll et al.
    1994), unless the model answers with the most likely class. Which cases are kept aside is drawn with the
    estimator's `random_state`, evenly from every class.

    Parameters
    ----------
    validation : float
        The share of the cases kept aside.
    order : {"greedy", "bottom_up"}
        Cut the most helpful node again and again, or decide once for each node from the leaves up, which
        gives the best subtree for the kept cases.

    Examples
    --------
    >>> ReducedError(order="bottom_up")
    ReducedError(order='bottom_up')
    """

    rules: ClassVar[dict[str, Rule]] = {
        "validation": Real(0.0, 1.0, above=True, below=True),
        "order": Choice(("greedy", "bottom_up")),
    }

    def __init__(
        self, validation: float = 1 / 3, *, order: Literal["greedy", "bottom_up"] = "greedy"
    ) -> None:
        self.validation = validation
        self.order = order

    def _tree(self, problem: Problem) -> _core.Tree:
        growing, kept = validation_part(problem, self.validation, problem.random_state)
        return pruned_by(problem, problem.answered(problem.grow(growing)), kept, self.order)


def pruned_by(problem: Problem, tree: _core.Tree, kept: Rows, order: str) -> _core.Tree:
    """Prune a finished tree by the cases kept aside: the others weigh nothing."""
    weights = np.zeros(problem.n_rows)
    judging = problem.judging_weights
    weights[kept] = 1.0 if judging is None else judging[kept]
    if problem.labels is not None:
        return _core.prune_reduced_error(tree, problem.table, problem.labels, weights, order, problem.loss)
    assert problem.numbers is not None  # a problem has labels or numbers
    loss = "absolute" if problem.settings.criterion == "absolute_error" else "squared"
    return _core.prune_reduced_error_numbers(tree, problem.table, problem.numbers, weights, order, loss)
