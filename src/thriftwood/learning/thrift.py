"""`ThriftClassifier`: the procedure with the lowest bill on new cases, as far as the training cases tell."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any, ClassVar, Literal, Self, TypeAlias

from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.parameters import Choice, Flag, Real, Rule, Whole, check
from thriftwood.base.progress import Progress, reported
from thriftwood.consult import Consultation
from thriftwood.costs import Costs
from thriftwood.datasets.scans import Scan
from thriftwood.learning.budget import budget_prices, limit_of, warn_of_small_budget
from thriftwood.learning.class_tree import ClassTree, FloatArray, costs_by_row
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.growth import Growth
from thriftwood.learning.optimal import OptimalTreeClassifier
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pruning
from thriftwood.learning.scans.fitting import checked_memory, told_passes, unchanged
from thriftwood.learning.scans.sampling import draw, ended_cases
from thriftwood.learning.scans.survey import survey
from thriftwood.learning.thrift_belief import believed
from thriftwood.learning.thrift_candidates import (
    SCORES,
    Candidate,
    Scores,
    candidates,
    dearest_mistake,
    few_mistakes,
    most_saved,
)
from thriftwood.learning.thrift_choice import DOUBT_OF_SCORES, DOUBT_OF_TREES, chosen, duels
from thriftwood.learning.thrift_judging import MOST_CELLS, Judged, Judging, judged, sampled
from thriftwood.learning.thrift_words import reason, sentence
from thriftwood.models.cascade import Cascade
from thriftwood.models.strategy import Strategy
from thriftwood.models.tree import Tree
from thriftwood.table import Encoded, Encoder
from thriftwood.table.case_names import hide_case_names

SAMPLE_CELL = 300
"""Bytes that learning from a sample takes for each of its cells."""

READABLE = 50
"""A tree of more leaves is no easier to read than score cards, which are taken if they cost less at all."""

Leaves: TypeAlias = Literal["auto", "class", "score"]


class ThriftClassifier(ClassTree):
    """The procedure with the lowest bill on new cases: what tests and mistakes cost together.

    Nothing needs tuning. What competes: no test at all; trees by rollouts, with much, some, little and no
    doubt about small leaves; where there are ten cases for every question, the best tree of three tests; and
    score cards, whose tests are bought in up to three stages: who is sure stops, who is doubtful buys more.
    Each is learnt on some of the cases and judged by its bill on the others. The usual tree is that of three
    tests if it competes, else the one with much doubt: it is taken unless another is cheaper by more than one
    and a half standard errors, and nobody is tested where it does not save that much (where trees compete
    alone: half of one). That of three tests fits no chance: another must be cheaper by three standard errors,
    and nobody is tested only if that is cheaper by half of one. Scores are taken if they cost less than the
    tree, and than testing nobody, by more than half a standard error, a tree being easier to read (if they
    cost less at all, where losses differ by row or the tree has more than 50 leaves), and by two where no
    tree would be taken; against testing nobody by less, the less of what tests save is paid for them. Where
    dear mistakes are few, what a leaf or a card expects to miss counts half in that. What is taken is learnt
    on all cases.

    Parameters
    ----------
    costs : Costs, optional
        Prices of the tests and costs of the mistakes. None: tests are free and every mistake costs 1.
    leaves : {"auto", "class", "score"}
        What answers: "class", a tree whose leaves have a class each; "score", score cards of all that a case
        has paid for; "auto", whichever has the lower bill, as above.
    folds : int
        Parts that the cases are dealt into for judging, each judged by trees of the others. Tables of more
        than 3,000 cases are judged by a quarter of them; by all four in turn if nobody would be tested though
        something seems cheaper. Where the tree of three tests competes, cases are dealt three times.
    budget : float, optional
        The most that a case may pay for tests, on any path. None: no limit.
    nominal_features : list of column names or positions, optional
        Columns of numbers that are names of categories. Text and categorical columns are nominal anyway.
    case_names : bool
        Whether to ask for columns that seem to name the cases, too: nominal ones with a category for every
        case or two. They are left out otherwise, and a warning says so. Trees ask for them; score cards count
        the thirty commonest categories, of three cases at least, in any case.
    random_state : int
        Deals the cases.
    n_jobs : int, optional
        Threads that predict; None is 1, -1 all processors.
    progress : bool or callable
        True: a bar on standard error. A function is called with (trees done, trees in all).

    Attributes
    ----------
    tree_ : Tree
        The finished tree; its text says in the last line what was chosen and why. Not there if scores were
        taken.
    cascade_ : Cascade
        The score cards and their stages, if those were taken.
    candidates_ : list of Judged
        What competed: its name, what it costs an unseen case and the standard error of that.
    chosen_ : str
        The name of the one that was taken.
    ended_ : {"done", "interrupt"}
        Whether all of them were judged, or Ctrl-C was pressed before.
    choice_ : str
        What was chosen and why, in a sentence.
    classes_, n_classes_, n_features_in_, feature_names_in_
        As in `CostTreeClassifier`.

    Notes
    -----
    Numbers are cut at 16 quantiles, a nominal feature is asked for one category against the others, missing
    values have a branch of their own. Leaves answer, and say shares, by their cases and some more that are
    like all others: 12 with much doubt, 4 with some, 1 with little. None are added in the tree of three
    tests, which competes where testing nobody costs as much as forty of the dearest mistakes, too. Tables of
    more than 600,000 cells are learnt from a sample of so many, and the leaves of a tree then count all
    cases. Where losses differ by row, score cards count cases by what is at stake in them, so the chances
    that they say are shares of losses.

    What folds say of the candidate that is taken is a little low, for luck with the folds is one of the
    reasons why it was: `candidates_` has it as it is, `choice_` drawn toward what tests save on other tables,
    the more the less sure the folds are. Bill cases that were not used for learning to know better.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> model = ThriftClassifier(golf.costs).fit(golf.X, golf.y)
    >>> model.chosen_
    'constant'
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"error_costs": True}  # nobody needs to request it
    grows_one_tree = False
    asks_all_categories = True
    rules: ClassVar[dict[str, Rule]] = {
        "leaves": Choice(("auto", "class", "score")),
        "folds": Whole(2),
        "budget": Real(0.0, none=True),
        "case_names": Flag(),
        "random_state": Whole(0),
    }

    # Trees compete: there is no one way to grow or to prune them that could be set.
    growth: Growth | None = None
    pruning: Pruning | None = None

    cascade_: Cascade
    candidates_: list[Judged]
    chosen_: str
    ended_: Literal["done", "interrupt"]
    choice_: str

    def __init__(
        self,
        costs: Costs | None = None,
        *,
        leaves: Leaves = "auto",
        folds: int = 5,
        budget: float | None = None,
        nominal_features: Any = None,
        case_names: bool = False,
        random_state: int = 0,
        n_jobs: int | None = None,
        progress: bool | Progress = False,
    ) -> None:
        self.costs = costs
        self.leaves = leaves
        self.folds = folds
        self.budget = budget
        self.nominal_features = nominal_features
        self.case_names = case_names
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X: Any, y: Any, sample_weight: Any = None, error_costs: Any = None) -> Self:
        """Learn trees, judge them, and keep the best.

        Parameters
        ----------
        X : array, frame, sparse matrix or list of rows, of shape (n_rows, n_features)
            The cases. Text and unordered categories are nominal, NaN, None and NA are missing.
        y : array-like of shape (n_rows,)
            Their classes.
        sample_weight : array-like of shape (n_rows,), optional
            How much each case counts; one of weight 0 does not at all.
        error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
            What mistakes cost where that differs by row, as in `CostTreeClassifier`. `costs` must not name
            error costs as well.

        Returns
        -------
        self
            After Ctrl-C: with the best of the candidates that were judged, and a warning, if the constant and
            another one were.
        """
        prepared = self.prepare(X, y, sample_weight)
        by_row = costs_by_row(prepared, error_costs)
        with reported(self.progress, "trees") as tell:
            found, taken, judging = self._best(prepared.problem, by_row, tell)
        self._keep(prepared, found, judging, taken)
        return self

    def fit_scan(
        self,
        scan: Scan,
        *,
        memory: int | str = "2GB",
        cache: str | PathLike[str] | None = None,
        progress: bool | Progress = False,
    ) -> Self:
        """Learn from a table that need not fit in memory.

        The table is read three times: what its columns are; a sample of as many cases as `fit` learns a large
        table from, each class with its share; and, if a tree is taken, what all cases count at its leaves, by
        which those answer. ``choice_`` says how large the sample was.

        Parameters
        ----------
        scan : Scan
            Where the table lies and what is to be predicted: what `tw.scan` returns.
        memory : int or str
            How much there is: of less than 180 MB the sample is smaller, 300 bytes for a cell.
        cache : None
            Nothing is written, so there is nothing to keep.
        progress : bool or callable
            True: a bar on the terminal; a function is called with (rows seen in this pass, rows). The
            parameter of the same name tells of the trees.

        Returns
        -------
        self

        Examples
        --------
        >>> import thriftwood as tw
        >>> golf = tw.load_dataset("golf-nominal")
        >>> cases = tw.scan(golf.X.assign(Play=golf.y), target="Play")
        >>> ThriftClassifier(golf.costs).fit_scan(cases).chosen_
        'constant'
        """
        if cache is not None:
            raise ValueError("ThriftClassifier learns from a sample and writes no codes. Leave cache= out.")
        cells = min(MOST_CELLS, checked_memory(scan, memory) // SAMPLE_CELL)
        before = scan.source.files()
        with told_passes(scan, progress) as passes:
            with unchanged(scan, before):
                seen = survey(
                    scan,
                    self.owner,
                    self.nominal_features,
                    regression=False,
                    cut=None,
                    tell=passes.start("looking"),
                )
                most = max(cells // seen.encoder.n_features, 1)
                cases = draw(scan, seen, most, int(self.random_state), passes.start("drawing"))
            encoding = seen.encoder, cases.encoded
            prepared = self.prepare(None, cases.y, cases.weights, encoding, scan.n_rows)
            with reported(self.progress, "trees") as tell:
                found, taken, judging = self._best(prepared.problem, None, tell)
            if isinstance(found, _core.Tree) and len(cases) < seen.n_cases:
                with unchanged(scan, before):
                    ended = ended_cases(scan, seen, found, self.thread_count(), passes.start("counting"))
                trees = candidates(self._searcher(), prepared.problem, None)
                name = judging.results[taken if found.n_nodes > 1 else 0].name
                best = next(tree for tree in trees if tree.name == name)
                found = best.counting_ended(prepared.problem, found, ended, seen.n_cases)
        self._keep(prepared, found, judging, taken)
        if len(cases) < seen.n_cases:
            what = "leaves count all" if isinstance(found, _core.Tree) else "others were not looked at"
            self._say(
                f" The tests were chosen by a sample of {len(cases):,} of {seen.n_cases:,} "
                f"cases; {'its ' if isinstance(found, _core.Tree) else 'the '}{what}."
            )
        return self

    def _keep(self, prepared: Prepared, found: _core.Tree | Cascade, judging: Judging, taken: int) -> None:
        """Set the fitted attributes."""
        self.__dict__.pop("tree_", None)
        self.__dict__.pop("cascade_", None)
        if isinstance(found, Cascade):
            self.set_seen(prepared)
            self.cascade_ = Cascade(found.stages, found.loss, found.encoder, self.classes_, self.costs)
        else:
            self.set_fitted(prepared, found)
        self._remember(judging, taken)
        warn_of_small_budget(self)

    @property
    def hides_case_names(self) -> bool:  # type: ignore[override]
        """Whether columns that name the cases are not asked: they are if that was asked for."""
        return not self.case_names

    @property
    def always_a_tree(self) -> bool:  # type: ignore[override]
        """Whether what is learnt is a tree whatever the cases: score cards do not compete."""
        return self.leaves == "class"

    @property
    def model_(self) -> Tree | Cascade:  # type: ignore[override]
        """What was learnt, asked as the parameters say now: with these costs, by so many threads."""
        if "cascade_" not in self.__dict__:
            return super().model_
        cascade = self.cascade_ if self.costs is None else self.cascade_.with_costs(self.costs)
        return cascade.asked_with(n_threads=self.thread_count(), owner=type(self).__name__)

    @property
    def fitted_tree(self) -> Tree:
        """The finished tree; an error before `fit`, and where score cards were taken instead."""
        if "cascade_" in self.__dict__:
            raise AttributeError(
                "This ThriftClassifier answers by score cards and has no tree: see cascade_, or model_ for "
                "what there is in either case. With leaves='class' it learns a tree."
            )
        return super().fitted_tree

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer for each case."""
        return self.model_.predict(X) if "cascade_" in self.__dict__ else super().predict(X)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the chance of each class, in the order of ``classes_``.

        By the score card that answers the case; in a tree the share of each class where the case ends.
        """
        return self.model_.predict_proba(X) if "cascade_" in self.__dict__ else super().predict_proba(X)

    def consult(
        self,
        known: Any = None,
        *,
        unavailable: Iterable[str] = (),
        strategy: Strategy = "sequential",
        budget: float | None = None,
    ) -> Consultation:
        """Start a consultation: what was learnt asks for the tests it needs and keeps the running bill.

        As `CostTreeClassifier.consult`; score cards are asked stage by stage, and plan no batches of their
        own (``strategy="sequential"``).
        """
        asked = self.model_ if "cascade_" in self.__dict__ else self.fitted_tree
        return asked.consult(known, unavailable=unavailable, strategy=strategy, budget=budget)

    def prepare(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        encoding: tuple[Encoder, Encoded] | None = None,
        n_rows: int | None = None,
    ) -> Prepared:
        """Check the parameters, encode the table, and state the problem in terms of the core.

        `n_rows`: of the table that the encoder has seen, if `encoding` is a sample of it.
        """
        check(self, self.rules)
        encoder, encoded = encoding or self.fit_encoder(X)
        if self.hides_case_names:
            encoded = hide_case_names(encoder, encoded, n_rows)
        prepared = self._searcher().prepare(X, y, sample_weight, (encoder, encoded), n_rows)
        if limit_of(self.budget) is not None:
            budget_prices(self, prepared.encoder)
        return prepared

    def grow_tree(self, problem: Problem) -> _core.Tree:
        """Learn the tree of a problem, one of many."""
        found = self._best(problem, None, None)[0]
        if not isinstance(found, _core.Tree):
            raise TypeError("One of many trees is learnt with leaves='class'.")
        return found

    def _best(
        self, problem: Problem, by_row: FloatArray | None, tell: Progress | None
    ) -> tuple[_core.Tree | Cascade, int, Judging]:
        """Return what is best, the place of the candidate that it is, and what each of them costs."""
        sample = sampled(problem, int(self.random_state))
        found, taken, judging = self._winner(problem, sample, by_row, tell)
        if not judging.parts or self.leaves == "score":
            return found, taken, judging
        compared = duels(judging.results, sample.weights, judging.steady)
        nobody = most_saved(sample, by_row) / float(sample.case_weights.sum())
        cost = believed(compared, taken, nobody, self._dearest(sample, by_row))
        return found, taken, judging._replace(believed=cost)

    def _winner(
        self, problem: Problem, sample: Problem, by_row: FloatArray | None, tell: Progress | None
    ) -> tuple[_core.Tree | Cascade, int, Judging]:
        seed = int(self.random_state)
        trees = candidates(self._searcher(), sample, by_row)
        if problem.n_classes == 1:  # whatever losses by row say, there is one answer
            del trees[1:]
        competing: list[Candidate | Scores] = [*(trees[:1] if self.leaves == "score" else trees)]
        if self.leaves != "class" and problem.n_classes > 1:
            competing.append(Scores(limit_of(self.budget)))
        judging = judged(competing, sample, by_row, int(self.folds), seed, tell)
        taken = self._taken(judging, sample, by_row)
        if taken == 0 and judging.undecided:
            judging = judged(competing, sample, by_row, int(self.folds), seed, tell, quarter=judging)
            taken = self._taken(judging, sample, by_row)
        best = next(one for one in competing if one.name == judging.results[taken].name)
        if isinstance(best, Scores):
            cascade = best.model(sample, by_row, seed)
            if len(cascade.order) or self.leaves == "score":
                return cascade, taken, judging
            # Learnt from all cases the cards ask nothing: what would be taken without them answers.
            taken = self._taken(judging, sample, by_row, scores=False)
            best = next(tree for tree in trees if tree.name == judging.results[taken].name)
        tree = best.counting(problem, sample, by_row)
        scores = competing[-1]
        if tree.n_leaves > READABLE and isinstance(scores, Scores):
            level = self._taken(judging, sample, by_row, doubt_of_scores=0.0)
            if judging.results[level].name == scores.name:
                cascade = scores.model(sample, by_row, seed)
                if len(cascade.order):
                    return cascade, level, judging
        if taken and tree.n_nodes == 1:  # what it asked of some cases, it asks of all no more
            tree = trees[0].counting(problem, sample, by_row)
        return tree, taken, judging

    def _taken(
        self,
        judging: Judging,
        sample: Problem,
        by_row: FloatArray | None,
        doubt_of_scores: float = DOUBT_OF_SCORES,
        scores: bool = True,
    ) -> int:
        """Return the place of the candidate to take; where losses differ by row dear ones are few."""
        if self.leaves == "score":
            return len(judging.results) - 1
        compared = duels(judging.results, sample.weights, judging.steady)
        if not scores and judging.results[-1].name == SCORES:
            compared = compared.without_last()
        doubts = (DOUBT_OF_TREES, doubt_of_scores if by_row is None else 0.0)
        return chosen(compared, self._dearest(sample, by_row), *doubts)

    def _dearest(self, sample: Problem, by_row: FloatArray | None) -> float:
        """Return what the mistake costs of which one more is counted; 0 where there are many."""
        return dearest_mistake(sample, by_row) if by_row is not None or few_mistakes(sample) else 0.0

    def checked_growth(self) -> Growth:
        """Return what of a `Growth` there is: what becomes of missing values."""
        return self._searcher().checked_growth()

    def _searcher(self) -> OptimalTreeClassifier:
        """Return what learns the trees, without the settings that they compete by."""
        searcher = OptimalTreeClassifier(
            self.costs, nominal="value", budget=self.budget, nominal_features=self.nominal_features
        )
        searcher.part_of = self.owner
        searcher.hides_case_names = self.hides_case_names
        return searcher

    def _remember(self, judging: Judging, taken: int) -> None:
        self.candidates_ = judging.results
        self.ended_ = "interrupt" if judging.interrupted else "done"
        asked = self.leaves == "score"
        idle = not len(self.model_.tests)
        self.chosen_ = judging.results[taken if asked or not idle else 0].name
        self.choice_ = sentence(judging, taken, asked=asked, idle=idle)
        self._learnt.note = reason(judging, taken, asked=asked, idle=idle)

    def _say(self, more: str) -> None:
        """Add to what is said of the choice, here and beside what was learnt."""
        self.choice_ += more
        self._learnt.note += more

    @property
    def _learnt(self) -> Cascade | Tree:
        return self.cascade_ if isinstance(self.model_, Cascade) else self.tree_
