"""Trials: trees grown on some rows of a table and judged on others, all of them in one call of the core.

Words
-----
trial
    One tree: what it is grown by, the rows it is grown on, the rows it is judged on.
outcome
    The finished tree, what it answers to the rows judged, and what their tests cost.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

from thriftwood import _core
from thriftwood.learning.estimator import CostTree
from thriftwood.learning.problem import Problem, Rows

Progress = Callable[[int, int], object]


def has_trials(model: CostTree, problem: Problem) -> bool:
    """Tell whether the core can fit the model alone.

    It cannot when the pruning rule asks for more than the tree and the cases it was grown on, when what a
    class weighs depends on how common it is among the rows of the tree, and when trees are sampled within a
    time.
    """
    if problem.labels is None or problem.sampled is not None or model.weighs_classes():
        return False
    rule = model.checked_pruning()
    return rule is None or rule.cut(problem.settings) is not None


def trial(
    model: CostTree, problem: Problem, grow_rows: Rows, judge_rows: Rows, bill: _core.Prices | None = None
) -> _core.Trial:
    """Return the trial of a model whose problem this is.

    The tree is the one that ``model.fit`` gives on `grow_rows`, but for categories and classes, and the
    edges of bins, which are those of the whole table.

    Parameters
    ----------
    model : CostTreeClassifier
        Whose settings they are; `has_trials` must be true of it.
    problem : Problem
        The whole table, made by the model.
    grow_rows : array of uint32
        Ascending, each once.
    judge_rows : array of uint32
        Any rows, or none.
    bill : Prices, optional
        What is charged; None: the prices that guide growth, if any do.
    """
    settings = copy.copy(problem.settings)
    settings.bins = model.core_settings(len(grow_rows)).bins
    rule = model.checked_pruning()
    cut = None if rule is None else rule.cut(settings)
    return _core.Trial(settings, problem.prices, cut, grow_rows, judge_rows, bill)


def run_trials(
    problem: Problem, trials: Sequence[_core.Trial], n_threads: int, progress: Progress | None = None
) -> _core.Outcomes:
    """Run trials on the table of a problem; its classes, weights and error costs are those of all of them.

    ``progress(done, total)`` is called now and then. Ctrl-C raises nothing: no further trial is begun, their
    outcomes are None, and ``outcomes.interrupted`` is True.
    """
    assert problem.labels is not None  # has_trials says so, and that no class is weighed
    assert problem.class_scale is None
    return _core.run_trials(
        problem.table,
        trials,
        problem.labels,
        problem.n_classes,
        problem.weights,
        problem.loss,
        n_threads,
        progress,
        problem.smoothing,
    )
