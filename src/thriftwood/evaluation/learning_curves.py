"""`learning_curve`: what an unseen case costs by the number of cases learnt from, and would by more."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from thriftwood.base.advice import advised
from thriftwood.base.interrupts import ending_all
from thriftwood.base.progress import Progress, reported
from thriftwood.base.remedies import InPython
from thriftwood.costs import Costs
from thriftwood.evaluation.comparisons import answered, ready_learner
from thriftwood.evaluation.folds import folds_of
from thriftwood.evaluation.intervals import Difference, Interval, fold_interval
from thriftwood.evaluation.learnt_columns import learnt_columns
from thriftwood.evaluation.power_law import Laws, fitted_laws
from thriftwood.evaluation.statement import Part, amount, as_html, as_text, words_of
from thriftwood.learning import fit_many
from thriftwood.learning.class_tree import ClassTree
from thriftwood.learning.targets import class_labels
from thriftwood.models.conversion import own_costs
from thriftwood.models.own_answers import answers_itself
from thriftwood.table.results import to_frame
from thriftwood.table.rows import take_rows

FloatArray = NDArray[np.float64]
Rows = NDArray[np.intp]

SIZES, LEAST_SHARE = 5, 0.1
"""So many numbers of cases, from this share of those that are not held out, each the same factor larger."""
LEAST_CASES = 20
"""The smallest number of cases to learn from."""
LEAST_SIZES = 4
"""A law of three parts is fitted to more points than that."""
TOO_WIDE = 0.25
"""An interval wider than this share of what a case costs says nothing that one could act upon."""


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve:
    """What an unseen case costs by the number of cases learnt from.

    Made by `learning_curve`; ``print(curve)`` shows it.

    Attributes
    ----------
    sizes : ndarray of int, of shape (n_sizes,)
        The numbers of cases learnt from.
    cost : ndarray of shape (n_sizes, n_cases)
        What every case costs, tests and answer, by models that have not seen it.
    fold : ndarray of int, of shape (n_cases,)
        The fold that each case was held out in.
    costs : Costs
        What was charged.
    least : float
        The least that a case can cost.
    seed : int
        Decides the drawings of the interval.
    """

    sizes: NDArray[np.int64]
    cost: FloatArray
    fold: Rows
    costs: Costs
    least: float = 0.0
    seed: int = 0

    @property
    def n_cases(self) -> int:
        """The number of cases."""
        return len(self.fold)

    @property
    def n_folds(self) -> int:
        """The number of folds."""
        return int(self.fold.max()) + 1

    @property
    def mean_cost(self) -> FloatArray:
        """What a case costs, for each of `sizes`."""
        return np.asarray(self.cost.mean(axis=1))

    @property
    def intervals(self) -> list[Interval]:
        """Where the mean cost lies with 95 % confidence, for each of `sizes`."""
        return [fold_interval(own, self.fold, least=self.least) for own in self.cost]

    @cached_property
    def fold_means(self) -> FloatArray:
        """What a case of each fold costs, of shape (n_folds, n_sizes)."""
        held = np.bincount(self.fold)
        return np.array([np.bincount(self.fold, own) / held for own in self.cost]).T

    @cached_property
    def saved(self) -> Difference:
        """What a case would cost less after twice as many cases as there are, with its 95 % interval."""
        return self.saved_by(2.0)

    def saved_by(self, factor: float) -> Difference:
        """Return what a case would cost less after `factor` times as many cases as there are.

        >>> import thriftwood as tw
        >>> data = tw.load_dataset("wisconsin-diagnostic")
        >>> curve = tw.learning_curve(tw.algorithm("eg2"), data.X, data.y, data.costs)
        >>> curve.saved_by(1.5).mean <= curve.saved.mean
        True
        """
        if not factor > 1.0:
            raise ValueError(f"More cases are more than 1 times as many. Got factor={factor:g}.")
        return self.laws.saved(self.n_cases, factor * self.n_cases)

    @property
    def can_tell(self) -> bool:
        """Whether the interval of `saved` is narrow enough to act upon: a quarter of the bill."""
        width = self.saved.high - self.saved.low
        return width <= TOO_WIDE * max(float(self.mean_cost[-1]) - self.least, 0.0)

    @property
    def sentence(self) -> str:
        """What twice as many cases would save."""
        cases, words, found = self.costs.cases_name, words_of(self.costs), self.saved
        low, high = amount(_rounded(found.low)), amount(_rounded(found.high))
        if self.can_tell:
            about = words.money(_rounded(found.mean))
            return f"Twice as many {cases} would save about {about} ({low} to {high}) {words.a_one}."
        now = words.money(float(self.mean_cost[-1]))
        return (
            f"It cannot be told whether twice as many {cases} would save anything: {low} to {high} "
            f"{words.a_one}, of {now}."
        )

    @cached_property
    def laws(self) -> Laws:
        """The law that is fitted to the curve, and those of drawings around it."""
        return fitted_laws(self.sizes.astype(float), self.fold_means, self.least, self.seed)

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of `table`."""
        found = self.intervals
        return {
            "n": self.sizes,
            "cost": self.mean_cost,
            "low": np.array([own.low for own in found]),
            "high": np.array([own.high for own in found]),
        }

    @property
    def table(self) -> Any:
        """A frame with a row for each number of cases: n, cost (of an unseen case), and its interval."""
        return to_frame(self.columns)

    def part(self) -> Part:
        """Return what is printed."""
        rows = [
            [f"{n:,}", amount(cost), f"{amount(low)} to {amount(high)}"]
            for n, cost, low, high in zip(*(own.tolist() for own in self.columns.values()), strict=True)
        ]
        heading = (
            f"Cost of an unseen {self.costs.case_name} by the number of {self.costs.cases_name} learnt from, "
            f"{self.n_folds} folds{words_of(self.costs).unit}"
        )
        return Part(heading, ["learnt from", "cost", "95 % interval"], rows)

    def plot(self, ax: Any = None) -> Any:
        """Draw it; see `tw.plot_learning_curve`."""
        from thriftwood import plot_learning_curve  # a higher room: asked for when it is called

        return plot_learning_curve(self, ax)

    def __str__(self) -> str:
        return f"{as_text([self.part()])}\n\n{self.sentence}"

    def _repr_html_(self) -> str:
        return as_html([self.part()])

    def __repr__(self) -> str:
        low, high = self.sizes[[0, -1]].tolist()
        return f"<LearningCurve: {low:,} to {high:,} cases, {amount(float(self.mean_cost[-1]))} a case>"


