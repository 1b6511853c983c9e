"""Error costs that differ by row, as users write them and as arrays that are safe to compute with.

Words
-----
answer costs
    What each answer would cost a case whose true class is known: one row per case, one column per class.
cost matrices
    What each answer would cost for each class the case might have: [row, actual, predicted]. Before the truth
    is known, this is what a decision needs.

They are not negative: only differences within a row matter to an answer, so a constant can be added to
make them so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs.names import LARGEST, CostError, class_name, quoted

FloatArray = NDArray[np.float64]

_WANTED = (
    "error_costs must have one row per case: the cost of each answer to it, shape (n_rows, n_classes), or a "
    "matrix [actual, predicted], shape (n_rows, n_classes, n_classes)"
)


def answer_costs(
    error_costs: Any, labels: NDArray[np.integer[Any]], classes: Sequence[Any] | NDArray[Any]
) -> FloatArray:
    """Return what each answer costs each case, of shape (n_rows, n_classes).

    Parameters
    ----------
    error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes)
        In the order of the classes; a frame has a column for each class, in any order. Of a matrix [actual,
        predicted] the row of the true class counts.
    labels : array of shape (n_rows,)
        The number of each case's true class.
    classes : sequence of length n_classes
        The classes.

    Raises
    ------
    CostError
        When the shape is wrong, the columns of a frame are not the classes, or a cost is negative, too large
        or no number.

    Examples
    --------
    >>> answer_costs([[[0, 5], [9, 1]], [[0, 5], [9, 1]]], np.array([1, 0]), ["good", "bad"])
    array([[9., 1.],
           [0., 5.]])
    """
    costs = _checked(_in_order(error_costs, classes), len(labels), classes)
    if costs.ndim == 3:
        costs = costs[np.arange(len(labels)), labels]
    return np.ascontiguousarray(costs)


def cost_matrices(error_costs: Any, n_rows: int, classes: Sequence[Any] | NDArray[Any]) -> FloatArray:
    """Return what each answer costs for each true class of each case: [row, actual, predicted].

    Raises
    ------
    CostError
        As `answer_costs`; and when costs of shape (n_rows, n_classes) came, which presuppose the truth.
    """
    costs = _checked(error_costs, n_rows, classes)
    if costs.ndim == 2:
        raise CostError(
            f"error_costs has shape {costs.shape}, the cost of each answer once the truth is known. To "
            "decide before that, give a matrix [actual, predicted] per case: shape "
            f"{(*costs.shape, len(classes))}."
        )
    return costs


def mean_matrix(
    costs: FloatArray, labels: NDArray[np.integer[Any]], weights: FloatArray | None
) -> FloatArray:
    """Return what answers cost on average, [actual, predicted], from answer costs.

    A class without any weight has a row of zeros.

    Examples
    --------
    >>> mean_matrix(np.array([[0.0, 4.0], [0.0, 6.0], [9.0, 1.0]]), np.array([0, 0, 1]), None)
    array([[0., 5.],
           [9., 1.]])
    """
    n_classes = costs.shape[1]
    counts = np.ones(len(labels)) if weights is None else weights
    totals = np.bincount(labels, counts, minlength=n_classes)
    sums = np.stack([np.bincount(labels, counts * column, minlength=n_classes) for column in costs.T], axis=1)
    return np.asarray(sums / np.where(totals > 0.0, totals, 1.0)[:, None])


def _in_order(error_costs: Any, classes: Sequence[Any] | NDArray[Any]) -> Any:
    """Return the costs of a frame in the order of the classes; anything else as it is."""
    if not hasattr(type(error_costs), "columns"):
        return error_costs
    costs = np.asarray(error_costs)
    if costs.ndim != 2:
        return error_costs  # a frame whose rows are not there yet
    columns = getattr(error_costs, "column_names", error_costs.columns)  # arrow: `columns` are the values
    found, names = [class_name(column) for column in columns], [class_name(label) for label in classes]
    if sorted(found) != sorted(names):
        raise CostError(
            f"A frame of error_costs must have one column for each class: {quoted(names)}. Got the columns "
            f"{quoted(found)}. Rename them, or pass an array with its columns in the order of the classes."
        )
    return costs[:, [found.index(name) for name in names]]


def _checked(error_costs: Any, n_rows: int, classes: Sequence[Any] | NDArray[Any]) -> FloatArray:
    try:
        costs = np.asarray(error_costs)
        if costs.dtype.kind in "bcmMSU" or any(isinstance(entry, (str, bytes)) for entry in _objects(costs)):
            raise TypeError
        costs = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise CostError(f"{_WANTED}. This {type(error_costs).__name__} is no array of numbers.") from None
    if costs.ndim not in (2, 3) or len(costs) != n_rows:
        raise CostError(f"{_WANTED}, and there are {n_rows} cases. Got shape {costs.shape}.")
    if set(costs.shape[1:]) != {len(classes)}:
        names = [class_name(label) for label in classes]
        raise CostError(
            f"{_WANTED}. Got shape {costs.shape}, but there are {len(names)} classes: {quoted(names)}. Give "
            "one column for each, in this order."
        )
    wrong = ~(costs >= 0.0) | (costs > LARGEST)
    if wrong.any():
        _refuse(costs, np.argwhere(wrong)[0], classes)
    return costs


def _objects(costs: NDArray[Any]) -> Iterable[Any]:
    """Return the entries of an array of objects, which may be texts that look like numbers."""
    return costs.flat if costs.dtype.kind == "O" else ()


def _refuse(costs: FloatArray, place: NDArray[np.intp], classes: Sequence[Any] | NDArray[Any]) -> None:
    row, *others = place.tolist()
    value = costs[tuple(place)]
    names = [repr(class_name(classes[number])) for number in others]
    where = f"row {row}, answer {names[-1]}" + (f" when the truth is {names[0]}" if len(names) == 2 else "")
    if value < 0:
        raise CostError(
            f"error_costs must not be negative. Got {value:g} in {where}. Where answers earn something, add "
            "a constant to all answers of a case: the cheapest one stays the same. Mean costs and savings do "
            "not; they are then those of the raised costs."
        )
    raise CostError(f"error_costs must be numbers from 0 to {LARGEST:g}. Got {value:g} in {where}.")
