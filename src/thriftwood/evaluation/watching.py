"""`watchdog`: what new cases cost whose truth is not known yet, and whether they are still of the same kind.

A tree knows how many cases of training went down every branch, so that its file is enough to compare with.
Of score cards, of several trees (each of which saw a sample of its own) and of trees that learnt from
weighted cases the file does not say that; they are compared with a *reference*, a table of cases such as
those of training, column by column.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from thriftwood.base.advice import advised
from thriftwood.base.remedies import Blank, Pass
from thriftwood.costs import Costs
from thriftwood.costs.names import counted
from thriftwood.evaluation.drift import Deals, adjusted, deals_for
from thriftwood.evaluation.watched_branches import WatchedBranches
from thriftwood.evaluation.watched_cases import WatchedCases
from thriftwood.evaluation.watched_values import WatchedValues
from thriftwood.evaluation.watches import Check, Watch
from thriftwood.models.conversion import as_model
from thriftwood.models.model import Model
from thriftwood.models.tree.training_cases import whole_counts
from thriftwood.table.unseen import UnseenWarning

RATE = 0.01
MUCH = 0.05
"""A share of missing values that is worth a word where nothing says how many are usual."""


def watchdog(
    model: Any,
    X: Any,
    costs: Costs | None = None,
    *,
    reference: Any = None,
    rate: float = RATE,
    random_state: int = 0,
) -> Watch:
    """Look at new cases whose truth is not known: what they cost, and whether they changed since training.

    Parameters
    ----------
    model : fitted estimator, pipeline or search that ends in one, or Model
        A model of thriftwood.
    X : array, frame, sparse matrix or list of rows
        The new cases.
    costs : Costs, optional
        What to charge; None: the model's own costs, or nothing for tests and 1 for a mistake.
    reference : table, optional
        Cases as they usually are, those of training for example. None: of a single tree the numbers of
        training cases at its nodes; all other models need one.
    rate : float
        How likely an alarm may be, at most, if nothing changed.
    random_state : int
        Deals cases for the p-values.

    Returns
    -------
    Watch
        ``watch.alarm``, ``watch.moved`` (the columns), ``watch.checks`` and what a case costs.

    Raises
    ------
    ValueError
        If there is no reference, and the model does not know its training shares.
    TypeError
        If it is a model of another library, which says nothing about its columns.

    Notes
    -----
    What tests cost is exact. What mistakes will cost is expected by the training cases at the leaf where a
    case ends, smoothed as if two cases of the whole training table were there too; by the probabilities of
    score cards, boosters and fixed panels. These come from the cases it learnt from and are hopeful: compare
    them with the same figure of training, not with the bill of cases held out. Votes of several trees are no
    probabilities, so there is no such figure.

    Without a reference the branches of a tree are compared, among the cases that come to each test. Below a
    test of a column that moved other columns differ, too; they are not named, as they may only follow from
    it. How many values are usually missing is not known then. With a reference the values of each column that
    the model may ask for are compared, missing ones among them, and the answers.
    `thriftwood.evaluation.drift` has the method.

    Examples
    --------
    >>> import thriftwood as tw
    >>> data = tw.load_dataset("wisconsin-diagnostic")
    >>> model = tw.algorithm("eg2", costs=data.costs).fit(data.X[:400], data.y[:400])
    >>> tw.watchdog(model, data.X[400:]).alarm
    False
    >>> shifted = data.X[400:].assign(**{"mean concave points": data.X["mean concave points"] * 2})
    >>> tw.watchdog(model, shifted).moved
    ('mean concave points',)
    """
    return watch(as_model(model), [X], costs, None if reference is None else [reference], rate, random_state)


def watch(
    model: Model,
    parts: Iterable[Any],
    costs: Costs | None = None,
    reference: Iterable[Any] | None = None,
    rate: float = RATE,
    random_state: int = 0,
) -> Watch:
    """Do the same for tables that come in parts."""
    if not 0.0 < rate < 1.0:
        raise ValueError(f"The rate of false alarms lies between 0 and 1. Got {rate:g}.")
    if not hasattr(model, "encoder"):
        raise TypeError(f"The watchdog looks after models of thriftwood. Got {model.description}.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenWarning)  # a check, or a remark, says it
        return _watched(model, parts, costs or model.costs or Costs(), reference, rate, random_state)


def _watched(
    model: Model,
    parts: Iterable[Any],
    costs: Costs,
    reference: Iterable[Any] | None,
    rate: float,
    random_state: int,
) -> Watch:
    branches: WatchedBranches | None = None
    values: WatchedValues | None = None
    usual: WatchedCases | None = None
    if reference is None:
        branches = WatchedBranches(_counting_tree(model))
    else:
        usual = WatchedCases(model, costs)
        values = WatchedValues(model, map(usual.add, reference))
    cases = WatchedCases(model, costs)
    for X in parts:
        encoded = cases.add(X)
        if branches is not None:
            branches.add(encoded)
        if values is not None:
            values.add(encoded)
    if cases.n == 0:
        raise ValueError("There are no new cases to look at.")
    rng = np.random.default_rng(random_state)
    if branches is not None:
        deals = Deals(rng, deals_for(branches.n_checks, rate))
        found = branches.checks(cases, deals)
        checks = branches.explained(_adjusted(found, rate), found, cases, deals, rate)
        n_compared, usual_costs = branches.n_training, branches.usual_costs(costs)
    else:
        assert values is not None and usual is not None  # noqa: PT018  of the reference
        found = values.checks(cases, usual, Deals(rng, deals_for(values.n_checks, rate)))
        checks = _adjusted(found, rate)
        n_compared, usual_costs = usual.n, (usual.mean_test_cost, usual.mean_error_cost)
    return Watch(
        n_cases=cases.n,
        n_compared=n_compared,
        compared_with="training" if reference is None else "the reference",
        rate=rate,
        checks=tuple(sorted(checks, key=lambda check: check.p_value)),
        mean_test_cost=cases.mean_test_cost,
        mean_error_cost=cases.mean_error_cost,
        why_no_errors=cases.why_no_errors,
        usual_test_cost=usual_costs[0],
        usual_error_cost=None if cases.mean_error_cost is None else usual_costs[1],
        missing=cases.missing,
        leaves=None if branches is None else branches.leaves(cases),
        remarks=_missing_remarks(cases) if branches is not None else (),
        costs=costs,
    )


def _adjusted(found: list[Check], rate: float) -> list[Check]:
    """Adjust p-values for their number, and say which are small enough for an alarm."""
    levels = adjusted(np.array([one.p_value for one in found]))
    return [
        replace(one, p_value=level, state="moved" if level <= rate else "")
        for one, level in zip(found, levels.tolist(), strict=True)
    ]


def _counting_tree(model: Model) -> Any:
    """Return the tree that knows how many training cases went where, or say why there is none."""
    needed = (Pass("reference", Blank.TABLE), ", cases to compare with.")
    tree = model.single_tree
    if tree is None or tree.regression:
        what = "a regression tree" if tree is not None else model.description
        raise advised(
            ValueError,
            f"The file of {what} does not say how many training cases went where. ",
            *needed,
        )
    if not whole_counts(tree):
        raise advised(
            ValueError,
            "This tree learnt from weighted cases, so that it does not know how many went where. ",
            *needed,
        )
    return tree


def _missing_remarks(cases: WatchedCases) -> tuple[str, ...]:
    """Tell of columns with many missing values, of which a tree does not know how many are usual."""
    many = {name: share for name, share in cases.missing.items() if share >= MUCH}
    listed = ", ".join(f"{name} ({100 * share:.0f} %)" for name, share in many.items())
    if not many:
        return ()
    columns, have = counted(len(many), "column"), "has" if len(many) == 1 else "have"
    return (
        f"{columns[0].upper()}{columns[1:]} of the new {cases.costs.cases_name} {have} missing values, and "
        f"the tree does not say how many are usual: {listed}. A reference would.",
    )
