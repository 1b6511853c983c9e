"""Answers that are no class, such as "refer to an expert", and what they cost.

Words
-----
further answer
    An answer besides the classes. It is never right and never wrong: it costs what it costs, whatever the
    truth or depending on it.
answers
    The classes in their order, then the further answers in the order named: first those that stand as columns
    in `errors`, then those of `answers`.

A name in `errors` that the data do not have can also be a class that is rare: its costs wait for data that
have it. So a column counts as a further answer only where it cannot be such a class: every row names it, it
has no row of its own, and there is no `errors_default` that could fill one in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import advised
from thriftwood.base.remedies import AddCost
from thriftwood.costs.frozen import FrozenDict
from thriftwood.costs.names import CostError, class_name, counted, got, nearest, number, quoted

if TYPE_CHECKING:
    from thriftwood.costs.matrix import Errors
    from thriftwood.costs.model import Costs

FloatArray = NDArray[np.float64]
Further: TypeAlias = FrozenDict[float | FrozenDict[float]]

NEVER = 1e-9
"""An answer that is cheapest by less than this share of the costs is cheapest by rounding alone."""


def checked_answers(answers: object, errors: Errors) -> Further:
    """Return the further answers in their fixed form: by name a cost, or a cost by class.

    Examples
    --------
    >>> checked_answers({"refer": 50, "later": {"sick": 80, "well": 1}}, None)
    {'refer': 50.0, 'later': {'sick': 80.0, 'well': 1.0}}
    """
    if not isinstance(answers, Mapping):
        raise CostError(
            "answers must be a dictionary answer -> cost, or answer -> true class -> cost, such as "
            f"{{'refer': 50}}. {got(answers)}"
        )
    named = _names_of(errors)
    checked: dict[str, float | FrozenDict[float]] = {}
    for label, cost in answers.items():
        name = class_name(label)
        if name in checked:
            raise CostError(f"answers names {name!r} twice; answers are compared as text. Name it once.")
        if name in named:
            raise CostError(
                f"answers[{name!r}]: errors names {name!r}, too. An answer that is no class has its costs in "
                "one place, and one that is a class has them in errors."
            )
        checked[name] = _costs(name, cost)
    return FrozenDict(checked)


def _costs(name: str, cost: object) -> float | FrozenDict[float]:
    if not isinstance(cost, Mapping):
        return number(cost, f"answers[{name!r}] (a cost, or a dictionary true class -> cost)")
    rows: dict[str, float] = {}
    for label, entry in cost.items():
        actual = class_name(label)
        if actual in rows:
            raise CostError(f"answers[{name!r}] names the class {actual!r} twice. Name it once.")
        rows[actual] = number(entry, f"answers[{name!r}][{actual!r}]")
    if not rows:
        raise CostError(f"answers[{name!r}] is empty. Give its cost, or its cost for every true class.")
    return FrozenDict(rows)


def _names_of(errors: Errors) -> set[str]:
    if errors is None or isinstance(errors, tuple):
        return set()
    return {name for actual, row in errors.items() for name in (actual, *row)}


def columns_besides(errors: Errors, default: float | None, classes: Iterable[str]) -> list[str]:
    """Name the columns of `errors` that are answers and no classes, of these classes or of others.

    Examples
    --------
    >>> rows = {"sick": {"well": 50.0, "refer": 9.0}, "well": {"sick": 10.0, "refer": 5.0}}
    >>> errors = FrozenDict({name: FrozenDict(row) for name, row in rows.items()})
    >>> columns_besides(errors, None, ["sick", "well"])
    ['refer']
    """
    if errors is None or isinstance(errors, tuple) or default is not None or len(errors) < 2:
        return []
    known = {*errors, *classes}
    first, *others = errors.values()
    return [name for name in first if name not in known and all(name in row for row in others)]


def further_names(answers: Further, errors: Errors, default: float | None, names: list[str]) -> list[str]:
    """Name all answers that are none of the classes, in their order."""
    return [*columns_besides(errors, default, names), *answers]


def further_columns(
    answers: Further, errors: Errors, default: float | None, names: list[str]
) -> dict[str, FloatArray]:
    """Return what each further answer costs cases of these classes.

    Raises
    ------
    CostError
        If an answer is also a class, or has no cost for one.
    """
    columns: dict[str, FloatArray] = {}
    for name in columns_besides(errors, default, names):
        assert isinstance(errors, FrozenDict)  # others have no columns with names
        rows = {actual: row[name] for actual, row in errors.items()}
        columns[name] = _column(name, rows, names, of_errors=True)
    for name, cost in answers.items():
        if name in names:
            raise CostError(
                f"answers[{name!r}]: {name!r} is a class of the data, and answers are those that are none. "
                "What it costs to answer a class stands in errors; call the other answer something else."
            )
        if isinstance(cost, float):
            columns[name] = np.full(len(names), cost)
        else:
            _check_truths(name, cost, names)
            columns[name] = _column(name, cost, names)
    return columns


def _check_truths(name: str, cost: Mapping[str, float], names: list[str]) -> None:
    """Refuse costs none of which is for a class of the data."""
    if not set(cost) & set(names):
        actual = next(iter(cost))
        raise CostError(
            f"answers[{name!r}][{actual!r}]: there is no class {actual!r} in the data. "
            f"{nearest(actual, names)}"
        )


def _column(name: str, rows: Mapping[str, float], names: list[str], *, of_errors: bool = False) -> FloatArray:
    unnamed = [actual for actual in names if actual not in rows]
    if unnamed:
        more = f" (and for {counted(len(unnamed) - 1, 'more class', 'more classes')})" if unnamed[1:] else ""
        raise advised(
            CostError,
            f"The costs do not say what the answer {name!r} costs when the truth is {unnamed[0]!r}{more}. ",
            AddCost("errors", unnamed[0], name) if of_errors else AddCost("answers", name, unnamed[0]),
            ".",
        )
    return np.array([rows[actual] for actual in names])


def matrix_of(costs: Costs, classes: Iterable[Any], further: Sequence[str], owner: str) -> FloatArray:
    """Return what the answers of a model cost: the classes, then its own further answers.

    Raises
    ------
    CostError
        If the costs do not know one of them.

    Examples
    --------
    >>> from thriftwood import Costs
    >>> matrix_of(Costs(answers={"refer": 5, "later": 7}), ["well", "sick"], ["later"], "Tree")
    array([[0., 1., 7.],
           [1., 0., 7.]])
    """
    named = list(classes)
    matrix, known = costs.error_matrix(named), costs.further_answers(named)
    check_known(further, known, owner)
    return matrix[:, [*range(len(named)), *(len(named) + known.index(name) for name in further)]]


def check_known(further: Iterable[str], known: Sequence[str], owner: str) -> None:
    """Raise if a model has an answer besides the classes that the costs do not know."""
    unknown = [name for name in further if name not in known]
    if unknown:
        raise CostError(
            f"This {owner} also answers {quoted(unknown)}, which is no class, and the costs do not say what "
            f"that costs. Add it: costs.replace(answers={{{unknown[0]!r}: its cost}})."
        )


def class_matrix(costs: Costs, classes: Iterable[Any], owner: str) -> FloatArray:
    """Return the error costs for a model that answers with classes alone, ``[actual, predicted]``.

    Raises
    ------
    CostError
        If the costs have further answers.

    Examples
    --------
    >>> from thriftwood import Costs
    >>> class_matrix(Costs(answers={"refer": 5}), ["well", "sick"], "MetaCostClassifier")
    Traceback (most recent call last):
    ...
    thriftwood.costs.names.CostError: MetaCostClassifier answers with classes alone, and by costs there is ...
    """
    named = list(classes)
    refuse_further(costs.further_answers(named), owner)
    return costs.error_matrix(named)


def refuse_further(further: Iterable[str], owner: str) -> None:
    """Raise if there are answers besides the classes."""
    listed = list(further)
    if listed:
        raise CostError(
            f"{owner} answers with classes alone, and by costs there is also the answer {quoted(listed)}, "
            "which is no class. Use a single tree (ThriftClassifier, OptimalTreeClassifier, "
            "CostTreeClassifier) or CheapestAnswer, or take the answer out of costs."
        )


def without_errors(costs: Costs) -> str:
    """Write what a user calls to leave out what answers cost.

    Examples
    --------
    >>> from thriftwood import Costs
    >>> without_errors(Costs(errors_default=1)), without_errors(Costs(answers={"refer": 5}))[-13:]
    ('costs.replace(errors=None, errors_default=None)', ', answers={})')
    """
    return f"costs.replace(errors=None, errors_default=None{', answers={}' if costs.answers else ''})"


def refuse_both(owner: str, costs: Costs) -> None:
    """Say that losses by row and a price list that says what answers cost exclude each other.

    Raises
    ------
    ValueError
        Always.

    Examples
    --------
    >>> from thriftwood import Costs
    >>> try:
    ...     refuse_both("Learner", Costs(answers={"refer": 5}))
    ... except ValueError as error:
    ...     print(str(error)[:88])
    Learner has costs with answers={'refer': ...}, and fit was given error_costs by row, whi
    """
    if costs.errors is None and costs.errors_default is None and costs.answers:
        named = f"{next(iter(costs.answers))!r}: ..."
        raise ValueError(
            f"{owner} has costs with answers={{{named}}}, and fit was given error_costs by row, which have "
            f"no such answers yet. Use {without_errors(costs)}, or leave error_costs out."
        )
    raise ValueError(
        f"{owner} has costs with error costs, and fit was given error_costs by row. Only one of them can say "
        f"what mistakes cost: use {without_errors(costs)}, or leave error_costs out."
    )


def worth_giving(matrix: FloatArray) -> NDArray[np.intp]:
    """Return the numbers of the answers that may be given: the classes, and others that none undercuts.

    An answer is undercut where another one costs no more whatever the truth is: nobody gives it, so what it
    costs is no risk.

    Parameters
    ----------
    matrix : array of shape (n_classes, n_answers)
        What answers cost, by the true class; the classes come first.

    Examples
    --------
    >>> worth_giving(np.array([[0.0, 100.0, 40.0, 900.0], [20.0, 0.0, 40.0, 5.0]])).tolist()
    [0, 1]
    >>> worth_giving(np.array([[0.0, 100.0, 15.0], [20.0, 0.0, 15.0]])).tolist()
    [0, 1, 2]
    """
    n_classes, n_answers = matrix.shape
    further = np.arange(n_classes, n_answers)  # only these are looked at: of classes there may be thousands
    own = matrix[:, further, np.newaxis]
    no_dearer, dearer = (matrix[:, np.newaxis] <= own).all(axis=0), (matrix[:, np.newaxis] < own).any(axis=0)
    earlier = np.arange(n_answers) < further[:, np.newaxis]  # [answer, the other one]
    undercut = no_dearer & (dearer | earlier)
    return np.append(np.arange(n_classes), further[~undercut.any(axis=1)])


def never_cheapest(matrix: FloatArray, answer: int) -> bool:
    """Tell whether an answer is dearer than some other one whatever the shares of the classes are.

    Parameters
    ----------
    matrix : array of shape (n_classes, n_answers)
        What answers cost, by the true class.
    answer : int
        The number of one.

    Examples
    --------
    >>> never_cheapest(np.array([[0.0, 100.0, 51.0], [100.0, 0.0, 51.0]]), 2)
    True
    >>> never_cheapest(np.array([[0.0, 100.0, 49.0], [100.0, 0.0, 49.0]]), 2)
    False
    """
    from scipy.optimize import linprog  # takes a moment to load

    n_classes = len(matrix)
    others = np.delete(matrix, answer, axis=1) - matrix[:, [answer]]
    size = float(np.abs(others).max(initial=0.0)) or 1.0
    # The shares for which it saves most against the cheapest of the others: max s, s <= p . others[:, j].
    constraints = np.hstack([-others.T / size, np.ones((others.shape[1], 1))])
    found = linprog(
        np.append(np.zeros(n_classes), -1.0),
        A_ub=constraints,
        b_ub=np.zeros(len(constraints)),
        A_eq=np.append(np.ones(n_classes), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * n_classes + [(None, None)],
    )
    return bool(found.success and -found.fun < -NEVER)
