"""`ExpectedCost`: pruning by what tests and expected mistakes cost together."""

from __future__ import annotations

from typing import ClassVar, Literal

from thriftwood import _core
from thriftwood.base.parameters import Choice, Real, Rule
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning.rule import Cutting


class ExpectedCost(Cutting):
    """ACT's pruning: a leaf replaces a subtree unless tests and expected mistakes together get dearer.

    The mistakes expected from a leaf are C4.5's upper limit of its errors (see `Pessimistic`), each at the
    mean cost of the leaf's own mistakes. A test costs every case at its node what is still to be paid there;
    paid upfront, it costs every case, and pruning saves the tests that nothing else in the tree asks.
    Without error costs a mistake costs 1, without prices tests cost nothing. Delayed tests count like others.

    Parameters
    ----------
    cf : float
        The confidence factor, above 0 and at most 1: the smaller, the more mistakes are expected.
    z : {"table", "exact"}
        The normal quantile of `cf`: interpolated in C4.5's short table, or exact.

    Examples
    --------
    >>> import thriftwood as tw
    >>> days = tw.load_dataset("golf-nominal")
    >>> for price_of_a_mistake in (20, 200):
    ...     costs = days.costs.replace(errors_default=price_of_a_mistake)
    ...     model = tw.algorithm("eg2", costs=costs, pruning=ExpectedCost()).fit(days.X, days.y)
    ...     print(price_of_a_mistake, model.get_n_leaves())
    20 1
    200 5

    References
    ----------
    Esmeir & Markovitch 2008, Anytime induction of low-cost, low-error classifiers, JAIR 33
    """

    rules: ClassVar[dict[str, Rule]] = {
        "cf": Real(0.0, 1.0, above=True),
        "z": Choice(("table", "exact")),
    }

    def __init__(self, cf: float = 0.25, *, z: Literal["table", "exact"] = "table") -> None:
        self.cf = cf
        self.z = z

    @property
    def needs_cases(self) -> bool:
        """It does not: what the nodes count is enough."""
        return False

    def pruned(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        """Prune a grown tree by the weights and answers it is to be judged by."""
        self._needs_classes(problem)
        tree = _core.prune_expected_cost(
            problem.answered(tree), problem.price_list, problem.loss, float(self.cf), self.z
        )
        return _core.drop_impossible_values(tree) if problem.settings.nominal == "grouped" else tree
