"""Who competes: our learners of streams, and river's and MOA's trees where they are installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thriftwood.costs import Costs
from thriftwood.ensembles import CostGradientBoostingClassifier
from thriftwood.learning.classifier import CostTreeClassifier
from thriftwood.learning.growth import Growth
from thriftwood.learning.pruning import MDL, ExpectedCost
from thriftwood.streams import HoeffdingTreeClassifier, IncrementalTreeClassifier, StreamingTree
from thriftwood.streams.charging import FREE

OURS: dict[str, Callable[[Costs | None], Any]] = {}


def _tree(costs: Costs | None) -> CostTreeClassifier:
    growth = Growth(min_branch_weight=20.0)
    if costs is None:
        return CostTreeClassifier("entropy", growth=growth, pruning=MDL())
    return CostTreeClassifier("eg2", costs=costs, growth=growth, pruning=ExpectedCost())


def _boosted(costs: Costs | None) -> CostGradientBoostingClassifier:
    return CostGradientBoostingClassifier(costs=costs, random_state=0)


def _criterion(costs: Costs | None) -> str:
    return "entropy" if costs is None else "cstree"


def _hoeffding(costs: Costs | None, **settings: Any) -> HoeffdingTreeClassifier:
    return HoeffdingTreeClassifier(_criterion(costs), costs=costs, **settings)


OURS["streaming"] = lambda costs: StreamingTree(_tree(costs))
OURS["streaming, window"] = lambda costs: StreamingTree(_tree(costs), 10_000, 1.2)
OURS["streaming, boosted"] = lambda costs: StreamingTree(_boosted(costs), 10_000, 1.5)
_VARIANTS: dict[str, dict[str, Any]] = {"hoeffding": {}, "efdt": {"revise": True}, "hat": {"drift": 0.002}}
for _name, _settings in _VARIANTS.items():
    OURS[_name] = partial(_hoeffding, **_settings)
    OURS[f"{_name}, bayes"] = partial(_hoeffding, leaves="adaptive", **_settings)
OURS["iti"] = lambda costs: IncrementalTreeClassifier(
    "entropy" if costs is None else "eg2", costs=costs, nominal="value", pruning=MDL()
)
LONGEST: dict[str, int] = {"iti": 10_000}
"""Who holds every case learns from so many at most."""

RIVER = ("river hoeffding", "river efdt")
MOA = ("moa hoeffding", "moa efdt", "moa hat", "moa plastic")


def installed(name: str) -> bool:
    """Tell whether a contestant can take part."""
    if name in RIVER:
        return find_spec("river") is not None
    return name in OURS or (name in MOA and find_spec("capymoa") is not None)


class RiverTree:
    """A tree of river, how it answers a case, and which tests the case buys.

    With prices its leaves go by their counts, so that a case needs the tests on its path alone.
    """

    def __init__(self, name: str, costs: Costs | None, names: tuple[str, ...], n_classes: int) -> None:
        from river import tree  # an extra

        kind = (
            tree.HoeffdingTreeClassifier
            if name == "river hoeffding"
            else tree.ExtremelyFastDecisionTreeClassifier
        )
        leaves = "nba" if costs is None else "mc"
        self.tree: Any = kind(leaf_prediction=leaves)
        self.names = names
        self.costs = costs
        self.loss = (costs or FREE).error_matrix(range(n_classes))
        self.n_classes = n_classes

    def answer(self, row: Mapping[str, float]) -> int:
        """Answer a case: what costs least by the shares of its leaf."""
        shares = self.tree.predict_proba_one(dict(row))
        weights = np.array([shares.get(label, 0.0) for label in range(self.n_classes)])
        return int((weights @ self.loss).argmin())

    def price(self, row: Mapping[str, float]) -> float:
        """Return what the tests on the path of a case cost."""
        root = getattr(self.tree, "_root", None)
        if self.costs is None or root is None or not hasattr(root, "walk"):
            return 0.0
        tests = [node.feature for node in root.walk(dict(row)) if hasattr(node, "feature")]
        return self.costs.total(dict.fromkeys(tests))


def run_river(
    name: str, X: NDArray[np.float64], y: NDArray[np.int64], names: tuple[str, ...], costs: Costs | None
) -> dict[str, float]:
    """Answer, charge and learn case by case; return the sums."""
    model = RiverTree(name, costs, names, int(y.max()) + 1)
    right = tests = mistakes = 0.0
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        case = dict(zip(names, row, strict=True))
        answer = model.answer(case)
        right += answer == label
        mistakes += model.loss[label, answer]
        tests += model.price(case)
        model.tree.learn_one(case, label)
    return {"accuracy": right / len(y), "test_cost": tests / len(y), "error_cost": mistakes / len(y)}


def run_moa(name: str, X: NDArray[np.float64], y: NDArray[np.int64]) -> dict[str, float]:
    """Let CapyMOA's own prequential evaluation run a tree of MOA."""
    from capymoa import classifier  # where it is installed
    from capymoa.evaluation import prequential_evaluation
    from capymoa.stream import NumpyStream

    kinds = {
        "moa hoeffding": classifier.HoeffdingTree,
        "moa efdt": classifier.EFDT,
        "moa hat": classifier.HoeffdingAdaptiveTree,
        "moa plastic": classifier.PLASTIC,
    }
    stream = NumpyStream(X, y.astype(int))
    result = prequential_evaluation(stream, kinds[name](schema=stream.get_schema()), window_size=len(y))
    accuracy = result.cumulative.accuracy() / 100.0
    return {"accuracy": accuracy, "test_cost": 0.0, "error_cost": 1.0 - accuracy}
