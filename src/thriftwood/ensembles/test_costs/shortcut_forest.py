"""`ShortcutForestClassifier`: a random forest that stops asking trees when its answer is certain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from thriftwood import _core
from thriftwood.base.parameters import Choice, Flag, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.ensembles.base_learner import TreeBaseLearner
from thriftwood.ensembles.defaults import priced_or
from thriftwood.ensembles.drawing import SampleSize, seeds
from thriftwood.ensembles.error_costs.forest import Bags, bag_size, grown_bags
from thriftwood.ensembles.test_costs.panel_classifier import PanelClassifier
from thriftwood.learning import CostTreeClassifier
from thriftwood.models import Tree
from thriftwood.models.panel import Panel
from thriftwood.models.voting import Vote


class ShortcutForestClassifier(PanelClassifier):
    """A forest whose trees are asked one after the other, until no other class can catch the leader.

    Parameters
    ----------
    n_estimators : int
        The number of trees.
    estimator : CostTreeClassifier, optional
        The base tree, not pruned; None: LASC where `costs` has prices, otherwise a tree with its defaults. A
        tree without costs of its own grows by the prices of `costs`.
    costs : Costs, optional
        What tests cost. What mistakes cost does not guide it: `CostForestClassifier` goes by that.
    max_features : {"sqrt"}, int, float or None
        The features that a node chooses from, drawn anew: the square root of all, a number, a share, or None
        for all.
    bootstrap : bool
        True: bags are drawn with replacement. False: without.
    max_samples : int, float or None
        The cases in a bag, or their share of all; None is all of them with replacement, and 0.632 without.
    tie : {"lowest", None}
        "lowest": the vote also ends where others can at most draw level and come after the leader in
        ``classes_``, for of equal votes the first class wins. None: it ends when no class can draw level, as
        published. The answers are the same.
    order : {"drawn", "cost"}
        Which trees are asked first: as they were drawn, or those that cost the training cases least.
    random_state : int, RandomState or None
        Draws bags and features.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list of Tree
        The trees, in the order they are consulted.
    panel_ : Panel
        The trees and their vote.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    Breiman 2001, Random forests, Machine Learning 45; the short cut: Li, Topkara, Coskun & Memon 2009,
    CoCoST, ICDM

    Examples
    --------
    >>> import thriftwood as tw
    >>> iris = tw.load_dataset("iris")
    >>> prices = tw.Costs({name: 1 + place for place, name in enumerate(iris.X.columns)})
    >>> model = ShortcutForestClassifier(11, costs=prices, random_state=0).fit(iris.X, iris.y)
    >>> bill = tw.bill(model, iris.X, iris.y)
    >>> int(model.n_consulted(iris.X).min()), bool(bill.mean_test_cost < prices.total(iris.X.columns))
    (6, True)
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Whole(1, 10**6),
        "bootstrap": Flag(),
        "max_samples": SampleSize(),
        "tie": Choice(("lowest", None)),
        "order": Choice(("drawn", "cost")),
    }

    def __init__(
        self,
        n_estimators: int = 100,
        estimator: CostTreeClassifier | None = None,
        *,
        costs: Costs | None = None,
        max_features: Any = "sqrt",
        bootstrap: bool = True,
        max_samples: float | None = None,
        tie: Literal["lowest"] | None = "lowest",
        order: Literal["drawn", "cost"] = "drawn",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.estimator = estimator
        self.costs = costs
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.tie = tie
        self.order = order
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Draw the bags and grow the trees.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            The cases.
        y : array-like of shape (n_rows,)
            Their classes.

        Returns
        -------
        self
        """
        self._check()
        own_seed, forest_seed = seeds(2, check_random_state(self.random_state))
        learner = self._base_learner(X, y, own_seed, self._drawing())
        size = bag_size(self.max_samples, learner.n_rows, replacement=self.bootstrap)
        bags = Bags(int(self.n_estimators), size, bool(self.bootstrap), learner.n_rows)
        model, problem = learner.prepared.model, learner.prepared.problem
        grown = grown_bags(problem, bags, forest_seed, self.thread_count(), model.criterion)
        trees = [
            Tree(problem.answered(core), learner.prepared.encoder, learner.classes, model.costs)
            for core in grown.trees
        ]
        self.estimators_ = trees if self.order == "drawn" else self._cheap_first(learner, trees)
        rule = Vote((1.0,) * len(trees), short_cut=True, tie_ends=self.tie == "lowest")
        self.panel_ = Panel(self.estimators_, rule, self.costs)
        self._remember(learner)
        return self

    def _drawing(self) -> CostTreeClassifier:
        """Return the base tree that draws features."""
        base: CostTreeClassifier = clone(self.base_estimator())
        if base.pruning is not None:
            raise ValueError(
                f"The trees of {type(self).__name__} are not pruned, but estimator has pruning="
                f"{base.pruning!r}. Set its pruning=None."
            )
        return base.set_params(growth__max_features=self.max_features)

    def _cheap_first(self, learner: TreeBaseLearner, trees: list[Tree]) -> list[Tree]:
        """Order trees by what they cost the training cases on average; of equal ones the first drawn."""
        prices = _core.Prices((self.costs or Costs()).compile(trees[0].feature_names))
        threads = self.thread_count()
        paid = [
            _core.ledger(tree.core, prices, learner.prepared.table, threads).test_cost.mean()
            for tree in trees
        ]
        return [trees[place] for place in np.argsort(paid, kind="stable")]

    def _default_estimator(self) -> CostTreeClassifier:
        return priced_or(CostTreeClassifier(), self.costs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
