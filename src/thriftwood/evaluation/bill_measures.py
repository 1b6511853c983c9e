"""`BillMeasures`: what follows from the sums of a bill, whether its cases are kept or only added up."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import statement
from thriftwood.evaluation.confusion import Confusion
from thriftwood.evaluation.intervals import Difference, Interval, Spread
from thriftwood.models.labels import with_further
from thriftwood.models.tree.tree import Tree
from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]


class Bought(NamedTuple):
    """What all cases bought, per feature."""

    times: FloatArray
    """How often; the weight of those who did, if cases were weighted."""
    paid: FloatArray
    """What was paid for it in total."""
    ever: NDArray[np.bool_]
    """Whether anybody did."""


class BillMeasures:
    """The measures of a bill; `Bill` says what the attributes are."""

    single_tree: Tree | None
    classes: NDArray[Any] | None
    feature_names: tuple[str, ...]
    tests: NDArray[np.int32]
    costs: Costs
    error_matrix: FloatArray | None
    upfront_cost: float
    full_price: FloatArray
    budget: float | None
    further: tuple[str, ...]
    learnt_answer: int | None

    @cached_property
    def answers(self) -> NDArray[Any] | None:
        """The classes, then the answers that are none; None for a regression tree."""
        if self.classes is None or not self.further:
            return self.classes
        return with_further(self.classes, self.further)

    @property
    def tree(self) -> Tree:
        """The tree whose bill it is."""
        if self.single_tree is None:
            raise TypeError(
                "This is the bill of a model that is no single tree of thriftwood: no tree to show."
            )
        return self.single_tree

    if TYPE_CHECKING:  # sums over cases: worked out by `Bill`, fields of `TotalBill`

        @property
        def n_cases(self) -> int:
            """The number of cases."""

        @property
        def weight(self) -> float:
            """What all cases count together: their number, unless they were weighted."""

        @property
        def is_weighted(self) -> bool:
            """Whether cases were weighted."""

        @property
        def has_truth(self) -> bool:
            """Whether the true classes were given."""

        @property
        def n_stopped(self) -> float | None:
            """How many cases the budget stopped, by weight; None: there was none."""

        @property
        def total_n_tests(self) -> float:
            """The number of tests that all cases bought."""

        @property
        def total_test_cost(self) -> float:
            """What all tests of all cases cost."""

        @property
        def total_error_cost(self) -> float | None:
            """What all answers cost."""

        @property
        def total_apart_cost(self) -> float | None:
            """What all tests would cost if every tree paid for its own."""

        @property
        def total_n_consulted(self) -> float | None:
            """How many trees all cases were asked by."""

        @property
        def bought(self) -> Bought:
            """What was bought, per feature."""

        @property
        def by_row(self) -> bool:
            """Whether what mistakes cost differs by row."""

        @property
        def untested_totals(self) -> FloatArray | None:
            """What all cases would cost if they got the same answer, for each answer."""

        @property
        def spread(self) -> Spread | None:
            """How often cases cost how much."""

        @property
        def untested_spreads(self) -> tuple[Spread, ...] | None:
            """For each answer: what cases cost more than if all got it and nobody was tested."""

        @property
        def confusion(self) -> Confusion | None:
            """Counts and costs of every pair of a true class and an answer."""

    # Tests

    @property
    def mean_n_tests(self) -> float:
        """The number of tests bought per case."""
        return self.total_n_tests / self.weight

    @property
    def mean_test_cost(self) -> float:
        """What the tests of a case cost on average."""
        return self.total_test_cost / self.weight

    @property
    def mean_apart_cost(self) -> float | None:
        """What the tests of a case would cost on average if every tree paid for its own; None: one pays."""
        return None if self.total_apart_cost is None else self.total_apart_cost / self.weight

    @property
    def mean_n_consulted(self) -> float | None:
        """How many trees a case was asked by on average; None for models that ask all or have one."""
        return None if self.total_n_consulted is None else self.total_n_consulted / self.weight

    @cached_property
    def test_columns(self) -> dict[str, Any]:
        """The columns of `by_test`."""
        times, paid, ever = self.bought
        # The tree's own tests in its order, then the surrogates that were consulted.
        tests = np.concatenate([self.tests, np.setdiff1d(np.flatnonzero(ever), self.tests)])
        tests = tests[np.argsort(-paid[tests], kind="stable")]
        mean = np.divide(paid, times, out=np.full(len(paid), np.nan), where=times > 0)
        return {
            "test": [self.feature_names[test] for test in tests],
            "full_price": self.full_price[tests],
            "times": times[tests],
            "share": times[tests] / self.weight,
            "mean_price": mean[tests],
            "total": paid[tests],
        }

    @property
    def by_test(self) -> Any:
        """A frame with a row per test of the tree (and per surrogate consulted), dearest in total first.

        Columns: test, full_price, times (bought), share (of the cases), mean_price (paid; NaN if never),
        total.
        """
        return to_frame(self.test_columns)

    # Errors

    @property
    def why_no_errors(self) -> str:
        """Why there are no error costs; empty if there are."""
        if self.classes is None:
            return "a regression tree answers with numbers, which have no error costs"
        return "" if self.has_truth else "the true classes (y) were not given"

    @property
    def mean_error_cost(self) -> float | None:
        """What the answer to a case costs on average."""
        return None if self.total_error_cost is None else self.total_error_cost / self.weight

    @property
    def mean_cost(self) -> float | None:
        """What a case costs on average, tests and answer."""
        return None if self.mean_error_cost is None else self.mean_test_cost + self.mean_error_cost

    @property
    def total_cost(self) -> float | None:
        """What all cases cost, tests and answers."""
        return None if self.total_error_cost is None else self.total_test_cost + self.total_error_cost

    @cached_property
    def _untested(self) -> tuple[int, float] | None:
        """The number of the answer without any test, and its mean cost."""
        if self.untested_totals is None:
            return None
        of_answer = self.untested_totals / self.weight
        number = int(of_answer.argmin()) if self.learnt_answer is None else self.learnt_answer
        return number, float(of_answer[number])

    @property
    def in_hindsight(self) -> bool:
        """Whether `untested_answer` was found by these cases, as the model does not know it from training."""
        return self._untested is not None and self.learnt_answer is None

    @property
    def untested_answer(self) -> Any:
        """The answer that all cases would get without any test: the cheapest for the cases of training.

        Where the model does not know that, the cheapest for these cases, which nobody knew before
        (`in_hindsight`).
        """
        if self._untested is None or self.answers is None:
            return None
        return self.answers[[self._untested[0]]].tolist()[0]

    @property
    def untested_cost(self) -> float | None:
        """What a case costs on average if all get `untested_answer` and nobody is tested.

        Tests are worth their price if `mean_cost` is below it.
        """
        return None if self._untested is None else self._untested[1]

    @cached_property
    def interval(self) -> Interval | None:
        """Where what a case costs lies with 95 % confidence; None without error costs.

        It is about new cases if these were not learnt from. `thriftwood.evaluation.intervals` says how it is
        made.
        """
        return None if self.spread is None else self.spread.interval

    @cached_property
    def against_untested(self) -> Difference | None:
        """What a case costs more than if all got `untested_answer` and nobody was tested, case by case."""
        if self._untested is None or self.untested_spreads is None:
            return None
        return self.untested_spreads[self._untested[0]].difference

    @property
    def accuracy(self) -> float | None:
        """The share of right answers; an answer that is no class is not right."""
        return None if self.confusion is None else float(np.trace(self.confusion.counts)) / self.weight

    @property
    def n_errors(self) -> float | None:
        """The number of wrong classes answered (their weight, if cases were weighted)."""
        return None if self.confusion is None else self.confusion.counted(self.confusion.mistakes)

    @property
    def further_shares(self) -> dict[str, float] | None:
        """The share of the cases that got each answer that is no class, such as "refer"."""
        if self.confusion is None or not self.further:
            return None if self.confusion is None else {}
        counts = self.confusion.counts[:, -len(self.further) :].sum(axis=0) / self.weight
        return dict(zip(self.further, counts.tolist(), strict=True))

    @property
    def high_cost_errors(self) -> float | None:
        """The number of wrong answers that cost more than the cheapest kind of mistake (Ting's measure).

        None where costs differ by row: mistakes of one kind then have no common cost.
        """
        if self.confusion is None or self.error_matrix is None:
            return None
        mistakes = self.confusion.mistakes
        cheapest = self.error_matrix[mistakes].min(initial=np.inf)
        return self.confusion.counted(mistakes & (self.error_matrix > cheapest))

    @cached_property
    def standard_cost(self) -> float | None:
        """Turney's yardstick: all features, and the dearest error for cases outside the commonest class.

        None where costs differ by row.
        """
        if self.confusion is None or self.by_row:
            return None
        shares = self.confusion.counts.sum(axis=1) / self.weight
        named = dict(zip(self.confusion.classes.tolist(), shares.tolist(), strict=True))
        return self.costs.standard_cost(self.feature_names, named)

    @property
    def normalised_cost(self) -> float | None:
        """The mean cost in percent of `standard_cost`; NaN if that is 0."""
        if self.mean_cost is None or self.standard_cost is None:
            return None
        return 100 * self.mean_cost / self.standard_cost if self.standard_cost > 0 else float("nan")

    # How it is shown

    def __str__(self) -> str:
        return statement.as_text(statement.parts(self))

    def _repr_html_(self) -> str:
        return statement.as_html(statement.parts(self))

    def __repr__(self) -> str:
        errors = "" if self.mean_error_cost is None else f", errors {self.mean_error_cost:.4g} a case"
        cases, tests = counted(self.n_cases, "case"), f"{self.mean_test_cost:.4g}"
        return f"<{type(self).__name__}: {cases}, tests {tests}{errors}>"
