"""`bill`: write what a tree or an ensemble costs on a table of cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import joblib
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.ensembles import CheapestAnswer, CostGradientBoostingClassifier
from thriftwood.ensembles.base import Ensemble
from thriftwood.ensembles.test_costs.panel_classifier import PanelClassifier
from thriftwood.evaluation.asked import bought, names_of, tests_upfront
from thriftwood.evaluation.bills import Bill
from thriftwood.evaluation.cases import (
    case_weights,
    decider,
    finished_tree,
    is_ours,
    one_per_case,
    prices_of,
    true_classes,
)
from thriftwood.evaluation.purchases import Purchases
from thriftwood.models import Booster, Panel
from thriftwood.models.adapters.foreign import Peer, peer_of
from thriftwood.models.model import Model
from thriftwood.table.native import core_table

NOT_FITTED = "This %(name)s is not fitted yet. Call fit before asking for a bill."


def bill(model: Any, X: Any, y: Any = None, costs: Costs | None = None, *, sample_weight: Any = None) -> Bill:
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

    Returns
    -------
    Bill

    Raises
    ------
    CostError
        If `costs` names columns or classes that the model does not have.
    ValueError
        If the model is not fitted, nobody gave costs, or `y` has another length or unknown labels.

    Notes
    -----
    A case pays for the tests it is asked, each once, at its effective price. A delayed test is paid with all
    tests below it. With upfront payment every case pays for all tests of the tree. A missing value is paid
    for unless ``Costs(charge_missing=False)``; a case that goes down several branches for it pays their mean
    by share. A surrogate is paid for when it is consulted. In an ensemble a case pays for the
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
    """
    index = getattr(X, "index", None) if hasattr(X, "iloc") else None
    deciding, _ = decider(model, None)
    if not is_ours(deciding) and hasattr(deciding, "predict"):
        peer, X = peer_of(model, X)
        return _of_ensemble(peer, X, y, costs, sample_weight, index)
    model, X = decider(model, X)
    if isinstance(model, CheapestAnswer):
        return _of_rule(model, X, y, costs, sample_weight, index)
    if isinstance(model, Booster | CostGradientBoostingClassifier):
        return _of_booster(model, X, y, costs, sample_weight, index)
    if isinstance(model, Panel | PanelClassifier):
        return _of_panel(model, X, y, costs, sample_weight, index)
    if isinstance(model, Ensemble) and not hasattr(model, "tree_"):
        return _of_ensemble(model, X, y, costs, sample_weight, index)
    tree = finished_tree(model)
    costs = prices_of(model, tree.costs, costs)
    compiled = costs.compile(tree.feature_names)
    prices = _core.Prices(compiled)
    table = core_table(tree.encoder.encode(X), tree.encoder)
    answers = model.predict(X)
    threads = joblib.effective_n_jobs(getattr(model, "n_jobs", None) or 1)
    ledger = _core.ledger(tree.core, prices, table, threads)
    tests = _core.tests_of(tree.core)
    return Bill(
        single_tree=tree,
        classes=tree.classes,
        feature_names=tree.feature_names,
        tests=tests,
        costs=costs,
        test_cost=ledger.test_cost,
        purchases=Purchases.of(ledger),
        predicted=answers if tree.classes is None else true_classes(answers, tree.classes, table.n_rows),
        actual=_actual(tree.classes, y, table.n_rows),
        error_matrix=None if y is None or tree.classes is None else costs.error_matrix(tree.classes),
        weights=case_weights(sample_weight, table.n_rows),
        upfront_cost=float(prices.purchase(tests.tolist()).sum()),
        full_price=prices.list_price(),
        index=index,
    )


def _of_rule(
    rule: CheapestAnswer, X: Any, y: Any, costs: Costs | None, sample_weight: Any, index: Any
) -> Bill:
    """Charge the tests of the classifier inside, and the answers of the rule."""
    check_is_fitted(rule, msg=NOT_FITTED)
    inside = bill(rule.classifier_, X, y, prices_of(rule, None, costs), sample_weight=sample_weight)
    answers = true_classes(rule.predict(X), rule.classes_, inside.n_cases)
    return replace(inside, predicted=answers, index=index)


def _of_ensemble(
    model: Ensemble | Peer, X: Any, y: Any, costs: Costs | None, sample_weight: Any, index: Any
) -> Bill:
    if isinstance(model, Ensemble):
        check_is_fitted(model, msg=NOT_FITTED)
    names, classes = names_of(model), model.classes_
    costs = prices_of(model.model if isinstance(model, Peer) else model, None, costs)
    prices = _core.Prices(costs.compile(names))
    purchases = bought(model, X, costs, prices)
    n_rows = len(purchases.starts) - 1
    tests = tests_upfront(model, X, costs)
    answers = model.predict(X)
    return Bill(
        single_tree=None,
        classes=classes,
        feature_names=names,
        tests=tests,
        costs=costs,
        test_cost=purchases.costs(),
        purchases=purchases,
        predicted=answers if classes is None else true_classes(answers, classes, n_rows),
        actual=_actual(classes, y, n_rows),
        error_matrix=None if y is None or classes is None else costs.error_matrix(classes),
        weights=case_weights(sample_weight, n_rows),
        upfront_cost=float(prices.purchase(tests.tolist()).sum()),
        full_price=prices.list_price(),
        index=index,
    )


def _of_panel(
    model: Panel | PanelClassifier, X: Any, y: Any, costs: Costs | None, sample_weight: Any, index: Any
) -> Bill:
    """Charge the tests of the trees consulted, in the order of consultation, each once."""
    if isinstance(model, PanelClassifier):
        check_is_fitted(model, msg=NOT_FITTED)
    costs = prices_of(model, None, costs)
    return _of_model(
        model.model_ if isinstance(model, PanelClassifier) else model, X, y, costs, sample_weight, index
    )


def _of_booster(model: Any, X: Any, y: Any, costs: Costs | None, sample_weight: Any, index: Any) -> Bill:
    """Charge the tests that were asked until the answer was sure, in this order, each once."""
    if isinstance(model, CostGradientBoostingClassifier):
        check_is_fitted(model, "classes_", msg=NOT_FITTED)
    costs = prices_of(model, None, costs)
    booster: Booster = model if isinstance(model, Booster) else model.model_
    return _of_model(booster, X, y, costs, sample_weight, index)


def _of_model(model: Model, X: Any, y: Any, costs: Costs, sample_weight: Any, index: Any) -> Bill:
    prices = model.prices_of(costs)
    charged = model.charge(model.table(X), costs)
    n_rows, classes = len(charged.answers), model.classes
    return Bill(
        single_tree=model.single_tree,
        classes=classes,
        feature_names=model.feature_names,
        tests=model.tests,
        costs=costs,
        test_cost=charged.ledger.test_cost,
        purchases=Purchases.of(charged.ledger),
        predicted=charged.answers,
        actual=_actual(classes, y, n_rows),
        error_matrix=None if y is None or classes is None else costs.error_matrix(classes),
        weights=case_weights(sample_weight, n_rows),
        upfront_cost=float(prices.purchase(model.tests.tolist()).sum()),
        full_price=prices.list_price(),
        index=index,
        apart_cost=charged.apart_cost,
        n_consulted=charged.n_consulted,
    )


def _actual(classes: NDArray[Any] | None, y: Any, n_rows: int) -> NDArray[Any] | None:
    if y is None:
        return None
    return one_per_case(y, n_rows) if classes is None else true_classes(y, classes, n_rows)
