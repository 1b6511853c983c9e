"""Sampled look-ahead in plain Python: what it must choose when there are so many samples that none is missed.

The least score of the trees that can be drawn below an outcome is worked out by trying every draw.
"""

import math

from learning.growing_tables import core_settings, random_data
from learning.priced_reference import NOTHING, PricedChecker, random_tags
from learning.reference import KNOWN, TIE

from thriftwood import _core


class SampledChecker(PricedChecker):
    """Checks that every node of a tree has the test of the least total."""

    def __init__(self, data, tags, **rules):
        super().__init__(data, tags, **rules)
        self.by_cost = self.rules.criterion == "act"
        self.known_scores = {}

    def best_features(self, cases, used):
        found = self.offers(cases, used)
        if not found:
            return {}
        paid = tuple(self.bought if self.tags.upfront else self.path)
        totals = {f: self.total(f, offer, cases, used, paid) for f, offer in found.items()}
        least = min(totals.values())
        return {f: found[f] for f, total in totals.items() if total < least + max(TIE, TIE * abs(least))}

    def offers(self, cases, used):
        found = {}
        for feature, values in enumerate(self.data.values):
            if values and feature in used and not self.rules.reuse_nominal:
                continue
            offer = self.nominal(feature, cases) if values else self.numeric(feature, cases)
            if offer is not None and offer.gain > self.rules.gain_floor:
                found[feature] = offer
        return found

    def total(self, feature, offer, cases, used, paid):
        """The test's own cost, and the least score below each of its outcomes."""
        total = 0.0
        if self.by_cost:
            payers = self.whole if self.tags.upfront else self.weight(cases)
            total = payers * self.tags.effective(feature, paid)
        paid = paid if feature in paid else (*paid, feature)
        for branch in self.branches(feature, offer, cases):
            total += self.least_score(tuple(branch), used | {feature}, paid)
        return total

    def branches(self, feature, offer, cases):
        have, lacking = self.known(cases, feature)
        column = self.data.columns[feature]
        if offer.cuts == [KNOWN]:
            groups = [have]
        elif offer.cuts:
            cut = self.place(column, *offer.cuts[0])
            groups = [[case for case in have if (column[case[0]] > cut) == side] for side in (False, True)]
        else:
            groups = self.groups_of(feature, offer.groups[0], have)
        return self.with_lacking(groups, lacking, self.weight(have))

    def least_score(self, cases, used, paid):
        key = cases, used, paid
        if key not in self.known_scores:
            self.known_scores[key] = self.score(cases, used, paid)
        return self.known_scores[key]

    def score(self, cases, used, paid):
        found = self.offers(cases, used) if self.may_split(cases, 0) else {}
        if not found:
            return self.leaf(cases)
        drawable = self.drawable(found, cases)
        return min(self.total(f, found[f], cases, used, paid) for f in drawable)

    def drawable(self, found, cases):
        """The tests that are drawn with some chance."""
        if not self.by_cost:
            mixed = self.cost(cases) / self.weight(cases)
            finishing = [f for f, offer in found.items() if offer.gain > mixed - NOTHING]
            if finishing:
                return finishing
        return [f for f, offer in found.items() if offer.gain > NOTHING] or list(found)

    def leaf(self, cases):
        if not self.by_cost:
            return 1.0
        weights = [0.0] * self.data.n_classes
        for row, weight in cases:
            weights[self.data.target[row]] += weight
        return expected_cost(weights, self.rules.loss, self.rules.parameter("cf"))


def expected_cost(weights, loss, cf):
    """What the mistakes expected at a leaf cost: formula A2.7 for their number, the mean for each."""
    classes, total = range(len(weights)), sum(weights)
    if total <= 0:
        return 0.0
    price = [
        [loss[c * len(weights) + answer] if len(loss) else float(c != answer) for answer in classes]
        for c in classes
    ]
    sums = [sum(weights[c] * price[c][answer] for c in classes) for answer in classes]
    answer = min(a for a in classes if sums[a] < min(sums) + TIE)
    errors = total - weights[answer]
    wrong = [c for c in classes if c != answer]
    if errors > NOTHING:
        each = sum(weights[c] * price[c][answer] for c in wrong) / errors
    else:
        each = sum(price[c][answer] for c in wrong) / len(wrong)
    expected = errors + added_errors(total, errors, cf)
    return expected * each + (total - expected) * price[answer][answer]


def added_errors(n, e, cf):
    if e < 1e-6:
        return n * (1 - cf ** (1 / n))
    if e < 0.9999:
        none = n * (1 - cf ** (1 / n))
        return none + e * (added_errors(n, 1.0, cf) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    assert cf == 0.25
    c = 0.6925**2
    half = e + 0.5
    upper = (half + c / 2 + math.sqrt(c * (half * (1 - half / n) + c / 4))) / (n + c)
    return n * upper - e


def assert_sampled_by_the_rules(seed, *, upfront=False, n_classes=2, samples=2000, **rules):
    """Grows a tree of a random small table by many samples, checks every choice; returns how many nodes."""
    data = random_data(seed, n_classes=n_classes, n_rows=9)
    tags = random_tags(seed, len(data.values), upfront)
    rules = {
        "gain_floor": -1e-9,
        "min_branch_weight": 1e-9,
        "two_branches": True,
        "min_split_weight": 0.0,
    } | rules
    settings = core_settings(**rules, choosing="look-ahead", samples=samples, seed=seed)
    prices = (
        _core.Prices(tags.costs.compile(range(len(data.values)))) if rules["criterion"] == "act" else None
    )
    tree = _core.grow(data.table, settings, prices=prices, **data.core_target())
    return SampledChecker(data, tags, **rules).check(tree)