def _rounded(value: float) -> float:
    """Return a figure beyond the cases there are with the digits that it has: three."""
    return float(f"{value:.3g}")


def learning_curve(
    model: Any,
    X: Any,
    y: Any,
    costs: Costs | None = None,
    *,
    sizes: Sequence[float] | None = None,
    cv: int = 10,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: bool | Progress = False,
) -> LearningCurve:
    """Learn from more and more cases, bill others, and say what twice as many would save.

    The cases are dealt into folds. From the cases outside a fold smaller and smaller parts are taken, each
    within the next and with the classes in their proportions, and the model learnt from each bills the fold.

    Parameters
    ----------
    model : classifier
        Ours, or any that `compare` takes. It is not changed.
    X, y
        As for ``fit``.
    costs : Costs, optional
        What is charged, and what a learner without costs of its own learns with; None: the model's own, or
        free tests and mistakes of 1.
    sizes : list of float, optional
        Shares of the cases outside a fold to learn from, at least four, from 0 to 1. None: 0.1, 0.178, 0.316,
        0.562 and 1, from no fewer than 20 cases on.
    cv : int
        The number of folds, at least 3.
    random_state : int
        Deals the cases, and seeds a learner without a seed of its own.
    n_jobs : int, optional
        Threads; None: as the model says. The result is the same for any number.
    progress : bool or callable
        True: a bar on standard error. A function is called with the number of fits done and of all.

    Returns
    -------
    LearningCurve
        ``print(curve)``, ``curve.sentence``, ``curve.saved``, ``curve.table``, ``curve.plot()``.

    Raises
    ------
    ValueError
        If there are too few cases, or sizes that are no shares.

    Notes
    -----
    The extrapolation is an inverse power law fitted by weighted least squares, its interval by drawings from
    the spread over folds (`thriftwood.evaluation.power_law`). It is never below 0. Where it is wider than a
    quarter of the bill, the sentence says that it cannot be told. It holds for more cases of the same kind,
    for the same learner with the same settings.

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("wisconsin-diagnostic")
    >>> curve = tw.learning_curve(tw.algorithm("eg2"), data.X, data.y, data.costs)
    >>> curve.sizes.tolist(), curve.saved.low >= 0
    ([51, 91, 162, 288, 512], True)
    """
    costs = costs or own_costs(model) or Costs()
    X = learnt_columns(X, costs)
    own = ready_learner(model, costs, random_state, n_jobs)
    classes, labels = class_labels(y, len(y))
    shares = checked_shares(sizes, len(labels), cv)
    fold = folds_of(labels, cv, random_state)
    learnt = _nested_rows(labels, fold, shares, check_random_state(random_state))
    matrix = costs.error_matrix(classes)
    paid = np.zeros((len(shares), len(labels)))
    total = len(shares) * cv
    with reported(progress, "fits") as tell, ending_all(), _said_once():
        for number in range(cv):
            held_out = np.flatnonzero(fold == number)
            unseen = take_rows(X, held_out)
            for place, one in enumerate(_fitted(own, X, y, [rows[number] for rows in learnt])):
                tests, answers, _ = answered(one, unseen, costs, classes)
                paid[place, held_out] = tests + matrix[labels[held_out], answers]
                if tell is not None:
                    tell(number * len(shares) + place + 1, total)
    used = np.array([round(float(np.mean([len(rows) for rows in own_rows]))) for own_rows in learnt])
    least = min(0.0, float(matrix.min()))
    return LearningCurve(used, paid, fold, costs, least, random_state)


