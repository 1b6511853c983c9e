"""`Ranking`: what `compare` found, learners in the order of what a case costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import PYTHON, Advice, Words
from thriftwood.base.remedies import Criterion
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import statement
from thriftwood.evaluation.intervals import UNSEEN_DIFFERENCE, Difference, Interval, Spread, fold_interval
from thriftwood.evaluation.verdicts import Verdict
from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]
NO_COSTS = Costs()


def _python(_: str) -> Words:
    return PYTHON


@dataclass(frozen=True, eq=False)
class Contender:
    """A learner and what its trees cost on the cases they had not seen.

    Attributes
    ----------
    name : str
        What it is called in the ranking.
    test_cost, error_cost : ndarray of shape (n_cases,)
        Per case: what its tests cost and what its answer cost.
    right : ndarray of bool
        Per case: whether the answer was right.
    fold : ndarray of int
        Per case: the number of the fold it was held out in.
    n_leaves : float
        The mean number of leaves of its trees; of an ensemble all together, NaN if it is not of trees.
    judged : float or None
        How many cases were held out for each one learnt from; None: each was held out once.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> learner = tw.algorithm("c45", costs=golf.costs.replace(errors_default=20))
    >>> best = tw.compare({"c45": learner}, golf.X, golf.y, cv=3, random_state=0)[0]
    >>> best.name, len(best.test_cost)
    ('c45', 14)
    """

    name: str
    test_cost: FloatArray = field(repr=False)
    error_cost: FloatArray = field(repr=False)
    right: NDArray[np.bool_] = field(repr=False)
    fold: NDArray[np.intp] = field(repr=False)
    n_leaves: float
    judged: float | None = None

    @cached_property
    def cost(self) -> FloatArray:
        """Per case: tests and answer together."""
        return self.test_cost + self.error_cost

    @property
    def mean_cost(self) -> float:
        """What a case costs."""
        return float(self.cost.mean())

    @property
    def interval(self) -> Interval:
        """Where the mean cost lies with 95 % confidence: over folds or, where there is one, of its cases."""
        least, most = self._bounds
        if self.fold.any():
            return fold_interval(self.cost, self.fold, least=least, judged=self.judged)
        return Spread.of(self.cost, least=least, most=most).interval

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return float(self.right.mean())

    def dearer_than(self, other: Contender) -> Interval:
        """Return where the difference of mean costs, on the same folds, lies with 95 % confidence."""
        more = self.cost - other.cost
        if self.fold.any():
            return fold_interval(more, self.fold, judged=self.judged)
        (least, most), (other_least, other_most) = self._bounds, other._bounds
        low, high = least - other_most, most - other_least
        return Spread.of(more, least=low, most=high, unseen=UNSEEN_DIFFERENCE).interval

    @property
    def _bounds(self) -> tuple[float, float]:
        """The least and the most that tests and answers together were seen to cost."""
        return min(0.0, float(self.error_cost.min())), float(self.test_cost.max() + self.error_cost.max())

    def verdict(
        self, nobody: Contender | None, today: Contender | None, costs: Costs, basis: str = ""
    ) -> Verdict:
        """Return what a case costs it, against testing nobody and against today."""
        known = [
            None if other is None else Difference(self.mean_cost - other.mean_cost, *self.dearer_than(other))
            for other in (nobody, today)
        ]
        return Verdict(self.mean_cost, self.interval, known[0], known[1], costs, basis)


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Learners by what a case costs, cheapest first. Made by `compare`; ``print(ranking)`` shows it.

    Attributes
    ----------
    contenders : tuple of Contender
        Cheapest first; equal ones in the order they were given.
    refusals : mapping of str to Advice
        The learners that do not take this table or these costs, and what their errors advise.
    n_cases, n_folds : int
        The size of the comparison.
    untested_cost : float
        What a case costs without any test, if all get the cheapest answer.
    unfinished : tuple of str
        The learners that were not finished when Ctrl-C was pressed; usually none.
    nobody, today : Contender or None
        What a case costs on the same folds if nobody is tested, and today, if the costs say what is done
        today: rows among the learners.
    costs : Costs
        What was charged.
    """

    contenders: tuple[Contender, ...]
    refusals: Mapping[str, Advice]
    n_cases: int
    n_folds: int
    untested_cost: float
    unfinished: tuple[str, ...] = ()
    nobody: Contender | None = None
    today: Contender | None = None
    costs: Costs = NO_COSTS

    def __len__(self) -> int:
        return len(self.contenders)

    def __iter__(self) -> Iterator[Contender]:
        return iter(self.contenders)

    def __getitem__(self, place: int) -> Contender:
        return self.contenders[place]

    @property
    def refused(self) -> dict[str, str]:
        """The learners that do not take this table or these costs, and why."""
        return self.refused_in(_python)

    def refused_in(self, words: Callable[[str], Words]) -> dict[str, str]:
        """Return what is in `refused` for another audience; `words` gives its words for a learner's name."""
        return {name: _line(words(name), advice) for name, advice in self.refusals.items()}

    @cached_property
    def rows(self) -> tuple[Contender, ...]:
        """The learners, and among them testing nobody and today, cheapest first."""
        own = {id(one): one for one in (*self.contenders, self.nobody, self.today) if one is not None}
        # Of equal ones the learner comes first: it was asked about.
        return tuple(sorted(own.values(), key=lambda one: one.mean_cost))

    @property
    def verdict(self) -> Verdict:
        """What a case costs the first learner, against testing nobody and against today."""
        return self.verdict_of(self.contenders[0])

    def verdict_of(self, one: Contender) -> Verdict:
        """Return what a case costs one of the learners, against testing nobody and against today."""
        return one.verdict(self.nobody, self.today, self.costs)

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of `table`."""
        rows, best = self.rows, self.rows[0]
        intervals = [one.interval for one in rows]
        differences = [one.dearer_than(best) for one in rows]
        columns = {
            "name": [one.name for one in rows],
            "cost": np.array([one.mean_cost for one in rows]),
            "low": np.array([own.low for own in intervals]),
            "high": np.array([own.high for own in intervals]),
            "test_cost": np.array([float(one.test_cost.mean()) for one in rows]),
            "error_cost": np.array([float(one.error_cost.mean()) for one in rows]),
            "difference": np.array([one.mean_cost - best.mean_cost for one in rows]),
            "difference_low": np.array([own.low for own in differences]),
            "difference_high": np.array([own.high for own in differences]),
            "accuracy": np.array([one.accuracy for one in rows]),
            "n_leaves": np.array([one.n_leaves for one in rows]),
            "dearer_than": [", ".join(self.verdict_of(one).dearer_than) for one in rows],
        }
        if self.today is not None:
            against = [one.dearer_than(self.today) for one in rows]
            columns["against_today"] = np.array([one.mean_cost - self.today.mean_cost for one in rows])
            columns["against_today_low"] = np.array([own.low for own in against])
            columns["against_today_high"] = np.array([own.high for own in against])
        return columns

    @property
    def table(self) -> Any:
        """A frame with a row per learner, one for testing nobody and one for today, cheapest first.

        Columns: name; cost (a case, on average) with its 95 % interval low, high; test_cost; error_cost;
        difference to the cheapest with its interval; accuracy; n_leaves (mean); dearer_than, what would be
        cheaper of testing nobody and today; and, where the costs say what is done today, against_today with
        its interval: what a case costs more than today, less if negative.
        """
        return to_frame(self.columns)

    def part(self, words: Callable[[str], Words] = _python) -> statement.Part:
        """Return what is printed; `words` as for `refused_in`."""
        amount = statement.amount
        rows, dear = [], False
        for contender in self.rows:
            low, high = contender.interval
            dearer = bool(self.verdict_of(contender).dearer_than)
            dear |= dearer
            rows.append(
                [
                    f"{contender.name} !" if dearer else contender.name,
                    amount(contender.mean_cost),
                    f"{amount(low)} to {amount(high)}",
                    amount(float(contender.test_cost.mean())),
                    amount(float(contender.error_cost.mean())),
                    self._dearer(contender),
                    *self._against_today(contender),
                    f"{100 * contender.accuracy:.1f} %",
                    "" if math.isnan(contender.n_leaves) else amount(round(contender.n_leaves, 1)),
                ]
            )
        words_here = statement.words_of(self.costs)
        held_out = f"{words_here.counted(self.n_cases)} held out in {self.n_folds} folds{words_here.unit}"
        heading = f"Cost per {words_here.one}, {held_out}"
        today = [] if self.today is None else ["above today"]
        columns = ["", "cost", "95 % interval", "tests", "errors", "above the first", *today]
        columns += ["accuracy", "leaves"]
        notes = []
        if dear:
            cheaper = "testing nobody" if self.today is None else "testing nobody, or than today"
            notes.append(f"!: dearer than {cheaper}")
        notes += _left_out(self.refusals, words)
        if self.unfinished:
            notes.append(f"not finished when Ctrl-C was pressed: {', '.join(self.unfinished)}")
        return statement.Part(heading, columns, rows, tuple(notes))

    def _dearer(self, contender: Contender) -> str:
        best = self.rows[0]
        return "" if contender is best else _more(contender, best)

    def _against_today(self, contender: Contender) -> list[str]:
        if self.today is None:
            return []
        return ["" if contender is self.today else _more(contender, self.today)]

    def __str__(self) -> str:
        return self.text()

    @property
    def headline(self) -> str:
        """The verdict of the first learner, with its name."""
        return f"{self.contenders[0].name}: {self.verdict}"

    def text(self, words: Callable[[str], Words] = _python) -> str:
        """Return the ranking as text; `words` as for `refused_in`."""
        return f"{self.headline}\n\n{statement.as_text([self.part(words)])}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.headline)}</p>{statement.as_html([self.part()])}"

    def __repr__(self) -> str:
        best = self.contenders[0]
        return (
            f"<Ranking: {counted(len(self), 'learner')}, {best.name} first with {best.mean_cost:.4g} a case>"
        )


def _more(one: Contender, other: Contender) -> str:
    """Write what a case costs more, with its interval."""
    amount = statement.amount
    low, high = one.dearer_than(other)
    return f"{amount(one.mean_cost - other.mean_cost)} ({amount(low)} to {amount(high)})"


def _left_out(refusals: Mapping[str, Advice], words: Callable[[str], Words]) -> list[str]:
    """Say who is left out and why; learners with the same reason, but for their criterion, share a note."""
    alike: dict[Advice, list[str]] = {}
    for name, advice in refusals.items():
        alike.setdefault(_without_criterion(advice), []).append(name)
    notes = []
    for shared, names in alike.items():
        first = refusals[names[0]]
        if len(names) == 1:
            notes.append(f"{names[0]} is left out: {_line(words(names[0]), first)}")
        else:
            lead = "each " if shared is not first else ""
            reason = _line(words(names[0]), shared)
            notes.append(f"{', '.join(names[:-1])} and {names[-1]} are left out: {lead}{reason}")
    return notes


def _without_criterion(advice: Advice) -> Advice:
    """Return a reason that begins with its learner's criterion without it; any other as it is."""
    first = advice.parts[0] if advice.parts else ""
    return Advice(advice.parts[1:]) if isinstance(first, Criterion) else advice


def _line(words: Words, advice: Advice) -> str:
    return " ".join(words.said(advice).split())
