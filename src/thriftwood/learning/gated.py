"""`GatedTreeClassifier`: a tree that also asks what tells only which other tests to ask."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from thriftwood import _core
from thriftwood.base.parameters import Real, Rule, Whole, check
from thriftwood.costs import Costs
from thriftwood.learning.answering import Answer
from thriftwood.learning.budget import limit_of
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.criteria import Criterion
from thriftwood.learning.gates import Gates, Search
from thriftwood.learning.growth import Growth
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.smoothing import Smoothing
from thriftwood.table.native import core_seed


class GatedTreeClassifier(CostTreeClassifier):
    """A tree that also asks tests which tell nothing by themselves, but which others to ask.

    Growth by merit takes one test after the other, each by what it tells. A *gate*, such as the kind of
    machine that the readings come from, tells nothing until the readings are read. So at every node, from the
    root down, each feature is tried as a gate: trees are grown below its branches on some of the node's
    cases, and answer the others. It is taken where that makes these answers better, by more than chance, than
    those of the tree that grows without it. Where no gate is found, the tree grows as usual.

    With a budget for tests (``Growth(budget=...)``) all of them grow within it: a gate must be worth the
    tests that it leaves no money for.

    Parameters
    ----------
    criterion, costs, growth, pruning, answer, smoothing, nominal_features, n_jobs
        As for `CostTreeClassifier`: how trees grow between gates. Error costs decide what answers are better;
        prices of tests are then added to them, in the same unit. Without error costs mistakes are counted.
    folds : int
        Into so many parts the cases of a node are dealt; each is answered by trees grown on the others.
    min_cases : int
        Nodes of fewer cases have no gates.
    max_cases : int
        Of more cases at a node, so many are drawn to look for a gate.
    margin : float
        How many standard errors better the answers must be.
    random_state : int, RandomState or None
        Deals the cases.

    Attributes
    ----------
    gates_ : tuple of str
        The features that are gates, in the order they were found.
    tree_, classes_, n_classes_, n_features_in_, feature_names_in_
        As of `CostTreeClassifier`.

    Notes
    -----
    Looking for a gate takes about four trees for each feature, at each gate and once more. At a gate a case
    without a value goes down the heaviest branch, whatever ``growth.missing`` says. Delayed tests are no
    gates: they would order all that grows below them. Tests paid upfront, class weights (`priors`), costs by
    row and criteria that look ahead by samples are refused.

    Examples
    --------
    Which of two readings counts depends on a switch:

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((400, 6)).round(2)
    >>> X[:, 0] = rng.random(400) < 0.5
    >>> y = np.where(X[:, 0] > 0, X[:, 2] // 0.25 % 2, X[:, 4] // 0.25 % 2).astype(int)
    >>> growth = Growth(min_branch_weight=5)
    >>> GatedTreeClassifier("entropy", growth=growth, random_state=0).fit(X, y).gates_
    ('x0',)
    """

    grows_one_tree = False
    rules: ClassVar[dict[str, Rule]] = {
        "folds": Whole(2, 100),
        "min_cases": Whole(2, 2**31 - 1),
        "max_cases": Whole(10, 2**31 - 1),
        "margin": Real(0.0),
    }

    gates_: tuple[str, ...]

    def __init__(
        self,
        criterion: str | Criterion = "entropy",
        *,
        costs: Costs | None = None,
        growth: Growth | None = None,
        pruning: Pruning | None = None,
        answer: Answer = "cheapest",
        smoothing: Smoothing = None,
        folds: int = 2,
        min_cases: int = 100,
        max_cases: int = 2000,
        margin: float = 2.0,
        nominal_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            criterion,
            costs=costs,
            growth=growth,
            pruning=pruning,
            answer=answer,
            smoothing=smoothing,
            nominal_features=nominal_features,
            random_state=random_state,
            n_jobs=n_jobs,
        )
        self.folds = folds
        self.min_cases = min_cases
        self.max_cases = max_cases
        self.margin = margin

    def grow_tree(self, problem: Problem) -> _core.Tree:
        """Grow the tree of a problem, with gates, and prune it between them."""
        check(self, self.rules)
        self._refuse(problem)
        counted = None if self.costs is None or not self._has_error_costs else problem.loss
        gates = Gates(
            problem,
            Search(
                grow=super().grow_tree,
                errors=1.0 - np.eye(problem.n_classes) if counted is None else counted,
                in_money=counted is not None,
                budget=limit_of(self.checked_growth().budget),
                tests_may_go=self.pruning is not None and self.pruning.takes_out_tests,
                folds=int(self.folds),
                min_cases=int(self.min_cases),
                max_cases=int(self.max_cases),
                margin=float(self.margin),
                seed=core_seed(problem.random_state),
            ),
        )
        tree = gates.tree()
        names = problem.encoder.feature_names or [f"x{j}" for j in range(problem.encoder.n_features)]
        self.gates_ = tuple(names[feature] for feature in gates.found)
        return tree

    def _refuse(self, problem: Problem) -> None:
        """Refuse what trees on parts of the cases cannot be compared by."""
        upfront = self.costs is not None and self.costs.payment == "upfront"
        for wrong, what in (
            (upfront, "payment='upfront', by which every case pays for what any branch asks"),
            (problem.votes is not None, "costs by row (error_costs=)"),
            (problem.sampled is not None, "a criterion that looks ahead by samples"),
            (problem.encoded.sparse is not None, "a sparse table"),
        ):
            if wrong:
                raise ValueError(f"{self.owner} does not take {what}. Use tw.CostTreeClassifier, which does.")
