"""`BoostedTreesClassifier`: a vote of trees, each learnt from what those before it got wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.parameters import Choice, Flag, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.ensembles.defaults import priced_or, shallow_tree
from thriftwood.ensembles.test_costs.panel_classifier import PanelClassifier
from thriftwood.ensembles.test_costs.sequences import Stopped, boosted
from thriftwood.learning import CostTreeClassifier
from thriftwood.models.panel import Panel
from thriftwood.models.voting import Vote

FloatArray = NDArray[np.float64]


class BoostedTreesClassifier(PanelClassifier):
    """Boosting of trees that know what tests cost; a test is paid once, whichever trees ask it.

    Parameters
    ----------
    estimator : CostTreeClassifier, optional
        The base tree; None: LASC where `costs` has prices, otherwise a tree of depth 3. A tree without costs
        of its own grows by the prices of `costs`.
    costs : Costs, optional
        What tests cost. What mistakes cost does not guide it: `CostBoostClassifier` goes by that.
    n_estimators : int
        The most rounds.
    variant : {"m1", "samme"}
        AdaBoost.M1 ends when half of the weight is answered wrongly; SAMME goes on as long as answers are
        better than chance among the classes.
    short_cut : bool
        Whether trees are consulted only until the answer is certain. Answers stay the same; probabilities are
        those of the trees consulted.
    random_state : int, RandomState or None
        Seeds base trees that draw features; the rounds draw nothing.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list of Tree
        The trees, in the order learnt and consulted.
    estimator_weights_ : array
        How much each counts, alpha.
    stopped_ : {None, "chance", "perfect", "interrupt"}
        Why there are fewer rounds: a tree no better than chance, left out, or one without mistakes, or
        Ctrl-C. If the first tree makes no mistakes, there is nothing to boost, and a warning says so.
    panel_ : Panel
        The trees and their vote: what is asked, saved and exported.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    With e the share of the weight that a round's tree answers wrongly, alpha = ln((1 - e) / e), for SAMME
    plus ln(k - 1) with k classes; cases that were right lose weight by exp(-alpha). A tree without mistakes
    counts as if e were 1 / (2 N) with N cases.

    References
    ----------
    Freund & Schapire 1997, A decision-theoretic generalization of on-line learning; Zhu, Zou, Rosset & Hastie
    2009, Multi-class AdaBoost. With trees that know prices: Li, Topkara, Coskun & Memon 2009, CoCoST, ICDM

    Examples
    --------
    >>> import thriftwood as tw
    >>> iris = tw.load_dataset("iris")
    >>> prices = tw.Costs({name: 1 + place for place, name in enumerate(iris.X.columns)})
    >>> base = tw.algorithm("lasc", max_depth=2)
    >>> model = BoostedTreesClassifier(base, costs=prices, n_estimators=5).fit(iris.X, iris.y)
    >>> bill = tw.bill(model, iris.X, iris.y)
    >>> bill.mean_test_cost, bill.mean_apart_cost  # five trees ask the same column, which is paid once
    (1.0, 5.0)
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Whole(1),
        "variant": Choice(("m1", "samme")),
        "short_cut": Flag(),
    }

    estimator_weights_: FloatArray
    stopped_: Stopped | None

    def __init__(
        self,
        estimator: CostTreeClassifier | None = None,
        *,
        costs: Costs | None = None,
        n_estimators: int = 10,
        variant: Literal["m1", "samme"] = "m1",
        short_cut: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.variant = variant
        self.short_cut = short_cut
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn round by round.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            The cases.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts at first.

        Returns
        -------
        self
        """
        self._check()
        learner, weights, member_seeds = self._ready(self.n_estimators, X, y, sample_weight)
        sequence = boosted(learner, weights, member_seeds, self.variant)
        if self.n_estimators > 1:
            self._warn_if_alone(sequence)
        self.estimators_, self.stopped_ = sequence.trees, sequence.stopped
        self.estimator_weights_ = np.array(sequence.vote_weights)
        self.panel_ = Panel(
            sequence.trees, Vote(tuple(sequence.vote_weights), short_cut=self.short_cut), self.costs
        )
        self._remember(learner)
        return self

    def _default_estimator(self) -> CostTreeClassifier:
        return priced_or(shallow_tree(), self.costs)
