"""What comes with the cases of a bill, checked: the model, the true classes, the weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, column_or_1d

from thriftwood.costs import Costs
from thriftwood.ensembles import CheapestAnswer
from thriftwood.ensembles.base import Ensemble
from thriftwood.learning.estimator import CostTree
from thriftwood.learning.targets import case_weights
from thriftwood.models import Booster, Panel
from thriftwood.models.tree.tree import Tree

__all__ = [
    "case_weights",
    "decider",
    "finished_tree",
    "is_ours",
    "names_prices",
    "one_per_case",
    "own_costs",
    "prices_of",
    "true_classes",
]

SHOWN = 5  # unknown labels listed in a message


def decider(model: Any, X: Any) -> tuple[Any, Any]:
    """Return the model that decides inside a search or a pipeline, and the table as it arrives there.

    Raises
    ------
    NotFittedError
        If a search or a step before the last has not been fitted.
    """
    while not isinstance(model, Tree):
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif getattr(model, "steps", None):
            if X is not None and len(model.steps) > 1:
                X = model[:-1].transform(X)
            model = model.steps[-1][1]
        else:
            break
    return model, X


def is_ours(model: Any) -> bool:
    """Tell whether a model is of thriftwood, and not an estimator of another library.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> is_ours(CheapestAnswer(DecisionTreeClassifier())), is_ours(DecisionTreeClassifier())
    (True, False)
    """
    known = isinstance(model, Tree | Panel | Booster | CostTree | Ensemble | CheapestAnswer)
    return known or isinstance(getattr(model, "tree_", None), Tree)


def finished_tree(
    model: Any,
    wanted_for: str = "A bill is written for any model that predicts, such as",
    before: str = "asking for a bill",
) -> Tree:
    """Return the tree of a fitted estimator, or the tree itself; the texts are for the error message."""
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    name = type(model).__name__
    if tree is None and hasattr(model, "fit"):
        check_is_fitted(model, msg=f"This %(name)s has no tree yet. Call fit before {before}.")
    raise TypeError(
        f"{wanted_for} a fitted tree estimator, a pipeline or a search that ends in one, or a Tree. "
        f"Got {name}."
    )


def own_costs(model: Any) -> Costs | None:
    """Return the costs that a model was made with; an answer rule has the prices of its classifier.

    Examples
    --------
    >>> from thriftwood.learning import CostTreeClassifier
    >>> tree = CostTreeClassifier(costs=Costs({"x0": 3}))
    >>> rule = CheapestAnswer(tree, Costs(errors=[[0, 1], [5, 0]])).fit([[1], [2]], ["no", "yes"])
    >>> own_costs(rule).total(["x0"]), own_costs(rule).error_matrix(["no", "yes"]).tolist()
    (3.0, [[0.0, 1.0], [5.0, 0.0]])
    """
    costs: Costs | None = getattr(model, "costs", None)
    if not isinstance(model, CheapestAnswer) or names_prices(costs):
        return costs
    inner = own_costs(decider(model.classifier_, None)[0])
    if costs is None or inner is None:
        return costs or inner
    return inner.replace(errors=costs.errors, errors_default=costs.errors_default)


def names_prices(costs: Costs | None) -> bool:
    """Tell whether costs say that any test costs something."""
    return costs is not None and bool(costs.tests or costs.default_price)


def prices_of(model: Any, own: Costs | None, costs: Costs | None) -> Costs:
    """Return the costs to charge: those given, or else the model's, or else its tree's own."""
    if costs is None:
        costs = own_costs(model) or own
    if costs is None:
        raise ValueError(
            f"This {type(model).__name__} was made without costs, so there is nothing to charge. Pass "
            "costs=... (Costs() makes every test free and every mistake cost 1)."
        )
    if not isinstance(costs, Costs):
        raise TypeError(f"costs must be a Costs object. Got {type(costs).__name__}.")
    return costs


def true_classes(y: Any, classes: NDArray[Any], n_rows: int) -> NDArray[np.int32]:
    """Return the class number of every case.

    Examples
    --------
    >>> true_classes(["yes", "no"], np.array(["no", "yes"]), 2)
    array([1, 0], dtype=int32)
    """
    labels = one_per_case(y, n_rows).tolist()
    number = {label: code for code, label in enumerate(classes.tolist())}
    codes = np.fromiter((number.get(label, -1) for label in labels), dtype=np.int32, count=n_rows)
    if n_rows and codes.min() < 0:
        unknown = list(dict.fromkeys(label for label in labels if label not in number))
        more = f" and {len(unknown) - SHOWN} more" if len(unknown) > SHOWN else ""
        raise ValueError(
            f"y has labels that the model does not know: {', '.join(map(repr, unknown[:SHOWN]))}{more}. Its "
            f"classes are {', '.join(map(repr, number))}."
        )
    return codes


def one_per_case(y: Any, n_rows: int) -> NDArray[Any]:
    """Return the true answers as a 1-D array, one for each row."""
    values: NDArray[Any] = np.asarray(column_or_1d(np.asarray(y), warn=True))
    if len(values) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(values)}. Give one true answer for each row.")
    return values
