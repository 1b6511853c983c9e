"""`CostComplexity`: CART's pruning, weakest link first, to the size that cross-validation likes."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Choice, Real, Rule, Whole
from thriftwood.learning.problem import Problem, Rows
from thriftwood.learning.pruning.folds import folds, rows_of
from thriftwood.learning.pruning.rule import Cutting

FloatArray = NDArray[np.float64]


class CostComplexity(Cutting):
    """CART's pruning: every leaf has the price alpha, and branches that are not worth theirs are cut.

    Parameters
    ----------
    alpha : float or None
        The price of a leaf, in risk per unit of weight. None: chosen by cross-validation.
    cv : int
        The number of folds, drawn with the estimator's `random_state` and with every class spread evenly.
    se_rule : float
        Take the smallest tree whose risk is at most so many standard errors above the least risk. Cases of
        unequal weight count as (sum of weights)^2 / (sum of their squares) equal ones, so that the scale of
        `sample_weight` does not matter; priors count in what mistakes cost, not in how many cases there are.
    cp : float
        The least alpha, as a share of the root's risk (rpart's complexity parameter).
    risk : {"loss", "impurity"}
        What is weighed against the leaves: the cost of the training mistakes, or the impurity (then `alpha`
        is scikit-learn's ccp_alpha). Impurity is measured with the weights of growth, which altered priors
        change, as in ``cost_complexity_pruning_path``.

    Examples
    --------
    >>> CostComplexity(alpha=0.01)
    CostComplexity(alpha=0.01)
    """

    rules: ClassVar[dict[str, Rule]] = {
        "alpha": Real(0.0, none=True),
        "cv": Whole(2),
        "se_rule": Real(0.0),
        "cp": Real(0.0),
        "risk": Choice(("loss", "impurity")),
    }

    def __init__(
        self,
        alpha: float | None = None,
        *,
        cv: int = 10,
        se_rule: float = 1.0,
        cp: float = 0.0,
        risk: Literal["loss", "impurity"] = "loss",
    ) -> None:
        self.alpha = alpha
        self.cv = cv
        self.se_rule = se_rule
        self.cp = cp
        self.risk = risk

    @property
    def needs_cases(self) -> bool:
        """Whether alpha is found by cross-validation."""
        return self.alpha is None

    def pruned(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        """Prune a grown tree at `alpha`, or where cross-validation says."""
        tree = self._measurable(tree, problem)
        if self.alpha is not None:
            return self._finished(self._cut(tree, self.alpha), problem)
        tree = self._cut(tree, 0.0)
        alphas, leaves, _, betas = _core.ccp_path(tree, self.risk)
        if len(alphas) > 1:
            cases, importance = problem.judged_cases
            risks, errors = mean_and_error(self._losses(problem, betas), cases, importance)
            chosen = _core.choose_one_se(leaves, risks, errors, self.se_rule)
            tree = _core.prune_ccp(tree, alphas[chosen], self.risk)
        return self._finished(tree, problem)

    # A loss is that of the answers to be given, so they come first. Answering may rescale the weights of the
    # nodes (altered priors) but not their impurity, so for impurity the answers come last.

    def _measurable(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        return problem.answered(tree) if self.risk == "loss" else tree

    def _finished(self, tree: _core.Tree, problem: Problem) -> _core.Tree:
        return problem.answered(tree) if self.risk == "impurity" else tree

    def _cut(self, tree: _core.Tree, alpha: float) -> _core.Tree:
        root = _avoidable_risk(tree) if self.risk == "loss" else tree.impurity[0]
        return _core.prune_ccp(tree, max(alpha, self.cp * root), self.risk)

    def _losses(self, problem: Problem, betas: FloatArray) -> FloatArray:
        """Return what each beta loses on each case when the tree is grown without the case's fold."""
        fold = folds(problem, self.cv, problem.random_state)
        held = [rows_of(fold == k) for k in range(fold.max() + 1)]
        trees = problem.grow_many([rows_of((fold >= 0) & (fold != k)) for k in range(len(held))])
        losses = np.zeros((len(betas), problem.n_rows))
        for tree, rows in zip(trees, held, strict=True):
            measurable, table = self._measurable(tree, problem), problem.table_of(rows)
            known: dict[int, FloatArray] = {}
            for i, beta in enumerate(betas):
                pruned = self._cut(measurable, beta)
                # Nested trees of one size are one tree, so its cases need to be answered once only.
                if pruned.n_nodes not in known:
                    known[pruned.n_nodes] = _case_losses(
                        problem, self._finished(pruned, problem), table, rows
                    )
                losses[i, rows] = known[pruned.n_nodes]
        return losses


def _avoidable_risk(tree: _core.Tree) -> float:
    """Return the risk of the root per unit of weight, beyond what the best answers would cost."""
    least = tree.loss.reshape(tree.width, -1).min(axis=1) @ tree.values[0] if len(tree.loss) else 0.0
    return float((tree.risk[0] - least) / tree.weight[0])


def _case_losses(problem: Problem, tree: _core.Tree, table: _core.Table, rows: Rows) -> FloatArray:
    """Return what the answers of a tree lose on some cases, beyond what the best answers would cost.

    That is paid whatever the tree, so it must not count as a spread of what trees lose.
    """
    if problem.labels is not None:
        actual, predicted = problem.labels[rows], tree.predict_labels(table)
        if problem.loss is None:
            return np.asarray(actual != predicted, dtype=np.float64)
        return np.asarray(problem.loss[actual, predicted] - problem.loss.min(axis=1)[actual])
    assert problem.numbers is not None  # a problem has labels or numbers
    distance = np.abs(problem.numbers[rows] - tree.predict_numbers(table))
    return distance if problem.settings.criterion == "absolute_error" else distance**2


def mean_and_error(
    losses: FloatArray, weights: FloatArray | None, importance: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the weighted mean loss of each row, and its standard error.

    Parameters
    ----------
    losses : array of shape (n_trees, n_cases)
        What the answers of each tree lose on each case.
    weights : array of shape (n_cases,) or None
        What each case counts; None: once.
    importance : array of shape (n_cases,) or None
        What the losses of each case are multiplied by; None: nothing.

    Examples
    --------
    >>> losses = np.array([[0.0, 1.0, 1.0, 0.0]])
    >>> mean_and_error(losses, None)
    (array([0.5]), array([0.25]))
    >>> mean_and_error(losses, np.full(4, 1000.0))
    (array([0.5]), array([0.25]))
    """
    if importance is not None:
        losses = losses * importance
    if weights is None:
        weights = np.ones(losses.shape[1])
    shares = weights / weights.sum()
    means = losses @ shares
    spread = np.maximum((losses**2) @ shares - means**2, 0.0)
    # The mean varies as much as one of so many cases that weigh the same (Kish's effective sample size).
    n_effective = 1.0 / (shares @ shares)
    return means, np.sqrt(spread / n_effective)
