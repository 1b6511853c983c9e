"""What the tests of an ensemble cost: a case pays for every test that any of the models asks, each once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.ensembles import CostGradientBoostingClassifier
from thriftwood.ensembles.base import Ensemble
from thriftwood.ensembles.test_costs.panel_classifier import PanelClassifier
from thriftwood.evaluation.purchases import Purchases
from thriftwood.models.adapters.foreign import Peer


def names_of(model: Ensemble | Peer) -> tuple[str, ...]:
    """Return the names of the columns that a fitted ensemble takes; x0, x1, ... if they had none."""
    if not hasattr(model, "n_features_in_"):
        raise TypeError(
            f"The base estimator of this {type(model).__name__} does not say which columns it takes "
            "(n_features_in_), so there are no tests to charge. Write the bill of one that does."
        )
    named = getattr(model, "feature_names_in_", None)
    return tuple(f"x{j}" for j in range(model.n_features_in_)) if named is None else tuple(named)


def bought(model: Ensemble | Peer, X: Any, costs: Costs, prices: _core.Prices) -> Purchases:
    """Return the tests that each case buys; where the order decides on a price, in the order of the columns.

    A panel, or a booster, buys in the order of consultation.

    Examples
    --------
    >>> import thriftwood as tw
    >>> model = tw.CostBagClassifier(costs=tw.Costs(errors_default=1), random_state=0)
    >>> model = model.fit([[1, 0], [2, 0], [3, 0], [4, 0]] * 5, [0, 0, 1, 1] * 5)
    >>> costs = tw.Costs({"x0": 3, "x1": 2})
    >>> bought(model, [[2, 0]], costs, _core.Prices(costs.compile(names_of(model)))).cost
    array([3.])
    """
    if isinstance(model, CostGradientBoostingClassifier):
        booster = model.model_
        return Purchases.of(booster.ledger_of(booster.table(X), costs))
    if isinstance(model, PanelClassifier):
        panel = model.model_
        return Purchases.of(panel.ledger_of(panel.table(X), costs))
    asked = model.tests_asked(X, costs)
    # Cases with the same tests have the same bill, and there are few different ones.
    sets, which = np.unique(asked, axis=0, return_inverse=True)
    which = which.reshape(-1)
    tests = [np.flatnonzero(chosen) for chosen in sets]
    paid = [prices.purchase(own.tolist()) for own in tests]
    starts = np.concatenate([[0], np.cumsum(asked.sum(axis=1))])
    nothing: NDArray[Any] = np.zeros(0)
    test = np.concatenate([nothing, *(tests[number] for number in which)])
    cost = np.concatenate([nothing, *(paid[number] for number in which)])
    return Purchases(starts.astype(np.int64), test.astype(np.int32), np.ones(len(test)), cost)


def tests_upfront(model: Ensemble | Peer, X: Any, costs: Costs) -> NDArray[np.int32]:
    """Return the tests that the ensemble may ask of any case, whatever values these cases lack."""
    asked = model.tests_asked(X, costs.replace(payment="upfront", charge_missing=True))
    return np.flatnonzero(asked.any(axis=0)).astype(np.int32)
