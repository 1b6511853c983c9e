"""The learners that compete, and how each is tuned inside the part it learns from.

Every learner but CSDT says how likely the positive class is, and its answer is the one that costs the case at
hand least in expectation. Forests are tuned by what their answers save on the cases that each tree was not
grown on, the others by one third of the training part that is kept aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from thriftwood.costs.answers import cheapest
from thriftwood.ensembles import CheapestAnswer, CostForestClassifier
from thriftwood.evaluation import savings_score
from thriftwood.experiments.savings.data import CostTable
from thriftwood.learners import algorithm
from thriftwood.learning import CostTreeClassifier, Growth

FloatArray = NDArray[np.float64]
Rows = NDArray[np.intp]

LEAVES = (30.0, 100.0, 300.0)
"""The least weight of a branch, from the finest trees to the coarsest."""
FEATURES = ("sqrt", 0.4)
"""Drawn at every node of a forest."""
BOOSTS: tuple[dict[str, Any], ...] = (
    {},
    {"num_leaves": 7},
    {"num_leaves": 7, "learning_rate": 0.03},
    {"num_leaves": 15, "min_child_samples": 100, "learning_rate": 0.03},
    {"num_leaves": 31, "min_child_samples": 300, "learning_rate": 0.03},
)
"""Settings that LightGBM is tuned over, its defaults first."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows of a table."""

    table: CostTable
    rows: Rows

    @property
    def X(self) -> Any:
        """The cases."""
        return self.table.X.iloc[self.rows]

    @property
    def y(self) -> NDArray[np.int64]:
        """Their classes."""
        return self.table.y[self.rows]

    @property
    def costs(self) -> FloatArray:
        """What answers cost them, [row, actual, predicted]."""
        return self.table.costs[self.rows]

    def saved(self, answers: Any) -> float:
        """Return the savings of answers to these cases."""
        return savings_score(self.y, answers, self.costs, classes=[0, 1])

    def saved_by(self, shares: FloatArray) -> float:
        """Return the savings of the cheapest answers by these probabilities."""
        return self.saved(cheapest(shares, self.costs))

    def parted(self, share: float, seed: int) -> tuple[Part, Part]:
        """Split at random, both classes in their shares; the second part has this share."""
        first, second = train_test_split(self.rows, test_size=share, stratify=self.y, random_state=seed)
        return Part(self.table, np.sort(first)), Part(self.table, np.sort(second))


class Scored(NamedTuple):
    """The result of a learner."""

    savings: float
    """On the cases to be answered."""
    settings: str
    """What tuning chose."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What all learners of a trial share."""

    n_trees: int
    seed: int
    n_jobs: int

    def forest(self, leaf: float, features: Any) -> CostForestClassifier:
        """Return a forest of finer or coarser trees."""
        return CostForestClassifier(
            self.n_trees,
            growth=Growth(min_branch_weight=leaf, max_features=features),
            bootstrap=False,
            oob=True,
            random_state=self.seed,
            n_jobs=self.n_jobs,
        )


class _Candidate(NamedTuple):
    """A fitted forest."""

    estimate: float
    """Savings on the cases left out."""
    words: str
    forest: CostForestClassifier


def compete(training: Part, fresh: Part, setup: Setup) -> dict[str, Scored]:
    """Let every learner learn from one part and answer the other."""
    plain = list(_forests(training, setup, FEATURES, by_cost=False))
    by_cost = list(_forests(training, setup, FEATURES[:1], by_cost=True))
    found = {
        "tree": _tree(training, fresh, setup),
        "csdt": _csdt(training, fresh, setup),
        "forest": _answered(_best(plain), fresh),
        "cost forest": _answered(_best(by_cost), fresh),
        "calibrated": _calibrated(_best(plain), training, fresh),
        "chosen": _answered(_best([*plain, *by_cost]), fresh),
    }
    if has_lightgbm():
        found["lightgbm"] = _boosted(training, fresh, setup, BOOSTS[:1])
        found["lightgbm tuned"] = _boosted(training, fresh, setup, BOOSTS)
    return found


