"""Entries of the learners that look ahead by samples: what a test is worth is seen from trees grown below it.

LSID3 grows as ID3 does, and goes on where no test gains anything by itself: the next one may. ACT grows as
EG2 does and is pruned by the expected cost it looks for. Both take the best cut of a numeric feature, where
the published samples draw cuts by their gain.
"""

from __future__ import annotations

from typing import Any

from thriftwood.learners.entries import BASE_LEARNERS, C45_NAMES, Entry, same
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.presets import C45_GROWTH
from thriftwood.learning.pruning import ExpectedCost

_ID3 = next(entry for entry in BASE_LEARNERS if entry.name == "id3")


def _lsid3_samples(value: Any) -> dict[str, Any]:
    """Translate r: without samples LSID3 is ID3, which stops where nothing is gained."""
    stops = {"growth__gain_floor": _ID3.growth["gain_floor"]} if value == 0 else {}
    return {"criterion__look_ahead__r": value} | stops


SAMPLED_LEARNERS: tuple[Entry, ...] = (
    Entry(
        name="lsid3",
        sentence="ID3 that splits where the smallest tree was found below: of r trees for each outcome, "
        "drawn by gain. r 0 is ID3; time_budget takes as many as seconds allow.",
        reference="Esmeir & Markovitch 2004, Lookahead-based algorithms for anytime induction of decision "
        "trees, ICML",
        formula="least sum_v min_r leaves(tree_r below v), P(test) ~ G",
        estimator=CostTreeClassifier,
        settings={"criterion": "lsid3"},
        growth=dict(_ID3.growth) | {"gain_floor": -1e-9},
        names=dict(_ID3.names) | {"r": _lsid3_samples},
    ),
    Entry(
        name="act",
        sentence="EG2 that splits where the tree of least expected cost was found below, tests and mistakes: "
        "of EG2's and r - 1 drawn by EG2's criterion for each outcome. Pruned by expected cost. r 0 is EG2; "
        "time_budget takes as many as seconds allow.",
        reference="Esmeir & Markovitch 2008, Anytime induction of low-cost, low-error classifiers: a "
        "sampling-based approach, JAIR 33",
        formula="least W c + sum_v min_r cost(tree_r below v), P(test) ~ (2^G - 1) / (c + 1)^w; cost = tests "
        "+ mistakes, U(W_l, errors_l) of them at each leaf",
        estimator=CostTreeClassifier,
        settings={"criterion": "act"},
        growth=C45_GROWTH | {"average_gain": False},
        pruning=ExpectedCost(),
        names=C45_NAMES | {"cf": same("criterion__cf", "pruning__cf")},
    ),
)
