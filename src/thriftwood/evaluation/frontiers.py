"""`frontier`: money against accuracy, for a grid of values of one parameter.

The upfront cost of a point is that of the tree on all cases, which is known; sequential costs are
estimated by cross-validation, like accuracy.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from thriftwood.base.advice import advice_of
from thriftwood.base.interrupts import ending_all
from thriftwood.base.parameters import Choice, parameter_error
from thriftwood.base.progress import reported
from thriftwood.costs import Costs
from thriftwood.ensembles import CostGradientBoostingClassifier
from thriftwood.evaluation.frontier_bills import contender_of, nobody_of, today_of
from thriftwood.evaluation.grid import (
    boosting_values,
    budget_parameter,
    listed,
    shown_name,
    swept_parameter,
    swept_values,
    thrift_budgets,
)
from thriftwood.evaluation.learnt_columns import learnt_columns
from thriftwood.evaluation.measures import SCORES, measure
from thriftwood.evaluation.refits import check_refittable, refitted
from thriftwood.evaluation.splits import splits_of
from thriftwood.evaluation.sweep import Cases, Swept, sweep
from thriftwood.evaluation.tradeoff import COSTS, Frontier
from thriftwood.learning import CostTreeClassifier, CostTreeRegressor, ThriftClassifier
from thriftwood.learning.targets import case_weights, class_labels
from thriftwood.models.conversion import own_costs
from thriftwood.table.reading import read

FloatArray = NDArray[np.float64]


def frontier(
    model: Any,
    X: Any,
    y: Any,
    *,
    param: str | None = None,
    values: Any = None,
    budget: Any = None,
    cv: Any = 10,
    accuracy: Literal["accuracy", "balanced_accuracy", "error_cost", "log_loss"] = "accuracy",
    cost: Literal["sequential", "upfront"] = "sequential",
    costs: Costs | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: bool | Callable[[int, int], object] = False,
    sample_weight: Any = None,
    groups: Any = None,
) -> Frontier:
    """Show what accuracy costs: a model with one parameter set to many values, judged by cross-validation.

    The folds are the same for every value, and for every value a model is fitted on all cases too. All trees
    of a CostTreeClassifier are grown in one call of the core, on `n_jobs` threads.

    Parameters
    ----------
    model : CostTreeClassifier, or any classifier
        What to vary; it is not changed and need not be fitted. Ensembles, and classifiers of scikit-learn and
        LightGBM, are fitted one after the other and charged as `bill` charges them.
    X, y, sample_weight
        As for ``fit``. Weights count in growing and in judging.
    param : str, optional
        The parameter, as ``set_params`` takes it (``"pruning__cf"``) or, of a tree, by its own name
        (``"cf"``). None: the one by which the tree's criterion weighs prices, ``"gamma"`` or ``"w"``; of
        gradient boosting, ``"cost_weight"``; of `ThriftClassifier`, ``"budget"``.
    values : iterable, optional
        Its values. None, for the parameter that weighs prices: 0 (prices do not count), and from values so
        small that they hardly count to values so large that no test is worth its price.
    budget : iterable of float, optional
        In place of `param` and `values`: a point for each of these budgets, the most that a case may pay for
        tests; the model learns within it. Of learners that have one.
    cv : int, splitter of scikit-learn, or list of (rows to grow on, rows to judge)
        A number of folds: every class spread evenly, shuffled by `random_state`.
    accuracy : {"accuracy", "balanced_accuracy", "error_cost", "log_loss"}
        What is weighed against the cost of tests: the share of right answers, its mean over the classes,
        the mean cost of an answer, or the log loss in nats. Of the last two less is better. All four are
        measured in any case; see ``Frontier.by``.
    cost : {"sequential", "upfront"}
        The cost of tests: what a case pays on its path on average, estimated by cross-validation, or the
        price of all tests of the tree on all cases, which is known.
    costs : Costs, optional
        What to charge; None: the model's own costs.
    random_state : int, RandomState or None
        Shuffles the cases before they are dealt into folds.
    n_jobs : int, optional
        Threads; None: as the model says. The result is the same for any number.
    progress : bool or callable
        True: a bar on standard error. A callable is called with the number of trees done and of all trees.
    sample_weight : array-like of shape (n_rows,), optional
        How much each case counts.
    groups : array-like of shape (n_rows,), optional
        Which cases belong together, for a `cv` such as ``GroupKFold(5)`` that keeps them together; one that
        does not is an error. A model whose ``fit`` takes groups gets those of its cases.

    Returns
    -------
    Frontier
        Where mistakes have a price, its cheapest point is the one of least tests and mistakes together.
        After Ctrl-C: of the values that were finished, with ``interrupted`` set and a warning.

    Raises
    ------
    ValueError
        If there are no costs, the model has no such parameter, or a value is out of its bounds.
    KeyboardInterrupt
        After Ctrl-C, if no value was finished.

    Notes
    -----
    Scores are means over folds, and ``..._se`` their standard errors: the standard deviation over folds,
    divided by the root of their number. Each tree of a fold is the one that ``fit`` gives on its rows,
    except that it knows the categories and classes of the whole table, and bins, where there are any, have
    the edges of the whole table.

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("wisconsin-diagnostic")
    >>> model = tw.CostTreeClassifier("csgain", costs=data.costs)
    >>> found = tw.frontier(model, data.X, data.y, cv=5, random_state=0)
    >>> found.param, len(found.points), len(found.pareto) <= len(found.points)
    ('gamma', 12, True)
    >>> point = found.cheapest(within=0.02)
    >>> point.model.predict(data.X[:3]).shape
    (3,)

    A classifier of another library, on the same folds:

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> other = DecisionTreeClassifier(random_state=0)
    >>> depths = tw.frontier(
    ...     other, data.X, data.y, param="max_depth", values=[1, 2], cv=5, costs=data.costs, random_state=0
    ... )
    >>> depths[0].cost < depths[1].cost
    True
    """
    for name, given, known in (("accuracy", accuracy, tuple(SCORES)), ("cost", cost, COSTS)):
        if not Choice(known).accepts(given):
            raise parameter_error("frontier", name, given, Choice(known))
    if budget is not None:
        if param is not None or values is not None:
            raise TypeError("frontier varies either param, through values, or the budget. Give one of them.")
        param, values = budget_parameter(model), listed("budget", budget)
    if isinstance(model, CostTreeRegressor):
        raise TypeError(
            "frontier weighs test costs against how often classes are told right, and a CostTreeRegressor "
            "predicts numbers. Give it a CostTreeClassifier."
        )
    charged = own_costs(model) if costs is None else costs
    whole, X = X, learnt_columns(X, charged)
    if isinstance(model, ThriftClassifier) and param is None and values is None:
        param, values = "budget", thrift_budgets(charged, X)
    if isinstance(model, CostGradientBoostingClassifier):
        param = "cost_weight" if param is None else param
        values = boosting_values(model, read(X)) if values is None and param == "cost_weight" else values
    if not isinstance(model, CostTreeClassifier):
        costs = check_refittable(model, param, values, costs)
    model = clone(model)
    if n_jobs is not None:
        model.set_params(n_jobs=n_jobs)
    if isinstance(model, CostTreeClassifier):
        encoder, encoded = model.fit_encoder(X)
        varied = swept_parameter(model, param)
        values, n_rows = swept_values(model, varied, values, encoder), encoded.n_rows
    else:
        varied = str(param)
        values, n_rows = listed(varied, values), read(X).shape[0]
    classes, labels = class_labels(y, n_rows)
    weights = case_weights(sample_weight, n_rows)
    splits = splits_of(cv, labels, weights, random_state, groups)
    cases = Cases(X, y, sample_weight, weights, labels, splits, groups)
    shown = shown_name(varied)
    models = [clone(model).set_params(**{varied: value}) for value in values]
    finished: list[Swept] = []
    interrupted = False
    with reported(progress, f"{len(values)} values of {shown}") as tell, ending_all():
        try:
            swept_by = sweep if isinstance(model, CostTreeClassifier) else refitted
            for swept in swept_by(models, varied, cases, costs, tell):
                finished.append(swept)  # one by one: what is finished stays when the next one is interrupted
        except KeyboardInterrupt:
            if not finished:
                raise
            interrupted = True
    if interrupted:
        warnings.warn(
            f"Interrupted: {len(finished)} of {len(values)} values of {shown} were finished and are kept.",
            stacklevel=2,
        )
    matrix = None if charged is None or weights is not None else charged.error_matrix(classes)
    bills: dict[str, Any] = {}
    if matrix is not None and charged is not None:
        bills["contenders"] = tuple(
            contender_of(f"{shown} = {value}", swept.folds, cases, matrix)
            for value, swept in zip(values, finished, strict=False)
        )
        bills["nobody"] = nobody_of(cases, matrix)
        if charged.today is not None:
            try:
                bills["today"] = today_of(replace(cases, X=whole), charged, matrix)
            except (ValueError, OSError) as error:  # of today, not of the models
                bills["refusal"] = advice_of(error)
    return Frontier(
        charged=charged,
        **bills,
        param=shown,
        values=tuple(values[: len(finished)]),
        columns=_columns(finished, values, labels, weights),
        models=tuple(swept.model for swept in finished),
        accuracy=accuracy,
        cost=cost,
        n_folds=len(splits),
        interrupted=interrupted,
    )


def _columns(
    finished: Sequence[Swept], values: Sequence[Any], labels: NDArray[np.int32], weights: FloatArray | None
) -> dict[str, NDArray[Any] | list[Any]]:
    """Return the table of all points, a row for each value."""
    rows = [_row(swept, labels, weights) for swept in finished]
    columns: dict[str, NDArray[Any] | list[Any]] = {"value": list(values[: len(finished)])}
    columns |= {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return columns


def _row(swept: Swept, labels: NDArray[np.int32], weights: FloatArray | None) -> dict[str, float]:
    matrix = swept.costs.error_matrix(swept.model.classes_)
    measured = [measure(predictions, matrix) for predictions in swept.folds]
    row: dict[str, float] = {}
    for name in measured[0]:
        of_folds = np.array([fold[name] for fold in measured])
        row[name] = float(of_folds.mean())
        spread = of_folds.std(ddof=1) if len(of_folds) > 1 else np.nan
        row[f"{name}_se"] = float(spread / np.sqrt(len(of_folds)))
    right = swept.answers == labels
    row |= {
        "upfront_cost": swept.upfront_cost,
        "n_leaves": swept.n_leaves,
        "depth": swept.depth,
        "n_tests": swept.n_tests,
        "training_accuracy": float(np.average(right, weights=weights)),
    }
    return row
