"""One trial: a data set is divided, and every learner is judged by the bill of the cases held out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from thriftwood.evolution import Evolution, IcetClassifier
from thriftwood.experiments.cases import Cases, Split, loaded
from thriftwood.experiments.turney1995.filling import filled
from thriftwood.experiments.turney1995.published import ICET, OTHERS, THYROID, THYROID_TRAINING
from thriftwood.learners import algorithm
from thriftwood.learning import fit_many


class Readings(NamedTuple):
    """What the paper, or the part of it at hand, leaves open, and how it is read here."""

    seed: int
    penalties: tuple[float, ...]
    trees: int
    answer: str
    missing: str
    cut_penalty: bool
    cost_reuse: str
    true_costs_first: bool
    thyroid: str


class Result(NamedTuple):
    """What a held-out case costs with a tree on average, and how often it is wrong."""

    test_cost: float
    error_rate: float


def prepared(name: str, data_dir: Path | None, readings: Readings) -> Cases:
    """Load a data set as the paper has it."""

    def shaped(X: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        if name == THYROID and readings.thyroid == "training":
            X, y = X[:THYROID_TRAINING], y[:THYROID_TRAINING]
        return (filled(X) if readings.missing == "nearest" else X), y

    return loaded(name, data_dir, shaped)


def perform(cases: Cases, number: int, readings: Readings, n_jobs: int) -> dict[str, Any]:
    """Run one trial.

    Returns
    -------
    dict
        The name of the data set, what all its tests cost together, the share of cases outside its commonest
        class, and for each learner the results of its trees: of ICET one for each penalty, else one.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C.
    """
    rng = cases.rng(readings.seed, number)
    split = cases.divided(rng)
    seeds = rng.integers(2**31, size=len(readings.penalties)).tolist()
    tasks = zip(readings.penalties, seeds, strict=True)
    did = {ICET: [_icet(cases, split, *task, readings, n_jobs) for task in tasks]}
    did |= {learner: [_greedy(cases, split, learner, readings)] for learner in OTHERS}
    commonest = max((cases.y == label).mean() for label in cases.classes)
    return {
        "data_set": cases.name,
        "all_tests": cases.costs.total(cases.feature_names),
        "uncommon": 1.0 - float(commonest),
        "did": did,
    }


def _icet(cases: Cases, split: Split, penalty: float, seed: int, readings: Readings, n_jobs: int) -> Result:
    costs = cases.costs.replace(errors_default=penalty)
    model = algorithm(ICET, costs=costs).set_params(
        evolution=Evolution(trials=readings.trees),
        answer=readings.answer,
        seed_true_costs=readings.true_costs_first,
        cost_reuse=readings.cost_reuse,
        growth__cut_penalty=readings.cut_penalty,
        random_state=seed,
        n_jobs=n_jobs or -1,
    )
    assert isinstance(model, IcetClassifier)
    judged = cases.judged(cases.evolved(model, split.grow_rows).tree(), split.judge_rows, costs)
    return Result(judged.test_cost, judged.error_rate)


def _greedy(cases: Cases, split: Split, learner: str, readings: Readings) -> Result:
    """Judge a learner that ignores what mistakes cost."""
    given = {} if learner == "c45" else {"costs": cases.costs, "cost_reuse": readings.cost_reuse}
    model = algorithm(learner, **given).set_params(growth__cut_penalty=readings.cut_penalty)
    (tree,) = fit_many(model, cases.X, cases.y, [split.grow_rows])
    judged = cases.judged(tree, split.judge_rows, cases.costs.replace(errors_default=1.0))
    return Result(judged.test_cost, judged.error_rate)
