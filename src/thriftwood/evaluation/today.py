"""Bills against today's practice: `verdict` says what a case costs, against testing nobody and today."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import advised
from thriftwood.base.remedies import InPython
from thriftwood.baselines.today import TodayClassifier
from thriftwood.costs import Costs, answer_costs
from thriftwood.evaluation.bill_measures import BillMeasures
from thriftwood.evaluation.billing import bill
from thriftwood.evaluation.bills import Bill
from thriftwood.evaluation.comparisons import answered, held_out_by
from thriftwood.evaluation.folds import folds_of
from thriftwood.evaluation.intervals import UNSEEN_DIFFERENCE, Spread
from thriftwood.evaluation.learnt_columns import asked_columns
from thriftwood.evaluation.verdicts import Verdict
from thriftwood.learning.weighing import has_prices
from thriftwood.models.conversion import as_model
from thriftwood.models.labels import class_numbers

FloatArray = NDArray[np.float64]

FOLDS = 5
"""Parts that today's panel is learnt from where it must be learnt from the cases of the bill."""
UNPRICED = "Every mistake counts 1: the prices say nothing of mistakes."
IN_TURN = "Today's panel is learnt from these cases; none is answered by one that has seen it."


def verdict(
    model: Any,
    X: Any,
    y: Any,
    costs: Costs | None = None,
    *,
    basis: str = "",
    learnt_from: tuple[Any, ...] | None = None,
    error_costs: Any = None,
) -> Verdict:
    """Say what a case costs a model, against testing nobody and against today.

    Parameters
    ----------
    model : fitted estimator, or Model
        Who decides, as for `bill`.
    X, y : table and array-like
        Cases that the model has not learnt from, and their true classes. A column of today's answers is for
        the comparison alone.
    costs : Costs, optional
        What to charge; None: the model's own costs. What is done today is their `today`, if they have one.
    basis : str
        What cases these are, a sentence.
    learnt_from : (table, array-like), optional
        The cases that the model learnt from: they say what everybody would be answered untested, and today's
        panel is learnt from them. Where mistakes cost every case another sum, with their own as a third.
        None: the answer that a tree remembers from training, or else the one that is cheapest for `X` in
        hindsight; and the panel is learnt from `X`, in turn, so that no case is answered by one that has seen
        it. The sentence says so.
    error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
        What mistakes cost where that differs by row, as for `bill`. Without them, and with prices that say
        nothing of mistakes, every mistake counts 1, and the sentence says so.

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("wisconsin-diagnostic")
    >>> costs = data.costs.replace(today=["mean radius", "mean texture"], case_name="patient")
    >>> model = tw.algorithm(costs=costs).fit(data.X[::2], data.y[::2])
    >>> found = verdict(model, data.X[1::2], data.y[1::2])
    >>> print(found)  # doctest: +ELLIPSIS
    118.36 a patient (75.06 to 211.20): 187.98 ... less than today's panel. ...
    >>> found.dearer_than, found.against_today.high < 0
    ((), True)
    """
    if learnt_from is not None and (len(learnt_from) > 2) != (error_costs is not None):
        raise ValueError(
            "Mistakes cost every case another sum, or none does: pass error_costs=..., what they cost these "
            "cases, and learnt_from=(X, y, their own), or neither."
        )
    asked = as_model(model)
    charged = asked.costs if costs is None else costs
    own = bill(asked, asked_columns(X, asked, charged), y, costs, error_costs=error_costs)
    if learnt_from is not None:
        own = replace(own, learnt_answer=_answer_of(own, *learnt_from[1:]))
    if own.costs.today is None:
        return verdict_of_bill(own, basis=basis)
    learnt = None if learnt_from is None else fitted_today(own.costs, *learnt_from, classes=own.classes)
    return verdict_of_bill(own, against_today(own, X, learnt), basis, IN_TURN if learnt is None else "")


