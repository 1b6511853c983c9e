"""`Votes`: costs that differ by row, turned into weighted cases that any criterion can grow on.

A case votes for an answer with what that answer saves it against its dearest one. The answer with the most
votes in a set of cases is the one that costs them least in all; so a tree grown on the votes, as if they were
labelled cases, is grown for the cheapest answers. Of two classes a case votes for one. With more it may vote
for several, and is then in the grown table once for each. The core knows which rows are votes of one case, so
that a node where one answer is the best for every case is not split, though its cases voted for others too.

The finished tree is counted again: its nodes know the true classes of the cases, and answer with the class
that costs the cases there least.

Votes are scaled so that all cases weigh what they weighed, and votes of one case are never parted by
folds. A case that ends at several leaves goes by the mean costs of each class, the tree's loss.

A criterion that adds prices to the cost of mistakes must count a price by cases, not by what is at stake. For
it (`in_money`) the votes of a case weigh together what the case weighs: what is not at stake is the weight of
one more vote, for no answer, about which nothing is a mistake. So the weight of a node is that of its cases,
and its loss what their answers cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import CostError, answer_costs, mean_matrix
from thriftwood.learning.targets import Labels

FloatArray = NDArray[np.float64]
Rows = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes of all cases, and what is needed to count them again as cases."""

    labels: Labels
    """The answer of each vote."""
    weights: FloatArray
    """What each vote weighs; all together as much as all cases."""
    case_of: Rows | None
    """The case that each vote is of; None: each case has the vote of its own number."""
    table: _core.Table
    """The cases, one row each."""
    true_labels: Labels
    case_weights: FloatArray | None
    costs: FloatArray
    """What each answer costs each case."""
    loss: FloatArray | None = None
    """In money: what answers cost the votes, the last of which is for no answer."""
    smoothing: _core.Smoothing | None = None
    """How the class shares of the finished tree are smoothed."""

    def recounted(self, tree: _core.Tree) -> _core.Tree:
        """Return a tree grown on the votes, its nodes counting cases."""
        means = mean_matrix(self.costs, self.true_labels, self.case_weights)
        counted = self.true_labels, self.costs, means, self.case_weights, self.smoothing
        return _core.recount(tree, self.table, *counted)


def votes(
    error_costs: Any,
    labels: Labels,
    classes: NDArray[Any],
    weights: FloatArray | None,
    table: _core.Table,
    smoothing: _core.Smoothing | None = None,
    *,
    in_money: bool = False,
) -> Votes:
    """Count the votes of cases with these costs; `in_money`: so that prices can be added to them.

    Raises
    ------
    CostError
        When the costs are not such, or no case cares which answer it gets.
    """
    costs = answer_costs(error_costs, labels, classes)
    savings = costs.max(axis=1, keepdims=True) - costs
    if len(classes) == 2:
        case_of, answers = None, costs.argmin(axis=1)
        saved = np.abs(costs[:, 0] - costs[:, 1])
    else:
        case_of, answers = np.nonzero(savings)
        saved = savings[case_of, answers]
    own = np.ones(len(labels)) if weights is None else weights
    saved = saved * (own if case_of is None else own[case_of])
    total = float(saved.sum())
    if total <= 0.0:
        raise CostError(
            "error_costs has the same cost for every answer in every row that counts, so there is nothing to "
            "learn from it. Leave it out to learn the classes."
        )
    counted = saved * (float(own.sum()) / total)
    loss = None
    if in_money:
        case_of = np.arange(len(labels)) if case_of is None else case_of
        answers, counted, case_of, loss = _with_abstentions(answers, saved, case_of, own, len(classes))
    return Votes(
        labels=answers.astype(np.int32),
        weights=counted,
        case_of=None if case_of is None else case_of.astype(np.uint32),
        table=table,
        true_labels=labels,
        case_weights=weights,
        costs=costs,
        loss=loss,
        smoothing=smoothing,
    )


def _with_abstentions(
    answers: NDArray[np.intp], saved: FloatArray, case_of: NDArray[np.intp], own: FloatArray, n_classes: int
) -> tuple[NDArray[np.intp], FloatArray, NDArray[np.intp], FloatArray]:
    """Add to the votes of each case one for no answer, so that they weigh what the case weighs.

    Returns
    -------
    answers, weights, cases, loss
        Of the votes; ``loss[vote, answer]`` is in money. To answer nothing is never the cheapest.
    """
    at_stake = np.bincount(case_of, saved, minlength=len(own))
    dearest = float(np.max(at_stake[own > 0.0] / own[own > 0.0]))
    weights = np.concatenate([saved / dearest, np.maximum(own - at_stake / dearest, 0.0)])
    loss = dearest * (1.0 - np.eye(n_classes + 1))
    loss[n_classes, :n_classes] = 0.0
    abstained = np.full(len(own), n_classes)
    return np.append(answers, abstained), weights, np.append(case_of, np.arange(len(own))), loss
