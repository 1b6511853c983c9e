"""Error costs: as users write them, and as the matrix [actual, predicted] of a problem's classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import advised
from thriftwood.base.remedies import AddCost
from thriftwood.base.spelling import close_names
from thriftwood.costs.frozen import FrozenDict
from thriftwood.costs.names import (
    COMPARED,
    CostError,
    class_name,
    counted,
    first_repeat,
    got,
    nearest,
    number,
    quoted,
)

Rows: TypeAlias = tuple[tuple[float, ...], ...]
Errors: TypeAlias = FrozenDict[FrozenDict[float]] | Rows | None


def checked_errors(errors: object) -> Errors:
    """Return error costs in their fixed form: rows by class name, a square tuple of rows, or None."""
    if errors is None:
        return None
    if isinstance(errors, Mapping):
        return _by_name(errors)
    if hasattr(errors, "columns"):
        raise CostError(
            "errors must be a dictionary actual -> predicted -> cost or a square array. Got a frame "
            f"({type(errors).__name__}): pass frame.to_dict(orient='index') with actual classes as index."
        )
    return _square(errors)


def error_matrix(errors: Errors, default: float | None, classes: Iterable[Any]) -> NDArray[np.float64]:
    """Return the costs as a new array [actual, predicted], in the given order of the classes."""
    names = _class_names(classes)
    if isinstance(errors, tuple):
        if len(errors) != len(names):
            raise CostError(
                f"errors is a {len(errors)} x {len(errors)} array, but there are {len(names)} classes: "
                f"{quoted(names)}. Give one row and one column per class, in this order."
            )
        return np.array(errors, dtype=np.float64)
    if errors is None:
        matrix = np.full((len(names), len(names)), 1.0 if default is None else default)
        np.fill_diagonal(matrix, 0.0)
        return matrix
    return _matrix_by_name(errors, default, names)


def absent_classes(errors: Errors, classes: Iterable[Any]) -> list[str]:
    """Name the classes that the error costs know and the data do not.

    Examples
    --------
    >>> absent_classes(checked_errors({"sick": {"well": 5}, "well": {"sick": 1}}), ["well"])
    ['sick']
    """
    if errors is None or isinstance(errors, tuple):
        return []
    named = dict.fromkeys(name for actual, row in errors.items() for name in (actual, *row))
    return [name for name in named if name not in set(map(class_name, classes))]


def _matrix_by_name(
    errors: FrozenDict[FrozenDict[float]], default: float | None, names: list[str]
) -> NDArray[np.float64]:
    position = {name: index for index, name in enumerate(names)}
    _check_names(errors, position)
    # NaN marks what was not named; entries themselves are finite.
    matrix = np.full((len(names), len(names)), np.nan if default is None else default)
    np.fill_diagonal(matrix, 0.0)
    for actual, row in errors.items():
        for predicted, cost in row.items():
            # Of a class that is rare, a fold may have no case: its costs wait for data that have one.
            if actual in position and predicted in position:
                matrix[position[actual], position[predicted]] = cost
    _complete(matrix, names, absent_classes(errors, names))
    return matrix


def _check_names(errors: Mapping[str, Mapping[str, float]], position: Mapping[str, int]) -> None:
    """Refuse names of classes that are not in the data and look like slips, or like costs of other data.

    A slip is a row near a class that has no row, or an answer near a class that is nobody's answer. Costs of
    other data say nothing about two classes of these, and leave one of them out altogether.
    """
    answers = {predicted for row in errors.values() for predicted in row}
    said = any(
        actual in position and row.keys() & position.keys() - {actual} for actual, row in errors.items()
    )
    of_others = not said and not position.keys() <= errors.keys() | answers
    for actual, row in errors.items():
        _known(actual, position, f"errors[{actual!r}]", set(errors), of_others)
        for predicted in row:
            _known(predicted, position, f"errors[{actual!r}][{predicted!r}]", answers, of_others)


def _known(
    name: str, position: Mapping[str, int], where: str, named: Collection[str], of_others: bool
) -> None:
    if name in position:
        return
    if of_others or close_names(name, [known for known in position if known not in named][:COMPARED]):
        raise CostError(f"{where}: there is no class {name!r} in the data. {nearest(name, position)}")


def _complete(matrix: NDArray[np.float64], names: list[str], absent: list[str]) -> None:
    unnamed = np.argwhere(np.isnan(matrix))
    if len(unnamed) == 0:
        return
    actual, predicted = (names[int(index)] for index in unnamed[0])
    more = f" (and of {counted(len(unnamed) - 1, 'more pair')})" if len(unnamed) > 1 else ""
    named = f"has {quoted(absent)}, no class of the data ({quoted(names)}), and " if absent else ""
    raise advised(
        CostError,
        f"errors {named}does not say what it costs to answer {predicted!r} when the truth is {actual!r}"
        f"{more}. ",
        AddCost("errors", actual, predicted),
        ", or set errors_default, the cost of every mistake not named.",
    )


def _class_names(classes: Iterable[Any]) -> list[str]:
    names = [class_name(label) for label in classes]
    twice = first_repeat(names)
    if twice is not None:
        raise CostError(f"The class {twice!r} occurs twice in the list of classes. Name each class once.")
    return names


def _by_name(errors: Mapping[Any, Any]) -> FrozenDict[FrozenDict[float]]:
    rows: dict[str, FrozenDict[float]] = {}
    for label, row in errors.items():
        actual = class_name(label)
        if not isinstance(row, Mapping):
            raise CostError(f"errors[{actual!r}] must be a dictionary predicted -> cost. {got(row)}")
        _once(actual, rows, "errors")
        costs: dict[str, float] = {}
        for answer, cost in row.items():
            predicted = class_name(answer)
            _once(predicted, costs, f"errors[{actual!r}]")
            costs[predicted] = number(cost, f"errors[{actual!r}][{predicted!r}]", below_zero=True)
        rows[actual] = FrozenDict(costs)
    return FrozenDict(rows)


def _once(name: str, seen: Mapping[str, object], where: str) -> None:
    if name in seen:
        raise CostError(f"{where} names the class {name!r} twice; labels are compared as text. Name it once.")


def _square(errors: object) -> Rows:
    if isinstance(errors, np.ndarray):
        errors = errors.tolist()
    if isinstance(errors, str) or not isinstance(errors, Sequence):
        raise CostError(
            "errors must be a dictionary actual -> predicted -> cost, a square array [actual, predicted] or "
            f"None. {got(errors)}"
        )
    rows: list[tuple[float, ...]] = []
    for actual, given in enumerate(errors):
        row = given.tolist() if isinstance(given, np.ndarray) else given
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(errors):
            size = f"{len(row)} entries" if isinstance(row, Sequence) else repr(row)
            raise CostError(
                f"errors must be a square array [actual, predicted]. It has {len(errors)} rows, but row "
                f"{actual} has {size}."
            )
        costs = (number(cost, f"errors[{actual}, {j}]", below_zero=True) for j, cost in enumerate(row))
        rows.append(tuple(costs))
    if not rows:
        raise CostError("errors is an empty array. Give one row and one column per class, or None for 0/1.")
    return tuple(rows)
