"""`as_model`: anything that has learnt, as a `Model`."""

from __future__ import annotations

from typing import Any, NamedTuple

from sklearn.utils.validation import check_is_fitted

from thriftwood.costs import Costs
from thriftwood.models.adapters.foreign import ForeignModel
from thriftwood.models.cascade import Cascade
from thriftwood.models.model import Model
from thriftwood.models.own_answers import OwnAnswers, answers_itself
from thriftwood.models.setup import Setup
from thriftwood.models.tree.tree import Tree


class Deciding(NamedTuple):
    """Who decides inside a search or a pipeline."""

    estimator: Any
    steps: tuple[Any, ...]
    """What is done to a table before it arrives there."""

    def with_table(self, X: Any) -> tuple[Any, Any]:
        """Return who decides, and a table as it arrives there."""
        return self.estimator, Setup(steps=self.steps).prepared(X)


def deciding(model: Any) -> Deciding:
    """Return who decides inside a search or a pipeline, or the model itself.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> deciding(make_pipeline(StandardScaler(), DecisionTreeClassifier())).estimator
    DecisionTreeClassifier()
    """
    steps = []
    while not isinstance(model, Model):
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif getattr(model, "steps", None):
            if len(model.steps) > 1:
                steps.append(model[:-1])
            model = model.steps[-1][1]
        else:
            break
    return Deciding(model, tuple(steps))


def is_ours(model: Any) -> bool:
    """Tell whether a model or an estimator is of thriftwood, and not of another library.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from thriftwood import CheapestAnswer
    >>> is_ours(CheapestAnswer(DecisionTreeClassifier())), is_ours(DecisionTreeClassifier())
    (True, False)
    """
    return isinstance(model, Model) or _learns(model) or isinstance(_tree_inside(model), Tree)


def own_costs(model: Any) -> Costs | None:
    """Return the costs that an estimator was made with, fitted or not, inside a search or a pipeline too.

    Examples
    --------
    >>> from thriftwood import CheapestAnswer
    >>> from thriftwood.learning import CostTreeClassifier
    >>> rule = CheapestAnswer(CostTreeClassifier(costs=Costs({"x0": 3})), Costs(errors=[[0, 1], [5, 0]]))
    >>> own_costs(rule).total(["x0"]), own_costs(rule).error_matrix(["no", "yes"]).tolist()
    (3.0, [[0.0, 1.0], [5.0, 0.0]])
    """
    estimator = deciding(model).estimator
    costs = getattr(estimator, "charged", getattr(estimator, "costs", None))
    return costs if isinstance(costs, Costs) else None


def as_model(model: Any, before: str = "asking for a bill") -> Model:
    """Return the model of anything that has learnt.

    Parameters
    ----------
    model : Model, fitted estimator, pipeline or search that ends in one, or booster of LightGBM
        Who decides. In a pipeline that ends in a model of thriftwood the earlier steps are done to every
        table; one that ends in an estimator of another library is a model as a whole.
    before : str
        What was wanted of it, for the message that it is not fitted.

    Raises
    ------
    NotFittedError
        If it is not fitted.
    TypeError
        If it does not predict.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from thriftwood.learning import CostTreeClassifier
    >>> as_model(CostTreeClassifier().fit([[1], [2]], ["no", "yes"]))
    <Tree: 3 nodes, 2 leaves, depth 1, classes no, yes>
    >>> as_model(DecisionTreeClassifier().fit([[1], [2]], ["no", "yes"])).description
    'a model of another library'
    """
    if isinstance(model, Model):
        return model
    estimator, steps = deciding(model)
    if is_ours(estimator):
        found = _of_estimator(estimator, before)
        if answers_itself(estimator):
            found = OwnAnswers(estimator, found)
        return found.asked_with(steps=steps) if steps else found
    if not hasattr(estimator, "predict"):
        raise TypeError(
            "A bill is written for any model that predicts, such as a fitted tree estimator, a pipeline or a "
            f"search that ends in one, or a Tree. Got {type(estimator).__name__}."
        )
    while hasattr(model, "best_estimator_"):
        model = model.best_estimator_
    if hasattr(model, "fit"):
        check_is_fitted(model, msg=f"This %(name)s is not fitted yet. Call fit before {before}.")
    return ForeignModel(model)


def tree_of(model: Any, wanted_for: str, before: str) -> Tree:
    """Return the tree that answers alone, of a fitted estimator, a pipeline or a search; or the tree itself.

    Parameters
    ----------
    model : Tree, fitted tree estimator, pipeline or search that ends in one
        Whose tree.
    wanted_for, before : str
        The beginning of the message that there is none, and the end of the one that it is not fitted.
    """
    estimator = deciding(model).estimator
    tree = single_tree_of(estimator, before)
    if tree is not None:
        return tree
    raise TypeError(
        f"{wanted_for} a fitted tree estimator, a pipeline or a search that ends in one, or a Tree. "
        f"Got {type(estimator).__name__}."
    )


def cascade_of(model: Any) -> Cascade | None:
    """Return the cascade that a model is, or that an estimator, a pipeline or a search ends in; else None."""
    estimator = deciding(model).estimator
    if isinstance(estimator, Cascade):
        return estimator
    found = estimator.model_ if hasattr(estimator, "cascade_") else None
    return found if isinstance(found, Cascade) else None


def single_tree_of(estimator: Any, before: str) -> Tree | None:
    """Return the tree of a model or a fitted estimator, if one alone answers; None of anything else."""
    if not isinstance(estimator, Model) and hasattr(estimator, "fit"):
        check_is_fitted(estimator, msg=f"This %(name)s has no tree yet. Call fit before {before}.")
    return _of_estimator(estimator, before).single_tree if is_ours(estimator) else None


def _of_estimator(estimator: Any, before: str) -> Model:
    """Return the model of an estimator of thriftwood, or of one that has a tree of ours."""
    if isinstance(estimator, Model):
        return estimator
    if _learns(estimator):
        check_is_fitted(estimator, msg=f"This %(name)s is not fitted yet. Call fit before {before}.")
    found: Model = estimator.model_ if _learns(estimator) else _tree_inside(estimator)
    return found


def _learns(estimator: Any) -> bool:
    """Tell whether an estimator is of thriftwood: it says which kind of model it learns."""
    kind = getattr(estimator, "learns", None)
    return isinstance(kind, type) and issubclass(kind, Model)


def _tree_inside(estimator: Any) -> Any:
    return getattr(estimator, "tree_", None)
