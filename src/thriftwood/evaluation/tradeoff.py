"""`Frontier`: what `frontier` found, a point for each value of the parameter."""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import PYTHON, Advice, Words
from thriftwood.base.parameters import Choice, Real, parameter_error
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import statement
from thriftwood.evaluation.measures import SCORES
from thriftwood.evaluation.pareto import cheapest, cost_of, pareto
from thriftwood.evaluation.ranking import Contender
from thriftwood.evaluation.verdicts import Verdict
from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]

COSTS = ("sequential", "upfront")
WITHIN = 0.01
"""How much a cheaper tree may lose, unless somebody says otherwise: so much of an accuracy; of a cost or a
loss, whose unit can be anything, this share of the best."""


@dataclass(frozen=True, slots=True)
class Point:
    """One value of the parameter, with the score and the cost of its model.

    Attributes
    ----------
    value
        Of the parameter.
    score, score_se : float
        The mean over folds and its standard error.
    cost, cost_se : float
        The cost of tests, and its standard error; that of an upfront cost, which is known, is 0.
    model : fitted classifier
        The model with this value, fitted on all cases.
    """

    value: Any
    score: float
    score_se: float
    cost: float
    cost_se: float
    model: Any = field(repr=False)

    @property
    def value_text(self) -> str:
        """The value as tables show it."""
        return f"{self.value:g}" if isinstance(self.value, float) else str(self.value)


