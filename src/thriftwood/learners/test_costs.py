"""Entries of the learners that weigh what tests cost against what they tell.

Most grow as C4.5 does, with another criterion in the place of the gain ratio: without the rule of average
gain, which belongs to the gain ratio (so CS-C4.5 keeps it), and cutting numeric features by gain alone. In
the formulas G is C4.5's gain at the node, c what the test still costs there, W/N the share of the training
weight that is at the node.

LASC looks ahead with binary tests and stops by weight alone.

PM and two more are in money. Their authors stop growing where no test pays for itself and do not prune, so
neither do these; the two that minimise the bill need no least weight of a branch either.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from thriftwood.learners.entries import C45_NAMES, Entry, same
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.presets import C45_GROWTH, LASC_GROWTH
from thriftwood.learning.pruning import Pessimistic

_DAVIS = (
    "Davis, Ha, Rossbach, Ramadan & Witchel 2006, Cost-sensitive decision tree learning for forensic "
    "classification, ECML"
)
_PAYING = "Pays as costs say; the paper's forensic setting is payment='upfront'."
_BILL_GROWTH: dict[str, Any] = {
    "nominal": "multiway",
    "missing": "stay",
    # Any split with two branches that are not empty.
    "min_branch_weight": 1e-9,
    "two_branches": True,
    "bins": None,
}


def _unpruned(name: str, sentence: str, formula: str, reference: str, growth: dict[str, Any]) -> Entry:
    return Entry(
        name=name,
        sentence=sentence,
        reference=reference,
        formula=formula,
        estimator=CostTreeClassifier,
        settings={"criterion": name},
        growth=growth,
        names=C45_NAMES,
    )


def _priced(name: str, sentence: str, formula: str, reference: str, *, average_gain: bool = False) -> Entry:
    growth = C45_GROWTH | {"average_gain": average_gain}
    return replace(_unpruned(name, sentence, formula, reference, growth), pruning=Pessimistic())


PRICED_LEARNERS: tuple[Entry, ...] = (
    _priced(
        "cs-id3",
        "C4.5 that splits on the largest squared gain per price.",
        "G^2 / c",
        "Tan & Schlimmer 1990, AAAI; Tan 1993, Cost-sensitive learning of classification knowledge, "
        "Machine Learning 13",
    ),
    _priced(
        "idx",
        "C4.5 that splits on the largest gain per price; gamma 1 is Norton's, 0 ignores prices.",
        "G / c^gamma",
        "Norton 1989, Generating better decision trees, IJCAI; gamma: Davis et al. 2006",
    ),
    _priced(
        "eg2",
        "C4.5 that splits on the largest information cost function; w 1 counts prices in full, 0 ignores "
        "them. The unit of the prices matters.",
        "(2^G - 1) / (c + 1)^w",
        "Nunez 1991, The use of background knowledge in decision tree induction, Machine Learning 6",
    ),
    _priced(
        "mitchell",
        "C4.5 that splits on the largest gain less gamma times the price, and stops where no test is worth "
        f"its price. {_PAYING}",
        "G - gamma c",
        f"Mitchell 1997, Machine learning, with the gamma of {_DAVIS}",
    ),
    _priced(
        "csgain",
        "C4.5 that splits where information about the class, less gamma times the price of all tests, grows "
        f"most, and stops where no test is worth its price. {_PAYING}",
        "W/N G - gamma c",
        f"{_DAVIS}, equation 4",
    ),
    _priced(
        "csgain-ratio",
        "CSGain with the gain divided by the split information of every test on the path, the new one "
        f"included; gamma 0 is the gain ratio. {_PAYING}",
        "W/N G / prod_j s_j - gamma c, s_j the split information of the tests down to this one",
        f"{_DAVIS}, equation 5",
    ),
    _priced(
        "cs-c45",
        "C4.5 that splits on the largest gain ratio per price among features of average gain; w 0 is "
        "C4.5. A risk or delay of a test goes into its price as a factor.",
        "gain ratio / c^w",
        "Freitas, Costa-Pereira & Brazdil 2007, Cost-sensitive decision trees applied to medical data, DaWaK",
        average_gain=True,
    ),
    Entry(
        name="lasc",
        sentence="Weighs a test together with those it is best followed by, and counts prices less and less "
        "down the tree: the more so, the larger alpha. lookahead=False weighs tests alone. Not pruned.",
        reference="Li, Topkara, Coskun & Memon 2009, CoCoST: a computational cost efficient classifier, ICDM",
        formula="I / (p C + 1 - p), p = (W/N)^alpha, I the gain of the tests together, C their expected "
        "price over the largest price of a test",
        estimator=CostTreeClassifier,
        settings={"criterion": "lasc"},
        growth=LASC_GROWTH,
        names={"min_weight": same("growth__min_split_weight")},
    ),
    _unpruned(
        "pm",
        "C4.5 that splits on information times the mistakes saved, per price, and stops where no test saves "
        "any; info='gain' measures information by gain. Not pruned.",
        "(2^X - 1) D / (c + 1), X the gain ratio, D = L - sum_v L_v, L = min_j sum_i W_i loss(i, j)",
        "Liu 2007, Asian Journal of Information Technology 6(11)",
        C45_GROWTH | {"average_gain": False},
    ),
    _unpruned(
        "min-total-cost",
        "Splits where the cost of mistakes and tests together falls most, and stops where it does not fall. "
        "Cases without a value are not tested and stay at the node. Not pruned.",
        "L - sum_v L_v - K c, L = min_j sum_i W_i loss(i, j), K the weight of the cases tested",
        "Ling, Yang, Wang & Zhang 2004, Decision trees with minimal costs, ICML",
        _BILL_GROWTH,
    ),
    _unpruned(
        "cstree",
        "Minimal total cost with a smoothed cost of mistakes, which also rewards tests that do not change "
        "an answer yet. Not pruned.",
        "E - sum_v E_v - K c, E = 2 C_P C_N / (C_P + C_N), the harmonic mean of what the answers cost",
        "Ling, Sheng, Bruckhaus & Madhavji 2006, Maximum profit mining, KDD; with test costs Sheng, Ling, Ni "
        "& Zhang 2006, Cost-sensitive test strategies, AAAI",
        _BILL_GROWTH,
    ),
)
