"""`CostBoostClassifier`: boosting in which dear cases count more, by the rules of several authors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from thriftwood.base.advice import advised
from thriftwood.base.interrupts import keeping
from thriftwood.base.parameters import Choice, Flag, Real, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.costs.answers import class_costs, likeliest
from thriftwood.ensembles import rounds
from thriftwood.ensembles.base import MANY_CLASSES, EstimatorEnsemble
from thriftwood.ensembles.base_learner import BaseLearner
from thriftwood.ensembles.defaults import shallow_tree
from thriftwood.ensembles.drawing import seeds
from thriftwood.learning.targets import training_weights

FloatArray = NDArray[np.float64]
Method: TypeAlias = Literal["adaboost", "adacost", "adacost-beta2", "csb0", "csb1", "csb2", "asymboost"]

ADACOST = ("adacost", "adacost-beta2")
CSB = ("csb0", "csb1", "csb2")
TWO_CLASSES = (*ADACOST, "asymboost")
LARGEST_COST = 0.5
PERFECT = 1.0 - 1e-12  # the largest r that leaves a mistake


class CostBoostClassifier(EstimatorEnsemble):
    """Boosting that knows what mistakes cost: every round learns from what was wrong, and dear, so far.

    Parameters
    ----------
    method : str
        The rule by which cases gain and lose weight; see the table below.
    estimator : classifier, optional
        The base estimator, any that takes sample_weight; None: a CostTreeClassifier of depth 3.
    costs : Costs, optional
        What mistakes cost; None: 1 for every mistake. Prices of tests do not guide it.
    n_estimators : int
        The most rounds, T.
    initial_weights : {None, "costs", "equal"}
        What a case weighs at first: what its mistakes cost together, or the same for all. None: as the
        authors of the method say, "equal" for "adaboost" and "asymboost", otherwise "costs".
    confidence_rated : bool
        Whether a model's confidence counts: the margin of a case is plus or minus the share of the class
        answered, and models vote for all classes by their shares. False: answers alone count.
    answer : {None, "cheapest", "most_likely"}
        The answer of least expected cost by the models' votes, or the one with most votes. None: as the
        authors of the method do, see the table.
    largest_cost : float, optional
        "adacost": costs are scaled so that the largest is this; None is 0.5. With 1, cases of the dearest
        class keep their weight when they are right.
    extra_cost_factor : bool
        "adacost": whether the weight of a mistake is also multiplied by its cost (Ting's reading of AdaCost).
    random_state : int, RandomState or None
        Seeds base estimators without a seed of their own; the rounds draw nothing.
    n_jobs : int, optional
        Threads of trees of ours; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list
        The models: finished trees (`Tree`) if the base estimator is a CostTreeClassifier.
    estimator_weights_ : array
        How much each counts, alpha.
    stopped_ : {None, "chance", "perfect", "interrupt"}
        Why there are fewer models than rounds: one was no better than chance (r <= 0) and is left out, or
        made no mistake and stays alone; or Ctrl-C was pressed. A first model is kept in any case.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    m is a case's margin, +1 if the round's model is right and -1 if not; c its cost; r the weighted mean
    margin; alpha = 1/2 ln((1 + r) / (1 - r)).

    ===============  =========================================  =========================  ==================
    method           weights are multiplied by                  answer                     reference
    ===============  =========================================  =========================  ==================
    "adaboost"       exp(-alpha m)                              most votes                 Freund & Schapire
                                                                                           1997
    "adacost"        exp(-alpha m b), r of m b;                 most votes                 Fan et al. 1999
                     b = 1/2 - c/2 if right, 1/2 + c/2 if not
    "adacost-beta2"  the same, r of m                           most votes                 Ting 2000
    "csb0"           1 if right, c if not                       least expected cost        Ting & Zheng 1998
    "csb1"           exp(-m), times c if wrong                  least expected cost        the same
    "csb2"           exp(-alpha m), times c if wrong            least expected cost        Ting 2000
    "asymboost"      exp(-alpha m), and before each round by    most votes                 Viola & Jones 2002
                     k^(1/2T) for one class and k^(-1/2T) for
                     the other; k the ratio of their costs
    ===============  =========================================  =========================  ==================

    In the CSB methods costs are divided by that of the cheapest mistake, so that no mistake loses weight; the
    unit of money does not matter. They count costs in the weights and in the answers, so where classes
    overlap much they may answer the dearest class throughout; ``answer="most_likely"`` counts them once.
    "adacost", "adacost-beta2" and "asymboost" are for two classes.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> costs = Costs(errors={0: {1: 20}, 1: {0: 1}})
    >>> model = CostBoostClassifier("csb2", costs=costs).fit(X, y)
    >>> len(model.estimators_), model.stopped_
    (10, None)
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        "method": Choice(("adaboost", *ADACOST, *CSB, "asymboost")),
        "n_estimators": Whole(1),
        "initial_weights": Choice((None, "costs", "equal")),
        "confidence_rated": Flag(),
        "answer": Choice((None, "cheapest", "most_likely")),
        "largest_cost": Real(0, 1, above=True, none=True),
        "extra_cost_factor": Flag(),
    }

    estimators_: list[Any]
    estimator_weights_: FloatArray
    stopped_: Literal["chance", "perfect", "interrupt"] | None
    _loss_matrix: FloatArray

    def __init__(
        self,
        method: Method = "csb2",
        estimator: Any = None,
        *,
        costs: Costs | None = None,
        n_estimators: int = 10,
        initial_weights: Literal["costs", "equal"] | None = None,
        confidence_rated: bool = False,
        answer: Literal["cheapest", "most_likely"] | None = None,
        largest_cost: float | None = None,
        extra_cost_factor: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.method = method
        self.estimator = estimator
        self.costs = costs
        self.n_estimators = n_estimators
        self.initial_weights = initial_weights
        self.confidence_rated = confidence_rated
        self.answer = answer
        self.largest_cost = largest_cost
        self.extra_cost_factor = extra_cost_factor
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn round by round.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            The cases; whatever the base estimator takes.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts, besides its cost.

        Returns
        -------
        self
        """
        self._check()
        own_seed, *member_seeds = seeds(1 + self.n_estimators, check_random_state(self.random_state))
        learner = self._base_learner(X, y, own_seed, weights=True, shares=self.confidence_rated)
        loss = self._loss(learner.classes)
        mistakes = self._scaled(learner, self._mistakes(learner.classes, loss))
        given = training_weights(sample_weight, learner.n_rows)
        # Trees compare weights with least sizes in cases, so weights add up to the number of cases.
        total = float(learner.n_rows if given is None else given.sum())
        weights = self._first_weights(learner, mistakes, given)
        rises = self._rises(mistakes)
        done: list[tuple[Any, float]] = []  # the models, and how much each counts
        self.stopped_ = "interrupt"
        with keeping(done, self.n_estimators, "rounds"):
            for seed in member_seeds:
                weights = rounds.normalised(weights * rises[learner.labels])
                member = learner.learn(weights * total, seed)
                margins, costs = self._judged(learner, member, mistakes)
                r = self._advantage(weights, margins, costs)
                if r <= 0 or r >= PERFECT:
                    self.stopped_ = "perfect" if r > 0 else "chance"
                    if r > 0 or not done:
                        done[:] = [(member, 1.0)]  # it outweighs all others, or there are none
                    break
                alpha = rounds.vote_weight(r)
                done.append((member, alpha))
                weights = self._next(weights, margins, costs, alpha)
            else:
                self.stopped_ = None
        self.estimators_ = [member for member, _ in done]
        self.estimator_weights_ = np.array([alpha for _, alpha in done])
        self._loss_matrix = loss
        self._remember(learner, self.estimators_[0])
        return self

    def _combined(self) -> dict[str, Any]:
        """Answer what has most votes, or what costs least by the shares of the votes, by `answer`."""
        by_method = "cheapest" if self.method in CSB else "most_likely"
        cheap = (self.answer or by_method) == "cheapest"
        return {
            "weights": rounds.normalised(self.estimator_weights_),
            "votes": not self.confidence_rated,
            "loss": self._loss_matrix if cheap else None,
        }

    # What the methods differ in

    def _check(self) -> None:
        super()._check()
        for name, unused in (("largest_cost", None), ("extra_cost_factor", False)):
            if self.method not in ADACOST and getattr(self, name) is not unused:
                raise ValueError(
                    f"{name} is a parameter of method='adacost' and 'adacost-beta2'. Leave it out for "
                    f"method={self.method!r}."
                )

    def _scaled(self, learner: BaseLearner, mistakes: FloatArray) -> FloatArray:
        """Return what mistakes cost, in the unit of the method."""
        n_classes = len(learner.classes)
        if self.method in TWO_CLASSES and n_classes > 2:
            raise advised(
                ValueError,
                f"Only binary classification is supported by method={self.method!r}, and y has {n_classes} "
                "classes. Methods for more: 'adaboost', 'csb0', 'csb1', 'csb2'; of ",
                MANY_CLASSES,
                ".",
            )
        if n_classes == 1:
            return mistakes
        if self.method == "asymboost" and class_costs(mistakes).min() == 0:
            raise ValueError(
                "method='asymboost' goes by the ratio of what the two mistakes cost, and one of them costs "
                "nothing. Give both a cost, or use another method."
            )
        if self.method in ADACOST:
            return np.asarray(mistakes / mistakes.max() * (self.largest_cost or LARGEST_COST))
        return np.asarray(mistakes / mistakes[mistakes > 0].min())

    def _first_weights(
        self, learner: BaseLearner, mistakes: FloatArray, given: FloatArray | None
    ) -> FloatArray:
        weights = np.ones(learner.n_rows) if given is None else given
        by_method = "equal" if self.method in ("adaboost", "asymboost") else "costs"
        if (self.initial_weights or by_method) == "costs" and len(learner.classes) > 1:
            weights = weights * class_costs(mistakes)[learner.labels]
            if not weights.any():
                raise ValueError("The mistakes of all cases that count cost nothing, so none of them weighs.")
        return weights

    def _rises(self, mistakes: FloatArray) -> FloatArray:
        """Return by how much the weight of each class rises before every round."""
        if self.method == "asymboost" and len(mistakes) == 2:
            return rounds.asymmetry(class_costs(mistakes), self.n_estimators)
        return np.ones(len(mistakes))

    def _judged(
        self, learner: BaseLearner, member: Any, mistakes: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the margin of every case, and what its mistake costs."""
        shares = learner.shares(member, votes=not self.confidence_rated)
        answers, rows = likeliest(shares), np.arange(learner.n_rows)
        right = answers == learner.labels
        margins = np.where(right, 1.0, -1.0) * shares[rows, answers]
        # AdaCost asks what a mistake would cost where there was none: of two classes, that is the other one.
        if self.method in ADACOST:
            return margins, class_costs(mistakes)[learner.labels]
        return margins, mistakes[learner.labels, answers]

    def _advantage(self, weights: FloatArray, margins: FloatArray, costs: FloatArray) -> float:
        if self.method == "adacost":
            margins = margins * rounds.adacost_factors(margins, costs)
        return rounds.advantage(weights, margins)

    def _next(self, weights: FloatArray, margins: FloatArray, costs: FloatArray, alpha: float) -> FloatArray:
        """Return the weights of the next round."""
        if self.method == "csb0":
            return rounds.csb0(weights, margins, costs)
        if self.method in CSB:
            return rounds.csb(weights, margins, costs, 1.0 if self.method == "csb1" else alpha)
        if self.method not in ADACOST:
            return rounds.reweighed(weights, margins, alpha)
        found = rounds.reweighed(weights, margins * rounds.adacost_factors(margins, costs), alpha)
        return rounds.csb0(found, margins, costs) if self.extra_cost_factor else found

    def _default_estimator(self) -> Any:
        return shallow_tree()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.method not in TWO_CLASSES
        return tags
