"""A model with one parameter set to many values, each judged on folds and grown once on all cases.

Two ways lead to the same numbers. Where the core can do everything (`has_trials`), all trees of all values
are trials of one call. Otherwise (pruning rules that keep cases aside or cross-validate, classes weighed by
how common they are, a parameter that changes how the table is read) the values are fitted one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.base.advice import advised
from thriftwood.base.progress import Progress
from thriftwood.base.remedies import GiveCosts
from thriftwood.costs import CostError, Costs
from thriftwood.costs.names import quoted
from thriftwood.evaluation.measures import Predictions
from thriftwood.learning import CostTreeClassifier, fit_many
from thriftwood.learning.estimator import Prepared
from thriftwood.learning.problem import Problem, Rows
from thriftwood.learning.trials import has_trials, run_trials, trial
from thriftwood.table import Encoder

FloatArray = NDArray[np.float64]

NOTHING: Rows = np.array([], dtype=np.uint32)

# These change the table or the error costs, which all trials of a call share.
_APART = ("nominal_features", "costs")


class Split(NamedTuple):
    """The rows of one fold; those to grow on may come several times."""

    grow: NDArray[np.intp]
    judge: Rows


@dataclass(frozen=True, slots=True)
class Swept:
    """The outcome of one value of the parameter."""

    model: Any
    """The model, fitted on all cases."""
    folds: list[Predictions]
    answers: NDArray[np.int32]
    """The class numbers that it answers for the cases it was fitted on."""
    upfront_cost: float
    """The price of all its tests."""
    costs: Costs
    """What was charged."""
    n_leaves: float
    """Leaves of its tree; NaN if it is no single tree."""
    depth: float
    n_tests: int
    """Different features that it tests."""

    @classmethod
    def of_tree(
        cls,
        model: CostTreeClassifier,
        folds: list[Predictions],
        table: _core.Table,
        upfront: float,
        costs: Costs,
    ) -> Swept:
        """Return the outcome of a value, from its tree."""
        tree = model.tree_
        answers = tree.core.predict_labels(table, model.thread_count())
        n_tests = len(_core.tests_of(tree.core))
        return cls(model, folds, answers, upfront, costs, tree.n_leaves, tree.depth, n_tests)


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases that all values share."""

    X: Any
    y: Any
    sample_weight: Any
    weights: FloatArray | None
    labels: NDArray[np.int32]
    splits: list[Split]
    groups: Any = None
    """Where the cases come from; for models that take it."""

    def predictions(self, split: Split, labels: Any, probabilities: Any, test_cost: Any) -> Predictions:
        """Return the answers of a tree for the cases of a fold."""
        weights = None if self.weights is None else self.weights[split.judge]
        return Predictions(self.labels[split.judge], labels, probabilities, test_cost, weights)


def sweep(
    models: Sequence[CostTreeClassifier],
    param: str,
    cases: Cases,
    charged: Costs | None,
    progress: Progress | None,
) -> Iterator[Swept]:
    """Give the outcome of every model, in order; after Ctrl-C those that are complete, then raise it.

    Parameters
    ----------
    models : sequence of CostTreeClassifier
        One for each value of `param`, equal otherwise.
    cases : Cases
        What they are fitted to and judged by.
    charged : Costs, optional
        What tests cost; None: what each model says.
    progress : callable, optional
        Called with the number of trees done and that of all.
    """
    apart = param.partition("__")[0] in _APART
    encoding = None if apart else models[0].fit_encoder(cases.X)
    prepared = []
    for model in models:
        model.checked_pruning()
        own = model.prepare(cases.X, cases.y, cases.sample_weight, encoding)
        billed(model, charged, own.encoder)  # refuses prices of another table before anything is grown
        prepared.append(own)
    once_each = all(_ascending(split.grow) for split in cases.splits)
    pairs = list(zip(models, prepared, strict=True))
    if once_each and not apart and all(has_trials(model, own.problem) for model, own in pairs):
        yield from _by_trials(pairs, cases, charged, progress)
    else:
        yield from _one_by_one(pairs, cases, charged, progress)


