"""`BaggedTreesClassifier`: a vote of trees, each learnt from a bag of the cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from sklearn.utils import check_random_state

from thriftwood.base.parameters import Choice, Flag, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.ensembles.defaults import priced_or
from thriftwood.ensembles.drawing import SampleSize, bootstraps, sample_size, seeds
from thriftwood.ensembles.test_costs.panel_classifier import PanelClassifier
from thriftwood.learning import CostTreeClassifier
from thriftwood.models.panel import Panel
from thriftwood.models.voting import Vote


class BaggedTreesClassifier(PanelClassifier):
    """Bagging of trees that know what tests cost; a test is paid once, whichever trees ask it.

    Parameters
    ----------
    estimator : CostTreeClassifier, optional
        The base tree; None: LASC where `costs` has prices, otherwise a tree with its defaults. A tree without
        costs of its own grows by the prices of `costs`.
    costs : Costs, optional
        What tests cost. What mistakes cost does not guide it: `CostBagClassifier` goes by that.
    n_estimators : int
        The number of bags.
    max_samples : int, float or None
        The size of each bag: a number of cases, a share of them, or None for as many as there are.
    votes : {"answers", "shares"}
        What counts: the answer of each tree, or the shares of the classes where a case ends.
    short_cut : bool
        Whether trees are consulted only until the answer is certain. Answers stay the same; probabilities are
        those of the trees consulted.
    random_state : int, RandomState or None
        Draws the bags, and seeds base trees that draw features.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list of Tree
        The trees, in the order drawn and consulted.
    panel_ : Panel
        The trees and their vote.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    Breiman 1996, Bagging predictors, Machine Learning 24

    Examples
    --------
    >>> import thriftwood as tw
    >>> iris = tw.load_dataset("iris")
    >>> prices = tw.Costs({name: 1 + place for place, name in enumerate(iris.X.columns)})
    >>> model = BaggedTreesClassifier(costs=prices, short_cut=True, random_state=0).fit(iris.X, iris.y)
    >>> int(model.n_consulted(iris.X).min())  # of equal votes the first class wins
    5
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Whole(1),
        "max_samples": SampleSize(),
        "votes": Choice(("answers", "shares")),
        "short_cut": Flag(),
    }

    def __init__(
        self,
        estimator: CostTreeClassifier | None = None,
        *,
        costs: Costs | None = None,
        n_estimators: int = 10,
        max_samples: float | None = None,
        votes: Literal["answers", "shares"] = "answers",
        short_cut: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.votes = votes
        self.short_cut = short_cut
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any) -> Self:
        """Draw the bags and learn from them.

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
        rng = check_random_state(self.random_state)
        own_seed, *member_seeds = seeds(1 + self.n_estimators, rng)
        learner = self._base_learner(X, y, own_seed)
        size = sample_size(self.max_samples, learner.n_rows)
        bags = bootstraps(self.n_estimators, size, learner.n_rows, rng)
        self.estimators_ = learner.learn_samples(bags, member_seeds)
        vote_weights = (1.0,) * len(self.estimators_)
        rule = Vote(
            vote_weights, shares=self.votes == "shares", short_cut=self.short_cut, tie_ends=self.short_cut
        )
        self.panel_ = Panel(self.estimators_, rule, self.costs)
        self._remember(learner)
        return self

    def _default_estimator(self) -> CostTreeClassifier:
        return priced_or(CostTreeClassifier(), self.costs)