def verdict_of_bill(
    own: BillMeasures, today: Spread | None = None, basis: str = "", panel: str = ""
) -> Verdict:
    """Return the verdict of a bill.

    `today` is the spread of what its cases cost more than today, and `panel` says what cases today's panel is
    learnt from, if there is one.
    """
    if own.mean_cost is None or own.interval is None:
        raise ValueError("What a case costs is known only with the true classes, y. Bill such cases.")
    more = None if today is None else today.difference
    if more is not None and own.costs.today is not None and own.costs.today.learnt:
        basis = f"{basis} {panel}".strip()
    if has_prices(own.costs) and not own.by_row and not own.costs.names_errors:
        basis = f"{basis} {UNPRICED}".strip()
    return Verdict(
        own.mean_cost, own.interval, own.against_untested, more, own.costs, basis, own.in_hindsight
    )


def against_today(own: Bill, X: Any, learnt: TodayClassifier | None = None) -> Spread:
    """Return what the cases of a bill cost more than today.

    Parameters
    ----------
    own : Bill
        With the true classes.
    X : table
        Its cases; with the column of today's answers, if these are given.
    learnt : TodayClassifier, optional
        Today's practice, learnt from other cases. None: a panel is learnt from these cases, in turn, with
        their weights and costs, so that no case is answered by one that has seen it.
    """
    today, costs = own.costs.today, own.every_answer
    if own.cost is None or costs is None or own.classes is None or own.actual is None:
        raise ValueError("What a case costs is known only with the true classes, y.")
    if learnt is None and today is not None and today.learnt:
        paid, answers = _in_turn(own, X)
    else:
        truth = own.classes[own.actual]
        practice = fitted_today(own.costs, X, truth, classes=own.classes) if learnt is None else learnt
        paid, answers, _ = answered(practice, X, own.costs, own.classes)
    cost = paid + costs[np.arange(own.n_cases), answers]
    least, most = own.bounds
    return Spread.of(
        own.cost - cost,
        own.weights,
        least=least - (float(costs.max()) + float(paid.max())),
        most=most - float(costs.min()),
        unseen=UNSEEN_DIFFERENCE,
    )


def _in_turn(own: Bill, X: Any) -> tuple[FloatArray, NDArray[np.intp]]:
    """Return what the cases pay, and are answered, by panels that have not seen them."""
    assert own.classes is not None and own.actual is not None  # noqa: PT018  # against_today
    counts = np.ones(own.n_cases, dtype=bool) if own.weights is None else own.weights > 0
    folds = min(FOLDS, int(np.bincount(own.actual[counts]).max(initial=0)))
    if folds < 2:
        raise advised(
            ValueError,
            f"Today's panel is learnt from two cases of one class at least, and there {_are(own.n_cases)}. ",
            InPython("Pass learnt_from=(X, y), the cases of training."),
        )
    # Cases that do not count are not dealt: a fold of them alone would leave nothing to learn from.
    fold = np.zeros(own.n_cases, dtype=np.intp)
    fold[counts] = folds_of(own.actual[counts], folds, 0)
    practice, truth = TodayClassifier(own.costs), own.classes[own.actual]
    more = {"sample_weight": own.weights, "error_costs": own.answer_costs}
    paid, answers, _ = held_out_by(practice, X, truth, own.costs, fold, classes=own.classes, **more)
    return paid, answers


def _are(number: int) -> str:
    return "is one case" if number == 1 else f"are {number:,}, each of another class"


def fitted_today(
    costs: Costs, X: Any, y: Any, error_costs: Any = None, *, classes: NDArray[Any] | None = None
) -> TodayClassifier:
    """Return today's practice, learnt from these cases; None: their classes are all that there are."""
    return TodayClassifier(costs).knowing(classes).fit(X, y, error_costs=error_costs)


def _answer_of(own: Bill, y: Any, error_costs: Any = None) -> int | None:
    """Return the number of the answer that is cheapest for cases of training, if nobody is tested."""
    if own.classes is None:
        return None
    labels = class_numbers(y, own.classes, len(y))
    if error_costs is not None:
        return int(answer_costs(error_costs, labels, own.classes).sum(axis=0).argmin())
    assert own.error_matrix is not None  # no costs by row
    counts = np.bincount(labels, minlength=len(own.classes))
    return int((counts @ own.error_matrix).argmin())
