"""Models of any kind, fitted anew for every value of a parameter and every fold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from thriftwood.base.advice import advised
from thriftwood.base.parameters import nearest
from thriftwood.base.progress import Progress
from thriftwood.base.remedies import Blank, GiveCosts, Pass, Vary
from thriftwood.costs import Costs
from thriftwood.evaluation.billing import bill, places_among
from thriftwood.evaluation.measures import Predictions
from thriftwood.evaluation.sweep import Cases, Split, Swept
from thriftwood.models.conversion import own_costs
from thriftwood.models.members import estimator_shares
from thriftwood.table.rows import take_rows


def check_refittable(model: Any, param: Any, values: Any, costs: Costs | None) -> Costs:
    """Raise unless a model can be fitted and judged for values of a parameter; return what is charged."""
    name = type(model).__name__
    if not (hasattr(model, "get_params") and hasattr(model, "fit") and is_classifier(model)):
        raise TypeError(f"frontier takes a classifier that can be fitted and has parameters. Got {name}.")
    if param is not None and values is None:
        grid = Pass("values", Blank.LIST)
        raise advised(ValueError, f"There is no usual grid for {param} of {name}. ", grid, ".")
    if param is None:
        raise advised(
            ValueError,
            f"Which parameter of {name} weighs prices is not known here. Name it and its values, for "
            "example ",
            Vary("cegb_tradeoff", (0.1, 1, 10)),
            ".",
        )
    own = model.get_params()
    if param not in own and not _takes_anything(model):
        raise ValueError(
            f"{name} has no parameter {param!r}.{nearest(param, own) or ' Choices: ' + ', '.join(own) + '.'}"
        )
    charged = costs if costs is not None else own_costs(model)
    if charged is None:
        raise advised(
            ValueError,
            f"This {name} has no costs of its own, so there is nothing to charge. ",
            GiveCosts(),
            ".",
        )
    return charged


def refitted(
    models: Sequence[Any], param: str, cases: Cases, charged: Costs | None, progress: Progress | None
) -> Iterator[Swept]:
    """Give the outcome of every model, in order, as `sweep` does.

    Parameters
    ----------
    models : sequence of classifiers
        One for each value of `param`.
    cases : Cases
        What they are fitted to and judged by.
    charged : Costs
        What tests cost, paid case by case whatever its payment.
    progress : callable, optional
        Called with the number of fits done and that of all.
    """
    assert charged is not None  # check_refittable
    charged = charged.replace(payment="sequential")
    tell = progress or (lambda done, total: None)
    n_fits = len(cases.splits) + 1
    total = n_fits * len(models)
    y = np.asarray(cases.y)
    classes, everything = np.unique(y), np.arange(len(y))
    for number, model in enumerate(models):
        folds = []
        for fold, split in enumerate(cases.splits):
            tell(number * n_fits + fold, total)
            own = _fitted(clone(model), cases, split.grow, y)
            folds.append(_predictions(own, cases, split, classes, charged))
        tell((number + 1) * n_fits - 1, total)
        paid = bill(_fitted(model, cases, everything, y), cases.X, y, charged)
        tree = paid.single_tree
        leaves, depth = (math.nan, math.nan) if tree is None else (tree.n_leaves, tree.depth)
        yield Swept(model, folds, paid.predicted, paid.upfront_cost, charged, leaves, depth, len(paid.tests))
    tell(total, total)


def _fitted(model: Any, cases: Cases, rows: Any, y: Any) -> Any:
    given = {}
    if cases.sample_weight is not None:
        if not has_fit_parameter(model, "sample_weight"):
            raise ValueError(f"{type(model).__name__} takes no sample_weight. Leave it out.")
        given["sample_weight"] = np.asarray(cases.sample_weight)[rows]
    if cases.groups is not None and has_fit_parameter(model, "groups"):
        given["groups"] = np.asarray(cases.groups)[rows]
    return model.fit(take_rows(cases.X, rows), y[rows], **given)


def _predictions(model: Any, cases: Cases, split: Split, classes: Any, charged: Costs) -> Predictions:
    """Judge by the cases of a fold; a model without probabilities is sure of its answers."""
    X = take_rows(cases.X, split.judge)
    paid = bill(model, X, None, charged)
    answers = places_among(classes, model.classes_, paid.further)[paid.predicted].astype(np.int32)
    shares = estimator_shares(model, X, classes, votes=not hasattr(model, "predict_proba"))
    return cases.predictions(split, answers, shares, paid.test_cost)


def _takes_anything(model: Any) -> bool:
    """Tell whether a model hands parameters on that it does not name, as LightGBM's do."""
    try:
        clone(model).set_params(**{"a parameter of no model": 1})
    except ValueError:
        return False
    return True
