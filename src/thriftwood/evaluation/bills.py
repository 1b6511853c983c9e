"""`Bill`: what a model costs on a table of cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation import statement
from thriftwood.evaluation.confusion import Confusion, confusion
from thriftwood.evaluation.purchases import Purchases
from thriftwood.models.tree.tree import Tree
from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Bill:
    """What a model costs on a table of cases. Made by `bill`; ``print(bill)`` shows it.

    What needs the true classes is None when they were not given, and for a regression tree
    (`why_no_errors` says which).

    Attributes
    ----------
    tree : Tree
        The tree whose bill it is; an error for an ensemble and for models of other libraries.
    classes : array or None
        The class labels; None for a regression tree.
    feature_names : tuple of str
        The columns of the table.
    tests : ndarray of int
        The features that the model tests: those of a tree in the order a reader meets them, of several
        trees in the order of the columns.
    costs : Costs
        What was charged.
    test_cost : ndarray of shape (n_cases,)
        What the tests of each case cost.
    purchases : Purchases
        Which tests each case bought, as arrays; `per_case` has their names.
    predicted, actual : ndarray of shape (n_cases,)
        The class number (or the number) answered, and the true one; `actual` is None if not given.
    error_matrix : ndarray or None
        The cost of every answer, ``[actual, predicted]``.
    weights : ndarray or None
        How much each case counts; None: each once.
    upfront_cost : float
        All of `tests`, each bought once, in this order.
    full_price : ndarray
        Per feature: its price when nothing was bought before, with the resources it needs.
    index : pandas index or None
        The labels of the cases, if they came in a pandas frame.
    apart_cost : ndarray of shape (n_cases,) or None
        For trees that are consulted one after the other: what the tests of each case would cost if every tree
        paid for its own, without what others had measured. As in ``test_cost`` of such trees, a case that a
        missing value sends down several branches pays for all of them in full. A diagnostic; None for all
        else.
    n_consulted : ndarray of shape (n_cases,) or None
        For the same: how many trees each case was asked by.
    """

    single_tree: Tree | None
    classes: NDArray[Any] | None
    feature_names: tuple[str, ...]
    tests: NDArray[np.int32]
    costs: Costs
    test_cost: FloatArray
    purchases: Purchases
    predicted: NDArray[Any]
    actual: NDArray[Any] | None
    error_matrix: FloatArray | None
    weights: FloatArray | None
    upfront_cost: float
    full_price: FloatArray
    index: Any
    apart_cost: FloatArray | None = None
    n_consulted: NDArray[np.int32] | None = None

    @property
    def tree(self) -> Tree:
        """The tree whose bill it is."""
        if self.single_tree is None:
            raise TypeError(
                "This is the bill of a model that is no single tree of thriftwood: no tree to show."
            )
        return self.single_tree

    # Cases and tests

    @property
    def n_cases(self) -> int:
        """The number of cases."""
        return len(self.test_cost)

    @property
    def weight(self) -> float:
        """What all cases count together: their number, unless they were weighted."""
        return float(self.n_cases if self.weights is None else self.weights.sum())

    @cached_property
    def n_tests(self) -> FloatArray:
        """Per case: the number of tests bought; one bought by a share of the case counts with that share."""
        return self.purchases.per_case()

    @property
    def mean_n_tests(self) -> float:
        """The number of tests bought per case."""
        return self._sum(self.n_tests) / self.weight

    @property
    def mean_test_cost(self) -> float:
        """What the tests of a case cost on average."""
        return self.total_test_cost / self.weight

    @property
    def mean_apart_cost(self) -> float | None:
        """What the tests of a case would cost on average if every tree paid for its own; None: one pays."""
        return None if self.apart_cost is None else self._sum(self.apart_cost) / self.weight

    @property
    def mean_n_consulted(self) -> float | None:
        """How many trees a case was asked by on average; None for models that ask all or have one."""
        return None if self.n_consulted is None else self._sum(self.n_consulted.astype(float)) / self.weight

    @property
    def total_test_cost(self) -> float:
        """What all tests of all cases cost."""
        return self._sum(self.test_cost)

    @cached_property
    def test_columns(self) -> dict[str, Any]:
        """The columns of `by_test`."""
        times, total = self.purchases.by_test(self.weights, len(self.feature_names))
        # The tree's own tests in its order, then the surrogates that were consulted.
        tests = np.concatenate(
            [self.tests, np.setdiff1d(self.purchases.features(len(self.feature_names)), self.tests)]
        )
        tests = tests[np.argsort(-total[tests], kind="stable")]
        mean = np.divide(total, times, out=np.full(len(total), np.nan), where=times > 0)
        return {
            "test": [self.feature_names[test] for test in tests],
            "full_price": self.full_price[tests],
            "times": times[tests],
            "share": times[tests] / self.weight,
            "mean_price": mean[tests],
            "total": total[tests],
        }

    @property
    def by_test(self) -> Any:
        """A frame with a row per test of the tree (and per surrogate consulted), dearest in total first.

        Columns: test, full_price, times (bought), share (of the cases), mean_price (paid; NaN if never),
        total.
        """
        return to_frame(self.test_columns)

    @cached_property
    def case_columns(self) -> dict[str, Any]:
        """The columns of `per_case`."""
        columns: dict[str, Any] = {"test_cost": self.test_cost}
        if self.error_cost is not None:
            columns["error_cost"] = self.error_cost
            columns["cost"] = self.test_cost + self.error_cost
        columns["n_tests"] = self.n_tests
        columns["tests"] = self.purchases.tests(self.feature_names)
        if self.actual is not None:
            columns["actual"] = self._named(self.actual)
        columns["predicted"] = self._named(self.predicted)
        return columns

    @cached_property
    def per_case(self) -> Any:
        """A frame with a row per case.

        Columns: test_cost, error_cost, cost, n_tests, tests (names, in the order bought), actual, predicted;
        error_cost and cost only if there are error costs, actual only if it was given.
        """
        return to_frame(self.case_columns, self.index)

    # Errors

    @property
    def why_no_errors(self) -> str:
        """Why there are no error costs; empty if there are."""
        if self.classes is None:
            return "a regression tree answers with numbers, which have no error costs"
        return "the true classes (y) were not given" if self.actual is None else ""

    @cached_property
    def error_cost(self) -> FloatArray | None:
        """What the answer to each case costs."""
        if self.error_matrix is None or self.actual is None:
            return None
        charged: FloatArray = self.error_matrix[self.actual, self.predicted]
        return charged

    @property
    def mean_error_cost(self) -> float | None:
        """What the answer to a case costs on average."""
        return None if self.error_cost is None else self._sum(self.error_cost) / self.weight

    @property
    def total_error_cost(self) -> float | None:
        """What all answers cost."""
        return None if self.error_cost is None else self._sum(self.error_cost)

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
        """The class number of the cheapest single answer, and its mean cost."""
        if self.confusion is None or self.error_matrix is None:
            return None
        of_answer = self.confusion.counts.sum(axis=1) @ self.error_matrix / self.weight
        return int(of_answer.argmin()), float(of_answer.min())

    @property
    def untested_answer(self) -> Any:
        """The answer that would cost least if all cases got the same one, without any test."""
        return None if self._untested is None else self._named(np.array([self._untested[0]])).tolist()[0]

    @property
    def untested_cost(self) -> float | None:
        """What a case costs on average if all get `untested_answer` and nobody is tested.

        Tests are worth their price if `mean_cost` is below it.
        """
        return None if self._untested is None else self._untested[1]

    @cached_property
    def confusion(self) -> Confusion | None:
        """Counts and costs of every pair of a true and an answered class."""
        if self.error_matrix is None or self.actual is None or self.classes is None:
            return None
        return confusion(self.classes, self.actual, self.predicted, self.error_matrix, self.weights)

    @property
    def accuracy(self) -> float | None:
        """The share of right answers."""
        return None if self.confusion is None else float(np.trace(self.confusion.counts)) / self.weight

    @property
    def n_errors(self) -> float | None:
        """The number of wrong answers (their weight, if cases were weighted)."""
        if self.confusion is None:
            return None
        return self.confusion.counted(~np.eye(len(self.confusion.classes), dtype=bool))

    @property
    def high_cost_errors(self) -> float | None:
        """The number of wrong answers that cost more than the cheapest kind of mistake (Ting's measure)."""
        if self.confusion is None or self.error_matrix is None:
            return None
        mistakes = ~np.eye(len(self.error_matrix), dtype=bool)
        cheapest = self.error_matrix[mistakes].min(initial=np.inf)
        return self.confusion.counted(mistakes & (self.error_matrix > cheapest))

    @cached_property
    def standard_cost(self) -> float | None:
        """Turney's yardstick: all features, and the dearest error for cases outside the commonest class."""
        if self.confusion is None:
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
        return f"<Bill: {counted(self.n_cases, 'case')}, tests {self.mean_test_cost:.4g}{errors}>"

    def _sum(self, values: FloatArray) -> float:
        return float(values.sum() if self.weights is None else self.weights @ values)

    def _named(self, answers: NDArray[Any]) -> NDArray[Any]:
        named: NDArray[Any] = answers if self.classes is None else self.classes[answers]
        return named
