"""LASC in plain Python: every component of every node is written out and weighed, none is left out.

A component is a root test and, for each of its two outcomes, one further test or none. The trees come out as
nested tuples, as `growing_tables.shape` gives those of the core.
"""

import itertools
import math
import sys
from dataclasses import dataclass

from learning.reference import KNOWN, Checker

CLEARLY = 1e-12  # scores closer than this, relatively, are a tie


@dataclass(frozen=True)
class Candidate:
    """A test of two outcomes at a node."""

    feature: int
    cut: float | int | str  # a threshold, the one category that goes left, or KNOWN
    gain: float
    outcomes: tuple  # the cases of each


class Grower(Checker):
    """Rules of growth are those of the core's settings."""

    def __init__(self, data, tags, **rules):
        super().__init__(data, **rules)
        self.tags = tags
        self.bought = []
        self.total = math.fsum(data.weights or [1.0] * data.n_rows)
        list_prices = [tags.effective(feature, []) for feature in range(len(tags.own))]
        units = {"max": max(list_prices), "sum": sum(list_prices), "none": 1.0}
        units["mean"] = units["sum"] / len(list_prices)
        self.unit = units[self.rules.parameter("norm")] or 1.0

    def tree(self):
        weights = self.data.weights or [1.0] * self.data.n_rows
        return self.grown([(r, w) for r, w in enumerate(weights)], [], 0, None)

    def grown(self, cases, path, depth, planned):
        if planned is None:
            component = self.best(cases, path, depth) if self.may_split(cases, depth) else None
            if component is None:
                return self.answer(cases)
            self.bought += [test.feature for test in component if test is not None]
        else:
            component = (planned, None, None)
        root, *further = component
        path = [*path, root.feature]
        further.append(None)  # for a branch of missing values, if there is one
        sides = [self.grown(side, path, depth + 1, plan) for side, plan in zip(root.outcomes, further)]  # noqa: B905
        return (root.feature, self.written(root), *sides)

    def answer(self, cases):
        by_class = [
            math.fsum(w for r, w in cases if self.data.target[r] == c) for c in range(self.data.n_classes)
        ]
        return min(c for c, w in enumerate(by_class) if w > max(by_class) - 1e-10)

    def written(self, test):
        categories = self.data.values[test.feature]
        if test.cut == KNOWN:
            return (0,) * categories if categories else sys.float_info.max
        return tuple(int(c != test.cut) for c in range(categories)) if categories else test.cut

    # ---- what a node could have ----

    def tests(self, cases):
        """One test per numeric feature, one per category that occurs, in the order in which they win ties."""
        found = []
        for feature, categories in enumerate(self.data.values):
            have, lacking = self.known(cases, feature)
            column = self.data.columns[feature]
            if self.missing_too_light(lacking):
                continue
            present = sorted({column[r] for r, _ in have})
            cuts = present if categories else [a / 2 + b / 2 for a, b in itertools.pairwise(present)]
            possible = []
            for cut in cuts:
                left = [(r, w) for r, w in have if (column[r] == cut if categories else column[r] <= cut)]
                right = [case for case in have if case not in left]
                least = min(self.weight(left), self.weight(right))
                if not right or least < self.rules.min_branch_weight - 1e-9:
                    continue
                outcomes = self.with_lacking([left, right], lacking, self.weight(have))
                possible.append(
                    Candidate(feature, cut, self.gain([left, right], cases, lacking), tuple(outcomes))
                )
            if possible and not categories:
                best = max(test.gain for test in possible)
                possible = [next(test for test in possible if test.gain > best - 1e-12)]
            if not possible and (offer := self.known_or_missing(cases, have, lacking)):
                possible = [Candidate(feature, KNOWN, offer.gain, (have, lacking))]
            found += possible
        return found

    def components(self, cases, depth):
        """All components, the simplest kinds first."""
        roots = self.tests(cases)
        yield from ((root, None, None) for root in roots)
        if not self.rules.parameter("lookahead"):
            return
        sides = [
            [self.tests(side) if self.may_split(side, depth + 1) else [] for side in root.outcomes[:2]]
            for root in roots
        ]
        for root, (left, _) in zip(roots, sides, strict=True):
            yield from ((root, test, None) for test in left)
        for root, (_, right) in zip(roots, sides, strict=True):
            yield from ((root, None, test) for test in right)
        for root, (left, right) in zip(roots, sides, strict=True):
            yield from ((root, one, other) for one, other in itertools.product(left, right))

    def worth(self, component, cases, path):
        """(tier, value): a component that gains something for nothing is above all that cost something."""
        root, *further = component
        weight = self.weight(cases)
        paid = self.bought if self.tags.upfront else path
        gain, price = root.gain, self.price(root, paid)
        for test, side in zip(further, root.outcomes[:2], strict=True):
            if test is not None:
                share = self.weight(side) / weight
                gain += share * test.gain
                price += share * self.price(test, [*paid, root.feature])
        suppression = (weight / self.total) ** self.rules.parameter("alpha")
        expense = suppression * price / self.unit + (1 - suppression)
        if gain < 1e-12:
            return None
        return (0, gain / expense) if expense > 0 else (1, gain)

    def price(self, test, paid):
        return self.tags.effective(test.feature, paid if self.rules.reuse_is_free else [])

    def best(self, cases, path, depth):
        best, most = None, (0, 0.0)
        for component in self.components(cases, depth):
            worth = self.worth(component, cases, path)
            if worth is not None and (
                worth[0] > most[0] or (worth[0] == most[0] and worth[1] > most[1] * (1 + CLEARLY))
            ):
                best, most = component, worth
        return best
