"""`cost_scorer`: model selection by what a case costs."""

from __future__ import annotations

from typing import Any

from thriftwood.costs import Costs
from thriftwood.evaluation.billing import bill


def cost_scorer(
    model: Any, X: Any, y: Any, *, costs: Costs | None = None, sample_weight: Any = None
) -> float:
    """Score a model by minus the mean cost of a case, tests and errors together: larger is better.

    For ``scoring=`` of `GridSearchCV`, `cross_validate` and the like.

    Parameters
    ----------
    model : fitted classifier, or pipeline that ends in one
        Whose bill it is.
    X, y
        The cases and their true classes.
    costs : Costs, optional
        What to charge; None: the model's own costs. To choose among models that grow with other costs than
        those that are paid, bind them: ``functools.partial(cost_scorer, costs=paid)``.
    sample_weight : array-like of shape (n_rows,), optional
        How much each case counts.

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
    mean_cost = bill(model, X, y, costs, sample_weight=sample_weight).mean_cost
    if mean_cost is None:
        raise ValueError(
            "cost_scorer adds what tests and mistakes cost, and the numbers of a regression tree have no "
            "error costs. Score it by scoring='neg_mean_squared_error', and see its bill for the tests."
        )
    return -mean_cost
