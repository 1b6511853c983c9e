"""One trial: a data set is divided, and trees are judged by the mean cost of the cases held out.

A *way* is a learner and how its trees are finished. ``untested`` gives all cases the same answer; the leaves
of ``icet`` answer the most likely class, those of ``icet by cost`` what costs least, as ECCO's do; ``D5 Pr``
is ECCO with 5 levels and pruning, ``D5 NPr`` without: trees of the same string, pruned after evolution.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from thriftwood import _core
from thriftwood.costs import Costs
from thriftwood.evolution import EccoClassifier, Evolution, IcetClassifier
from thriftwood.experiments.cases import Cases, Split
from thriftwood.experiments.ecco2012.published import SICK
from thriftwood.learners import algorithm

UNTESTED, ICET, ICET_BY_COST = "untested", "icet", "icet by cost"
_ANSWERS = {ICET: "most_likely", ICET_BY_COST: "cheapest"}


class Readings(NamedTuple):
    """What the paper leaves open, and how it is read here."""

    seed: int
    ratios: tuple[float, ...]
    depths: tuple[int, ...]
    trees: int
    dear: str
    unit: float
    nominal: str
    cuts: int
    max_bits: int
    cut_penalty: bool


def way_of(depth: int, pruned: bool) -> str:
    """Return ECCO's way, as figure 5 calls it.

    Examples
    --------
    >>> way_of(5, True), way_of(11, False)
    ('D5 Pr', 'D11 NPr')
    """
    return f"D{depth} {'Pr' if pruned else 'NPr'}"


def perform(
    cases: Cases, depths: tuple[int, ...], priced: bool, number: int, readings: Readings, n_jobs: int
) -> dict[str, Any]:
    """Run one trial.

    Parameters
    ----------
    cases : Cases
    depths : tuple of int
        Of ECCO's trees, see `depths_within`.
    priced : bool
        Whether tests cost anything.
    number : int
        Of the division; the same with and without prices.
    readings : Readings
    n_jobs : int
        Number of threads; 0: one per core.

    Returns
    -------
    dict
        The name of the data set, whether tests cost anything, and for each way the mean cost of a case at
        each ratio.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C.
    """
    rng = cases.rng(readings.seed, number)
    split = cases.divided(rng)
    seeds = rng.integers(2**31, size=len(readings.ratios)).tolist()
    costs_of_cases: dict[str, list[float]] = {}
    for ratio, seed in zip(readings.ratios, seeds, strict=True):
        costs = charged(cases, priced, ratio, readings)
        shared = {"evolution": Evolution(trials=readings.trees), "random_state": seed, "n_jobs": n_jobs or -1}
        found = {UNTESTED: _untested(cases, split, costs)}
        found |= _icet(cases, split, costs, shared, readings.cut_penalty)
        found |= _ecco(cases, split, costs, shared, depths, readings)
        for way, cost in found.items():
            costs_of_cases.setdefault(way, []).append(cost)
    return {"data_set": cases.name, "priced": priced, "cost": costs_of_cases}


def charged(cases: Cases, priced: bool, ratio: float, readings: Readings) -> Costs:
    """Return what tests and mistakes cost: the dear mistake `ratio` times what the other does."""
    sick = SICK[cases.name]
    (well,) = (label for label in cases.classes if label != sick)
    dear, cheap = readings.unit * ratio, readings.unit
    missed, false_alarm = (dear, cheap) if readings.dear == "sick" else (cheap, dear)
    errors = {sick: {well: missed}, well: {sick: false_alarm}}
    return (cases.costs if priced else Costs()).replace(errors=errors)


def depths_within(cases: Cases, readings: Readings) -> tuple[int, ...]:
    """Return the depths whose strings are short enough; the least is there in any case, as in the paper.

    Raises
    ------
    ValueError
        If strings of the least depth are longer than any of ECCO's may be.
    """
    least, *deeper = sorted(readings.depths)
    if _bits(cases, least, readings) is None:
        raise ValueError(
            f"ECCO's strings for trees of depth {least} on {cases.name} would have {_core.ECCO_MOST_BITS:,} "
            "bits or more. Give a smaller depth; the paper's are 5 to 11."
        )
    lengths = ((depth, _bits(cases, depth, readings)) for depth in deeper)
    return (least, *(depth for depth, bits in lengths if bits is not None and bits < readings.max_bits))


def _bits(cases: Cases, depth: int, readings: Readings) -> int | None:
    """Return how long strings of a depth are; None: too long to have any."""
    model = _model(Costs(), depth, readings)
    problem = model.prepare(None, cases.y, None, (cases.encoder, cases.encoder.encode(cases.X))).problem
    try:
        return model.make_genome(problem, _core.Stop()).bits
    except ValueError:
        return None


def _untested(cases: Cases, split: Split, costs: Costs) -> float:
    """Return what a case costs if all get the answer that costs the cases to grow on least."""
    errors = costs.error_matrix(cases.classes)
    grow, judge = (np.searchsorted(cases.classes, cases.y[rows]) for rows in split)
    return float(errors[judge, errors[grow].sum(axis=0).argmin()].mean())


def _icet(
    cases: Cases, split: Split, costs: Costs, shared: dict[str, Any], cut_penalty: bool
) -> dict[str, float]:
    found = {}
    for way, answer in _ANSWERS.items():
        model = algorithm("icet", costs=costs).set_params(
            answer=answer, growth__cut_penalty=cut_penalty, **shared
        )
        assert isinstance(model, IcetClassifier)
        tree = cases.evolved(model, split.grow_rows).tree()
        found[way] = cases.judged(tree, split.judge_rows, costs).cost
    return found


def _ecco(
    cases: Cases,
    split: Split,
    costs: Costs,
    shared: dict[str, Any],
    depths: tuple[int, ...],
    readings: Readings,
) -> dict[str, float]:
    found = {}
    for depth in depths:
        model = _model(costs, depth, readings).set_params(**shared)
        evolved = cases.evolved(model, split.grow_rows)
        for pruned in (True, False):
            judged = cases.judged(evolved.tree(pruned), split.judge_rows, costs)
            found[way_of(depth, pruned)] = judged.cost
    return found


def _model(costs: Costs, depth: int, readings: Readings) -> EccoClassifier:
    model = algorithm("ecco", costs=costs)
    assert isinstance(model, EccoClassifier)
    # Depths that take too many bits were left out before.
    return model.set_params(
        depth=depth, max_bits=_core.ECCO_MOST_BITS, nominal=readings.nominal, cuts_per_feature=readings.cuts
    )
