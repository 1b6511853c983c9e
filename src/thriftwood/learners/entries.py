"""Entries of published learners: what each one is, and the learners without test costs.

An entry says what the learner is, where it was published and with which parameters; `Entry.names` maps the
names its authors gave their options to ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.criteria import facts_of, is_known
from thriftwood.learning.growth import Growth
from thriftwood.learning.presets import C45_GROWTH
from thriftwood.learning.pruning import CostComplexity, Pessimistic, Pruning

Translation = Callable[[Any], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A published learner.

    Parameters
    ----------
    name, sentence, reference, formula : str
        What it is called, what it does, where it was published, what it maximises.
    estimator : type
        The class of estimator.
    settings : mapping
        Parameters of the estimator.
    growth : mapping
        Parameters of its `Growth`.
    pruning : Pruning or None
        Its pruning rule.
    names : mapping of name to translation
        The options as its authors call them; each gives the parameters, such as ``growth__max_depth``, it
        stands for.
    """

    name: str
    sentence: str
    reference: str
    formula: str
    estimator: type[Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    growth: Mapping[str, Any] = field(default_factory=dict)
    pruning: Pruning | None = None
    names: Mapping[str, Translation] = field(default_factory=dict)

    def make(self) -> Any:
        """Return a new estimator with the published settings."""
        pruning = None if self.pruning is None else type(self.pruning)(**self.pruning.get_params())
        return self.estimator(**self.settings, growth=Growth(**self.growth), pruning=pruning)


def same(*names: str) -> Translation:
    """Translate an option into parameters that take the same value."""
    return lambda value: dict.fromkeys(names, value)


def _c45_weight(value: Any) -> dict[str, Any]:
    return {"growth__min_branch_weight": value, "growth__min_split_weight": 2 * value}


def _c45_criterion(value: Any) -> dict[str, Any]:
    """Translate C4.5's -g and others: the average-gain rule is that of gain ratios."""
    criterion = "entropy" if value == "gain" else value
    name = facts_of(criterion).name if is_known(criterion) else criterion
    return {"criterion": criterion, "growth__average_gain": name in ("gain_ratio", "cs-c45")}


def _id3_missing(value: Any) -> dict[str, Any]:
    return {"growth__missing": "branch" if value == "value" else value}


def _rpart_minsplit(value: Any) -> dict[str, Any]:
    """Translate rpart's minsplit: a third of it is the least weight of a branch, unless that is given too."""
    settings = {"growth__min_split_weight": value}
    if Growth.rules["min_split_weight"].accepts(value) and value < math.inf:  # fit refuses the others
        settings["growth__min_branch_weight"] = round(float(value) / 3)
    return settings


C45_NAMES: dict[str, Translation] = {
    "min_weight": _c45_weight,
    "group_values": lambda value: {"growth__nominal": "grouped" if value else "multiway"},
}

BASE_LEARNERS: tuple[Entry, ...] = (
    Entry(
        name="id3",
        sentence="Splits on the largest gain, one branch per category, until nothing is gained.",
        reference="Quinlan 1986, Induction of decision trees, Machine Learning 1",
        formula="gain = H(class) - sum_v W_v/W H(class | v)",
        estimator=CostTreeClassifier,
        settings={"criterion": "entropy"},
        growth={
            "nominal": "multiway",
            "missing": "error",
            "gain_floor": 1e-12,
            # Any split with two branches that are not empty.
            "min_branch_weight": 1e-9,
            "two_branches": True,
            "min_split_weight": 0.0,
            "bins": None,
            "many_categories": None,
        },
        names={"missing": _id3_missing},
    ),
    Entry(
        name="c45",
        sentence="Splits on the largest gain ratio among features of average gain, spreads missing "
        "values, and prunes pessimistically with subtree raising (release 8).",
        reference="Quinlan 1993, C4.5: Programs for machine learning; 1996, JAIR 4",
        formula="gain / split information, gain less log2(cuts)/W for a numeric test",
        estimator=CostTreeClassifier,
        settings={"criterion": "gain_ratio"},
        growth=C45_GROWTH | {"many_categories": None},
        pruning=Pessimistic(),
        names=C45_NAMES | {"criterion": _c45_criterion},
    ),
    Entry(
        name="cart",
        sentence="Splits in two on the largest gini decrease, follows surrogates for missing values, and "
        "prunes by cost-complexity with cross-validation and the one-standard-error rule (rpart).",
        reference="Breiman, Friedman, Olshen & Stone 1984, Classification and regression trees",
        formula="i(t) - W_L/W i(L) - W_R/W i(R), i = 1 - sum_c p_c^2",
        estimator=CostTreeClassifier,
        settings={"criterion": "gini", "loss_in_growth": "altered_priors"},
        growth={
            "nominal": "binary",
            "missing": "surrogate",
            "min_split_weight": 20.0,
            "min_branch_weight": 7.0,
            "count_cases": True,
            "max_depth": 30,
            "gain_floor": 1e-12,
            "bins": None,
            "many_categories": None,
        },
        pruning=CostComplexity(cp=0.01),
        names={
            "minsplit": _rpart_minsplit,
            "minbucket": same("growth__min_branch_weight"),
            "maxdepth": same("growth__max_depth"),
        },
    ),
)
