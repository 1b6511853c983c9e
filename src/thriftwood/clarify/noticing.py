"""`normal_of`: what is normal, measured on folds and on labels that were left out whole."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from thriftwood.base.rising import rising
from thriftwood.clarify.evidence import KIND_OF, EvidenceKind
from thriftwood.clarify.guards import guards_of
from thriftwood.clarify.judging import Evaluator, JudgedTree
from thriftwood.clarify.normal import ASKED, FRESH, MOST_KNOWN, UNRECORDED, Normal, bound_of, ranges, spreads
from thriftwood.clarify.patterns import Sign
from thriftwood.clarify.strangers import Called, lonely_calls, strange_calls
from thriftwood.clarify.telling import FACT

Rows = NDArray[np.intp]
FALSE_ALARMS = 0.05
"""The share of known runs that may be called unknown by mistake."""
LEAST_LIMIT = 0.1
"""A tenth of the width of a range: where all runs are within theirs, one just outside is not unknown."""
SMALLEST = 1e-9
Shown = Sequence[Collection[Sign]] | None
Folds = Sequence[tuple[Rows, Rows]]


class _Judged(NamedTuple):
    """Runs that a tree had not seen."""

    said: list[str]
    right: NDArray[np.bool_]
    share: NDArray[np.float64]
    odd: NDArray[np.float64]


class _Desk:
    """The table that the tree was chosen from, and trees that are learnt from parts of it."""

    def __init__(
        self,
        evaluator: Evaluator,
        tree: JudgedTree,
        is_sign: Sequence[bool],
        shown: Shown,
        without: Collection[EvidenceKind],
        strangers: int | None,
        called: Called | None,
    ) -> None:
        self.labels, self.tree, self.shown, self.without = evaluator.labels, tree, shown, without
        self.prices = evaluator.prices
        self.offered = evaluator.counts[:, tree.offered].tocsr()
        self.values: NDArray[np.float64] = evaluator.counts.toarray()
        self.is_sign = np.array(is_sign, dtype=bool)
        self.strangers, self.called = strangers, called

    def watched(self, rows: Rows, tested: tuple[int, ...]) -> tuple[int, ...]:
        """Return the columns that a tree tests and those that guard its labels, sorted."""
        guards = guards_of(self.values[rows], self.labels[rows], self.prices, tested)
        return tuple(sorted({*tested, *guards, *([] if self.strangers is None else [self.strangers])}))

    def normal(self, rows: Rows, columns: tuple[int, ...]) -> Normal:
        """Return what is normal in some runs; nothing is odd enough yet."""
        labels = self.labels[rows].tolist()
        values = self.values[np.ix_(rows, np.array(columns, dtype=np.intp))]
        low, high = ranges(values.tolist(), labels)
        runs, of_all = Counter(labels), self._spread(values, columns)
        known, surprise = self._known(rows, values[:, self.is_sign[list(columns)]], labels)
        return Normal(
            low=low,
            high=high,
            spread={label: spreads(low[label], high[label], runs[label], of_all) for label in low},
            known=known,
            surprise=surprise,
            limit=float("inf"),
            rate=0.0,
            steps=((0.0, 0.5),),
            trust=dict.fromkeys(sorted(set(labels)), 1.0),
        )

    def _spread(self, values: NDArray[np.float64], columns: tuple[int, ...]) -> list[float]:
        """Return the standard deviation of log(1 + value) of each column, 0 of signs."""
        found = np.log1p(values).std(axis=0)
        found[self.is_sign[list(columns)] | (found < SMALLEST)] = 0.0
        return list(map(float, found))

    def _known(
        self, rows: Rows, asked: NDArray[np.float64], labels: Sequence[str]
    ) -> tuple[dict[str, dict[str, frozenset[str]]], dict[str, dict[str, float]]]:
        """Return what runs of each label showed, and how odd it is that one shows something else."""
        names = np.array(labels)
        of_label = {str(label): np.flatnonzero(names == label) for label in np.unique(names)}
        known: dict[str, dict[str, frozenset[str]]] = {label: {} for label in of_label}
        surprise = {
            label: {ASKED: _surprise(_lonely_values(asked[places]), len(places))}
            for label, places in of_label.items()
        }
        if self.shown is None:
            return known, surprise
        texts = [_by_kind(self.shown[row]) for row in rows.tolist()]
        for kind in FRESH:
            if KIND_OF[kind] in self.without or not any(kind in run for run in texts):
                continue
            for label, places in of_label.items():
                runs = [texts[place].get(kind, ()) for place in places.tolist()]
                counts = Counter(text for run in runs for text in run)
                known[label][kind] = frozenset(_commonest(counts))
                lonely = sum(any(counts[text] == 1 for text in run) for run in runs)
                surprise[label][kind] = _surprise(lonely, len(runs))
        return known, surprise

    def judged(self, seen: Rows, unseen: Rows) -> _Judged:
        """Learn from some runs, judge others: the tree, its guards and what is normal."""
        model: Any = clone(self.tree.model).fit(self.offered[seen], self.labels[seen])
        tree = model.tree_
        tested = tuple(int(self.tree.offered[f]) for f in np.unique(tree.core.feature) if f >= 0)
        columns = self.watched(seen, tested)
        normal = self.normal(seen, columns)
        said, share, odd = [], [], []
        shares: dict[int, tuple[str, float]] = {}
        watched = self.values[np.ix_(unseen, np.array(columns, dtype=np.intp))]
        if self.strangers is not None:
            assert self.called is not None  # the two belong together
            watched[:, columns.index(self.strangers)] = strange_calls(self.called, seen, unseen)
        values = watched.tolist()
        for place, leaf in enumerate(tree.apply(self.offered[unseen]).tolist()):
            if leaf not in shares:
                label, counts = str(tree.answer(leaf)), tree.counts(leaf)
                n_alike = sum(counts.values()) + len(normal.trust)
                shares[leaf] = label, (counts.get(label, 0.0) + 1) / n_alike
            label, sure = shares[leaf]
            said.append(label)
            share.append(sure)
            shown = None if self.shown is None else self.shown[int(unseen[place])]
            odd.append(normal.oddness(label, values[place], shown))
        right = np.array(said) == self.labels[unseen]
        return _Judged(said, right, np.array(share), np.array(odd))

    def oddness(self, folds: Folds) -> NDArray[np.float64]:
        """Return how odd the runs of some folds are to those who have not seen them."""
        return np.concatenate([self.judged(seen, unseen).odd for seen, unseen in folds])

    def each_alone(self, normal: Normal, columns: tuple[int, ...]) -> NDArray[np.float64]:
        """Return how odd each run is by what is normal without it; the tree has seen it."""
        values = self.values[:, list(columns)].copy()
        recorded, of_all = values.copy(), self._spread(values, columns)
        if self.strangers is not None:
            assert self.called is not None  # the two belong together
            values[:, columns.index(self.strangers)] = lonely_calls(self.called)
        tree: Any = self.tree.model.tree_
        said = [str(tree.answer(leaf)) for leaf in tree.apply(self.offered).tolist()]
        odd = np.zeros(len(said))
        for label in np.unique(self.labels).tolist():
            places = np.flatnonzero(self.labels == label)
            ordered = np.sort(recorded[places], axis=0)
            texts = {} if self.shown is None else {p: _by_kind(self.shown[p]) for p in places.tolist()}
            counts = Counter(
                (kind, text) for run in texts.values() for kind, those in run.items() for text in those
            )
            for place in places.tolist():
                row, own = values[place], normal
                if said[place] == label:
                    known = {
                        kind: those - {t for t in texts[place].get(kind, ()) if counts[kind, t] == 1}
                        for kind, those in normal.known[label].items()
                    }
                    low = np.where(row == ordered[0], ordered[1], ordered[0])
                    high = np.where(row == ordered[-1], ordered[-2], ordered[-1])
                    own = replace(
                        normal,
                        low={label: tuple(low.tolist())},
                        high={label: tuple(high.tolist())},
                        spread={label: spreads(low.tolist(), high.tolist(), len(places) - 1, of_all)},
                        known={label: known},
                    )
                shown = None if self.shown is None else self.shown[place]
                odd[place] = own.oddness(said[place], row.tolist(), shown)
        return odd


def normal_of(
    evaluator: Evaluator,
    tree: JudgedTree,
    is_sign: Sequence[bool],
    shown: Shown,
    *,
    without: Collection[EvidenceKind] = (),
    rate: float = FALSE_ALARMS,
    strangers: int | None = None,
    called: Called | None = None,
    more: Sequence[Folds] = (),
    others: Sequence[Folds] = (),
) -> tuple[Normal, tuple[int, ...]]:
    """Measure what is normal for each label, and from when on a run is unknown.

    Returns that, and the columns that it is about: those of the tree and of its guards.

    Parameters
    ----------
    evaluator : Evaluator
        Runs, labels and folds.
    tree : JudgedTree
        The tree that was chosen; trees like it are learnt from parts of the runs.
    is_sign : sequence of bool
        For each column of the table, whether it is a sign.
    shown : sequence of collections of Sign, or None
        What each run showed; None if nobody knows.
    without : collection of str
        Evidence that is not looked at.
    rate : float
        The share of known runs that may be called unknown by mistake.
    strangers : int, optional
        The column of the calls of functions that no run called.
    called : Called, optional
        The calls of each function in each run: a label that is left out leaves strangers behind.
    more : sequence of lists of (rows to learn from, rows to judge)
        Deals of folds that the limit is taken from besides those of the evaluator: of one deal alone it is
        off by a fifth of the rate.
    others : sequence of lists of (rows to learn from, rows to judge)
        Deals that it is not taken from, to count false alarms on; none: those of the evaluator.
    """
    desk = _Desk(evaluator, tree, is_sign, shown, without, strangers, called)
    known = [desk.judged(seen, unseen) for seen, unseen in evaluator.folds]
    foreign = [desk.judged(*parts) for parts in _left_out(evaluator.labels)]
    every = np.arange(len(evaluator.labels))
    columns = desk.watched(every, tree.columns)
    normal = desk.normal(every, columns)
    odd = np.concatenate([one.odd for one in known])
    unseen = np.concatenate([odd, *(desk.oddness(folds) for folds in more)])
    limit = max(_limit(unseen, rate), _limit(desk.each_alone(normal, columns), rate), LEAST_LIMIT)
    bound = bound_of(limit)
    right = np.concatenate([one.right for one in known])
    share = np.concatenate([one.share for one in known])
    fine = odd <= bound
    normal = replace(
        normal,
        limit=limit,
        rate=rate,
        steps=rising(share[fine].tolist(), right[fine].tolist()),
    )
    trust = _trust(normal.trust, known, foreign, bound)
    fresh = np.concatenate([desk.oddness(folds) for folds in others]) if others else odd
    figures = {"alarms": float((fresh > bound).mean())}
    if foreign:
        misled: list[bool] = []
        for place, one in enumerate(foreign):  # trusted as far as the other labels that were left out tell
            rest = replace(
                normal, trust=_trust(trust, known, [*foreign[:place], *foreign[place + 1 :]], bound)
            )
            sure = map(rest.confidence, one.said, one.share.tolist())
            misled += [near and much > FACT for near, much in zip(one.odd <= bound, sure, strict=True)]
        noticed = np.concatenate([one.odd for one in foreign]) > bound
        figures |= {"noticed": float(noticed.mean()), "misled": float(np.mean(misled))}
    return replace(normal, trust=trust, figures=figures), columns


def _left_out(labels: NDArray[np.str_]) -> Iterator[tuple[Rows, Rows]]:
    """Leave one label after the other out, where two are left to learn from."""
    names = np.unique(labels)
    for name in names if len(names) > 2 else ():
        yield np.flatnonzero(labels != name), np.flatnonzero(labels == name)


def _limit(odd: NDArray[np.float64], rate: float) -> float:
    """Return the least limit that at most this share of runs is above."""
    ordered = np.sort(odd)
    allowed = int(rate * len(odd) + 1e-9)
    return float(ordered[len(odd) - 1 - allowed]) if allowed < len(odd) else -1.0


def _trust(
    labels: Collection[str], known: Sequence[_Judged], foreign: Sequence[_Judged], bound: float
) -> dict[str, float]:
    """Return the share of runs given each label that have a recorded cause."""
    ours, theirs = dict.fromkeys(labels, 0.0), dict.fromkeys(labels, 0.0)
    for counts, groups in ((ours, known), (theirs, foreign)):
        total = sum(len(one.said) for one in groups)
        for one in groups:
            for label, oddness in zip(one.said, one.odd.tolist(), strict=True):
                counts[label] += (oddness <= bound) / total
    weight, mean = 1.0 / (UNRECORDED - 1), sum(theirs.values()) / max(len(theirs), 1)
    return {
        label: ours[label] / (ours[label] + weight * (theirs[label] + mean) / 2) if ours[label] else 0.5
        for label in labels
    }


def _commonest(counts: Counter[str]) -> list[str]:
    return sorted(counts, key=lambda text: (-counts[text], text))[:MOST_KNOWN]


def _by_kind(shown: Collection[Sign]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for sign in shown:
        found.setdefault(sign.kind, []).append(sign.text)
    return found


def _lonely_values(asked: NDArray[np.float64]) -> int:
    """Count the runs that alone have a sign, or alone lack it."""
    n, having = len(asked), asked.sum(axis=0)
    alone = ((asked > 0) & (having == 1)) | ((asked == 0) & (having == n - 1))
    return int(alone.any(axis=1).sum())


def _surprise(lonely: int, n_runs: int) -> float:
    """Return how odd something new is, where so many of so many runs have something of their own."""
    return -math.log((lonely + 1) / (n_runs + 2))
