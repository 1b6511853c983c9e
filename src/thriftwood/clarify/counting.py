"""`pattern_table`: how often each pattern was seen in each of many runs, derived from exact call trees."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix, hstack

from thriftwood.clarify.evidence import KIND_OF, EvidenceKind, check_kinds
from thriftwood.clarify.patterns import FEATURES, ExactTree, Feature, Features, Pattern, Sign, contains
from thriftwood.clarify.profile import Profile, Tree1, Tree2

Key = TypeVar("Key")

MOST_CHILDREN = 4  # of a set that was seen as a whole; larger ones are found by their parts
MOST_FUNCTIONS = 8  # below the root of a tree of two levels
MOST_SIGNS = 400  # of a kind, those of most runs: a program that prints data says something new each time
MOST_SETS = 200  # per function, those seen in most runs: dispatchers have thousands


@dataclass(frozen=True)
class PatternTable:
    """How often each pattern was seen in each run.

    Attributes
    ----------
    patterns : tuple of Pattern or ExactTree
        One per column; all different.
    counts : scipy CSC matrix of shape (n_runs, n_patterns)
        Counts.
    mean_calls : mapping of function to float
        How often each function is called in a run, on average: what watching it costs.
    """

    patterns: tuple[Feature, ...]
    counts: Any
    mean_calls: Mapping[str, float]

    @property
    def n_runs(self) -> int:
        """Rows."""
        return int(self.counts.shape[0])

    def take(self, columns: Sequence[int] | NDArray[np.intp]) -> PatternTable:
        """Return some of the columns."""
        chosen = np.asarray(columns, dtype=np.intp)
        return PatternTable(
            tuple(self.patterns[j] for j in chosen), self.counts[:, chosen].tocsc(), self.mean_calls
        )


def pattern_table(profiles: Iterable[Profile], features: Features = "ctp") -> PatternTable:
    """Count patterns in the profiles of many runs.

    Parameters
    ----------
    profiles : iterable of Profile
        One per run; looked at once, in order.
    features : {"fc", "ctp", "exact"}
        Calls alone; calls and patterns of call trees; calls and exact call trees of depth one and two.

    Examples
    --------
    >>> calls, d1 = {"f": 2, "g": 1}, {("f", frozenset("g")): 1, ("f", frozenset()): 1, ("g", frozenset()): 1}
    >>> table = pattern_table([Profile(("f", "g"), calls, d1), Profile(("f",), {"f": 5})])
    >>> [str(pattern) for pattern in table.patterns], table.counts.toarray().tolist()
    (['f', 'g', 'f>g', 'f>!g'], [[2.0, 1.0, 1.0, 1.0], [5.0, 0.0, 0.0, 5.0]])
    >>> table.mean_calls
    {'f': 3.5, 'g': 0.5}
    """
    if features not in FEATURES:
        raise ValueError(f"features must be one of {', '.join(map(repr, FEATURES))}. Got {features!r}.")
    calls, trees1, trees2 = _Sightings[str](), _Sightings[Tree1](), _Sightings[Tree2]()
    n_runs = 0
    for n_runs, profile in enumerate(profiles, start=1):  # noqa: B007
        calls.add(profile.calls)
        if features != "fc":
            trees1.add(profile.d1)
            trees2.add(profile.d2)
    parts: list[tuple[list[Feature], Any]] = [([Pattern("count", (f,)) for f in calls.keys], calls.matrix())]
    if features == "ctp":
        parts += [_without(*_edges_and_sets(trees1), calls), _chains_and_trees(trees2)]
    elif features == "exact":
        for seen in (trees1, trees2):
            deep = [j for j, (_, children) in enumerate(seen.keys) if children]
            parts.append(([ExactTree(seen.keys[j]) for j in deep], seen.matrix()[:, deep]))
    mean = np.asarray(parts[0][1].sum(axis=0)).ravel() / max(n_runs, 1)
    return PatternTable(
        tuple(pattern for patterns, _ in parts for pattern in patterns),
        hstack([counts for _, counts in parts], format="csc"),
        dict(zip(calls.keys, mean.tolist(), strict=True)),
    )


def with_signs(
    table: PatternTable, signs: Sequence[Collection[Sign]], without: Collection[EvidenceKind] = ()
) -> PatternTable:
    """Add a column to a table of patterns for every sign that recurs.

    Parameters
    ----------
    table : PatternTable
        A row per run.
    signs : sequence of collections of Sign
        What each run showed.
    without : collection of {"ending", "exception", "message", "duration"}
        What is left out.

    Examples
    --------
    >>> from thriftwood.clarify.profile import Profile
    >>> table = pattern_table([Profile(("f",), {"f": n}) for n in (1, 2, 3)], "fc")
    >>> one, two = Sign("ending", "exit 1"), Sign("raises", "ValueError")
    >>> added = with_signs(table, [{one}, {one, two}, {two}])
    >>> [str(feature) for feature in added.patterns], added.counts.toarray()[:, 1].tolist()
    (['f', '[exit 1]', '[raises ValueError]'], [1.0, 1.0, 0.0])
    """
    if len(signs) != table.n_runs:
        raise ValueError(f"There are {table.n_runs} runs, and signs of {len(signs)}.")
    check_kinds(without)
    known = list(_recurring(signs, without))
    place = {sign: number for number, sign in enumerate(known)}
    at = [(row, place[sign]) for row, shown in enumerate(signs) for sign in shown if sign in place]
    rows, columns = np.array(at, dtype=np.intp).reshape(-1, 2).T
    shown_matrix: Any = csc_matrix((np.ones(len(at)), (rows, columns)), shape=(table.n_runs, len(known)))
    return PatternTable(
        (*table.patterns, *known), hstack([table.counts, shown_matrix], format="csc"), table.mean_calls
    )


def _recurring(signs: Iterable[Collection[Sign]], without: Collection[EvidenceKind]) -> Iterator[Sign]:
    """List the signs of two runs at least; of equally common ones, and of each kind, always the same."""
    runs = Counter(sign for shown in signs for sign in shown if KIND_OF[sign.kind] not in without)
    for kind in KIND_OF:  # what is easier to understand first: of columns that are equal the first is kept
        often = sorted((-n, sign.text) for sign, n in runs.items() if n > 1 and sign.kind == kind)
        yield from (Sign(kind, text) for _, text in often[:MOST_SIGNS])


class _Sightings(Generic[Key]):
    """Counts by run and key, gathered run by run."""

    def __init__(self) -> None:
        self.place: dict[Key, int] = {}
        self._run, self._key, self._count = array("q"), array("q"), array("d")
        self._n_runs = 0

    def add(self, counts: Mapping[Key, int]) -> None:
        for key, count in counts.items():
            if count:
                self._run.append(self._n_runs)
                self._key.append(self.place.setdefault(key, len(self.place)))
                self._count.append(count)
        self._n_runs += 1

    @property
    def keys(self) -> list[Key]:
        return list(self.place)

    def matrix(self) -> Any:
        shape = (self._n_runs, len(self.place))
        return csc_matrix((np.array(self._count), (np.array(self._run), np.array(self._key))), shape=shape)

    def n_runs_with(self) -> NDArray[np.int64]:
        return np.bincount(np.array(self._key, dtype=np.int64), minlength=len(self.place))


def _edges_and_sets(trees: _Sightings[Tree1]) -> tuple[list[Feature], Any]:
    """Count ``f>g`` and ``f>{g,h,...}``: what an activation contains follows from what it is exactly."""
    keys, common = trees.keys, trees.n_runs_with()
    of_function: dict[str, list[int]] = defaultdict(list)
    for j, (f, children) in enumerate(keys):
        if children:
            of_function[f].append(j)
    within = _Incidence()
    for f, numbers in of_function.items():
        sets = _sets_of([(keys[j][1], int(common[j])) for j in numbers])
        for j in numbers:
            children = keys[j][1]
            for g in sorted(children):
                within.add(j, Pattern("inside", (f, g)))
            for wanted in sets:
                if children.issuperset(wanted):
                    within.add(j, Pattern("inside", (f, *wanted)))
    return within.times(trees.matrix())


def _sets_of(seen: list[tuple[frozenset[str], int]]) -> list[tuple[str, ...]]:
    """Choose the sets of children worth counting: sets seen as a whole, and pairs of children."""
    runs: dict[tuple[str, ...], int] = defaultdict(int)
    for children, n_runs in seen:
        names = sorted(children)
        if 2 <= len(names) <= MOST_CHILDREN:
            runs[tuple(names)] += n_runs
        for pair in combinations(names, 2):
            runs[pair] += n_runs
    return sorted(runs, key=lambda names: (-runs[names], names))[:MOST_SETS]


def _without(patterns: list[Feature], counts: Any, calls: _Sightings[str]) -> tuple[list[Feature], Any]:
    """Add ``f>!g`` and ``f>!{g,h}``, activations of f that lack something: all less those that have it."""
    roots = [calls.place[pattern.functions[0]] for pattern in patterns]
    lacking = (calls.matrix()[:, roots] - counts).tocsc() if patterns else counts
    others: list[Feature] = [Pattern("without", pattern.functions) for pattern in patterns]
    return patterns + others, hstack([counts, lacking], format="csc")


def _chains_and_trees(trees: _Sightings[Tree2]) -> tuple[list[Feature], Any]:
    """Count ``f>g>h``, and trees of two levels that were seen as a whole, by what contains them."""
    keys, common = trees.keys, trees.n_runs_with()
    of_function: dict[str, list[int]] = defaultdict(list)
    for j, (f, children) in enumerate(keys):
        if any(below for _, below in children):
            of_function[f].append(j)
    within = _Incidence()
    for f, numbers in of_function.items():
        seen = [(keys[j][1], int(common[j])) for j in numbers]
        chosen = [*_commonest(_trees_of, f, seen), *_commonest(_mixed_of, f, seen)]
        conditions = [(pattern, pattern.children) for pattern in dict.fromkeys(chosen)]
        for j in numbers:
            children = keys[j][1]
            for g, h in sorted({(g, h) for g, below in children for h in below}):
                within.add(j, Pattern("chain", (f, g, h)))
            for pattern, wanted_children in conditions:
                if all(contains(children, child) for child in wanted_children):
                    within.add(j, pattern)
    return within.times(trees.matrix())


def _commonest(
    listed: Callable[[str, frozenset[Tree1]], Iterator[Pattern]],
    f: str,
    seen: Sequence[tuple[frozenset[Tree1], int]],
) -> list[Pattern]:
    """Choose the patterns of most runs among those listed of each exact tree."""
    runs: dict[Pattern, int] = defaultdict(int)
    for children, n_runs in seen:
        for pattern in listed(f, children):
            runs[pattern] += n_runs
    return sorted(runs, key=lambda p: (-runs[p], p.functions, p.shape))[:MOST_SETS]


def _trees_of(f: str, children: frozenset[Tree1]) -> Iterator[Pattern]:
    """List the trees worth counting of an activation: the whole, and each child by itself."""
    deep = sorted((g, tuple(sorted(below))) for g, below in children if below)
    for g, below in deep:
        if 2 <= len(below) <= MOST_CHILDREN:
            yield Pattern("tree", (f, g, *below), (len(below),))
    whole = sorted((g, tuple(sorted(below))) for g, below in children)
    if len(whole) > 1 and sum(1 + len(below) for _, below in whole) <= MOST_FUNCTIONS:
        functions = [name for g, below in whole for name in (g, *below)]
        yield Pattern("tree", (f, *functions), tuple(len(below) for _, below in whole))


def _mixed_of(f: str, children: frozenset[Tree1]) -> Iterator[Pattern]:
    """List what is cheaper than whole trees: one grandchild by its parent, and another child."""
    names = sorted({g for g, _ in children})
    for g, h in sorted({(g, h) for g, below in children for h in below}):
        for k in names:
            if k != g:
                first, second = sorted([(g, h), (k,)])
                yield Pattern("tree", (f, *first, *second), (len(first) - 1, len(second) - 1))


class _Incidence:
    """Which exact trees contain which patterns."""

    def __init__(self) -> None:
        self.place: dict[Feature, int] = {}
        self._tree, self._pattern = array("q"), array("q")

    def add(self, tree: int, pattern: Pattern) -> None:
        self._tree.append(tree)
        self._pattern.append(self.place.setdefault(pattern, len(self.place)))

    def times(self, counts: Any) -> tuple[list[Feature], Any]:
        shape = (counts.shape[1], len(self.place))
        ones = np.ones(len(self._tree))
        contains = csr_matrix((ones, (np.array(self._tree), np.array(self._pattern))), shape=shape)
        return list(self.place), (counts @ contains).tocsc()
