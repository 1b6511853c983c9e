"""`EccoClassifier`: evolution of whole trees."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from thriftwood import _core
from thriftwood.base.parameters import Choice, Real, Rule, Whole
from thriftwood.costs import Costs
from thriftwood.evolution.base import EvolvedTree, Found
from thriftwood.evolution.evolution import Evolution
from thriftwood.evolution.oversizing import oversized
from thriftwood.evolution.progress import ProgressCallback
from thriftwood.learning.budget import budget_prices, limit_of
from thriftwood.learning.problem import Problem


class EccoClassifier(EvolvedTree[_core.Ecco]):
    """ECCO: a genetic search among whole trees for the one that costs the training cases least.

    A string has a number for every node of a complete tree, level by level: the question asked there, or 0
    for a leaf. A question is a test with its outcomes: a number against one of a few cuts, or a category.
    Leaves answer what costs least; a tree is judged by the mean bill of the training cases: tests, each once,
    with shared resources, groups and delays, and mistakes. Branches that no training case takes are leaves
    with the answer of the node above.

    The paper labels leaves by "a proportion of the data" and does not say which. Here it is all training
    cases, and no setting: so what a string costs is the bill of its finished tree, and pruning by that bill
    never raises it.

    No case is held out meanwhile. The more trials and the deeper the trees, the less the training cases cost,
    and the less that says of others: choose `depth` and ``evolution__trials`` by cross-validation. 1,000
    trials, the paper's, suit a few dozen questions; with hundreds 10,000 and more still find cheaper trees.
    ``Evolution(patience=20)`` ends once they do not.

    Parameters
    ----------
    costs : Costs, optional
        What trees are judged by. None: tests are free and every mistake costs 1.
    evolution : Evolution, optional
        The population and when it ends; None is ``Evolution()``: 1,000 trees. ``Evolution(trials=5000)`` has
        more; in grids it is ``evolution__trials``.
    depth : int, optional
        Levels of questions. None: the deepest from 5 to 11 whose strings have fewer than `max_bits` bits.
    max_bits : int
        Strings must have fewer bits. At most 10,000,000: a generation is 50 strings, and every one is copied
        and mutated.
    cuts_per_feature : int
        Questions about a numeric feature: as many cuts between classes, those of the largest gain in the
        whole table.
    nominal : {"multiway", "value"}
        Questions about a nominal feature: one with an outcome for every category, or one for every category
        against the others. The largest number of outcomes is the number of branches of every node of a
        string, so features of many categories ask for "value".
    mutation : float
        Up to this part of the nodes mutates, and up to one node in any case.
    leaf_share : float
        The part of the nodes below the root that begin without a question.
    prune : {True, False, "always"}
        Whether the best tree is pruned: from the bottom up, a leaf replaces a question unless the training
        cases pay more then. "always": every tree is pruned before it is judged, which takes a bill for each
        of its questions: a few times as long, and where missing values are not charged, so that every case is
        billed by itself, up to a hundred times.
    budget : float, optional
        The most that a case may pay for tests, on any path: a question that would go beyond it is a leaf.
        None: no limit.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    random_state : int, RandomState or None
        Seeds the evolution.
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
    depth_ : int
        Levels of questions of the strings.
    n_questions_ : int
        Questions there are to ask.
    history_ : frame
        Per generation: its best and mean cost, and the best so far. When time or Ctrl-C ended it, the last
        generation is as far as it was judged.
    best_cost_ : float
        What the tree of the string that is kept, before it is pruned in the end, costs a training case.
    n_trials_ : int
        Trees judged.
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
    >>> model = EccoClassifier(costs, prune=False, random_state=0).fit(golf.X, golf.y)
    >>> model.depth_, model.n_questions_, len(model.string_)
    (9, 4, 29523)
    >>> bool(abs(tw.bill(model, golf.X, golf.y).mean_cost - model.best_cost_) < 1e-9)
    True

    References
    ----------
    Omielan & Vadera 2012, ECCO: a new evolutionary classifier with cost optimisation, IIP
    """

    asks_all_categories = True

    rules: ClassVar[dict[str, Rule]] = {
        "depth": Whole(1, 64, none=True),
        "max_bits": Whole(1, _core.ECCO_MOST_BITS),
        "cuts_per_feature": Whole(1, 2**31 - 1),
        "nominal": Choice(("multiway", "value")),
        "mutation": Real(0.0, 1.0),
        "leaf_share": Real(0.0, 1.0),
        "prune": Choice((True, False, "always")),
        "budget": Real(0.0, none=True),
    }

    depth_: int
    n_questions_: int

    def __init__(
        self,
        costs: Costs | None = None,
        *,
        evolution: Evolution | None = None,
        depth: int | None = None,
        max_bits: int = 50_000,
        cuts_per_feature: int = 8,
        nominal: Literal["multiway", "value"] = "multiway",
        mutation: float = 0.02,
        leaf_share: float = 0.2,
        prune: bool | Literal["always"] = True,
        budget: float | None = None,
        nominal_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool | ProgressCallback = False,
    ) -> None:
        self.costs = costs
        self.evolution = evolution
        self.depth = depth
        self.max_bits = max_bits
        self.cuts_per_feature = cuts_per_feature
        self.nominal = nominal
        self.mutation = mutation
        self.leaf_share = leaf_share
        self.prune = prune
        self.budget = budget
        self.nominal_features = nominal_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def make_genome(self, problem: Problem, stop: _core.Stop) -> _core.Ecco:
        """Return the decoder of bit strings into trees."""
        assert problem.labels is not None  # a classifier's
        if limit_of(self.budget) is not None:
            budget_prices(self, problem.encoder)  # refuses what has none
        try:
            return _core.Ecco(
                problem.table,
                problem.labels,
                problem.n_classes,
                problem.weights,
                problem.loss,
                problem.price_list,
                None if self.depth is None else int(self.depth),
                int(self.max_bits),
                int(self.cuts_per_feature),
                self.nominal,
                float(self.mutation),
                float(self.leaf_share),
                self.prune == "always",
                limit_of(self.budget),
                stop,
            )
        except _core.OversizedTreeError as error:
            raise oversized(error.args[0], int(self.max_bits), problem.encoder.feature_names) from None

    def _tree(self, genome: _core.Ecco, string: str) -> _core.Tree:
        return genome.tree(string, bool(self.prune))

    def _remember(self, found: Found[_core.Ecco]) -> None:
        super()._remember(found)
        self.depth_ = found.genome.depth
        self.n_questions_ = len(found.genome.questions)