def billed(model: CostTreeClassifier, charged: Costs | None, encoder: Encoder) -> tuple[Costs, _core.Prices]:
    """Return what is charged, and its prices as paid case by case, whatever the payment."""
    costs = charged if charged is not None else model.costs
    if costs is None:
        name = type(model).__name__
        said = f"This {name} was made without costs, so there is nothing to charge. "
        raise advised(ValueError, said, GiveCosts(), ".")
    own = () if model.costs is None else model.costs.further_answers(())
    if own not in ((), costs.further_answers(())):
        raise CostError(
            f"The model also answers {quoted(own)}, and by the costs that are charged there is "
            f"{quoted(costs.further_answers(()))}. Name the same answers, in the same order."
        )
    names = encoder.feature_names or range(encoder.n_features)
    return costs, _core.Prices(costs.replace(payment="sequential").compile(names))


def _by_trials(
    pairs: list[tuple[CostTreeClassifier, Prepared]],
    cases: Cases,
    charged: Costs | None,
    progress: Progress | None,
) -> Iterator[Swept]:
    """Run all trees as trials of one call, value after value."""
    shared = pairs[0][1].problem
    every = np.arange(shared.n_rows, dtype=np.uint32)
    parts = [(split.grow.astype(np.uint32), split.judge) for split in cases.splits] + [(every, NOTHING)]
    bills = [billed(model, charged, own.encoder) for model, own in pairs]
    trials = [
        trial(model, own.problem, grow, judge, prices)
        for (model, own), (_, prices) in zip(pairs, bills, strict=True)
        for grow, judge in parts
    ]
    outcomes = run_trials(shared, trials, pairs[0][0].thread_count(), progress)
    for number, ((model, own), (costs, _)) in enumerate(zip(pairs, bills, strict=True)):
        first = number * len(parts)
        own_outcomes = [outcomes[first + i] for i in range(len(parts))]
        done = [outcome for outcome in own_outcomes if outcome is not None]
        if len(done) < len(parts):  # trials begin in order, so no later value is complete either
            break
        folds = [
            cases.predictions(split, outcome.labels, outcome.probabilities, outcome.test_cost)
            for split, outcome in zip(cases.splits, done[:-1], strict=True)
        ]
        model.set_fitted(own, done[-1].tree)
        yield Swept.of_tree(model, folds, shared.table, done[-1].upfront_cost, costs)
    if outcomes.interrupted:
        raise KeyboardInterrupt


def _one_by_one(
    pairs: list[tuple[CostTreeClassifier, Prepared]],
    cases: Cases,
    charged: Costs | None,
    progress: Progress | None,
) -> Iterator[Swept]:
    """Fit the trees of one value after those of another."""
    n_trees = len(cases.splits) + 1
    tell = progress or (lambda done, total: None)
    for number, (model, own) in enumerate(pairs):
        tell(number * n_trees, len(pairs) * n_trees)
        costs, prices = billed(model, charged, own.encoder)
        rows = [split.grow for split in cases.splits]
        trees = fit_many(model, cases.X, cases.y, rows, cases.sample_weight)
        folds = [
            cases.predictions(split, *_answers(tree.core, own.problem, split.judge, prices))
            for split, tree in zip(cases.splits, trees, strict=True)
        ]
        model.fit(cases.X, cases.y, cases.sample_weight)
        upfront = float(prices.purchase(_core.tests_of(model.tree_.core).tolist()).sum())
        yield Swept.of_tree(model, folds, own.problem.table, upfront, costs)
    tell(len(pairs) * n_trees, len(pairs) * n_trees)


def _answers(tree: _core.Tree, problem: Problem, rows: Rows, prices: _core.Prices) -> tuple[Any, Any, Any]:
    table = problem.table_of(rows)
    return (
        tree.predict_labels(table),
        tree.predict_proba(table),
        _core.ledger(tree, prices, table).test_cost,
    )


def _ascending(rows: NDArray[np.intp]) -> bool:
    return bool((rows[1:] > rows[:-1]).all())
