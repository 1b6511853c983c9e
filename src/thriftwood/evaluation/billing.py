"""`bill`: write what a tree or an ensemble costs on a table of cases."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs, answer_costs
from thriftwood.costs.further import check_known, refuse_further, without_errors
from thriftwood.costs.model import meant_costs
from thriftwood.evaluation.bills import Bill
from thriftwood.evaluation.purchases import Purchases
from thriftwood.evaluation.within_budget import spent_within, within_limit
from thriftwood.learning.targets import case_weights
from thriftwood.models.answer_rule import AnswerRuleModel
from thriftwood.models.conversion import as_model
from thriftwood.models.fixed_panel import FixedPanelModel
from thriftwood.models.labels import class_numbers, one_per_case
from thriftwood.models.model import Model
from thriftwood.models.tree.training_cases import class_shares
from thriftwood.table.reading import read


def bill(
    model: Any,
    X: Any,
    y: Any = None,
    costs: Costs | None = None,
    *,
    sample_weight: Any = None,
    budget: float | None = None,
    error_costs: Any = None,
) -> Bill:
    """Write the bill of every case: what its tests cost and what its answer costs.

    Parameters
    ----------
    model : fitted estimator, ensemble, pipeline or search that ends in one, or Tree
        Who decides; also a `CheapestAnswer` around one of them, an estimator of scikit-learn, or a model or
        booster of LightGBM. Its answers are those of ``model.predict``. In a pipeline that ends in a model of
        thriftwood the tests are the columns that the last step sees.
    X : array, frame, sparse matrix or list of rows
        The cases.
    y : array-like of shape (n_rows,), optional
        The true classes. Without them, and for a regression tree, there are test costs only.
    costs : Costs, optional
        What to charge; None: the model's own costs.
    sample_weight : array-like of shape (n_rows,), optional
        How much each case counts in means, totals and counts.
    budget : float, optional
        The most that a case may pay for tests: one that would go beyond is not bought, and the case is
        answered by the node where it stands, as in ``model.consult(budget=...)``. Of a single tree, a panel
        (bagging, boosting) or a booster; of these each case takes about a millisecond. None, or infinite:
        no limit.
    error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
        What mistakes cost where that differs by row, as in ``CostTreeClassifier.fit``: the cost of each
        answer to each case, in the order of the model's classes or as a frame with a column for each class,
        or a matrix [actual, predicted] for each case, which `CheapestAnswer` and the fixed panels
        then answer by. Needs `y`; `costs` must not name error costs as well.

    Returns
    -------
    Bill

    Raises
    ------
    CostError
        If `costs` names columns or classes that the model does not have, or `error_costs` has another shape,
        or a cost that is negative or no number.
    ValueError
        If the model is not fitted, nobody gave costs, `y` has another length or unknown labels, there is a
        budget for a model that does not ask for one test at a time, or mistakes are priced twice.

    Notes
    -----
    A case pays for the tests it is asked, each once, at its effective price. A delayed test is paid with all
    tests below it. With upfront payment every case pays for all tests of the tree. A missing value is paid
    for unless the costs say that it is free; a case that goes down several branches for it pays their mean by
    share. A surrogate is paid for when it is consulted. In an ensemble a case pays for the
    tests that any of the models asks, each once; for all columns, if the models are not trees of ours. Where
    trees are consulted one after the other (a `Panel`: boosting, bagging, CoCoST, short-cut forests), it pays
    for those of the trees consulted, in this order; ``apart_cost`` has what they would cost one by one.
    There a case that goes down several branches pays for all of them in full, not their mean: the next tree
    may ask for the same test. So a panel of a single tree may cost more than that tree.
    Trees, forests and boosted trees of other libraries (scikit-learn's, AdaBoost and bags of them too, and
    LightGBM's) are charged alike: a case pays for the columns on its own paths. Any other estimator, and a
    pipeline that ends in an estimator of another library, is charged for all columns of `X`. Columns of a
    frame may stand in another order than at fit, where the model knows their names.
    `CheapestAnswer` asks what its classifier asks, for the prices of its own costs or, if these have none, of
    its classifier's.

    Examples
    --------
    >>> from thriftwood.datasets import load_dataset
    >>> from thriftwood.learning import CostTreeClassifier, Growth
    >>> golf = load_dataset("golf-nominal")
    >>> model = CostTreeClassifier("entropy", growth=Growth(nominal="multiway")).fit(golf.X, golf.y)
    >>> result = bill(model, golf.X, golf.y, golf.costs)
    >>> round(result.mean_test_cost, 6), result.upfront_cost, result.accuracy
    (4.892857, 6.5, 1.0)

    With at most 4 a case for tests:

    >>> frugal = bill(model, golf.X, golf.y, golf.costs, budget=4)
    >>> float(frugal.test_cost.max()), int(frugal.stopped.sum()), round(frugal.accuracy, 3)
    (4.0, 10, 0.714)

    Where each mistake costs something else, here more from day to day:

    >>> rising = [[0, day] if played == "No" else [day, 0] for day, played in enumerate(golf.y)]
    >>> round(bill(model, golf.X, golf.y, golf.costs, budget=4, error_costs=rising).mean_error_cost, 3)
    2.571
    """
    asked, table = as_model(model).read(X)
    if isinstance(asked, AnswerRuleModel | FixedPanelModel) and np.ndim(error_costs) == 3:
        asked = asked.told(error_costs, read(X).shape[0])
    costs = _charged(asked, costs)
    prices = asked.prices_of(costs)
    stopped, limit = None, within_limit(budget)
    if limit is None:
        charged = asked.charge(table, costs)
    else:
        charged, stopped = spent_within(asked, X, costs, limit)
    classes, n_rows = asked.classes, len(charged.answers)
    actual = _actual(classes, y, n_rows)
    by_row = None if error_costs is None else _by_row(asked, costs, error_costs, actual)
    if by_row is None:
        further, predicted = charged_answers(asked, costs, charged.answers, truth=y is not None)
    else:
        refuse_further(asked.further, "error_costs by row")
        further, predicted = (), charged.answers
    return Bill(
        single_tree=asked.asking_tree,
        classes=classes,
        feature_names=asked.feature_names,
        tests=asked.tests,
        costs=costs,
        test_cost=charged.ledger.test_cost,
        purchases=Purchases.of(charged.ledger),
        predicted=predicted,
        actual=actual,
        error_matrix=None
        if y is None or classes is None or by_row is not None
        else costs.error_matrix(classes),
        answer_costs=by_row,
        weights=case_weights(sample_weight, n_rows),
        upfront_cost=float(prices.purchase(asked.tests.tolist()).sum()),
        full_price=prices.list_price(),
        index=getattr(X, "index", None) if hasattr(X, "iloc") else None,
        apart_cost=charged.apart_cost,
        n_consulted=charged.n_consulted,
        budget=limit,
        stopped=stopped,
        further=further,
        learnt_answer=None if y is None or by_row is not None else learnt_answer(asked, costs),
    )


def learnt_answer(model: Model, costs: Costs) -> int | None:
    """Return the number of the answer that is cheapest for the cases a model learnt from, without a test.

    None where it does not know how many cases of each class these were: a single tree does, unless cases were
    weighted.
    """
    tree = model.asking_tree
    given = model.setup.class_counts
    if given is not None:
        shares: NDArray[np.float64] | None = np.array(given)
    else:
        shares = None if tree is None or model.classes is None else class_shares(tree)
    if shares is None or model.classes is None or len(shares) != len(model.classes):
        return None
    return int((shares @ costs.error_matrix(model.classes)).argmin())


def charged_answers(
    model: Model, costs: Costs, predicted: NDArray[Any], *, truth: bool
) -> tuple[tuple[str, ...], NDArray[Any]]:
    """Return the answers besides the classes that are charged, and the number of each answer among all.

    They are those of the costs, which may know more than the model, or in another order.

    Raises
    ------
    CostError
        If the model has an answer that the costs do not know, and the true classes are given.
    """
    if model.classes is None:
        return (), predicted
    further = costs.further_answers(model.classes)
    if truth:
        check_known(model.further, further, model.owner)
    elif not set(model.further) <= set(further):
        return model.further, predicted
    if model.further in (further, ()):
        return further, predicted
    k = len(model.classes)
    places = [*range(k), *(k + further.index(name) for name in model.further)]
    return further, np.array(places, dtype=predicted.dtype)[predicted]


def places_among(classes: NDArray[Any], own: NDArray[Any], further: tuple[str, ...]) -> NDArray[np.intp]:
    """Return the numbers that a model's answers have where there are these classes, some of which it lacks.

    Examples
    --------
    >>> places_among(np.array(["a", "b", "c"]), np.array(["a", "c"]), ("refer",))
    array([0, 2, 3])
    """
    return np.concatenate([np.searchsorted(classes, own), len(classes) + np.arange(len(further))])


def _charged(model: Model, costs: Costs | None) -> Costs:
    """Return the costs to charge: those given, or else the model's own."""
    costs = model.costs if costs is None else costs
    if costs is None:
        raise ValueError(
            f"This {model.owner} was made without costs, so there is nothing to charge. Pass "
            "costs=... (Costs() makes every test free and every mistake cost 1)."
        )
    if not isinstance(costs, Costs):
        raise TypeError(f"costs must be a Costs object. Got {type(costs).__name__}.{meant_costs(costs)}")
    return costs


def _by_row(model: Model, costs: Costs, error_costs: Any, actual: NDArray[Any] | None) -> NDArray[np.float64]:
    """Return what each answer costs each case, where `bill` was told so."""
    if model.classes is None:
        raise ValueError(
            f"bill was given error_costs, but {model.owner} answers with numbers, which have no error costs. "
            "Leave error_costs out."
        )
    if actual is None:
        raise ValueError(
            "bill was given error_costs, what answers cost cases of known classes, but no y. Pass the true "
            "classes, y=..., or leave error_costs out."
        )
    if costs.names_errors:
        raise ValueError(
            "bill was given error_costs by row, and costs with error costs. Only one of them can say what "
            f"mistakes cost: pass costs={without_errors(costs)}, or leave error_costs out."
        )
    return answer_costs(error_costs, actual, model.classes)


def _actual(classes: NDArray[Any] | None, y: Any, n_rows: int) -> NDArray[Any] | None:
    if y is None:
        return None
    return one_per_case(y, n_rows) if classes is None else class_numbers(y, classes, n_rows)
