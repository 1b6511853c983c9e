"""`Bill`: what a model costs on a table of cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.costs.further import worth_giving
from thriftwood.evaluation.bill_groups import BillGroups, grouped
from thriftwood.evaluation.bill_measures import BillMeasures, Bought
from thriftwood.evaluation.confusion import Confusion, confusion, confusion_by_row
from thriftwood.evaluation.intervals import UNSEEN_DIFFERENCE, Difference, Spread
from thriftwood.evaluation.purchases import Purchases
from thriftwood.models.tree.tree import Tree
from thriftwood.table.results import to_frame

FloatArray = NDArray[np.float64]
OF_CASES = ("actual", "weights", "index", "apart_cost", "n_consulted", "stopped", "answer_costs")
"""What has an entry for each case, if it is there at all."""


@dataclass(frozen=True, eq=False, repr=False)
class Bill(BillMeasures):
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
        The class number (or the number) answered, and the true one; `actual` is None if not given. The
        numbers of answers that are no class (`further`) follow those of the classes.
    error_matrix : ndarray or None
        The cost of every answer, ``[actual, answered]``; None where it differs by row.
    answer_costs : ndarray of shape (n_cases, n_classes) or None
        What each answer costs each case, where that differs by row.
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
    budget : float or None
        The most that a case was allowed to pay for tests; None: there was no limit.
    stopped : ndarray of bool, of shape (n_cases,), or None
        With a budget: which cases it stopped before the model had asked all it wanted.
    further : tuple of str
        The answers that are no class, such as "refer".
    learnt_answer : int or None
        The number of the answer that was cheapest for the cases the model learnt from, if nobody was tested;
        None where the model does not know, or costs differ by row.
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
    budget: float | None = None
    stopped: NDArray[np.bool_] | None = None
    answer_costs: FloatArray | None = None
    further: tuple[str, ...] = ()
    learnt_answer: int | None = None

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
    def is_weighted(self) -> bool:
        """Whether cases were weighted."""
        return self.weights is not None

    @property
    def has_truth(self) -> bool:
        """Whether the true classes were given."""
        return self.actual is not None

    @property
    def total_n_tests(self) -> float:
        """The number of tests that all cases bought."""
        return self._sum(self.n_tests)

    @property
    def total_test_cost(self) -> float:
        """What all tests of all cases cost."""
        return self._sum(self.test_cost)

    @property
    def total_apart_cost(self) -> float | None:
        """What all tests would cost if every tree paid for its own; None: one pays."""
        return None if self.apart_cost is None else self._sum(self.apart_cost)

    @property
    def total_n_consulted(self) -> float | None:
        """How many trees all cases were asked by; None for models that ask all or have one."""
        return None if self.n_consulted is None else self._sum(self.n_consulted.astype(float))

    @property
    def n_stopped(self) -> float | None:
        """How many cases the budget stopped, by weight; None: there was none."""
        return None if self.stopped is None else self._sum(self.stopped.astype(float))

    @cached_property
    def bought(self) -> Bought:
        """What was bought, per feature."""
        n_features = len(self.feature_names)
        times, paid = self.purchases.by_test(self.weights, n_features)
        return Bought(times, paid, self.purchases.ever(n_features))

    @cached_property
    def case_columns(self) -> dict[str, Any]:
        """The columns of `per_case`."""
        columns: dict[str, Any] = {"test_cost": self.test_cost}
        if self.error_cost is not None:
            columns["error_cost"] = self.error_cost
            columns["cost"] = self.cost
        columns["n_tests"] = self.n_tests
        columns["tests"] = self.purchases.tests(self.feature_names)
        if self.actual is not None:
            columns["actual"] = self.actual if self.classes is None else self.classes[self.actual]
        columns["predicted"] = self._named(self.predicted)
        return columns

    @cached_property
    def per_case(self) -> Any:
        """A frame with a row per case.

        Columns: test_cost, error_cost, cost, n_tests, tests (names, in the order bought), actual, predicted;
        error_cost and cost only if there are error costs, actual only if it was given.
        """
        return to_frame(self.case_columns, self.index)

    @cached_property
    def error_cost(self) -> FloatArray | None:
        """What the answer to each case costs."""
        if self.actual is None:
            return None
        if self.answer_costs is not None:
            return np.asarray(self.answer_costs[np.arange(self.n_cases), self.predicted])
        if self.error_matrix is None:
            return None
        return np.asarray(self.error_matrix[self.actual, self.predicted])

    @cached_property
    def cost(self) -> FloatArray | None:
        """What each case costs, tests and answer; None without error costs."""
        return None if self.error_cost is None else self.test_cost + self.error_cost

    @property
    def by_row(self) -> bool:
        """Whether what mistakes cost differs by row."""
        return self.answer_costs is not None

    @property
    def total_error_cost(self) -> float | None:
        """What all answers cost."""
        return None if self.error_cost is None else self._sum(self.error_cost)

    @cached_property
    def untested_totals(self) -> FloatArray | None:
        """What all cases would cost if they got the same answer, for each; None without error costs."""
        if self.answer_costs is not None:
            own = self.answer_costs if self.weights is None else self.answer_costs * self.weights[:, None]
            return np.asarray(own.sum(axis=0))
        if self.confusion is None or self.error_matrix is None:
            return None
        return np.asarray(self.confusion.counts.sum(axis=1) @ self.error_matrix)

    @cached_property
    def confusion(self) -> Confusion | None:
        """Counts and costs of every pair of a true and an answered class."""
        if self.error_cost is None or self.actual is None or self.classes is None:
            return None
        assert self.answers is not None  # of classes
        pairs = self.classes, self.actual, self.predicted
        if self.error_matrix is None:
            return confusion_by_row(*pairs, self.error_cost, self.weights)
        return confusion(*pairs, self.error_matrix, self.weights, answers=self.answers)

    # Intervals and differences

    @cached_property
    def spread(self) -> Spread | None:
        """How often cases cost how much: what `interval` is made from."""
        if self.cost is None:
            return None
        least, most = self.bounds
        return Spread.of(self.cost, self.weights, least=least, most=most)

    @cached_property
    def untested_spreads(self) -> tuple[Spread, ...] | None:
        """For each answer: what cases cost more than if all got it and nobody was tested."""
        answers = self.every_answer
        if self.cost is None or answers is None:
            return None
        least, most = self.bounds
        return tuple(
            Spread.of(
                self.cost - own,
                self.weights,
                least=least - float(own.max()),
                most=most - float(own.min()),
                unseen=UNSEEN_DIFFERENCE,
            )
            for own in answers.T
        )

    def against(self, other: Bill) -> Difference:
        """Return what a case costs more here than in another bill of the same cases (less, if negative).

        The interval is that of the differences, case by case: much that makes cases dear makes them dear in
        both bills, so it is narrower than those of the bills let one think.

        Examples
        --------
        >>> import thriftwood as tw
        >>> golf = tw.load_dataset("golf-nominal")
        >>> costs = golf.costs.replace(errors_default=20)
        >>> bills = [
        ...     tw.bill(tw.algorithm(name, costs=costs).fit(golf.X, golf.y), golf.X, golf.y)
        ...     for name in ("c45", "nobody")
        ... ]
        >>> [round(amount, 2) for amount in bills[0].against(bills[1])]
        [-2.25, -8.01, 4.27]
        """
        return self.dearer_by(other).difference

    def dearer_by(self, other: Bill) -> Spread:
        """Return the spread of what `against` is about, which adds up over parts of a table."""
        if self.cost is None or other.cost is None:
            raise ValueError("Both bills need the true classes, y, before what cases cost can be compared.")
        if self.n_cases != other.n_cases or not _same(self.actual, other.actual):
            raise ValueError(
                f"Only bills of the same cases can be compared case by case, and these are of {self.n_cases} "
                f"and {other.n_cases} cases with other true classes. Bill both models on the same table."
            )
        if not _alike(self.weights, other.weights):
            raise ValueError("The cases of the two bills have other weights. Bill both with the same ones.")
        (least, most), (other_least, other_most) = self.bounds, other.bounds
        return Spread.of(
            self.cost - other.cost,
            self.weights,
            least=least - other_most,
            most=most - other_least,
            unseen=UNSEEN_DIFFERENCE,
        )

    def by(self, groups: Any) -> BillGroups[Bill]:
        """Return the bill of each group of cases, such as of each sex.

        Parameters
        ----------
        groups : array-like of shape (n_cases,)
            What each case belongs to, such as a column of the table; a missing value is a group, too.

        Examples
        --------
        >>> import thriftwood as tw
        >>> golf = tw.load_dataset("golf-nominal")
        >>> model = tw.algorithm("c45", costs=golf.costs).fit(golf.X, golf.y)
        >>> found = tw.bill(model, golf.X, golf.y).by(golf.X["Outlook"])
        >>> list(found), round(found["Rain"].mean_cost, 2)
        (['Overcast', 'Rain', 'Sunny'], 4.5)
        """
        return grouped(self, groups)

    def part(self, rows: NDArray[np.intp]) -> Bill:
        """Return the bill of some of the cases, in this order."""

        def taken(values: Any) -> Any:
            return None if values is None else values[rows]

        return replace(
            self,
            test_cost=self.test_cost[rows],
            purchases=self.purchases.taken(rows),
            predicted=self.predicted[rows],
            **{name: taken(getattr(self, name)) for name in OF_CASES},
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that a case can cost."""
        costs = self.error_matrix if self.answer_costs is None else self.answer_costs
        assert costs is not None  # asked for only if there are error costs
        if self.further:
            given = np.unique(self.predicted)
            costs = costs[:, np.union1d(given, worth_giving(costs)) if len(self.tests) else given]
        tests = max(self.upfront_cost, float(self.test_cost.max(initial=0.0)))
        return float(costs.min()), tests + float(costs.max())

    @property
    def every_answer(self) -> FloatArray | None:
        """What each answer would cost each case."""
        if self.answer_costs is not None or self.error_matrix is None or self.actual is None:
            return self.answer_costs
        return np.asarray(self.error_matrix[self.actual])

    def _sum(self, values: FloatArray) -> float:
        return float(values.sum() if self.weights is None else self.weights @ values)

    def _named(self, answers: NDArray[Any]) -> NDArray[Any]:
        named: NDArray[Any] = answers if self.answers is None else self.answers[answers]
        return named


def _alike(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    return (one is None and other is None) or _same(one, other)


def _same(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    return one is not None and other is not None and bool(np.array_equal(one, other))
