"""From profiles and labels to the cheapest tree that tells the labels apart nearly as well as any."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.clarify.counting import PatternTable, pattern_table, with_signs
from thriftwood.clarify.evidence import EvidenceKind
from thriftwood.clarify.judging import Evaluator, JudgedTree, check_labels, evaluator_of
from thriftwood.clarify.normal import Normal
from thriftwood.clarify.noticing import FALSE_ALARMS, normal_of
from thriftwood.clarify.patterns import Feature, Features, Sign
from thriftwood.clarify.pricing import SPANS, Prices, prices_of, without_twins
from thriftwood.clarify.profile import Profile
from thriftwood.clarify.searching import enough, greedy, thrifty
from thriftwood.clarify.strangers import called_in, place_of_strangers, with_strangers
from thriftwood.costs import Costs
from thriftwood.evaluation.pareto import pareto
from thriftwood.evaluation.tradeoff import WITHIN
from thriftwood.models import Tree
from thriftwood.table import Encoder
from thriftwood.table.named import NamedColumns
from thriftwood.table.raw import NumberColumn

Search = Literal["thrifty", "greedy"]
SECOND_SEEDS, CONFIRMING_SEEDS = 2, 3


@dataclass(frozen=True)
class TreeScores:
    """The accuracy and the cost of one of the trees that were compared.

    Attributes
    ----------
    accuracy : float
        By the folds that the trees were chosen by.
    confirmed : float
        By other folds, which had no part in choosing: the mean of three draws of them. They are the same runs
        dealt anew, and the tree was chosen by those runs, so that this too is better than new runs will be.
    cost : float
        Units a run: calls that are counted, and calls that are followed times what that costs.
    share : float
        Of the cost of watching everything.
    functions : tuple of str
        What must be watched.
    how : str
        What the tree was grown by.
    """

    accuracy: float
    confirmed: float
    cost: float
    share: float
    functions: tuple[str, ...]
    how: str


@dataclass(frozen=True)
class Point:
    """A tree of the trade-off that no other beats in cost and accuracy both."""

    share: float
    accuracy: float
    n_functions: int
    how: str
    lost: float | None = None
    """Accuracy lost against the blind tree on other folds: why a tree that is cheaper than the chosen one,
    and accurate enough by the first folds, was not chosen. None for all other trees, and where the search
    does not look a second time."""


@dataclass(frozen=True)
class Learned:
    """What `learn` found.

    Attributes
    ----------
    tree : Tree
        The chosen tree; its features are the texts of its patterns.
    patterns : tuple of Pattern, ExactTree or Sign
        What the tree tests and its guards, in the order of its features.
    blind, greedy, chosen : TreeScores
        C4.5's tree, which does not look at prices; the cheapest tree of csgain, as published, that is
        accurate enough, or its most accurate one if none is; the tree that was chosen.
    within : float
        How much less accurate than the blind tree the others may be.
    points : tuple of Point
        The trade-off, cheapest first.
    mean_calls : dict of str to float
        Of the functions that must be watched.
    all_calls : float
        Calls of all functions in a run, on average.
    span : float
        The cost of following an activation, in units of counting a call.
    features : {"fc", "ctp", "exact"}
        What was learnt from.
    n_runs, n_patterns : int
        The size of the table, after twins were merged.
    confused : tuple of (str, str, int)
        Recorded label, label given, and how many runs, by the folds that the trees were chosen by: where the
        chosen tree is wrong, most first.
    normal : Normal or None
        What is normal for each label, and from when on a run is like none of them.
    watched_share : float
        What watching costs with its guards (`thriftwood.clarify.guards`), of watching everything.
    """

    tree: Tree
    patterns: tuple[Feature, ...]
    blind: TreeScores
    greedy: TreeScores
    chosen: TreeScores
    within: float
    points: tuple[Point, ...]
    mean_calls: dict[str, float]
    all_calls: float
    span: float
    features: Features
    n_runs: int
    n_patterns: int
    confused: tuple[tuple[str, str, int], ...] = ()
    normal: Normal | None = None
    watched_share: float = 0.0

    @property
    def speed_up(self) -> float:
        """Cost ratio, price-blind tree to chosen tree."""
        return self.blind.cost / self.chosen.cost if self.chosen.cost else np.inf

    @property
    def greedy_speed_up(self) -> float:
        """Cost ratio, price-blind tree to greedy tree."""
        return self.blind.cost / self.greedy.cost if self.greedy.cost else np.inf

    @property
    def greedy_is_accurate(self) -> bool:
        """Whether the greedy tree is as accurate as was asked."""
        return enough(self.greedy.accuracy, self.blind.accuracy - self.within)


def learn(
    profiles: Iterable[Profile] | PatternTable,
    labels: Sequence[str],
    *,
    features: Features = "ctp",
    signs: Sequence[Collection[Sign]] | None = None,
    without: Collection[EvidenceKind] = (),
    strangers: Sequence[str] = (),
    within: float = WITHIN,
    false_alarms: float | None = FALSE_ALARMS,
    cv: int = 5,
    seed: int = 0,
    span: float = SPANS["python"],
    search: Search = "thrifty",
    n_jobs: int = 1,
    tell: Callable[[str], object] | None = None,
) -> Learned:
    """Find the cheapest tree that tells labels apart nearly as well as a tree that does not look at prices.

    Parameters
    ----------
    profiles : iterable of Profile, or PatternTable
        One per run.
    labels : sequence of str
        What each run is to be called.
    features : {"fc", "ctp", "exact"}
        What to learn from, as for `pattern_table`, which is asked unless a table is given.
    signs : sequence of collections of Sign, optional
        What each run showed for nothing (`signs_of`), which is learnt from, too.
    without : collection of {"ending", "exception", "message", "duration"}
        Kinds of signs that are left alone.
    strangers : sequence of str
        Functions of a native program that no run called (`thriftwood.clarify.strangers`), which are watched
        where runs may be called unknown.
    within : float
        How much accuracy may be lost against the tree that does not look at prices: 0.01 is one point.
    false_alarms : float
        About the share of runs of recorded causes that is called unknown by mistake: it holds for recorded
        runs, in folds and each against the others. None: no run is called unknown, and nothing is watched for
        that.
    cv : int
        The number of folds.
    seed : int
        Deals the runs into folds.
    span : float
        The cost of following an activation, in units of counting a call: about 5 for Python programs, 70 to
        100 for native ones, 1 in the published cost model.
    search : {"thrifty", "greedy"}
        Ours, which gives dear functions back (see `thriftwood.clarify.searching`), or csgain as published.
    n_jobs : int
        Threads; -1: one per core. The result is the same for any number.
    tell : callable, optional
        Called with a few words about what is under way.

    Raises
    ------
    ValueError
        If there is nothing to tell apart, or the cheapest tree asks nothing.

    Examples
    --------
    >>> from thriftwood.clarify import Profile
    >>> def run(bad):  # `main` is called a lot and differs, `fail` is called rarely and differs too
    ...     calls = {"main": 200, "fail": 1} if bad else {"main": 100}
    ...     return Profile(tuple(calls), calls)
    >>> runs = [run(bad=number % 2) for number in range(40)]
    >>> found = learn(runs, ["good", "bad"] * 20, features="fc")
    >>> found.chosen.functions, found.chosen.accuracy
    (('fail',), 1.0)
    """
    if search not in ("thrifty", "greedy"):
        raise ValueError(f"search must be 'thrifty' or 'greedy'. Got {search!r}.")
    if not 0.0 <= within < 1.0:
        raise ValueError(f"within must be a share of the runs, from 0 to below 1. Got {within}.")
    if false_alarms is not None and not 0.0 <= false_alarms < 1.0:
        raise ValueError(f"false_alarms must be a share of the runs, from 0 to below 1. Got {false_alarms}.")
    check_labels(labels)  # before profiles, which may look alike because all runs are of one kind
    tell = tell or (lambda what: None)
    tell("counting patterns")
    table = profiles if isinstance(profiles, PatternTable) else pattern_table(profiles, features)
    called = called_in(table, strangers)
    if signs is not None:
        table = with_signs(table, signs, without)
    table = table.take(without_twins(table, prices_of(table, span)))
    if not table.patterns:
        raise ValueError(
            "All runs look alike: every function was called equally often in each of them. "
            "Is the right program recorded?"
        )
    n_patterns = len(table.patterns)
    if false_alarms is not None:
        table = with_strangers(table, strangers)
    prices = prices_of(table, span)
    evaluator = evaluator_of(table, labels, prices, cv=cv, seed=seed, n_jobs=n_jobs)
    every = np.arange(len(table.patterns))
    tell("a tree that does not look at prices")
    blind = evaluator.blind(every)
    least = blind.accuracy - within
    tell("trees that do")
    frugal, tried = greedy(evaluator, every, least)
    tried.append(blind)
    chosen: JudgedTree | None = frugal if enough(frugal.accuracy, least) else blind
    second: _SecondLook | None = None
    if search == "thrifty":
        second = _SecondLook(evaluator, table, labels, seed, blind, within)
        chosen, tried = thrifty(evaluator, every, least, tried, second=second, tell=tell)
    assert chosen is not None  # the blind tree itself is among those tried
    if not chosen.columns:
        raise ValueError(
            f"Answering {chosen.model.tree_.answer(0)!r} without looking is as good as any tree, within "
            f"{within:g}: the profiles do not tell the labels apart. Give more runs, or a smaller loss."
        )
    tell("other folds")
    confirmation = _Confirmation(evaluator, table, labels, seed)
    columns, normal = chosen.columns, None
    if false_alarms is not None:
        tell("labels left out")
        is_sign = [isinstance(feature, Sign) for feature in table.patterns]
        normal, columns = normal_of(
            evaluator,
            chosen,
            is_sign,
            signs,
            without=without,
            rate=false_alarms,
            strangers=place_of_strangers(table),
            called=called,
            more=[one.folds for one in _OtherFolds(evaluator, table, labels, second_seeds(seed)).others],
            others=[one.folds for one in confirmation.others],
        )
    return Learned(
        tree=small_tree(chosen, table, prices, columns),
        patterns=tuple(table.patterns[c] for c in columns),
        blind=confirmation.of(blind),
        greedy=confirmation.of(frugal),
        chosen=confirmation.of(chosen),
        within=within,
        points=_points(tried, table, prices, lambda one: _lost(one, chosen, least, second)),
        mean_calls={f: table.mean_calls[f] for f in _functions(columns, table)},
        all_calls=float(prices.calls.sum()),
        span=span,
        features=features,
        n_runs=table.n_runs,
        n_patterns=n_patterns,
        confused=tuple(evaluator.confused(chosen)),
        normal=normal,
        watched_share=prices.together(columns) / prices.total if prices.total else 0.0,
    )


class _OtherFolds:
    """The same runs, dealt into other folds."""

    def __init__(
        self, evaluator: Evaluator, table: PatternTable, labels: Sequence[str], seeds: Iterable[int]
    ) -> None:
        self.prices, self.table = evaluator.prices, table
        n_folds, n_jobs = len(evaluator.folds), evaluator.n_jobs
        self.others = [
            evaluator_of(table, labels, evaluator.prices, cv=n_folds, seed=seed, n_jobs=n_jobs)
            for seed in seeds
        ]

    def accuracy(self, tree: JudgedTree) -> float:
        return float(np.mean([evaluator.again(tree).accuracy for evaluator in self.others]))


class _SecondLook(_OtherFolds):
    """Checks a tree that the search would choose on other folds."""

    def __init__(
        self,
        evaluator: Evaluator,
        table: PatternTable,
        labels: Sequence[str],
        seed: int,
        blind: JudgedTree,
        within: float,
    ) -> None:
        super().__init__(evaluator, table, labels, second_seeds(seed))
        self.blind = self.accuracy(blind)
        self.least = self.blind - within

    def __call__(self, tree: JudgedTree) -> bool:
        return enough(self.accuracy(tree), self.least)

    def lost(self, tree: JudgedTree) -> float:
        """Return how much less accurate than the blind tree another is."""
        return self.blind - self.accuracy(tree)


def second_seeds(seed: int) -> range:
    """Return what the deals of folds are dealt by that have a part in choosing besides the first."""
    return range(seed + 1, seed + 1 + SECOND_SEEDS)


class _Confirmation(_OtherFolds):
    """Judges the trees that are reported on yet other folds, which had no part in choosing them."""

    def __init__(self, evaluator: Evaluator, table: PatternTable, labels: Sequence[str], seed: int) -> None:
        first = seed + 1 + SECOND_SEEDS
        super().__init__(evaluator, table, labels, range(first, first + CONFIRMING_SEEDS))

    def of(self, tree: JudgedTree) -> TreeScores:
        confirmed = self.accuracy(tree)
        share = tree.cost / self.prices.total if self.prices.total else 0.0
        return TreeScores(
            tree.accuracy, confirmed, tree.cost, share, _functions(tree.columns, self.table), tree.how
        )


def small_tree(
    tree: JudgedTree, table: PatternTable, prices: Prices, columns: tuple[int, ...] | None = None
) -> Tree:
    """Return the tree with only the columns that it tests, or those given, named by their texts."""
    columns = tree.columns if columns is None else columns
    core = tree.model.tree_.core
    arrays = core.to_arrays()
    place = {column: number for number, column in enumerate(columns)}
    arrays["feature"] = np.array(
        [place[int(tree.offered[f])] if f >= 0 else -1 for f in arrays["feature"]], dtype=np.int32
    )
    arrays["feature_values"] = np.zeros(len(place), dtype=np.int32)
    names = [str(table.patterns[column]) for column in columns]
    encoder = Encoder().fit(named_counts(names, [[0] * len(names)]))
    return Tree(
        _core.Tree.from_arrays(arrays),
        encoder,
        tree.model.tree_.classes,
        _named(prices.costs(columns), names),
    )


def named_counts(names: Sequence[str], rows: Sequence[Sequence[float]]) -> NamedColumns:
    """Return counts as a table whose columns are named, as the tree of a model takes it."""
    values: NDArray[np.float64] = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    columns = [NumberColumn(values[:, j].copy(), f"column {name!r}") for j, name in enumerate(names)]
    return NamedColumns(names, columns, len(rows))


def _named(costs: Costs, names: Sequence[str]) -> Costs:
    tests = {name: costs.tests[f"x{place}"] for place, name in enumerate(names)}
    return costs.replace(tests=tests)


def _functions(columns: Iterable[int], table: PatternTable) -> tuple[str, ...]:
    return tuple(sorted({f for column in columns for f in table.patterns[column].functions}))


def _lost(tree: JudgedTree, chosen: JudgedTree, least: float, second: _SecondLook | None) -> float | None:
    """Return the accuracy that a cheaper tree, good enough by the first folds, loses on others; else None."""
    tempting = tree.cost < chosen.cost and enough(tree.accuracy, least)
    return second.lost(tree) if second is not None and tempting else None


def _points(
    tried: Sequence[JudgedTree],
    table: PatternTable,
    prices: Prices,
    lost: Callable[[JudgedTree], float | None],
) -> tuple[Point, ...]:
    costs = np.array([one.cost for one in tried])
    kept = pareto(costs, np.array([one.accuracy for one in tried]), list(range(len(tried))))
    scale = prices.total or 1.0
    return tuple(
        Point(one.cost / scale, one.accuracy, len(_functions(one.columns, table)), one.how, lost(one))
        for one in (tried[k] for k in kept)
    )