def has_lightgbm() -> bool:
    """Tell whether LightGBM is installed."""
    return find_spec("lightgbm") is not None


def _forests(training: Part, setup: Setup, drawn: Sequence[Any], *, by_cost: bool) -> Iterator[_Candidate]:
    """Fit forests, grown for the classes or for the cheapest answers."""
    X, y, costs = training.X, training.y, training.costs if by_cost else None
    for leaf in LEAVES:
        for features in drawn:
            forest = setup.forest(leaf, features).fit(X, y, error_costs=costs)
            kind = "grown by cost" if by_cost else "forest"
            words = f"{kind}, leaves of {leaf:g}, {features} features"
            yield _Candidate(_saved_out_of_bag(training, forest.oob_proba_), words, forest)


def _saved_out_of_bag(training: Part, shares: FloatArray) -> float:
    """Return the savings on the cases that some tree was not grown on, by those trees."""
    known = ~np.isnan(shares[:, 0])
    return Part(training.table, training.rows[known]).saved_by(shares[known])


def _best(candidates: Sequence[_Candidate]) -> _Candidate:
    return max(candidates, key=lambda candidate: candidate.estimate)


def _answered(candidate: _Candidate, fresh: Part) -> Scored:
    return Scored(fresh.saved(candidate.forest.predict(fresh.X, error_costs=fresh.costs)), candidate.words)


def _calibrated(candidate: _Candidate, training: Part, fresh: Part) -> Scored:
    rule = CheapestAnswer(candidate.forest, calibration="isotonic", cv=3).fit(training.X, training.y)
    return Scored(fresh.saved(rule.predict(fresh.X, error_costs=fresh.costs)), candidate.words)


def _csdt(training: Part, fresh: Part, setup: Setup) -> Scored:
    model = algorithm("csdt", random_state=setup.seed, n_jobs=setup.n_jobs)
    assert isinstance(model, CostTreeClassifier)  # others take no costs by row
    model.fit(training.X, training.y, error_costs=training.costs)
    return Scored(fresh.saved(model.predict(fresh.X)), f"{model.get_n_leaves()} leaves")


def _tree(training: Part, fresh: Part, setup: Setup) -> Scored:
    def made(leaf: float) -> CostTreeClassifier:
        return CostTreeClassifier(growth=Growth(min_branch_weight=leaf), n_jobs=setup.n_jobs)

    leaf = _kept_aside(training, setup, LEAVES, made)
    model = made(leaf).fit(training.X, training.y)
    return Scored(fresh.saved_by(model.predict_proba(fresh.X)), f"leaves of {leaf:g}")


def _boosted(training: Part, fresh: Part, setup: Setup, choices: Sequence[dict[str, Any]]) -> Scored:
    import lightgbm  # an optional dependency of this experiment

    def made(settings: dict[str, Any]) -> Any:
        # One thread: its sums, and so its trees, may differ with their number.
        own = {"n_estimators": 200, **settings} if "learning_rate" in settings else settings
        return lightgbm.LGBMClassifier(**own, n_jobs=1, verbose=-1, random_state=setup.seed)

    chosen = choices[0] if len(choices) == 1 else _kept_aside(training, setup, choices, made)
    model = made(chosen).fit(training.X, training.y)
    return Scored(fresh.saved_by(model.predict_proba(fresh.X)), repr(chosen) if chosen else "defaults")


def _kept_aside(training: Part, setup: Setup, choices: Sequence[Any], made: Callable[[Any], Any]) -> Any:
    """Return the choice whose answers save most on a third of the training part, fitted on the rest."""
    growing, judging = training.parted(1 / 3, setup.seed)
    estimates = [
        judging.saved_by(made(choice).fit(growing.X, growing.y).predict_proba(judging.X))
        for choice in choices
    ]
    return choices[int(np.argmax(estimates))]
