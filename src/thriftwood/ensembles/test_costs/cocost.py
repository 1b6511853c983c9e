"""`CocostClassifier`: cheap and dear specialists, and a tree that decides whom to ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.interrupts import keeping, side_by_side
from thriftwood.base.parameters import Choice, Real, Rule, Whole, parameter_error
from thriftwood.base.remedies import Setting
from thriftwood.costs import Costs
from thriftwood.ensembles.base_learner import TreeBaseLearner
from thriftwood.ensembles.defaults import lasc
from thriftwood.ensembles.drawing import case_groups, seeds
from thriftwood.ensembles.rounds import TRACKS
from thriftwood.ensembles.test_costs.panel_classifier import PanelClassifier
from thriftwood.ensembles.test_costs.sequences import TreeSequence, boosted, inverse_boosted
from thriftwood.ensembles.test_costs.stacking import (
    MemberOutputs,
    dealt,
    kept_aside,
    learnt_stacked_tree,
    member_outputs,
)
from thriftwood.learning import CostTreeClassifier
from thriftwood.learning.targets import Labels
from thriftwood.models import Tree
from thriftwood.models.panel import Panel

FloatArray = NDArray[np.float64]

ALPHAS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)
"""Five of these are in the paper; its table of eight is lost."""


class CocostClassifier(PanelClassifier):
    """CoCoST: a tree that asks specialised trees, each only when its answer is needed.

    For every alpha LASC is boosted, which gives a tree for the hard cases, and boosted inversely, which gives
    a cheap one for the easy cases; of each sequence the last tree is kept. A further LASC learns from what
    these trees answer, for the prices that they have, whom to ask and what to make of it.

    Parameters
    ----------
    estimator : CostTreeClassifier, optional
        The base tree, of criterion "lasc"; it gets each of the `alphas`. None: LASC as published.
    costs : Costs
        What tests cost. It must be given: prices are all that tells the trees of different alphas apart, and
        what the upper tree chooses by whom to ask. What mistakes cost decides what the upper tree answers,
        and nothing else.
    alphas : sequence of float
        How fast prices lose their weight down the trees: the smaller, the cheaper the trees.
    rounds : int
        The length of each sequence.
    variant : {"m1", "samme"}
        The rule of boosting; see `BoostedTreesClassifier`.
    track : {1, 2, 3}
        The rule of inverse boosting; see `InverseBoostedTreesClassifier`.
    meta_estimator : CostTreeClassifier, optional
        The upper tree; None: LASC with alpha `meta_alpha`.
    meta_alpha : float
        The alpha of the upper tree.
    told : {"answers", "shares"}
        What the upper tree is told by the others: their answers, as published, or the shares of the classes.
    stacking : {"holdout", "cross"}
        What the upper tree learns from: cases that are kept aside, as published, or all of them, each judged
        by trees of other folds.
    validation : float
        "holdout": the share of the cases of every class that is kept aside.
    folds : int
        "cross": the number of folds.
    random_state : int, RandomState or None
        Draws what is kept aside, and seeds trees that draw features.
    n_jobs : int, optional
        Threads, each for a sequence; None is 1, -1 all processors. The model is the same for any number.

    Attributes
    ----------
    estimators_ : list of Tree
        The last trees: those boosted, then those boosted inversely, in the order of the alphas.
    sequences_ : dict of str to list of Tree
        All trees, by the name that the upper tree has for the last one, such as ``"boosted 0.5"``.
    meta_tree_ : Tree
        The upper tree; its prices are what the trees cost on average.
    panel_ : Panel
        All of them as they answer.
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
    >>> model = CocostClassifier(costs=prices, alphas=[0.1, 1], rounds=3, random_state=0).fit(iris.X, iris.y)
    >>> list(model.sequences_)
    ['boosted 0.1', 'boosted 1', 'inverse 0.1', 'inverse 1']
    >>> bool(tw.bill(model, iris.X, iris.y).accuracy > 0.9)
    True
    """

    rules: ClassVar[Mapping[str, Rule]] = {
        "rounds": Whole(1),
        "variant": Choice(("m1", "samme")),
        "track": Choice(tuple(TRACKS)),
        "meta_alpha": Real(0.0, above=True, below=True),
        "told": Choice(("answers", "shares")),
        "stacking": Choice(("holdout", "cross")),
        "validation": Real(0.0, 1.0, above=True, below=True),
        "folds": Whole(2),
    }

    sequences_: dict[str, list[Tree]]
    meta_tree_: Tree

    def __init__(
        self,
        estimator: CostTreeClassifier | None = None,
        *,
        costs: Costs | None = None,
        alphas: Sequence[float] = ALPHAS,
        rounds: int = 10,
        variant: Literal["m1", "samme"] = "m1",
        track: Literal[1, 2, 3] = 1,
        meta_estimator: CostTreeClassifier | None = None,
        meta_alpha: float = 1.0,
        told: Literal["answers", "shares"] = "answers",
        stacking: Literal["holdout", "cross"] = "holdout",
        validation: float = 1 / 3,
        folds: int = 5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.costs = costs
        self.alphas = alphas
        self.rounds = rounds
        self.variant = variant
        self.track = track
        self.meta_estimator = meta_estimator
        self.meta_alpha = meta_alpha
        self.told = told
        self.stacking = stacking
        self.validation = validation
        self.folds = folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, groups: Any = None) -> Self:
        """Learn the sequences, then the tree that asks their last trees.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            The cases.
        y : array-like of shape (n_rows,)
            Their classes.
        groups : array-like of shape (n_rows,), optional
            Cases of one group, such as pieces of one file, are kept aside together.

        Returns
        -------
        self
        """
        self._check()
        alphas, upper = self._checked_alphas(), self._upper()
        rng = check_random_state(self.random_state)
        own_seed, *tree_seeds = seeds(1 + 2 * len(alphas) * self.rounds, rng)
        base = self.base_estimator()
        learners = [
            self._base_learner(X, y, own_seed, clone(base).set_params(criterion__alpha=alpha, n_jobs=1))
            for alpha in alphas
        ]
        plans = _plans(learners, alphas, tree_seeds, self.rounds)
        n_rows = learners[0].n_rows
        own_groups = np.arange(n_rows) if groups is None else case_groups(groups, n_rows)
        aside = self._aside(learners[0].labels, own_groups, rng)
        sequences = self._learnt(plans, aside.weights)
        plans = plans[: len(sequences)]
        learnt = [of_plan[-1] for of_plan in sequences]
        self.sequences_ = {plan.name: sequence.trees for plan, sequence in zip(plans, learnt, strict=True)}
        self.estimators_ = [sequence.trees[-1] for sequence in learnt]
        outputs = self._outputs(learners[0], sequences, aside)
        labels = learners[0].classes[learners[0].labels]
        names = [plan.name for plan in plans]
        stacked = learnt_stacked_tree(upper, names, outputs, labels, aside.counts, self.told, self.costs)
        self.meta_tree_ = stacked.tree
        self.panel_ = Panel(self.estimators_, stacked, self.costs)
        self._remember(learners[0])
        return self

    def _learnt(self, plans: list[_Plan], weights: Sequence[FloatArray]) -> list[list[TreeSequence]]:
        """Learn a sequence of each plan for all weights; each thread has a plan at a time.

        After Ctrl-C those of the first plans, as many as are done.
        """
        tasks = [partial(self._sequences, plan, weights) for plan in plans]
        done: list[list[TreeSequence]] = []
        with keeping(done, len(plans), "sequences"):
            side_by_side(tasks, self.thread_count(), done)
        return done

    def _sequences(self, plan: _Plan, weights: Sequence[FloatArray]) -> list[TreeSequence]:
        if plan.inverse:
            return [inverse_boosted(plan.learner, own, plan.seeds, self.track) for own in weights]
        return [boosted(plan.learner, own, plan.seeds, self.variant) for own in weights]

    def _aside(self, labels: Labels, groups: NDArray[Any], rng: Any) -> _Aside:
        """Draw the cases that the upper tree learns from, and those for the other trees."""
        if self.stacking == "holdout":
            kept = kept_aside(labels, groups, self.validation, rng)
            if not kept.any():
                raise advised(
                    ValueError,
                    f"validation={self.validation:g} keeps no case aside of so few (n_samples="
                    f"{len(labels)}). Give more cases, a larger share, or ",
                    Setting("stacking", "cross"),
                    ".",
                )
            return _Aside([np.where(kept, 0.0, 1.0)], kept.astype(np.float64), None)
        fold = dealt(labels, groups, self.folds, rng)
        if fold.max() + 1 < self.folds:
            raise ValueError(
                f"There are fewer groups of cases than folds={self.folds} (n_samples={len(labels)}). Give "
                "fewer folds."
            )
        weights = [np.where(fold == number, 0.0, 1.0) for number in range(self.folds)]
        return _Aside([*weights, np.ones(len(labels))], np.ones(len(labels)), fold)

    def _outputs(
        self,
        learner: TreeBaseLearner,
        sequences: Sequence[Sequence[TreeSequence]],
        aside: _Aside,
    ) -> list[MemberOutputs]:
        """Ask the last trees about cases that they have not learnt from."""
        names = learner.prepared.encoder.feature_names or range(learner.prepared.encoder.n_features)
        prices = _core.Prices((self.costs or Costs()).compile(names))
        table, outputs = learner.prepared.table, []
        for of_plan in sequences:
            found = [member_outputs(sequence.trees[-1], table, prices) for sequence in of_plan]
            outputs.append(found[0] if aside.fold is None else _by_fold(found[:-1], aside.fold))
        return outputs

    def _checked_alphas(self) -> list[float]:
        rule = Real(0.0, above=True, below=True)
        alphas = list(self.alphas) if isinstance(self.alphas, Sequence | np.ndarray) else []
        for alpha in alphas:
            if not rule.accepts(alpha):
                raise parameter_error(type(self).__name__, "alphas", self.alphas, _Alphas())
        if not alphas or len({f"{alpha:g}" for alpha in alphas}) < len(alphas):
            raise parameter_error(type(self).__name__, "alphas", self.alphas, _Alphas())
        return [float(alpha) for alpha in alphas]

    def _upper(self) -> CostTreeClassifier:
        """Return the tree that is to learn whom to ask."""
        if self.meta_estimator is None:
            return lasc(self.meta_alpha)
        if not isinstance(self.meta_estimator, CostTreeClassifier):
            raise TypeError(
                f"The 'meta_estimator' parameter of {type(self).__name__} must be a CostTreeClassifier or "
                f"None. Got {self.meta_estimator!r} of type {type(self.meta_estimator).__name__}."
            )
        if self.meta_alpha != 1.0:
            raise ValueError(
                f"meta_alpha={self.meta_alpha} is for meta_estimator=None. Set the alpha of your own."
            )
        own: CostTreeClassifier = clone(self.meta_estimator)
        return own

    def _default_estimator(self) -> CostTreeClassifier:
        return lasc()


class _Plan(NamedTuple):
    """A sequence to learn."""

    name: str
    learner: TreeBaseLearner
    seeds: list[int]
    inverse: bool


class _Aside(NamedTuple):
    """The cases that the sequences learn from, and those for the upper tree."""

    weights: list[FloatArray]
    """The weights of the cases each time that the sequences are learnt; the last trees are kept."""
    counts: FloatArray
    """The weights of the cases for the upper tree."""
    fold: NDArray[np.intp] | None
    """The fold in which each case is kept aside; None: there is one fold."""


class _Alphas:
    """Different numbers above 0."""

    def accepts(self, value: Any) -> bool:
        """Refuse any value: the rule is for the wording of the error."""
        return False

    def wanted(self) -> str:
        """Say what is accepted."""
        return "a list of different finite numbers above 0"


def _plans(
    learners: Sequence[TreeBaseLearner], alphas: Sequence[float], tree_seeds: list[int], rounds: int
) -> list[_Plan]:
    plans: list[_Plan] = []
    for inverse in (False, True):
        for learner, alpha in zip(learners, alphas, strict=True):
            first = len(plans) * rounds
            name = f"{'inverse' if inverse else 'boosted'} {alpha:g}"
            plans.append(_Plan(name, learner, tree_seeds[first : first + rounds], inverse))
    return plans


def _by_fold(found: Sequence[MemberOutputs], fold: NDArray[np.intp]) -> MemberOutputs:
    """Take for each case the answers of the tree that learnt without its fold."""
    rows = np.arange(len(fold))
    return MemberOutputs(*(np.stack(part)[fold, rows] for part in zip(*found, strict=True)))
