"""One trial: prices and folds are drawn, then every criterion is judged at every gamma.

A *way* is one way of growing trees: C4.5 as it is (the baseline), or a criterion at one gamma. All ways of a
trial are judged with the same prices and the same folds.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.datasets import Dataset
from thriftwood.experiments.davis2006.choosing import Score
from thriftwood.experiments.digest import table_digest
from thriftwood.experiments.folds import deal
from thriftwood.learners import algorithm
from thriftwood.learning.criteria import PARAMETERS, PRICED, weight_of
from thriftwood.learning.problem import Problem
from thriftwood.learning.pruning import Pessimistic
from thriftwood.learning.trials import run_trials


class Readings(NamedTuple):
    """What the paper leaves open about growing and judging, and how it is read here."""

    gammas: tuple[float, ...]
    seed: int
    folds: int
    stratified: bool
    order: str
    cost_reuse: str
    allow_negative: bool
    group_values: bool


@dataclass(frozen=True, slots=True)
class DataTable:
    """An encoded data set, with the settings of each criterion."""

    name: str
    feature_names: tuple[str, ...]
    problem: Problem
    settings: Mapping[str, _core.Settings]
    """Criterion to settings, gamma to be filled in; ``"c45"`` is the baseline."""
    digest: str
    """Changes with the content of the table."""

    @property
    def n_cases(self) -> int:
        """The number of rows."""
        return self.problem.n_rows


def prepared(data: Dataset, criteria: Sequence[str], readings: Readings) -> DataTable:
    """Encode a data set once for all its trials."""
    # What tests cost is drawn later; here they only need to cost something.
    costs = Costs(default_price=1.0, payment="upfront")
    shared = {"group_values": readings.group_values}
    baseline = algorithm("c45", **shared).prepare(data.X, data.y, None).problem
    settings = {"c45": baseline.settings}
    for criterion in criteria:
        own: dict[str, Any] = {_weight(criterion): 1.0, "order": readings.order}
        if "allow_negative" in PARAMETERS[criterion]:
            own["allow_negative"] = readings.allow_negative
        else:
            own["cost_reuse"] = readings.cost_reuse
        model = algorithm(criterion, costs=costs, **shared, **own)
        settings[criterion] = model.prepare(data.X, data.y, None).problem.settings
    names = data.feature_names, data.target_names
    return DataTable(data.name, data.feature_names, baseline, settings, table_digest(baseline, names))


def perform(table: DataTable, number: int, readings: Readings, n_threads: int) -> dict[str, Any]:
    """Run one trial.

    Returns
    -------
    dict
        Name and size of the data set, the judgement of the baseline, and one for each criterion and gamma:
        how many cases cross-validation answers correctly, and what the tests of the tree on all cases cost.
    """
    rng = np.random.default_rng([readings.seed, crc32(table.name.encode()), number])
    price_list = rng.random(len(table.feature_names))
    assert table.problem.labels is not None
    folds = deal(table.problem.labels, readings.folds, readings.stratified, rng)
    costs = Costs(dict(zip(table.feature_names, price_list.tolist(), strict=True)), payment="upfront")
    prices = _core.Prices(costs.compile(table.feature_names))

    criteria = [name for name in table.settings if name != "c45"]
    ways = [table.settings["c45"]]
    ways += [_weighed(table.settings[name], name, gamma) for name in criteria for gamma in readings.gammas]
    judged = iter(judge(table.problem, ways, prices, price_list, folds, n_threads))
    return {
        "data_set": table.name,
        "cases": table.n_cases,
        "baseline": next(judged),
        "criteria": {name: [next(judged) for _ in readings.gammas] for name in criteria},
    }


def judge(
    problem: Problem,
    ways: Sequence[_core.Settings],
    prices: _core.Prices,
    price_list: NDArray[np.float64],
    folds: NDArray[np.intp],
    n_threads: int,
) -> list[Score]:
    """Cross-validate every way, and price the tree it grows on all cases.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C.
    """
    assert problem.labels is not None
    n_folds = int(folds.max()) + 1
    parts = [np.flatnonzero(folds == fold).astype(np.uint32) for fold in range(n_folds)]
    rests = [np.flatnonzero(folds != fold).astype(np.uint32) for fold in range(n_folds)]
    everything = np.arange(problem.n_rows, dtype=np.uint32), np.empty(0, dtype=np.uint32)
    fits = []
    for settings in ways:
        guide = prices if settings.criterion in PRICED else None
        cut = Pessimistic().cut(settings)
        fits += [
            _core.Trial(settings, guide, cut, grown_on, judged_on)
            for grown_on, judged_on in (*zip(rests, parts, strict=True), everything)
        ]
    outcomes = run_trials(problem, fits, n_threads)
    if outcomes.interrupted:
        raise KeyboardInterrupt
    finished = list(outcomes)
    answers = [problem.labels[part] for part in parts]
    return [
        _judged(finished[place : place + n_folds + 1], answers, price_list)
        for place in range(0, len(fits), n_folds + 1)
    ]


def _judged(
    outcomes: Sequence[_core.Outcome | None],
    answers: Sequence[NDArray[np.int32]],
    price_list: NDArray[np.float64],
) -> Score:
    """Sum up the trees of one way: those of the folds, and last the one grown on all cases."""
    *of_folds, whole = outcomes
    assert whole is not None
    correct = 0
    for outcome, right in zip(of_folds, answers, strict=True):
        assert outcome is not None
        correct += int(np.count_nonzero(outcome.labels == right))
    # In the order of the columns, so that trees with the same tests have exactly the same price.
    tree = whole.tree
    tests = np.unique(tree.feature[tree.kind != 0])
    return Score(correct, float(price_list[tests].sum()))


def _weighed(settings: _core.Settings, criterion: str, gamma: float) -> _core.Settings:
    own = copy.copy(settings)
    own.set_parameter(_weight(criterion), gamma)
    return own


def _weight(criterion: str) -> str:
    """Name the parameter by which a criterion weighs prices, which the paper calls gamma."""
    weight = weight_of(criterion)
    assert weight is not None  # those of the paper have one
    return weight.name
