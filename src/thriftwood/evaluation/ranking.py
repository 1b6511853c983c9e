"""`Ranking`: what `compare` found, learners in the order of what a case costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import PYTHON, Advice, Words
from thriftwood.base.remedies import Criterion
from thriftwood.costs.names import counted
from thriftwood.evaluation import statement
from thriftwood.evaluation.intervals import Interval, fold_interval
from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]


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
    """

    name: str
    test_cost: FloatArray = field(repr=False)
    error_cost: FloatArray = field(repr=False)
    right: NDArray[np.bool_] = field(repr=False)
    fold: NDArray[np.intp] = field(repr=False)
    n_leaves: float

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
        """Where the mean cost lies with 95 % confidence."""
        return fold_interval(self.cost, self.fold, least=min(0.0, float(self.error_cost.min())))

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return float(self.right.mean())

    def dearer_than(self, other: Contender) -> Interval:
        """Return where the difference of mean costs, on the same folds, lies with 95 % confidence."""
        return fold_interval(self.cost - other.cost, self.fold)


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
    """

    contenders: tuple[Contender, ...]
    refusals: Mapping[str, Advice]
    n_cases: int
    n_folds: int
    untested_cost: float
    unfinished: tuple[str, ...] = ()

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

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of `table`."""
        best = self.contenders[0]
        intervals = [contender.interval for contender in self]
        differences = [contender.dearer_than(best) for contender in self]
        return {
            "name": [contender.name for contender in self],
            "cost": np.array([contender.mean_cost for contender in self]),
            "low": np.array([own.low for own in intervals]),
            "high": np.array([own.high for own in intervals]),
            "test_cost": np.array([float(contender.test_cost.mean()) for contender in self]),
            "error_cost": np.array([float(contender.error_cost.mean()) for contender in self]),
            "difference": np.array([contender.mean_cost - best.mean_cost for contender in self]),
            "difference_low": np.array([own.low for own in differences]),
            "difference_high": np.array([own.high for own in differences]),
            "accuracy": np.array([contender.accuracy for contender in self]),
            "n_leaves": np.array([contender.n_leaves for contender in self]),
        }

    @property
    def table(self) -> Any:
        """A frame with a row per learner, cheapest first.

        Columns: name; cost (a case, on average) with its 95 % interval low, high; test_cost; error_cost;
        difference to the cheapest with its interval; accuracy; n_leaves (mean).
        """
        return to_frame(self.columns)

    def part(self, words: Callable[[str], Words] = _python) -> statement.Part:
        """Return what is printed; `words` as for `refused_in`."""
        amount = statement.amount
        rows = []
        for contender in self:
            low, high = contender.interval
            rows.append(
                [
                    contender.name,
                    amount(contender.mean_cost),
                    f"{amount(low)} to {amount(high)}",
                    amount(float(contender.test_cost.mean())),
                    amount(float(contender.error_cost.mean())),
                    self._dearer(contender),
                    f"{100 * contender.accuracy:.1f} %",
                    "" if math.isnan(contender.n_leaves) else amount(round(contender.n_leaves, 1)),
                ]
            )
        heading = f"Cost per case, {counted(self.n_cases, 'case')} held out in {self.n_folds} folds"
        columns = ["", "cost", "95 % interval", "tests", "errors", "above the first", "accuracy", "leaves"]
        if len(self) == 1:  # nobody is above it
            place = columns.index("above the first")
            columns.pop(place)
            for row in rows:
                row.pop(place)
        notes = [f"no tests, the cheapest answer for all: {amount(self.untested_cost)}"]
        notes += _left_out(self.refusals, words)
        if self.unfinished:
            notes.append(f"not finished when Ctrl-C was pressed: {', '.join(self.unfinished)}")
        return statement.Part(heading, columns, rows, tuple(notes))

    def _dearer(self, contender: Contender) -> str:
        best = self.contenders[0]
        if contender is best:
            return ""
        low, high = contender.dearer_than(best)
        amount = statement.amount
        return f"{amount(contender.mean_cost - best.mean_cost)} ({amount(low)} to {amount(high)})"

    def __str__(self) -> str:
        return self.text()

    def text(self, words: Callable[[str], Words] = _python) -> str:
        """Return the ranking as text; `words` as for `refused_in`."""
        return statement.as_text([self.part(words)])

    def _repr_html_(self) -> str:
        return statement.as_html([self.part()])

    def __repr__(self) -> str:
        best = self.contenders[0]
        return (
            f"<Ranking: {counted(len(self), 'learner')}, {best.name} first with {best.mean_cost:.4g} a case>"
        )


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
