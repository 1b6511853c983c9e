"""`InverseBoostedTreesClassifier`: trees that specialise in the easy cases, the last of which answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from thriftwood.base.parameters import Choice, Rule, Whole
from thriftwood.consult import Consultation
from thriftwood.costs import Costs
from thriftwood.ensembles.defaults import priced_or, shallow_tree
from thriftwood.ensembles.rounds import TRACKS
from thriftwood.ensembles.test_costs.panel_classifier import TreesClassifier
from thriftwood.ensembles.test_costs.sequences import Stopped, inverse_boosted
from thriftwood.learning import CostTreeClassifier
from thriftwood.models import Tree
from thriftwood.models.model import Model
from thriftwood.models.strategy import Strategy

FloatArray = NDArray[np.float64]


class InverseBoostedTreesClassifier(TreesClassifier):
    """Inverse boosting: every round learns more from what was right so far, so trees grow cheap and sure.

    There is no vote. One tree of the sequence answers, by custom the last.

    Parameters
    ----------
    estimator : CostTreeClassifier, optional
        The base tree; None: LASC where `costs` has prices, otherwise a tree of depth 3. A tree without costs
        of its own grows by the prices of `costs`.
    costs : Costs, optional
        What tests cost. What mistakes cost does not guide it.
    n_estimators : int
        The most rounds.
    track : {1, 2, 3}
        How fast right cases gain weight: by (1 - e) / e, by its square, or by its square root, where e is the
        share of the weight that the round's tree answers wrongly.
    answering : int
        Which tree answers, as an index of `estimators_`: -1 the last, 0 the first.
    random_state : int, RandomState or None
        Seeds base trees that draw features; the rounds draw nothing.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list of Tree
        The trees, in the order learnt.
    tree_ : Tree
        The tree that answers.
    stopped_ : {None, "perfect", "interrupt"}
        "perfect": a tree without mistakes ended the rounds, for weights would not change any more. If
        that is the first one, there is nothing to boost, and a warning says so. "interrupt": Ctrl-C did.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    References
    ----------
    Li, Topkara, Coskun & Memon 2009, CoCoST: a computational cost efficient classifier, ICDM

    Examples
    --------
    >>> import thriftwood as tw
    >>> iris = tw.load_dataset("iris")
    >>> prices = tw.Costs({name: 1 + place for place, name in enumerate(iris.X.columns)})
    >>> model = InverseBoostedTreesClassifier(costs=prices).fit(iris.X, iris.y)
    >>> [tree.n_leaves for tree in model.estimators_]  # simpler by and by
    [16, 16, 16, 16, 16, 14, 14, 14, 14, 14]
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        "n_estimators": Whole(1),
        "track": Choice(tuple(TRACKS)),
        "answering": Whole(-(2**31), 2**31),
    }

    learns: ClassVar[type[Model]] = Tree

    tree_: Tree
    stopped_: Stopped | None

    def __init__(
        self,
        estimator: CostTreeClassifier | None = None,
        *,
        costs: Costs | None = None,
        n_estimators: int = 10,
        track: Literal[1, 2, 3] = 1,
        answering: int = -1,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.track = track
        self.answering = answering
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
        sequence = inverse_boosted(learner, weights, member_seeds, self.track)
        if not -len(sequence.trees) <= self.answering < len(sequence.trees):
            raise ValueError(
                f"answering={self.answering} names no tree: there are {len(sequence.trees)}. Give an index "
                f"from {-len(sequence.trees)} to {len(sequence.trees) - 1}; -1 is the last."
            )
        if self.n_estimators > 1:
            self._warn_if_alone(sequence)
        self.estimators_, self.stopped_ = sequence.trees, sequence.stopped
        self.tree_ = sequence.trees[self.answering]
        self._remember(learner)
        return self

    @property
    def model_(self) -> Tree:
        """The tree that answers, asked as the parameters say now: with these costs, by so many threads."""
        check_is_fitted(self, "tree_")
        return self._asked(self.tree_ if self.costs is None else self.tree_.with_costs(self.costs))

    def consult(
        self,
        known: Any = None,
        *,
        unavailable: Iterable[str] = (),
        strategy: Strategy = "sequential",
        budget: float | None = None,
    ) -> Consultation:
        """Start a consultation of the tree that answers; see `CostTreeClassifier.consult`."""
        check_is_fitted(self, "tree_")
        return self.tree_.consult(known, unavailable=unavailable, strategy=strategy, budget=budget)

    def _default_estimator(self) -> CostTreeClassifier:
        return priced_or(shallow_tree(), self.costs)