def checked_shares(sizes: Sequence[float] | None, n_cases: int, cv: int) -> list[float]:
    """Return the shares to learn from, ascending; raise if there are too few folds or cases."""
    if cv < 3:
        raise ValueError(f"A learning curve needs 3 folds or more, for its intervals. Got {cv}.")
    available = n_cases * (1 - 1 / cv)
    if sizes is None:
        if available < 3 * LEAST_CASES:
            raise advised(
                ValueError,
                f"{n_cases} cases are too few for a learning curve: {cv} folds leave {available:.0f} of them "
                f"to learn from, and {3 * LEAST_CASES} are needed. ",
                InPython("Or say sizes=[...], shares of these."),
            )
        low = max(LEAST_SHARE, LEAST_CASES / available)
        return [float(share) for share in np.geomspace(low, 1.0, SIZES)]
    shares = sorted(set(map(float, sizes)))
    if len(shares) < LEAST_SIZES or not all(0.0 < share <= 1.0 for share in shares):
        raise ValueError(f"sizes must be {LEAST_SIZES} shares or more, above 0 and up to 1. Got {sizes}.")
    return shares


def _nested_rows(labels: NDArray[np.int32], fold: Rows, shares: list[float], rng: Any) -> list[list[Rows]]:
    """Return, for each share, the rows to learn from outside each fold: each within those of the next."""
    found: list[list[Rows]] = [[] for _ in shares]
    for number in range(int(fold.max()) + 1):
        outside = [
            rng.permutation(np.flatnonzero((fold != number) & (labels == k))) for k in np.unique(labels)
        ]
        for rows, share in zip(found, shares, strict=True):
            # Of every class at least one, where there is any: a learner of one class learns nothing.
            taken = [own[: max(round(share * len(own)), min(1, len(own)))] for own in outside]
            rows.append(np.sort(np.concatenate(taken)))
    return found


def _fitted(model: Any, X: Any, y: Any, rows: list[Rows]) -> list[Any]:
    """Learn from each of some sets of rows; a single tree knows the classes and categories of all."""
    if isinstance(model, ClassTree) and model.always_a_tree and not answers_itself(model):
        return list(fit_many(model, X, y, rows))
    labels = np.asarray(y)
    return [clone(model).fit(take_rows(X, own), labels[own]) for own in rows]


@contextmanager
def _said_once() -> Iterator[None]:
    """Show a warning of many fits once, as the user's filters say."""
    with warnings.catch_warnings(record=True) as caught:
        yield
    for one in {(one.category, str(one.message)): one for one in caught}.values():
        warnings.warn(one.message, one.category, stacklevel=4)  # the line that called learning_curve
