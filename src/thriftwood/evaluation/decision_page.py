"""A decision curve as a person reads it: a small table and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from thriftwood.evaluation.statement import Part, amount, words_of
from thriftwood.models.tree.conditions import category_text

if TYPE_CHECKING:
    from thriftwood.evaluation.decision_curves import DecisionCurve

SHOWN = 11
"""Rows of the printed table; `DecisionCurve.table` has all."""


def columns_of(curve: DecisionCurve) -> dict[str, Any]:
    """Return a row for each model and threshold."""
    names, thresholds = (*curve.names, "all", "none"), curve.thresholds.tolist()
    found = [(name, t, *curve.at(name, t)) for name in names for t in thresholds]
    free = [curve.at(name, t, tests_paid=False).net_benefit for name in names for t in thresholds]
    keys = "name", "threshold", "net_benefit", "low", "high"
    columns: dict[str, Any] = {key: [row[place] for row in found] for place, key in enumerate(keys)}
    numbers = {key: np.array(columns[key]) for key in keys[1:]}
    return {"name": columns["name"], **numbers, "tests_free": np.array(free)}


def part_of(curve: DecisionCurve) -> Part:
    """Return some thresholds, with the net benefit of everybody there."""
    places = np.unique(np.linspace(0, len(curve.thresholds) - 1, SHOWN).round().astype(int))
    rows = []
    for threshold in curve.thresholds[places].tolist():
        figures = [curve.at(name, threshold).net_benefit for name in (*curve.names, "all")]
        rows.append([f"{threshold:g}", *(f"{figure:.3f}" for figure in figures), "0"])
    what = category_text(curve.positive)
    notes = [
        "net benefit: cases acted upon rightly, less those acted upon wrongly times t / (1 - t), as shares "
        f"of all; less what tests cost, as shares of {amount(curve.value)}, what a case of {what} that is "
        "found is worth"
    ]
    cases = words_of(curve.costs).counted(curve.n_cases)
    return Part(
        f"Net benefit on {cases}, {100 * curve.prevalence:.3g} % of them {what}",
        ["threshold t", *curve.names, f"all {what}", "none"],
        rows,
        tuple(notes),
    )


def sentence_of(curve: DecisionCurve) -> str:
    """Say where each model is worth its tests, and what it saves at the price list's own threshold."""
    what = category_text(curve.positive)
    said = []
    for name in curve.names:
        ranges = [f"{low:g} to {high:g}" if low < high else f"{low:g}" for low, high in curve.useful(name)]
        if ranges:
            where = " and ".join(ranges)
            said.append(
                f"Its tests paid, {_the(name)} is worth more than calling everybody {what}, and than calling "
                f"nobody so, at thresholds of {where}."
            )
        else:
            said.append(
                f"Its tests paid, {_the(name)} is at no threshold worth more than calling everybody {what}, "
                "or nobody."
            )
        if curve.own_threshold is not None and curve.own_threshold < 1.0:
            said.append(_saved(curve, name, curve.own_threshold))
    return " ".join(said)


def _saved(curve: DecisionCurve, name: str, threshold: float) -> str:
    """Say what a model saves where the price list puts the threshold."""
    own, everybody = (curve.at(one, threshold).net_benefit for one in (name, "all"))
    best, other = max((everybody, "everybody"), (0.0, "nobody"))
    saved = round(curve.value * (own - best), 9)  # a whole sum stays whole
    words = words_of(curve.costs)
    less = (
        f"{words.money(abs(saved))} {words.a_one} {'less' if saved >= 0 else 'more'} than calling {other} so"
    )
    return f"At {threshold:.3g}, the threshold of the price list, it costs {less}."


def _the(name: str) -> str:
    return "the model" if name == "model" else name
