"""Bills against today's practice: `verdict` says what a case costs, against testing nobody and today."""

from __future__ import annotations

from typing import Any

import numpy as np

from thriftwood.baselines.today import TodayClassifier
from thriftwood.costs import Costs
from thriftwood.costs.names import class_name
from thriftwood.evaluation.bill_measures import BillMeasures
from thriftwood.evaluation.billing import bill
from thriftwood.evaluation.bills import Bill
from thriftwood.evaluation.comparisons import held_out_by
from thriftwood.evaluation.folds import folds_of
from thriftwood.evaluation.intervals import UNSEEN_DIFFERENCE, Spread
from thriftwood.evaluation.verdicts import Verdict
from thriftwood.learning.targets import class_labels
from thriftwood.models.conversion import as_model
from thriftwood.models.labels import with_further
from thriftwood.table.rows import without_column

FOLDS = 5
"""Parts that today's panel is learnt from where it must be learnt from the cases of the bill."""


def verdict(
    model: Any,
    X: Any,
    y: Any,
    costs: Costs | None = None,
    *,
    basis: str = "",
    learnt_from: tuple[Any, Any] | None = None,
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
        The cases that today's panel is learnt from. None: those of `X`, in turn, so that no case is
        answered by a panel that has seen it.

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("wisconsin-diagnostic")
    >>> costs = data.costs.replace(today=["mean radius", "mean texture"], case_name="patient")
    >>> model = tw.algorithm(costs=costs).fit(data.X[::2], data.y[::2])
    >>> found = verdict(model, data.X[1::2], data.y[1::2])
    >>> print(found)  # doctest: +ELLIPSIS
    118.36 a patient (75.06 to 211.20): 187.98 ... less than today's panel.
    >>> found.dearer_than, found.against_today.high < 0
    ((), True)
    """
    asked = as_model(model)
    charged = asked.costs if costs is None else costs
    answered = None if charged is None or charged.today is None else charged.today.answers
    own = bill(asked, X if answered is None else without_column(X, answered), y, costs)
    if own.costs.today is None:
        return verdict_of_bill(own, basis=basis)
    learnt = None if learnt_from is None else fitted_today(own.costs, *learnt_from)
    return verdict_of_bill(own, against_today(own, X, y, learnt), basis)


def verdict_of_bill(own: BillMeasures, today: Spread | None = None, basis: str = "") -> Verdict:
    """Return the verdict of a bill; `today` is the spread of what its cases cost more than today."""
    if own.mean_cost is None or own.interval is None:
        raise ValueError("What a case costs is known only with the true classes, y. Bill such cases.")
    more = None if today is None else today.difference
    return Verdict(own.mean_cost, own.interval, own.against_untested, more, own.costs, basis)


def against_today(own: Bill, X: Any, y: Any, learnt: TodayClassifier | None = None) -> Spread:
    """Return what the cases of a bill cost more than today.

    `learnt` is today's practice where it was learnt from other cases; None: a panel is learnt from these
    cases, in turn, so that no case is answered by one that has seen it.
    """
    today, costs = own.costs.today, own.every_answer
    if own.cost is None or costs is None:
        raise ValueError("What a case costs is known only with the true classes, y.")
    if learnt is None and today is not None and today.tests is not None and today.answers is None:
        classes, labels = class_labels(y, len(y))
        fold = folds_of(labels, min(FOLDS, int(np.bincount(labels).max())), 0)
        paid, answers, _ = held_out_by(TodayClassifier(own.costs), X, y, own.costs, fold)
        named = with_further(classes, own.costs.further_answers(classes))[answers]
    else:
        practice = fitted_today(own.costs, X, y) if learnt is None else learnt
        other = bill(practice, X, None, own.costs)
        assert other.answers is not None  # classes
        paid, named = other.test_cost, other.answers[other.predicted]
    assert own.answers is not None  # classes
    place = {class_name(label): number for number, label in enumerate(own.answers.tolist())}
    numbers = np.array([place[class_name(label)] for label in named.tolist()], dtype=np.intp)
    cost = paid + costs[np.arange(own.n_cases), numbers]
    least, most = own.bounds
    return Spread.of(
        own.cost - cost,
        own.weights,
        least=least - (float(costs.max()) + float(paid.max())),
        most=most - float(costs.min()),
        unseen=UNSEEN_DIFFERENCE,
    )


def fitted_today(costs: Costs, X: Any, y: Any) -> TodayClassifier:
    """Return today's practice, learnt from these cases."""
    return TodayClassifier(costs).fit(X, y)
