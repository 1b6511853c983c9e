"""Stacking: what trees answer for cases they have not learnt from, as a table for a tree above them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs, Test
from thriftwood.learning import CostTreeClassifier
from thriftwood.models import Tree
from thriftwood.models.voting import StackedTree
from thriftwood.table import Encoded, Encoder

FloatArray = NDArray[np.float64]
Labels = NDArray[np.int32]
Told: TypeAlias = Literal["answers", "shares"]


class MemberOutputs(NamedTuple):
    """What one member answers for some cases, and what its tests cost them."""

    answers: Labels
    shares: FloatArray
    test_cost: FloatArray


def member_outputs(tree: Tree, table: _core.Table, prices: _core.Prices) -> MemberOutputs:
    """Ask a tree about every case of a table."""
    return MemberOutputs(
        tree.core.predict_labels(table, 1),
        tree.core.predict_proba(table, 1),
        _core.ledger(tree.core, prices, table, 1).test_cost,
    )


def learnt_stacked_tree(
    model: CostTreeClassifier,
    names: Sequence[str],
    outputs: Sequence[MemberOutputs],
    y: NDArray[Any],
    weights: FloatArray,
    told: Told,
    errors: Costs | None,
) -> StackedTree:
    """Learn the tree above the members, from what they answered.

    Parameters
    ----------
    model : CostTreeClassifier
        How it learns; it gets the prices of the members for costs.
    names : sequence of str
        The names of the members.
    outputs : sequence of MemberOutputs
        What each member answers for every case.
    y : array
        The true classes.
    weights : array
        How much each case counts; 0 for those that the members have learnt from.
    told : {"answers", "shares"}
        What members are asked for.
    errors : Costs, optional
        What mistakes cost; None: every mistake the same.
    """
    classes = np.unique(y)
    costs = _prices(names, outputs, weights, classes, told)
    if errors is not None:
        costs = costs.replace(**errors.error_parameters)
    encoder, encoded = _table(names, outputs, classes, told)
    model.set_params(costs=costs)
    prepared = model.prepare(None, y, weights, (encoder, encoded))
    tree = Tree(model.grow_tree(prepared.problem), encoder, prepared.classes, costs)
    if told == "answers":
        return StackedTree(tree, tuple(range(len(names))), (-1,) * len(names))
    n_classes = len(classes)
    member = tuple(m for m in range(len(names)) for _ in range(n_classes))
    return StackedTree(tree, member, tuple(range(n_classes)) * len(names))


def _prices(
    names: Sequence[str],
    outputs: Sequence[MemberOutputs],
    weights: FloatArray,
    classes: NDArray[Any],
    told: Told,
) -> Costs:
    """Price every member by the mean cost of its tests; several columns of one member share it."""
    paid = [float(np.average(one.test_cost, weights=weights)) for one in outputs]
    if told == "answers":
        return Costs(dict(zip(names, paid, strict=True)))
    tests = {column: Test(0, needs=[name]) for name in names for column in _columns(name, classes)}
    return Costs(tests, shared=dict(zip(names, paid, strict=True)))


def _table(
    names: Sequence[str], outputs: Sequence[MemberOutputs], classes: NDArray[Any], told: Told
) -> tuple[Encoder, Encoded]:
    n_rows = len(outputs[0].answers)
    if told == "answers":
        categories = {"kind": "nominal", "categories": classes.tolist()}
        content = {
            "n_features": len(names),
            "names": list(names),
            "categorical": {str(place): categories for place in range(len(names))},
        }
        columns: list[NDArray[Any]] = [np.ascontiguousarray(one.answers) for one in outputs]
    else:
        every = [column for name in names for column in _columns(name, classes)]
        content = {"n_features": len(every), "names": every, "categorical": {}}
        columns = [np.ascontiguousarray(one.shares[:, c]) for one in outputs for c in range(len(classes))]
    return Encoder.from_json(content), Encoded(n_rows, len(columns), False, columns=columns)


def _columns(name: str, classes: NDArray[Any]) -> list[str]:
    return [f"{name}: {label}" for label in classes.tolist()]


# Which cases are kept aside


def kept_aside(labels: Labels, groups: NDArray[Any], share: float, rng: RandomState) -> NDArray[np.bool_]:
    """Mark a random share of the groups of every class; a class keeps at least one group.

    A group belongs to the class of its first case.

    Examples
    --------
    >>> labels = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    >>> aside = kept_aside(labels, np.arange(6), 1 / 3, RandomState(0))
    >>> [int(aside[labels == label].sum()) for label in (0, 1)]
    [1, 1]
    """
    aside: list[Any] = []
    for own in _groups_by_class(labels, groups):
        aside.extend(rng.permutation(own)[: min(round(share * len(own)), len(own) - 1)])
    return np.isin(groups, aside)


def dealt(labels: Labels, groups: NDArray[Any], n_folds: int, rng: RandomState) -> NDArray[np.intp]:
    """Deal the groups of every class to folds, at random and evenly; return the fold of each case.

    Examples
    --------
    >>> labels = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    >>> folds = dealt(labels, np.arange(6), 3, RandomState(0))
    >>> sorted(folds[:3].tolist()), sorted(folds[3:].tolist())
    ([0, 1, 2], [0, 1, 2])
    """
    fold_of: dict[Any, int] = {}
    for own in _groups_by_class(labels, groups):
        for group in rng.permutation(own).tolist():
            fold_of[group] = len(fold_of) % n_folds
    return np.array([fold_of[group] for group in groups.tolist()], dtype=np.intp)


def _groups_by_class(labels: Labels, groups: NDArray[Any]) -> list[NDArray[Any]]:
    """List the groups of each class, every group once."""
    distinct, first = np.unique(groups, return_index=True)
    return [distinct[labels[first] == label] for label in np.unique(labels[first])]