@dataclass(frozen=True, eq=False, repr=False)
class Frontier:
    """Money against accuracy. Made by `frontier`; ``print(frontier)`` shows it, ``frontier.plot()`` draws it.

    Iterating gives the points (`Point`) in the order of the values.

    Attributes
    ----------
    param : str
        The parameter that was varied.
    values : tuple
        Its values; after an interruption those that were finished.
    columns : mapping of str to array or list
        The columns of `points`.
    models : tuple of fitted classifiers
        For each value the model, fitted on all cases.
    accuracy, cost : str
        What is weighed against what.
    n_folds : int
        The number of folds.
    interrupted : bool
        Whether Ctrl-C came before all values were finished.
    charged : Costs or None
        What was charged.
    contenders : tuple of Contender
        For each value what the judged cases cost; none where cases are weighted.
    nobody, today : Contender or None
        What they cost if nobody is tested, and today, if the costs say what is done today.
    refusal : Advice or None
        Why today's practice is left out, where it is.

    Examples
    --------
    >>> import thriftwood as tw
    >>> golf = tw.load_dataset("golf-nominal")
    >>> learner = tw.algorithm("csgain", costs=golf.costs)
    >>> found = tw.frontier(learner, golf.X, golf.y, values=[0, 0.1], cv=3, random_state=0)
    >>> found.param, found.values, found.n_folds
    ('gamma', (0, 0.1), 3)
    """

    param: str
    values: tuple[Any, ...]
    columns: Mapping[str, NDArray[Any] | list[Any]]
    models: tuple[Any, ...]
    accuracy: str
    cost: str
    n_folds: int
    interrupted: bool = False
    charged: Costs | None = None
    contenders: tuple[Contender, ...] = ()
    nobody: Contender | None = None
    today: Contender | None = None
    refusal: Advice | None = None

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, number: int) -> Point:
        return Point(
            self.values[number],
            float(self.columns[self.accuracy][number]),
            float(self.columns[f"{self.accuracy}_se"][number]),
            float(self.costs[number]),
            float(self.cost_errors[number]),
            self.models[number],
        )

    def __iter__(self) -> Iterator[Point]:
        return (self[number] for number in range(len(self)))

    # The points

    @property
    def points(self) -> Any:
        """A frame with a row per value.

        Columns: value; accuracy, balanced_accuracy, error_cost, log_loss, sequential_cost and total_cost
        (tests and mistakes), means over folds, each with its standard error in ..._se; and of the model on
        all cases upfront_cost, n_leaves and depth (NaN if it is no single tree of ours), n_tests (different
        features tested), training_accuracy.
        """
        return to_frame(self.columns)

    @property
    def pareto(self) -> Any:
        """The rows of `points` that no other beats in cost and accuracy both, cheapest first.

        Of equal points the one of the smallest value is kept.
        """
        kept = self.pareto_numbers
        return to_frame({name: _taken(column, kept) for name, column in self.columns.items()})

    @cached_property
    def pareto_numbers(self) -> list[int]:
        """Where the points of `pareto` stand among `values`."""
        return pareto(self.costs, self._gains, self._ranks)

    @property
    def scores(self) -> FloatArray:
        """For each value what the frontier is judged by, as `accuracy` says."""
        return np.asarray(self.columns[self.accuracy])

    @property
    def costs(self) -> FloatArray:
        """For each value the cost of tests, as `cost` says."""
        return np.asarray(self.columns[f"{self.cost}_cost"])

    @property
    def cost_errors(self) -> FloatArray:
        """The standard errors of `costs`."""
        known = np.zeros(len(self))
        return np.asarray(self.columns["sequential_cost_se"]) if self.cost == "sequential" else known

    @property
    def larger_is_better(self) -> bool:
        """Whether a larger score is a better one."""
        return SCORES[self.accuracy]

    @property
    def _gains(self) -> FloatArray:
        return self.scores if self.larger_is_better else -self.scores

    @property
    def _ranks(self) -> list[int]:
        """The order of the values: by size if they have one, otherwise as they came."""
        sized = all(isinstance(v, numbers.Real) for v in self.values)
        order = sorted(range(len(self)), key=lambda i: self.values[i] if sized else i)
        ranks = [0] * len(self)
        for rank, number in enumerate(order):
            ranks[number] = rank
        return ranks

    # Choosing

    def cheapest(self, within: float | None = None) -> Point:
        """Return the point with the least bill, or with the cheapest tests among those that score well.

        Parameters
        ----------
        within : float, optional
            None, where mistakes have a price and no other measure was asked for: the point whose tests and
            mistakes together cost least. Else the point with the cheapest tests among those that score nearly
            as well as the best, and `within` is how much worse than that a score may be, in its own units:
            0.01 is a percentage point of accuracy, but a hundredth of a unit of money for an error cost.
            None: 0.01 for an accuracy, and 1 % of the best score for an error cost or a log loss.

        Returns
        -------
        Point
            Of points that cost the same the better score, then the smaller value.
        """
        return self[self.cheapest_number(within)]

    def cost_at(self, score: float) -> float:
        """Return the least that a score costs; infinity where no point reaches it.

        Between the scores of two points lies what one gets by answering some of the cases, drawn at random,
        with one model and the rest with the other. Below the worst point of the Pareto line its cost counts.

        Parameters
        ----------
        score : float
            Of the measure that the frontier is judged by.
        """
        kept = self.pareto_numbers
        gain = score if self.larger_is_better else -score
        return cost_of(self.costs[kept], self._gains[kept], gain)

    def cheapest_number(self, within: float | None = None) -> int:
        """Return where the point of `cheapest` stands among `values`."""
        if within is None and self.by_bill:
            return int(np.lexsort((np.array(self._ranks), self.costs, self.bills))[0])
        return cheapest(self.costs, self._gains, self.allowance(within), self._ranks)

    @property
    def by_bill(self) -> bool:
        """Whether mistakes have a price, and no other measure was asked for: the whole bill chooses then."""
        return self.charged is not None and self.charged.names_errors and self.accuracy == "accuracy"

    @cached_property
    def bills(self) -> FloatArray:
        """For each value what a case costs: tests, paid as `cost` says, and mistakes.

        The mean of all judged cases; where cases are weighted, that over folds of their means.
        """
        if self.contenders:
            return np.array([self._billed(number).mean_cost for number in range(len(self))])
        return np.asarray(self.costs + np.asarray(self.columns["error_cost"]), dtype=np.float64)

    def _billed(self, number: int) -> Contender:
        """Return what the judged cases cost at a value, tests paid as `cost` says."""
        one = self.contenders[number]
        if self.cost == "sequential":
            return one
        return replace(one, test_cost=np.full(len(one.test_cost), self.costs[number]))

    def verdict(self, within: float | None = None) -> Verdict | None:
        """Return what a case costs at the point of `cheapest`, against testing nobody and against today.

        None where cases are weighted, or nothing is charged.
        """
        if not self.contenders or self.charged is None:
            return None
        one = self._billed(self.cheapest_number(within))
        basis = f"By {self.n_folds}-fold cross-validation." if self.n_folds > 1 else "Of cases held out."
        return one.verdict(self.nobody, self.today, self.charged, basis)

    def allowance(self, within: float | None = None) -> float:
        """Return how much worse than the best a score may be, as `cheapest` takes it."""
        if within is None:
            return WITHIN if self.larger_is_better else WITHIN * abs(float(self._gains.max()))
        if not Real(0.0).accepts(within):
            raise parameter_error("cheapest", "within", within, Real(0.0, none=True))
        return float(within)

    def near_the_best(self, within: float | None = None) -> str:
        """Say in words what `cheapest` goes by."""
        if within is None and self.by_bill:
            return "by tests and mistakes together"
        share = f" ({WITHIN:.0%} of it)" if within is None and not self.larger_is_better else ""
        return f"within {self.allowance(within):.4g}{share} of the best score"

    @property
    def model(self) -> Any:
        """The model of `cheapest`, fitted on all cases."""
        return self.cheapest().model

    def refit(self, point: Any) -> Any:
        """Return the model of a point or of a value, fitted on all cases.

        Raises
        ------
        ValueError
            If the value is not one of those tried.
        """
        value = point.value if isinstance(point, Point) else point
        for number, known in enumerate(self.values):
            if known is value or known == value:
                return self.models[number]
        raise ValueError(
            f"{self.param}={value!r} was not tried. The values are {', '.join(map(repr, self.values))}."
        )

    def by(self, accuracy: str | None = None, cost: str | None = None) -> Frontier:
        """Return the same trees seen by another pair of measures; nothing is fitted again."""
        accuracy, cost = accuracy or self.accuracy, cost or self.cost
        for name, given, known in (("accuracy", accuracy, tuple(SCORES)), ("cost", cost, COSTS)):
            if not Choice(known).accepts(given):
                raise parameter_error("by", name, given, Choice(known))
        return replace(self, accuracy=accuracy, cost=cost)

    # How it is shown

    def plot(self, ax: Any = None, *, within: float | None = None) -> Any:
        """Draw all points, the Pareto line, and the point that `cheapest` chooses; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None: a figure of its own.
        within : float, optional
            As for `cheapest`.

        Returns
        -------
        matplotlib Axes
        """
        from thriftwood import plot_frontier  # a higher room: asked for when it is called

        return plot_frontier(self, ax, within=within)

    def text(self, within: float | None = None) -> str:
        """Return the table of all points; marked are the Pareto points and that of ``cheapest(within)``."""
        said = self.verdict(within)
        table = statement.as_text([self.part(within)])
        return table if said is None else f"{said}\n\n{table}"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return statement.as_html([self.part()])

    def __repr__(self) -> str:
        left = " (interrupted)" if self.interrupted else ""
        return (
            f"<Frontier: {counted(len(self), 'value')} of {self.param}{left}, {len(self.pareto_numbers)} on "
            f"the Pareto line, {self.accuracy} against {self.cost} cost>"
        )

    def part(self, within: float | None = None, words: Words = PYTHON) -> statement.Part:
        """Give the points as a small table to be shown; `words` are those of the reader."""
        chosen, kept = self.cheapest_number(within), set(self.pareto_numbers)
        rows = []
        for number, point in enumerate(self):
            marks = ["*"] * (number in kept) + ["cheapest"] * (number == chosen)
            share = f"{point.score:.4f} ± {point.score_se:.4f}"
            score = _money(point.score, point.score_se) if self.accuracy == "error_cost" else share
            known = statement.amount(point.cost)
            price = known if self.cost == "upfront" else _money(point.cost, point.cost_se)
            rows.append(
                [
                    point.value_text,
                    score,
                    price,
                    *([statement.amount(float(self.bills[number]))] if self.by_bill else []),
                    statement.amount(float(self.columns["n_tests"][number])),
                    statement.amount(float(self.columns["n_leaves"][number])),
                    " ".join(marks),
                ]
            )
        heading = [self.param, self.accuracy.replace("_", " "), f"{self.cost} cost"]
        heading += [*(["bill"] if self.by_bill else []), "tests", "leaves", ""]
        title = (
            f"Frontier of {self.param}: {counted(self.n_folds, 'fold')}" + ", interrupted" * self.interrupted
        )
        notes: tuple[str, ...] = (
            "*: no other point beats it in both; cheapest: the least cost "
            f"{self.near_the_best(within)}; ±: one standard error over folds; tests, leaves"
            + (" and upfront cost" if self.cost == "upfront" else "")
            + ": of the model on all cases"
            + ("; bill: tests and mistakes" if self.by_bill else ""),
        )
        if self.refusal is not None:
            notes += (f"today is left out: {words.said(self.refusal)}",)
        return statement.Part(title, heading, rows, notes)


def _money(mean: float, error: float) -> str:
    """Write an amount and its standard error."""
    return f"{statement.amount(mean)} ± " + (f"{error:,.2f}" if abs(mean) >= 0.1 else f"{error:.3g}")


def _taken(column: NDArray[Any] | list[Any], kept: list[int]) -> NDArray[Any] | list[Any]:
    return column[kept] if isinstance(column, np.ndarray) else [column[number] for number in kept]
