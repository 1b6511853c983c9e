"""Whether error costs make sense, as Elkan 2001 asks of a cost matrix, and the threshold they stand for.

Words
-----
reasonable
    No mistake costs less than the right answer for the same class.
dominated
    An answer for which there is another that costs no more, whatever the truth: nobody need ever give it. Of
    answers of equal expected cost the first in order is given all the same.
threshold
    Two classes: the probability of the second one above which it is the cheaper answer.

Adding a number to all answers of one class, and multiplying all costs, changes none of the three.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.callers import callers_level
from thriftwood.costs.names import CostError, CostWarning, class_name, quoted

FloatArray = NDArray[np.float64]

RARE = 1 / 3
"""Of two classes, one with no larger share is rare: it is mostly the one that must not be missed."""


def warn_if_unreasonable(matrix: FloatArray, classes: Iterable[Any], further: Iterable[str] = ()) -> None:
    """Warn of what `remarks` finds."""
    for remark in remarks(matrix, [class_name(label) for label in classes], further):
        warnings.warn(remark, CostWarning, stacklevel=callers_level())


def remarks(matrix: FloatArray, names: list[str], further: Iterable[str] = ()) -> list[str]:
    """Say which mistakes cost less than right answers, and which classes are dominated as answers.

    Parameters
    ----------
    matrix : array of shape (n_classes, n_answers)
        What answers cost, ``[actual, answered]``.
    names : list of str
        The classes.
    further : iterable of str
        The answers besides the classes.

    Raises
    ------
    CostError
        If no answer is cheaper than any other, whatever the truth.

    Examples
    --------
    >>> remarks(np.array([[0.0, 1.0], [5.0, 0.0]]), ["well", "sick"])
    []
    >>> remarks(np.array([[0.0, 1.0], [0.0, 0.0]]), ["well", "sick"])[0][:77]
    "'sick' is never the cheaper answer: 'well' costs no more, whatever the truth."
    """
    answers, own = [*names, *further], matrix[:, : len(names)]
    if len(names) > 1 and (own == own[:, :1]).all():
        raise CostError(
            f"By errors every answer costs the same, whatever the truth: no mistake about {quoted(names)} "
            "costs more than a right answer. Give mistakes a cost, or leave errors out: then each costs 1."
        )
    right = own.diagonal()
    mistakes = own.copy()
    np.fill_diagonal(mistakes, np.inf)
    found = [
        f"Calling {names[actual]!r} {names[predicted]!r} costs {matrix[actual, predicted]:g}, less than the "
        f"right answer, which costs {right[actual]:g}. Are its errors the right way round, actual, then "
        "predicted?"
        for actual, predicted in np.argwhere(mistakes < right[:, np.newaxis]).tolist()
    ]
    # An answer that is cheapest where it is right, and alone in that, is dominated by none.
    others = np.hstack([mistakes, matrix[:, len(names) :]])
    for answer in np.flatnonzero(others.min(axis=1) <= right).tolist():
        saved = matrix[:, [answer]] - matrix
        no_dearer = np.all(saved >= 0, axis=0)
        # Of answers that always cost the same the first is given.
        no_dearer &= np.any(saved > 0, axis=0) | (np.arange(len(answers)) < answer)
        if no_dearer.any():
            other = int(no_dearer.argmax())
            tied = "" if other < answer else "Where both cost the same it is answered all the same. "
            found.append(
                f"{names[answer]!r} is never the cheaper answer: {answers[other]!r} costs no more, whatever "
                f"the truth. {tied}Does errors say what mistakes about {names[answer]!r} cost?"
            )
    return found


def doubts(matrix: FloatArray, names: list[str], counts: NDArray[Any]) -> list[str]:
    """Say which error costs look as if they were not meant so, given how many cases each class has.

    Parameters
    ----------
    matrix : array of shape (n_classes, n_classes)
        What answers cost, ``[actual, predicted]``.
    names : list of str
        The classes.
    counts : array of shape (n_classes,)
        How many cases are of each.

    Examples
    --------
    >>> doubts(np.array([[0.0, 50.0], [10.0, 0.0]]), ["well", "sick"], np.array([90, 10]))[0][:66]
    "Missing 'sick' (10 % of the cases) costs 10, less than calling 'we"
    """
    found = [
        gain(names[actual], names[predicted], matrix[actual, predicted])
        for actual, predicted in np.argwhere(matrix < 0).tolist()
        if actual != predicted
    ]
    shares = counts / max(counts.sum(), 1)
    if len(names) == 2 and shares.min() <= RARE:
        rare = int(shares.argmin())
        missed, alarm = float(matrix[rare, 1 - rare]), float(matrix[1 - rare, rare])
        if missed < alarm:
            found.append(
                f"Missing {names[rare]!r} ({100 * shares[rare]:.2g} % of the cases) costs {missed:g}, less "
                f"than calling {names[1 - rare]!r} {names[rare]!r}, {alarm:g}. Are the errors the right way "
                "round, actual, then predicted?"
            )
    return found


def gain(actual: str, predicted: str, cost: float) -> str:
    """Say that a mistake costs less than nothing.

    Examples
    --------
    >>> gain("well", "sick", -3)[:51]
    "Calling 'well' 'sick' costs -3: less than nothing, "
    """
    return (
        f"Calling {actual!r} {predicted!r} costs {cost:g}: less than nothing, so it counts as a gain. "
        "Mistakes usually cost 0 or more."
    )


def threshold(matrix: FloatArray, names: list[str]) -> float:
    """Return the probability of the second of two classes above which it is the cheaper answer."""
    if len(names) != 2:
        raise CostError(
            f"A threshold tells two classes apart, and there are {len(names)}: {quoted(names)}. Use the "
            "cheapest answer, answer='cheapest'."
        )
    (right_first, false_alarm), (missed, right_second) = matrix.tolist()
    alarm, miss = false_alarm - right_first, missed - right_second
    if alarm + miss <= 0 or alarm < 0 or miss < 0:
        raise CostError(
            f"There is no threshold between {quoted(names)}: a mistake must cost no less than the right "
            f"answer, and one of them more. Mistakes cost {alarm:g} and {miss:g} more."
        )
    return float(alarm / (alarm + miss))
