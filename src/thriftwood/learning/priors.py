"""How much each class counts: given priors; and error costs as weights, in growth alone or throughout.

A class can count as much as its mistakes cost: in growth alone (altered priors: pruning and answers have
the true weights back; C4.5's collapsing of splits belongs to growth), or throughout (instance weights:
what the tree holds are these weights). With two classes the second is Elkan's rebalancing. Answers by
cost would count them once more, so that is warned of.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood.base.advice import Part, advised
from thriftwood.base.callers import callers_level
from thriftwood.base.remedies import SetParameter
from thriftwood.costs import CostWarning

FloatArray = NDArray[np.float64]

# A class whose mistakes cost nothing keeps this much of the dearest one's weight: without any its share of
# a node could not be told.
_TRACE = 1e-6
# A class with this share of the weight, or less, is not there: no factor could bring it to its prior.
_NOTHING = 1e-200


class Reweighed(NamedTuple):
    """Cases that count more or less by their class."""

    cases: FloatArray | None
    """What each case counts by itself; None: once."""
    weights: FloatArray
    """What it counts when the tree grows."""
    class_weights: FloatArray
    """How many times as much that is, for each class."""
    class_scale: FloatArray | None
    """Turns these weights into those that answers are chosen by; None: they are the same."""


def prior_factors(priors: Any, classes: NDArray[Any], totals: FloatArray) -> FloatArray:
    """Return the factor for each class's weight that makes its share the prior; the whole weight stays.

    Parameters
    ----------
    priors : mapping of class to number, or array-like in the order of the classes
        Positive; they are scaled to add up to 1.
    classes : array of shape (n_classes,)
        The classes.
    totals : array of shape (n_classes,)
        The weight of each class in the training table.

    Examples
    --------
    >>> prior_factors({"sick": 1, "well": 9}, np.array(["sick", "well"]), np.array([5.0, 5.0]))
    array([0.2, 1.8])
    """
    given = priors
    if isinstance(priors, Mapping):
        names = classes.tolist()
        if set(priors) != set(names):
            raise ValueError(f"priors must have exactly the classes {names}. Got {list(priors)}.")
        given = [priors[name] for name in names]
    try:
        shares = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        shares = np.empty(0)
    if shares.shape != totals.shape or not (np.isfinite(shares) & (shares > 0)).all():
        raise ValueError(
            f"priors must be {len(totals)} positive numbers, one for each of the classes {classes.tolist()}. "
            f"Got {priors!r}."
        )
    shares = shares / shares.max()  # two very large ones must not overflow
    present = totals > _NOTHING * totals.sum()  # a class whose cases all have weight 0 has nothing to scale
    factors = np.ones_like(totals)
    factors[present] = shares[present] / shares[present].sum() * totals.sum() / totals[present]
    return factors


def mistake_costs(loss: FloatArray) -> FloatArray:
    """Return C(j) of each class: what its mistakes cost in all, beyond its right answer.

    Examples
    --------
    >>> mistake_costs(np.array([[0.0, 1, 4], [2, 0, 1], [5, 3, 0]]))
    array([5., 3., 8.])
    """
    return np.asarray(np.maximum(loss.sum(axis=1) - len(loss) * loss.diagonal(), 0.0))


def instance_weights(loss: FloatArray, totals: FloatArray) -> FloatArray:
    """Return what a case of each class counts if it is to count as much as its mistakes cost.

    The weight of a class is proportional to `mistake_costs`, and the whole weight stays: Ting 1998. A class
    whose mistakes cost nothing counts nothing, unless no other class is there or has a cost.

    Parameters
    ----------
    loss : array of shape (n_classes, n_classes)
        What answers cost, ``[actual, predicted]``.
    totals : array of shape (n_classes,)
        The weight of each class so far.

    Examples
    --------
    >>> instance_weights(np.array([[0.0, 1.0], [5.0, 0.0]]), np.array([9.0, 5.0]))
    array([0.41176471, 2.05882353])
    """
    return _shared_out(mistake_costs(loss), totals)


def altered_priors(loss: FloatArray, totals: FloatArray) -> FloatArray:
    """Return what a case of each class counts in growth alone: Breiman et al. 1984, section 4.4.

    As `instance_weights`, but a class whose mistakes cost nothing keeps a trace: afterwards the true weights
    are wanted back.

    Examples
    --------
    >>> altered_priors(np.array([[0.0, 3.0], [1.0, 0.0]]), np.array([5.0, 5.0]))
    array([1.5, 0.5])
    """
    mistakes = mistake_costs(loss)
    return _shared_out(np.maximum(mistakes, _TRACE * mistakes.max()), totals)


def _shared_out(mistakes: FloatArray, totals: FloatArray) -> FloatArray:
    if not mistakes.any():
        return np.ones(len(mistakes))
    parts = mistakes / mistakes.max()  # very large costs and weights must not overflow
    whole = (totals / totals.sum() * parts).sum()
    return np.asarray(parts / whole) if whole > _NOTHING else np.ones(len(parts))


def warn_of_weights(model: Any, loss: FloatArray, classes: NDArray[Any]) -> None:
    """Warn where weighing every case by its class says less, or more, than the error costs do."""
    if model.loss_in_growth != "instance_weights":
        return
    names = classes.tolist()
    costs = mistake_costs(loss)
    weightless = [name for name, cost in zip(names, costs.tolist(), strict=True) if cost == 0 < costs.max()]
    found: list[tuple[Part, ...]] = []
    if model.answer == "cheapest":
        found.append(
            (
                "loss_in_growth='instance_weights' with answer='cheapest' counts error costs twice: in what "
                "cases weigh, and in the answers. ",
                SetParameter("answer", ("most_likely",)),
                " to count them once.",
            )
        )
    if weightless:
        said = (
            f"Mistakes about the classes {weightless} cost nothing, so their cases weigh nothing and are "
            "left out. Give these mistakes a cost, however small, to keep them."
        )
        found.append((said,))
    mistakes = loss[~np.eye(len(loss), dtype=bool)].reshape(len(loss), -1)
    if (mistakes != mistakes[:, :1]).any():
        said = (
            "Cases weigh what the mistakes about their class cost together, so it is lost which mistake "
            "costs how much. With more than two classes answer='cheapest' without these weights counts each."
        )
        found.append((said,))
    for remark in found:
        warnings.warn(advised(CostWarning, *remark), stacklevel=callers_level())
