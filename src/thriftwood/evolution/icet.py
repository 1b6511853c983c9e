"""`IcetClassifier`: evolution of the prices that a greedy learner is told."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Choice, Flag, Real, Rule
from thriftwood.costs import Costs
from thriftwood.evolution.base import EvolvedTree, Found
from thriftwood.evolution.evolution import Evolution
from thriftwood.evolution.progress import ProgressCallback
from thriftwood.learning.answering import Answer
from thriftwood.learning.growth import Growth
from thriftwood.learning.moved import refusing_moved
from thriftwood.learning.presets import C45_GROWTH
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pessimistic
from thriftwood.learning.weighing import CostReuse
from thriftwood.table.native import core_seed

GROWTH: dict[str, Any] = C45_GROWTH | {"average_gain": False}
"""C4.5's growth, but for the rule that belongs to the gain ratio."""


class IcetClassifier(EvolvedTree[_core.Icet]):
    """ICET: a genetic search for the prices by which EG2 grows the cheapest tree.

    A string is a bias for every test, EG2's exponent w and the confidence factor of C4.5's pruning. Every
    trial divides the cases at random into halves, grows C4.5 with EG2's criterion and the string's numbers on
    one, and judges the tree on the other by its whole bill: tests, each once, with shared resources, groups
    and delays, and mistakes. The best string of all trials grows the tree on all cases (`Evolution` has
    another choice).

    Biases say which test comes first; whether to test at all is up to the pruning alone. So where no test is
    worth its price the tree may test nonetheless, and cost more than a constant answer; `EccoClassifier` and
    ``algorithm("cstree")`` would not.

    Parameters
    ----------
    costs : Costs, optional
        What trees are judged by. None: tests are free and every mistake costs 1.
    evolution : Evolution, optional
        The population and when it ends; None is ``Evolution()``: 1,000 trees. ``Evolution(trials=5000)`` has
        more; in grids it is ``evolution__trials``.
    mutation : float
        The probability that a bit mutates.
    mutation_kind : {"resample", "flip"}
        A mutated bit is drawn anew, as GENESIS does, or turned over.
    answer : {"most_likely", "cheapest"}
        What a leaf answers: the commonest class there, as C4.5 does whatever mistakes cost, or the one with
        the least expected cost.
    seed_true_costs : bool
        Whether the true prices, with w 1 and a confidence factor of 25 %, are a string of the first
        generation.
    cost_reuse : {"effective", "list"}
        Whether a test that was bought further up is free to EG2, or has its bias again.
    growth : Growth, optional
        How trees grow; None is as C4.5 grows.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int, RandomState or None
        Seeds the evolution, and the features of ``Growth(max_features=...)``.
    n_jobs : int, optional
        Threads; None is 1, -1 all processors. The tree is the same for any number.
    progress : bool or callable
        True: a bar on standard error. A function is called with the generation's number, the number of
        generations, and the generation's best and mean cost.

    Attributes
    ----------
    tree_ : Tree
        The finished tree.
    classes_, n_classes_, n_features_in_, feature_names_in_
        As in `CostTreeClassifier`.
    biases_ : array of shape (n_features_in_,)
        What EG2 was told that the tests cost.
    w_, cf_ : float
        Its exponent, and the confidence factor of the pruning.
    history_ : frame
        Per generation: its best and mean cost, and the best so far. Every trial has other halves, so the
        same string costs more or less from trial to trial. When time or Ctrl-C ended it, the last generation
        is as far as it was judged.
    best_cost_ : float
        The mean cost in the trial of the string that is kept: of a half that its tree was not grown on, but
        of many trials the luckiest.
    n_trials_ : int
        Trees grown.
    ended_ : {"trials", "patience", "time", "interrupt"}
        What ended the evolution. Ctrl-C ("interrupt", be it with the last trial) keeps the best tree so far,
        so a search of scikit-learn's goes on with its next fit; `compare` stops.
    string_ : str
        The string that is kept, in 0 and 1.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> costs = golf.costs.replace(errors_default=20)
    >>> model = IcetClassifier(costs, evolution=Evolution(trials=200), random_state=0)
    >>> model = model.fit(golf.X, golf.y)
    >>> model.n_trials_, len(model.history_), model.ended_
    (200, 4, 'trials')
    >>> bool(tw.bill(model, golf.X, golf.y).mean_cost < 7.15)  # what it costs to test nothing
    True

    References
    ----------
    Turney 1995, Cost-sensitive classification: empirical evaluation of a hybrid genetic decision tree
    induction algorithm, JAIR 2
    """

    rules: ClassVar[dict[str, Rule]] = {
        "mutation": Real(0.0, 1.0),
        "mutation_kind": Choice(("resample", "flip")),
        "answer": Choice(("most_likely", "cheapest")),
        "seed_true_costs": Flag(),
        "cost_reuse": Choice(("effective", "list")),
    }

    biases_: NDArray[np.float64]
    w_: float
    cf_: float

    @refusing_moved
    def __init__(
        self,
        costs: Costs | None = None,
        *,
        evolution: Evolution | None = None,
        mutation: float = 0.001,
        mutation_kind: Literal["resample", "flip"] = "resample",
        answer: Answer = "most_likely",
        seed_true_costs: bool = False,
        cost_reuse: CostReuse = "effective",
        growth: Growth | None = None,
        nominal_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | ProgressCallback = False,
    ) -> None:
        self.costs = costs
        self.evolution = evolution
        self.mutation = mutation
        self.mutation_kind = mutation_kind
        self.answer = answer
        self.seed_true_costs = seed_true_costs
        self.cost_reuse = cost_reuse
        self.growth = growth
        self.nominal_features = nominal_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``growth__max_depth=3`` and ``evolution__trials=5000`` reach into those.

        Returns
        -------
        self
        """
        if any(name.startswith("growth__") for name in params) and params.get("growth", self.growth) is None:
            params["growth"] = Growth(**GROWTH)
        super().set_params(**params)
        return self

    def checked_growth(self) -> Growth:
        """Return `growth`, or how ICET grows trees by default."""
        return Growth(**GROWTH) if self.growth is None else super().checked_growth()

    def make_genome(self, problem: Problem, stop: _core.Stop) -> _core.Icet:
        """Return the decoder of bit strings into biases, and of those into trees of EG2."""
        settings = copy.copy(self.checked_growth().settings("eg2", problem.n_rows, 1))
        settings.reuse_is_free = self.cost_reuse == "effective"
        if self.draws_features():
            settings.seed = core_seed(problem.random_state)
        settings = self.budgeted(settings, problem.encoder, Pessimistic())
        assert problem.labels is not None  # a classifier's
        return _core.Icet(
            problem.table,
            problem.labels,
            problem.n_classes,
            problem.weights,
            problem.loss,
            problem.price_list,
            settings,
            Pessimistic().cut(settings),
            float(self.mutation),
            self.mutation_kind == "flip",
            self.answer == "cheapest",
            bool(self.seed_true_costs),
        )

    def _tree(self, genome: _core.Icet, string: str) -> _core.Tree:
        return genome.tree(string)

    def _remember(self, found: Found[_core.Icet]) -> None:
        super()._remember(found)
        self.biases_, self.w_, self.cf_ = found.genome.decode(found.string)
