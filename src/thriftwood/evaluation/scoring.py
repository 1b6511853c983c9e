"""`cost_scorer` and `savings_scorer`: model selection by what a case costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metadata_routing import MetadataRequest

from thriftwood.costs import CostError, Costs, answer_costs
from thriftwood.costs.selecting import names_prices
from thriftwood.evaluation.billing import bill
from thriftwood.evaluation.savings import saved
from thriftwood.learning.targets import case_weights
from thriftwood.models.conversion import deciding, own_costs
from thriftwood.models.labels import class_numbers


class RoutedScorer:
    """A function ``(model, X, y, **more) -> float`` that scikit-learn hands error costs and weights.

    With ``sklearn.set_config(enable_metadata_routing=True)`` the `error_costs` and the `sample_weight` of
    ``cross_validate(..., params=...)`` and ``GridSearchCV.fit`` reach it, each with the rows that are scored;
    nobody needs to request them.
    """

    def __init__(self, score: Callable[..., float]) -> None:
        update_wrapper(self, score)
        self._score = score

    def __call__(self, model: Any, X: Any, y: Any, **more: Any) -> float:
        """Score a fitted model: larger is better."""
        return self._score(model, X, y, **more)

    def __reduce__(self) -> str:
        return self._score.__name__  # found by name in this module

    def get_metadata_routing(self) -> MetadataRequest:
        """Return what is asked for: scikit-learn calls this."""
        request = MetadataRequest(owner=self._score.__name__)
        for name in ("error_costs", "sample_weight"):
            request.score.add_request(param=name, alias=True)
        return request


@RoutedScorer
def cost_scorer(
    model: Any,
    X: Any,
    y: Any,
    *,
    costs: Costs | None = None,
    sample_weight: Any = None,
    error_costs: Any = None,
) -> float:
    """Score a model by minus the mean cost of a case, tests and errors together: larger is better.

    For ``scoring=`` of `GridSearchCV`, `cross_validate` and the like.

    Parameters
    ----------
    model : fitted classifier, or pipeline or search that ends in one
        Whose bill it is. With `error_costs`, and where tests cost nothing, any classifier.
    X, y
        The cases and their true classes.
    costs : Costs, optional
        What to charge; None: the model's own costs. To choose among models that grow with other costs than
        those that are paid, bind them: ``functools.partial(cost_scorer, costs=paid)``.
    sample_weight : array-like of shape (n_rows,), optional
        How much each case counts.
    error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes), optional
        What each answer costs each case, in the place of the error costs of `costs`; see `savings_scorer`.

    Returns
    -------
    float
        ``-bill(model, X, y).mean_cost``.

    Raises
    ------
    ValueError
        For a regression tree, whose answers have no error costs.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from thriftwood.datasets import load_dataset
    >>> from thriftwood.learners import algorithm
    >>> golf = load_dataset("golf-nominal")
    >>> model = algorithm("c45", costs=golf.costs.replace(errors_default=20))
    >>> search = GridSearchCV(model, {"growth__max_depth": [1, 2]}, scoring=cost_scorer, cv=3)
    >>> search.fit(golf.X, golf.y).best_params_
    {'growth__max_depth': 1}
    """
    if error_costs is not None:
        by_row = _Answered.of(model, X, y, error_costs, sample_weight)
        return -(by_row.mean_cost + _mean_test_cost(model, X, costs, sample_weight))
    mean_cost = bill(model, X, y, costs, sample_weight=sample_weight).mean_cost
    if mean_cost is None:
        raise ValueError(
            "cost_scorer adds what tests and mistakes cost, and the numbers of a regression tree have no "
            "error costs. Score it by scoring='neg_mean_squared_error', and see its bill for the tests."
        )
    return -mean_cost


@RoutedScorer
def savings_scorer(
    model: Any, X: Any, y: Any, *, error_costs: Any = None, sample_weight: Any = None
) -> float:
    """Score a classifier by what its answers save, where costs differ by row; see `savings_score`.

    A model whose `predict` takes `error_costs`, such as `CheapestAnswer`, is told what answers cost each
    case, if they are matrices [actual, predicted].

    Parameters
    ----------
    model : fitted classifier, or pipeline or search that ends in one
        The model that answers.
    X, y
        The cases and their true classes.
    error_costs : array-like of shape (n_rows, n_classes) or (n_rows, n_classes, n_classes)
        What each answer costs each case.
    sample_weight : array-like of shape (n_rows,), optional
        How much each case counts.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn import config_context
    >>> from sklearn.model_selection import cross_validate
    >>> from thriftwood.datasets import load_dataset
    >>> from thriftwood.learning import CostTreeClassifier
    >>> flowers = load_dataset("iris")
    >>> costs = np.ones((150, 3, 3)) * np.arange(1, 151)[:, None, None] * (1 - np.eye(3))
    >>> with config_context(enable_metadata_routing=True):
    ...     model, params = CostTreeClassifier(), {"error_costs": costs}
    ...     found = cross_validate(model, flowers.X, flowers.y, params=params, scoring=savings_scorer, cv=3)
    >>> bool(found["test_score"].min() > 0.8)
    True
    """
    if error_costs is None:
        raise CostError(
            "savings_scorer was given no error_costs. Pass them as params={'error_costs': ...} of "
            "cross_validate, or to the fit of a search, with "
            "sklearn.set_config(enable_metadata_routing=True): each fold then gets those of its rows. For "
            "one table call savings_scorer(model, X, y, error_costs=...)."
        )
    return _Answered.of(model, X, y, error_costs, sample_weight).savings


class _Answered:
    """The answers of a model and what they cost."""

    def __init__(
        self,
        costs: NDArray[np.float64],
        answers: NDArray[np.integer[Any]],
        weights: NDArray[np.float64] | None,
    ) -> None:
        self.costs, self.answers, self.weights = costs, answers, weights

    @classmethod
    def of(cls, model: Any, X: Any, y: Any, error_costs: Any, sample_weight: Any) -> _Answered:
        """Let the model answer, by the costs of each case if it can."""
        model, X = deciding(model).with_table(X)
        takes_costs = np.ndim(error_costs) == 3 and "error_costs" in signature(model.predict).parameters
        given = model.predict(X, error_costs=error_costs) if takes_costs else model.predict(X)
        n_rows, classes = len(given), np.asarray(model.classes_)
        labels = class_numbers(y, classes, n_rows)
        costs = answer_costs(error_costs, labels, classes)
        return cls(costs, class_numbers(given, classes, n_rows), case_weights(sample_weight, n_rows))

    @property
    def savings(self) -> float:
        return saved(self.costs, self.answers, self.weights)

    @property
    def mean_cost(self) -> float:
        paid = self.costs[np.arange(len(self.costs)), self.answers]
        return float(np.average(paid, weights=self.weights))


def _mean_test_cost(model: Any, X: Any, costs: Costs | None, sample_weight: Any) -> float:
    """Return what the tests of a case cost; 0 where nobody named prices."""
    charged = costs if costs is not None else own_costs(model)
    if charged is None or not names_prices(charged):
        return 0.0
    return bill(model, X, None, charged, sample_weight=sample_weight).mean_test_cost
